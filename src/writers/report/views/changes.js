// The call paths of both sides: as rows that open and close, and as a flame graph with the widths of one side.
import {barLine, button, make, note, toggle} from '../dom.js';
import {abs, andLeft, inUnit, max, option, percent, plural, unitFor, withUnit} from '../format.js';
import {change, compareCommand} from './comparison.js';
import {Flame, show} from './flame.js';
import {Tree} from './tree.js';
import {fillBox} from './canvas.js';

// Several runs of a side are added up in it; their mean is shown, as `diff --view tree` has it.
export function pairOf(data) {
	const c = data.comparison, {paths} = c, runs = [c.sides.before.runs, c.sides.after.runs];
	const round = v => Math.sign(v) * Math.round(abs(v)), mean = (m, k) => key => m[key].map(v => round(v / runs[k]));
	const [before, after] = paths.metrics.map((m, k) => ({...m, whole: round(m.whole / runs[k]), total: mean(m, k)('total'), self: mean(m, k)('self'),
		width: mean(m, k)('width'), wide: m.wide / runs[k], calls: null}));
	return {before, after, paths: {...paths, metrics: [before, after]}};
}

// The largest change below each path, itself included: siblings are in this order.
export function peaks(pair) {
	const {before, after, paths} = pair, peak = new Float64Array(paths.count);
	for (let i = paths.count - 1; i >= 0; i--) {
		peak[i] = max(peak[i], abs(after.total[i] - before.total[i]));
		if (paths.parent[i] >= 0)
			peak[paths.parent[i]] = max(peak[paths.parent[i]], peak[i]);
	}
	return peak;
}

// A word for new and gone paths, and for those whose self changed by 1 % of the whole, as in the
// table.
export function wordOf(data, pair, node) {
	const {before, after, paths} = pair, c = data.comparison, row = c.rowOf.get(paths.symbol[node]);
	const self = after.self[node] - before.self[node], whole = max(before.whole, after.whole);
	const verdict = row === undefined ? '' : c.verdicts[c.verdict[row]];
	if (!before.total[node] || !after.total[node])
		return verdict === 'unrecorded' ? c.says[c.say[row]] : before.total[node] ? 'gone' : after.total[node] ? 'new' : '';
	if (row === undefined || abs(self) < 0.01 * whole || ['unchanged', 'minor', 'shifted'].includes(verdict) || (c.tone[row] === 1 || c.tone[row] === 2) && c.after[row] > c.before[row] !== self > 0)
		return '';
	return c.says[c.say[row]];
}

// The app with the paths of both sides in the place of its own.
function withPair(app, pair, metric) {
	const c = app.data.comparison, meta = {...c.metric, total: metric ? pair.after.whole : pair.before.whole};
	return Object.assign(Object.create(app), {data: {...app.data, paths: pair.paths, metrics: [meta, meta]}, metric});
}

class ChangesTree extends Tree {
	constructor(app, pair) {
		super(Object.assign(app, {pair}));
	}

	arrange() {
		const {pair} = this.app, {paths} = pair, peak = this.peak = peaks(pair);
		const sorted = list => list.slice().sort((a, b) => peak[b] - peak[a] || a - b);
		this.sorted = {has: () => true, roots: sorted(paths.roots), children: paths.children.map(c => c.length > 1 ? sorted(c) : c)};
		this.open = new Set();
		// Open as long as one path below has most of the change.
		for (let node = this.sorted.roots[0]; node !== undefined && peak[node] > 0; node = this.sorted.children[node][0])
			this.open.add(node);
		this.unit = unitFor(this.app.data.metrics[0], max(pair.before.whole, pair.after.whole));
	}

	cells(node, mark) {
		const {before, after} = this.app.pair, c = this.app.data.comparison, {unit} = this, word = wordOf(this.app.data, this.app.pair, node);
		const delta = after.total[node] - before.total[node], self = after.self[node] - before.self[node];
		const sure = word === 'new' || word === 'gone' || [1, 2].includes(c.tone[c.rowOf.get(this.app.data.paths.symbol[node])]), cls = word && sure && self ? self > 0 ? ' bad' : ' good' : '';
		const number = (value, text, more) => make('span', {class: 'number' + (more || ''), 'data-value': value}, mark + text);
		return [number(before.total[node], inUnit(before.total[node], unit)), number(after.total[node], inUnit(after.total[node], unit)),
			number(delta, change(delta, unit)), number(self, change(self, unit), cls),
			make('span', {class: 'verdict' + cls, 'data-word': word}, word)];
	}
}

function showChanges(app, root) {
	const pair = pairOf(app.data), tree = new ChangesTree(withPair(app, pair, 1), pair), unit = tree.unit.name ? ' (' + tree.unit.name + ')' : '', p = pair.paths;
	root.append(barLine(
		note(plural(p.count, 'call path') + ' of both sides, the largest change first' + andLeft(p.left) +
			tree.found() + runsNote(app.data) +
			(p.isEstimated ? '; ~ estimated: ' + app.data.knows : '')),
		tree.closer()),
	make('div', {class: 'scroll both'}, make('div', {class: 'tree-head row', 'aria-hidden': 'true'},
		...['before', 'after', 'change', 'self change'].map(t => make('span', {class: 'number'}, t + unit)),
		make('span', {class: 'verdict'}, 'verdict'), make('span', {class: 'name'}, app.data.comparison.metric.name + ' of call paths')), tree.list));
	return {picture: tree};
}

function runsNote(data) {
	const {sides, scale} = data.comparison;
	return (sides.before.runs > 1 || sides.after.runs > 1 ? '; means of the runs of a side' : '') + (scale !== 1 ? '; values before are as read, not scaled' : '');
}

class ChangesFlame extends Flame {
	constructor(app, pair) {
		super(Object.assign(app, {pair}), app.state.up === '1');
		const {before, after, paths} = pair;
		this.most = 0;
		for (let i = 0; i < paths.count; i++)
			this.most = max(this.most, abs(after.self[i] - before.self[i]));
	}

	delta(node) {
		const {before, after} = this.app.pair;
		return after.self[node] - before.self[node];
	}

	color(node) {
		const delta = this.delta(node), part = this.most ? abs(delta) / this.most : 0;
		return delta && part > 0.01 ? 'hsl(' + (delta > 0 ? 8 : 212) + ' 90% ' + (90 - 22 * Math.sqrt(part)).toFixed(0) + '%)' : '#e4e6e9';
	}

	// A path with more cost has a bar at the upper edge, one with less at the lower edge; new
	// and gone ones have both ends marked.
	mark(c, node, x, top, w) {
		const delta = node < 0 ? 0 : this.delta(node);
		if (!delta || abs(delta) < 0.01 * this.most)
			return;
		fillBox(c, '#16181c', x, delta > 0 ? top : top + 15, w, 3);
	}

	labelOf(node) {
		if (node < 0)
			return super.labelOf(node);
		const delta = this.delta(node), word = wordOf(this.app.data, this.app.pair, node), whole = max(this.app.pair.before.whole, this.app.pair.after.whole);
		const sign = abs(delta) < 0.001 * whole ? '' : (delta > 0 ? '\u25b2' : '\u25bc') + percent(abs(delta), whole) + ' ';
		return sign + (word === 'new' ? 'new: ' : word === 'gone' ? 'gone: ' : '') + super.labelOf(node);
	}

	words(node) {
		const {pair, data} = this.app, {before, after} = pair, meta = data.metrics[0], unit = v => withUnit(v, meta);
		if (node < 0)
			return 'all: ' + unit(before.whole) + ' before, ' + unit(after.whole) + ' after';
		const symbol = this.p.symbol[node], place = data.where(symbol), word = wordOf(data, pair, node), plus = v => (v > 0 ? '+' : '') + unit(v);
		return data.name(symbol) + (place ? ' (' + place + ')' : '') + ': ' + unit(before.total[node]) + ' before, ' + unit(after.total[node]) + ' after, ' +
			plus(after.total[node] - before.total[node]) + '; itself ' + plus(this.delta(node)) + (word ? ', ' + word : '') + (this.p.estimated[node] ? '; estimated' : '');
	}
}

function showChangesFlame(app, root) {
	const pair = pairOf(app.data), metric = app.state.side === 'before' ? 0 : 1, {state} = app;
	const flame = new ChangesFlame(withPair(app, pair, metric), pair);
	const choice = (text, on, to) => toggle(text, on, 'changes-' + text, () => app.go(to));
	const [here, there] = metric ? [pair.after, pair.before] : [pair.before, pair.after], without = there.self.reduce((sum, v, i) => sum + (here.total[i] ? 0 : v), 0);
	const notes = ['Widths are those ' + (metric ? 'after' : 'before') + (without ? ': what is ' + (metric ? 'gone' : 'new') + ' (' + withUnit(without, app.data.comparison.metric) + ') is not in it.' : '.'),
		'\u25b2 and a bar at the upper edge: the function itself has more; \u25bc and a bar at the lower edge: less; the number is the change in percent of the whole.'];
	if (pair.paths.isEstimated)
		notes.push('Hatched: estimated, ' + app.data.knows + '.');
	notes.push(...pathsLeft(pair.paths.left));
	if (runsNote(app.data))
		notes.push('Numbers: ' + runsNote(app.data).slice(2) + '.');
	root.append(barLine(choice('widths after', metric === 1, {side: ''}), choice('widths before', metric === 0, {side: 'before'}),
		choice('roots on top', state.up === '1', {up: state.up === '1' ? '' : '1'}), choice('largest first', state.order === 'heavy', {order: state.order === 'heavy' ? '' : 'heavy'}),
		flame.zoom >= 0 ? button('show all', () => flame.zoomTo(-1)) : null));
	return show(flame, root, notes);
}

const hasPaths = data => Boolean(data.comparison && data.comparison.paths);

export const changesTreeView = {
	id: 'changes', title: 'Tree of changes', anyMetric: true, needs: hasPaths, render: showChanges,
	command: app => compareCommand(app, 'diff', ['--view tree', '--limit 0']),
};
export const changesFlameView = {
	id: 'changes-flame', title: 'Flame graph of changes', anyMetric: true, needs: hasPaths, render: showChangesFlame,
	command: app => {
		const {files, options, metric, sides} = app.data.comparison, after = app.data.raw.files, before = files.slice(0, -after.length - 4);
		if (sides.before.runs > 1 || app.data.raw.inputs_before.length > 1)
			return changesTreeView.command(app);
		return ['profkit flamegraph', '--diff ' + before, ...flameOptions(app),
			app.data.metrics.length > 1 ? option('metric', metric.name) : '', options.trim(), after, '-o changes.svg'].filter(w => w).join(' ');
	},
};
