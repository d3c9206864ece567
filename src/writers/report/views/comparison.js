// Functions before and after, by effect, with the verdicts of `diff`; above them what `check` says.
import {addRows, barLine, functionLink, head, heading, make, note, numberCell, pageSize, para, sortButton, tableBox} from '../dom.js';
import {csvButtons} from '../export.js';
import {abs, exact, field, fixed, general, inUnit, isNaN, max, option, percent, plural, ratio, unitFor} from '../format.js';

// "1.25", of small changes "1.0042"; what is new has none.
export const ratioText = ratio => isNaN(ratio) ? '-' : ratio >= 1e6 ? ratio.toExponential(1) : fixed(ratio, ratio < 0.1 || abs(ratio - 1) < 0.005 ? 4 : 2);

// A sign beside the word, so that color is not all that tells.
export function signOf(c, row) {
	const more = c.after[row] > c.before[row], less = c.after[row] < c.before[row];
	return c.tone[row] === 1 || c.tone[row] === 2 ? more ? '\u25b2' : less ? '\u25bc' : '\u25c6' : '';
}

const tones = ['', 'good', 'bad'];

// The change of a value with its sign.
export const change = (value, unit) => (value > 0 ? '+' : '') + inUnit(value, unit);

// The words that functions have, the most frequent ones last: a choice of what to show.
function verdictChoices(c) {
	const times = c.says.map(() => 0);
	for (let i = 0; i < c.count; i++)
		times[c.say[i]]++;
	return c.says.map((say, i) => ({say, times: times[i]}));
}

// The rows that are shown, in order: that of diff, or by a column.
export function comparisonRows(app) {
	const {data, found, state} = app, c = data.comparison, value = columnValues(data);
	const rows = Array.from(c.symbol, (_, i) => i).filter(i => (!found || found[c.symbol[i]]) &&
		(!state.verdict || (state.verdict === 'changed' ? c.tone[i] === 1 || c.tone[i] === 2 || c.note[i] : c.says[c.say[i]] === state.verdict)));
	const key = state.sort.replace(/^-/, ''), of = value[key], up = state.sort[0] === '-';
	if (of)
		rows.sort((a, b) => {
			const x = of(a), y = of(b);
			if (typeof x === 'string')
				return (up ? -1 : 1) * (x < y ? -1 : x > y ? 1 : 0) || a - b;
			return (isNaN(x) ? 1 : 0) - (isNaN(y) ? 1 : 0) || (up ? -1 : 1) * (y - x) || a - b;
		});
	return {rows, key: of ? key : '', up};
}

function columnValues(data) {
	const c = data.comparison;
	return {
		verdict: i => c.says[c.say[i]], before: i => c.before[i], after: i => c.after[i], delta: i => abs(c.after[i] - c.before[i]),
		ratio: i => c.ratio[i], p: i => -c.p[i], name: i => data.name(c.symbol[i]),
	};
}

// As `diff --format csv` has them.
export function comparisonCsv(data, rows) {
	const c = data.comparison, real = v => isNaN(v) ? '' : general(v);
	const lines = ['function,module,file,line,before,after,delta,ratio,share_before,share_after,ci_low,ci_high,p,verdict,note,estimated'];
	for (const i of rows) {
		const s = c.symbol[i];
		lines.push([data.name(s), data.moduleOf(s), data.file(s), String(data.line(s) || ''), exact(c.before[i], c.metric), exact(c.after[i], c.metric),
			exact(c.after[i] - c.before[i], c.metric), real(c.ratio[i]), ratio(c.before[i], c.total.before), ratio(c.after[i], c.total.after), real(c.ci_low[i]), real(c.ci_high[i]), real(c.p[i]),
			c.verdicts[c.verdict[i]], c.note[i] ? c.notes[c.note[i] - 1] : '', String(Boolean(c.estimated[i]))].map(field).join(','));
	}
	return lines.join('\n') + '\n';
}

function checkPart(check) {
	const cls = verdict => ({pass: 'good', fail: 'bad', suspect: 'bad'})[verdict] || '';
	return [make('h1', {class: 'check ' + cls(check.verdict)}, 'Check: ' + check.verdict),
		...check.words.slice(0, 1).map(w => para(w)),
		tableBox('rules', 'Rules of check', ['rule', 'verdict', 'what was found'].map(t => head(t)), check.rules.map(([rule, verdict, text]) => make('tr', {'data-rule': rule},
			make('th', {scope: 'row'}, make('code', {}, rule)), make('td', {class: cls(verdict)}, verdict), make('td', {}, text))))];
}

// A row is a function, or a benchmark, which has a unit of its own, as some take ns and some seconds, and no share of a whole.
function comparisonColumns(app, common) {
	const {data} = app, c = data.comparison, own = c.row === 'benchmark', unit = own ? {name: ''} : common, unitOf = i => own ? unitFor(c.metric, max(c.before[i] || 0, c.after[i] || 0)) : common, has = key => c[key].some(v => !isNaN(v)), name = unit.name ? ' (' + unit.name + ')' : '';
	const mark = i => c.estimated[i] ? '~' : '', whole = c.total, withName = (text, i) => own && text !== '-' ? text + ' ' + unitOf(i).name : text, shownIn = (v, i) => withName(inUnit(v, unitOf(i)), i);
	const value = (key, more) => i => numberCell(key, exact(c[key][i], c.metric), mark(i) + shownIn(c[key][i], i), more);
	// Of a number that may not be known.
	const minorCell = (key, number, value, text) => isNaN(number) ? numberCell(key, '', '-', ' minor') : numberCell(key, value, text, ' minor');
	const share = (key, of) => i => make('td', {class: 'number minor'}, percent(Number(exact(c[key][i], c.metric) || NaN), of));
	return [
		{id: 'verdict', title: 'verdict', cell: i => make('td', {class: 'verdict ' + (tones[c.tone[i]] || ''), 'data-key': 'verdict', 'data-value': c.verdicts[c.verdict[i]]},
			make('span', {'aria-hidden': 'true'}, signOf(c, i) + '\u00a0'), c.says[c.say[i]])},
		{id: 'before', title: 'before' + name, minor: true, cell: value('before', ' minor')}, {id: 'after', title: 'after' + name, cell: value('after')},
		{id: 'delta', title: 'change' + name, cell: i => numberCell('delta', exact(c.after[i] - c.before[i], c.metric),
			mark(i) + withName(change(c.after[i] - c.before[i], unitOf(i)), i), ' ' + (tones[c.tone[i]] || ''))},
		{id: 'ratio', title: 'ratio', minor: true, cell: i => minorCell('ratio', c.ratio[i], c.ratio[i], ratioText(c.ratio[i]))},
		...has('ci_low') ? [{title: 'ratio from \u2013 to', minor: true, cell: i => minorCell('ci', c.ci_low[i], c.ci_low[i] + ' ' + c.ci_high[i],
			ratioText(c.ci_low[i]) + (isNaN(c.ci_high[i]) ? ' or more' : ' \u2013 ' + ratioText(c.ci_high[i])))}] : [],
		...has('p') ? [{id: 'p', title: 'p', minor: true, cell: i => minorCell('p', c.p[i], c.p[i], fixed(c.p[i], 3))}] : [],
		...own ? [] : [{title: 'before %', minor: true, cell: share('before', whole.before)}, {title: 'after %', minor: true, cell: share('after', whole.after)}],
		{id: 'name', title: c.row, cell: i => {
			return make('th', {scope: 'row', class: 'name', 'data-key': 'function', title: data.place(c.symbol[i])},
				functionLink(app, data.rowOf.get(c.symbol[i]), data.label(c.symbol[i])), c.note[i] ? make('span', {class: 'note'}, ': ' + c.notes[c.note[i] - 1]) : null);
		}},
	];
}

function comparisonTable(app, {rows, key, up}) {
	const {data} = app, c = data.comparison, body = make('tbody', {});
	const largest = rows.reduce((most, i) => max(most, abs(c.before[i]) || 0, abs(c.after[i]) || 0), 0);
	const columns = comparisonColumns(app, unitFor(c.metric, largest));
	const more = addRows(body, rows, pageSize, i => make('tr', {'data-symbol': c.symbol[i]}, ...columns.map(column => column.cell(i))), c.row, c.row + 's');
	const heads = columns.map(({id, title, minor}) => {
		const isText = ['verdict', 'name'].includes(id);
		return head(id ? sortButton(app, id, title, id === key && !up) : title,
			isText ? null : 'number' + (minor ? ' minor' : ''), {'aria-sort': id && id === key ? up !== isText ? 'ascending' : 'descending' : null});
	});
	return [tableBox('functions', 'Before and after, by the size of the change', heads, body), more];
}

function showComparison(app, root) {
	const {data, state} = app, c = data.comparison, shown = comparisonRows(app);
	if (data.check)
		root.append(...checkPart(data.check));
	root.append(make(data.check ? 'h2' : 'h1', {}, 'Total: ' + c.say_total), ...c.words.map(w => para(w)));
	const select = make('select', {id: 'verdict', onchange: () => app.go({verdict: select.value}), 'data-focus': 'verdict'},
		make('option', {value: ''}, 'all'), make('option', {value: 'changed'}, 'what changed or moved'),
		...verdictChoices(c).map(({say, times}) => make('option', {value: say}, say + ' (' + times + ')')));
	select.value = state.verdict;
	root.append(heading((c.row === 'function' ? 'Functions' : 'Benchmarks') + ' by effect'), barLine(
		make('label', {for: 'verdict'}, 'verdict'), select,
		note(plural(shown.rows.length, c.row, c.row + 's') + (app.found || state.verdict ? ' of ' + c.count : '') +
			(c.left ? '; ' + plural(c.left, 'is', 'are') + ' left out of the page' : '') + '; ' + (c.row === 'function' ? c.measure + ' ' : '') + c.metric.name),
		csvButtons(() => comparisonCsv(data, shown.rows), plural(shown.rows.length, 'row'))));
	root.append(...shown.rows.length ? comparisonTable(app, shown) : [para('There are none.')]);
}

// The command that compares the same files, of `diff` or with another name.
export function compareCommand(app, name, more) {
	const {options, files, metric, measure} = app.data.comparison;
	return ['profkit', name, ...more, measure === 'calls' ? '--metric calls' : app.data.metrics.length > 1 ? option('metric', metric.name) : '',
		measure === 'total' ? '--measure total' : '', options.trim(), files].filter(w => w).join(' ');
}

export const comparisonView = {
	id: 'comparison', title: 'Comparison', anyMetric: true, needs: data => data.comparison !== null, render: showComparison,
	command: app => {
		const {sort} = app.state, key = sort.replace(/^-/, ''), {check} = app.data;
		return check && !app.search && !sort && check.command || compareCommand(app, 'diff', [app.search && app.search.match ? option('match', app.search.match) : '',
			key in columnValues(app.data) ? '--sort ' + key : '', sort[0] === '-' ? '--reverse' : '']);
	},
};
