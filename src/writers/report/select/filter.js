// The profile after the filters that the command line has, too: focus, ignore, hide, show-from,
// collapse-recursion, fold-library, only-my-code (src/model/transform/select.c). Paths are made anew, and
// functions and calls from them.
import {readPaths} from '../data.js';
import {isNaN, max} from '../format.js';

const flags = ['collapse-recursion', 'fold-library', 'only-my-code'];
export const filters = ['focus', 'ignore', 'hide', 'show-from', ...flags];
const FOCUS = 1, IGNORE = 2, HIDE = 4, FROM = 8, LIBRARY = 16;
const marks = {focus: FOCUS, ignore: IGNORE, hide: HIDE, 'show-from': FROM};
const libraries = ['/site-packages/', '/dist-packages/', '<frozen ', '/lib/python', '/lib64/python', '/lib/pypy', '\\site-packages\\'];

export const isFlag = name => flags.includes(name);

// Why there are no filters on this page; '' if there are. Filters that the command line has applied
// are not offered again.
export function whyNot(data) {
	if (!data.paths)
		return 'the profile has no call paths';
	return data.paths.left || data.functions.left ? 'not all call paths are in the page; the command has filters' : '';
}

// As a filter takes it. "\-" outside of brackets, "{" and "]" are letters for the commands, which browsers know without "u" only.
export function expression(text) {
	const fold = /^\(\?i\)/.test(text), source = fold ? text.slice(4) : text, flags = fold ? 'i' : '';
	try {
		return new RegExp(source, flags + 'u');
	} catch {
		return new RegExp(source, flags);
	}
}

// Marks of functions, by symbol. Errors, and filters that match nothing, become words.
function judge(data, state, words) {
	const of = new Uint8Array(data.symbols);
	for (const [name, mark] of Object.entries(marks)) {
		let re, found = false;
		if (!state[name])
			continue;
		try {
			re = expression(state[name]);
		} catch {
			words.push(name + ': this is no regular expression');
			continue;
		}
		for (let s = 0; s < data.symbols; s++) {
			if (!(re.test(data.name(s)) || data.module(s) && re.test(data.module(s)) || data.file(s) && re.test(data.file(s) + ':' + data.line(s))))
				continue;
			of[s] |= mark;
			found = true;
		}
		if (!found)
			words.push(name + ' matches nothing');
	}
	for (let s = 0; (state['fold-library'] || state['only-my-code']) && s < data.symbols; s++)
		if (['builtin', 'runtime'].includes(data.kind(s)) || libraries.some(l => data.file(s).includes(l)))
			of[s] |= LIBRARY;
	return of;
}

// Where each path goes: the number of a new one, -1 is nowhere. outermost: with only-my-code, the outermost library of a path
// without a function of the program, -1 of others; it becomes a root if one of these paths has a cost.
function place(data, state, of, keeps, inside) {
	const p = data.paths, made = {symbol: [], parent: [], estimated: []}, at = new Int32Array(p.count), outermost = new Int32Array(p.count).fill(-1), known = new Map();
	// A path without a cost of its own is needed if there are paths below it; at the end of a
	// path, one that was recorded has a cost of 0.
	const costs = keeps.map((keep, i) => keep && p.metrics.some(m => m.self[i] || m.calls && !isNaN(m.calls[i])) ? 1 : 0);
	const needed = costs.map((cost, i) => cost || keeps[i] && !p.children[i].length && !p.estimated[i] ? 1 : 0), mine = Boolean(state['only-my-code']);
	for (let i = p.count - 1; i >= 0; i--)
		if (needed[i] && p.parent[i] >= 0)
			needed[p.parent[i]] = 1;
	const put = (i, above) => {
		const symbol = p.symbol[i], key = (above + 1) * data.symbols + symbol;
		if (!known.has(key)) {
			known.set(key, made.symbol.length);
			made.symbol.push(symbol);
			made.parent.push(above);
			made.estimated.push(0);
		}
		at[i] = known.get(key);
		made.estimated[at[i]] |= p.estimated[i];
	};
	for (let i = 0; i < p.count; i++) {
		const parent = p.parent[i], symbol = p.symbol[i], library = of[symbol] & LIBRARY, outside = parent < 0 ? -1 : outermost[parent];
		const above = parent < 0 || outside >= 0 ? -1 : at[parent];
		at[i] = above;
		outermost[i] = outside;
		if (needed[i] && (!state['show-from'] || inside[i] & FROM) && !(of[symbol] & HIDE)) {
			if (mine && library)
				outermost[i] = above < 0 && outside < 0 ? i : outside;
			else if (!(state['collapse-recursion'] && above >= 0 && made.symbol[above] === symbol || library && parent >= 0 && of[p.symbol[parent]] & LIBRARY)) {
				outermost[i] = -1;
				put(i, above);
			}
		}
		if (outermost[i] >= 0 && costs[i]) {
			put(outermost[i], -1);
			at[i] = at[outermost[i]];
		}
	}
	return {made, at};
}

// The new paths in the order of a walk: where each comes, and how deep it is.
function walk(made) {
	const n = made.symbol.length, children = Array.from({length: n}, () => []), roots = [], order = [], depth = [];
	for (let i = 0; i < n; i++)
		(made.parent[i] < 0 ? roots : children[made.parent[i]]).push(i);
	const stack = roots.reverse().map(r => [r, 0]);
	while (stack.length) {
		const [node, level] = stack.pop();
		order.push(node);
		depth.push(level);
		for (let c = children[node].length; c-- > 0;)
			stack.push([children[node][c], level + 1]);
	}
	return {order, depth};
}

function filteredMetric(old, {made, at}, keeps, order) {
	const n = made.symbol.length, self = new Float64Array(n), calls = new Float64Array(n).fill(NaN);
	let total = 0, below = false;
	for (let i = 0; i < at.length; i++) {
		if (!keeps[i] || at[i] < 0)
			continue;
		self[at[i]] += old.self[i];
		total += old.self[i];
		below = below || old.self[i] < 0;
		// A path that was merged into its caller adds cost to it, but no calls.
		if (old.calls && !isNaN(old.calls[i]) && made.own[i])
			calls[at[i]] = (calls[at[i]] || 0) + old.calls[i];
	}
	const raw = {total, self: order.map(o => self[o]), calls: old.calls && order.map(o => isNaN(calls[o]) ? null : calls[o]), no_sum: old.noSum};
	if (below) {
		raw.width = raw.self.map(v => max(v, 0));
		raw.whole_width = 0;
	}
	return raw;
}

// With costs below 0, boxes have the width of the sum of the costs above 0.
function widen(paths) {
	for (const m of paths.metrics) {
		if (m.width === m.total)
			continue;
		for (let i = paths.count - 1; i >= 0; i--) {
			if (paths.parent[i] >= 0)
				m.width[paths.parent[i]] += m.width[i];
			else
				m.wide += m.width[i];
		}
	}
}

// Adds up functions and calls between them; inside a call of the same, a total counts once.
// Functions without a cost in any metric are not rows of the table, and are added up in one row
// behind the last.
function addUp(data, paths, m) {
	const n = data.functions.count, numbers = () => new Float64Array(n + 1), row = numbers(), self = numbers(), total = numbers(), calls = numbers().fill(NaN);
	const primitive = numbers().fill(NaN), open = numbers(), stack = [], arcs = new Map(), openArcs = new Map(), rowOf = i => data.rowOf.get(paths.symbol[i]) ?? n;
	for (let i = 0; i < paths.count; i++) {
		const r = rowOf(i), above = paths.parent[i] < 0 ? n : rowOf(paths.parent[i]), key = above * (n + 1) + r;
		while (stack.length > paths.depth[i]) {
			const [was, arc] = stack.pop();
			open[was]--;
			openArcs.set(arc, openArcs.get(arc) - 1);
		}
		row[r] = max(row[r], paths.estimated[i] ? 2 : 1);
		self[r] += m.self[i];
		total[r] += open[r] ? 0 : m.total[i];
		if (m.calls && !isNaN(m.calls[i])) {
			calls[r] = (calls[r] || 0) + m.calls[i];
			primitive[r] = (primitive[r] || 0) + (open[r] ? 0 : m.calls[i]);
		}
		if (above < n && r < n) {
			const arc = arcs.get(key) || {caller: above, callee: r, calls: NaN, self: 0, total: 0, estimated: 0};
			arc.self += m.self[i];
			arc.total += openArcs.get(key) ? 0 : m.total[i];
			arc.estimated |= paths.estimated[i];
			if (m.calls && !isNaN(m.calls[i]))
				arc.calls = (arc.calls || 0) + m.calls[i];
			arcs.set(key, arc);
		}
		open[r]++;
		openArcs.set(key, (openArcs.get(key) || 0) + 1);
		stack.push([r, key]);
	}
	for (let r = 0; r < n && data.metrics.length > 1; r++) // as `hotspots` leaves it out
		row[r] = self[r] || total[r] || calls[r] ? row[r] : 0;
	const list = Array.from(arcs.values()), c = {count: list.length, left: 0};
	for (const key of ['caller', 'callee', 'calls', 'self', 'total', 'estimated'])
		c[key] = Float64Array.from(list, a => a[key]);
	return {functions: Object.fromEntries(Object.entries({row, self, total, calls, primitive}).map(([k, a]) => [k, a.subarray(0, n)])), calls: c};
}

// The data with other paths, and functions and calls that are added up from them.
export function summedUp(data, paths) {
	widen(paths);
	const sums = paths.metrics.map(m => addUp(data, paths, m));
	return {...data, paths, functions: {...data.functions, metrics: sums.map(s => s.functions)}, calls: sums.map(s => s.calls),
		metrics: data.metrics.map((m, i) => ({...m, total: paths.metrics[i].whole}))};
}

// The data without what is filtered out, and what is to be said of the filters.
export function filtered(data, state) {
	const words = [], of = judge(data, state, words), p = data.paths, inside = new Uint8Array(p.count), keeps = new Uint8Array(p.count);
	for (let i = 0; i < p.count; i++) {
		inside[i] = (p.parent[i] < 0 ? 0 : inside[p.parent[i]]) | of[p.symbol[i]];
		keeps[i] = !(inside[i] & IGNORE) && (!state.focus || inside[i] & FOCUS) ? 1 : 0;
	}
	const placed = place(data, state, of, keeps, inside), {order, depth} = walk(placed.made);
	placed.made.own = Uint8Array.from(p.parent, (parent, i) => placed.at[i] >= 0 && (parent < 0 || placed.at[parent] !== placed.at[i]) ? 1 : 0);
	if (p.isEstimated && data.raw.inputs.length > 1)
		words.push('call paths are estimated from the sum of the files; the command estimates those of each file');
	const paths = readPaths({count: order.length, left: 0, symbol: order.map(o => placed.made.symbol[o]), depth, estimated: order.map(o => placed.made.estimated[o]),
		metrics: p.metrics.map(m => filteredMetric(m, placed, keeps, order))});
	return {words, data: summedUp(data, paths)};
}
