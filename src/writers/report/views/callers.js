// A function with what calls it and what it calls.
import {bar, head, heading, make, nameCell, note, numberCell, para, tableBox} from '../dom.js';
import {patternOf} from '../search.js';
import {count, exact, inUnit, isNaN, max, percent, plural, unitFor, wholeOf, withUnit, word} from '../format.js';

const mostRelatives = 100;

// The calls in which the function is the `side`, 'caller' or 'callee', the largest first.
export function relatives(data, metric, row, side) {
	const calls = data.calls[metric], found = [];
	for (let i = 0; i < calls.count; i++)
		if (calls[side][i] === row)
			found.push(i);
	return found.sort((a, b) => (calls.total[b] - calls.total[a] || 0) || a - b);
}

// The function of the address; without one that with the largest self, of those that the search finds if it finds any.
export function chosen(app) {
	const {data, metric} = app, f = data.functions, m = f.metrics[metric], row = Number(app.state.f);
	if (app.state.f !== '' && Number.isInteger(row) && row >= 0 && row < f.count)
		return row;
	let best = -1;
	for (let i = 0, hit = false; i < f.count; i++) {
		const found = app.found && app.found[f.symbol[i]] > 0;
		if (m.row[i] && (best < 0 || (found === hit ? m.self[i] > m.self[best] : found)))
			[best, hit] = [i, found];
	}
	return max(best, 0);
}

function relativesTable(app, title, rows, other, whole) {
	const {data, metric} = app, calls = data.calls[metric], meta = data.metrics[metric], f = data.functions;
	const unit = unitFor(meta, whole), all = wholeOf(meta) ? whole : NaN, mark = i => calls.estimated[i] ? '~' : '', value = key => i => exact(calls[key][i], meta);
	const columns = [
		{key: 'total', title: 'total' + (unit.name ? ' (' + unit.name + ')' : ''), text: i => mark(i) + inUnit(calls.total[i], unit), value: value('total')},
		{key: 'share', text: i => mark(i) + percent(calls.total[i], all), cls: ' minor'},
		{key: 'self', text: i => mark(i) + inUnit(calls.self[i], unit), value: value('self')},
		{key: 'calls', text: i => count(calls.calls[i]), value: i => exact(calls.calls[i], {exponent: 0})},
	].filter(c => rows.some(i => !/^~?-$/.test(c.text(i)))); // callgrind knows no self of calls
	const cell = (c, i) => numberCell(c.key, c.value && c.value(i), c.text(i), c.cls);
	const line = i => make('tr', {'data-symbol': f.symbol[calls[other][i]]},
		...columns.map(c => c.key === 'total' ? bar(calls.total[i] / all, cell(c, i)) : cell(c, i)), nameCell(app, calls[other][i], data.label(f.symbol[calls[other][i]])));
	const heads = [...columns.map(c => head(c.title || c.key, 'number' + (c.cls || ''))), head('function')];
	return [heading(title), rows.length ? tableBox('functions', title, heads, rows.slice(0, mostRelatives).map(line)) : note('None.'),
	rows.length > mostRelatives ? note(plural(rows.length - mostRelatives, 'more is', 'more are') + ' not shown.') : ''];
}

function showCallers(app, root) {
	const {data, metric} = app, f = data.functions, m = f.metrics[metric], meta = data.metrics[metric], row = chosen(app);
	const symbol = f.symbol[row], place = data.where(symbol), whole = m.total[row], calls = data.calls[metric];
	const [callers, callees] = ['callee', 'caller'].map(key => relatives(data, metric, row, key));
	const mark = m.row[row] === 2 ? '~' : '', name = data.name(symbol), search = name.length > 200 ? name.slice(0, 200) : name;
	const amount = v => mark + withUnit(v, meta) + (wholeOf(meta) ? ' (' + mark + percent(v, meta.total) + ')' : '');
	if (app.found && !app.found[symbol] && app.state.f === '')
		root.append(para('No function matches the search. The one with the largest self:'));
	root.append(make('h1', {}, name || '(no name)'), note(...placeText(place)), m.row[row] ? '' : para('It has no cost in what is shown.'),
		para('total ' + amount(whole) + ', itself ' + amount(m.self[row]) + (isNaN(m.calls[row]) ? '' : ', ' + plural(m.calls[row], 'call')) + '; ',
		make('a', {href: app.link({view: 'functions', q: search})}, 'in the table'),
		...data.paths ? [', ', make('a', {href: app.link({view: 'flame', q: search, n: ''})}, 'in the flame graph'),
			', ', make('a', {href: app.link({view: 'tree', q: search})}, 'in the call tree')] : [],
		...app.filters.includes('focus') ? [', ', make('a', {href: app.link({view: 'flame', q: '', n: '', focus: patternOf(data, symbol)})}, 'only its call paths')] : []),
		...relativesTable(app, 'Called by', callers, 'caller', whole),
		...relativesTable(app, 'Calls', callees, 'callee', whole));
	if (wholeOf(meta) && [...callers, ...callees].some(i => calls.total[i] / whole >= 1.0005))
		root.append(note(m.self.some(v => v < 0) ? 'Shares are above 100% since values below 0 make the sum smaller.' :
			'Shares above 100% are of recursive calls: each of them counts there, and in the total of the function only the outermost.'));
	if (calls.left)
		root.append(note(plural(calls.left, 'call between functions is', 'calls between functions are') + ' left out of the page.'));
}

export const callersView = {
	id: 'callers', title: 'Callers', filters: () => true, render: showCallers,
	needs: data => data.functions.count > 0 && data.calls.some(c => c.count),
	command: app => app.command('callers', [word(patternOf(app.data, app.data.functions.symbol[chosen(app)]))]),
};
