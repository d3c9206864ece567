// The table of functions: sorted by a column, filtered by the search.
import {addRows, make, bar, head, nameCell, pageSize, placeText, tableBox, barLine, note, para, sortButton} from '../dom.js';
import {csvButtons} from '../export.js';
import {abs, count, exact, field, inUnit, isNaN, option, percent, plural, ratio, unitFor, wholeOf} from '../format.js';

// Columns: what they hold of a row, and how profkit's --sort calls them. `value` is for sorting.
function functionColumns(data, metric) {
	const f = data.functions, m = f.metrics[metric], meta = data.metrics[metric], whole = wholeOf(meta);
	const largest = array => array.reduce((most, v) => abs(v) > most ? abs(v) : most, 0);
	const selfUnit = unitFor(meta, largest(m.self)), totalUnit = unitFor(meta, largest(m.total));
	const title = (text, unit) => text + (unit.name ? ' (' + unit.name + ')' : '');
	const known = array => f.symbol.some((_, i) => m.row[i] && !isNaN(array[i]));
	const columns = [];
	if (known(m.calls))
		columns.push({id: 'calls', title: 'calls', number: true, value: i => m.calls[i], text: i => count(m.calls[i])});
	if (f.symbol.some((_, i) => m.primitive[i] < m.calls[i]))
		columns.push({id: 'primitive', title: 'primitive', number: true, value: i => m.primitive[i], text: i => count(m.primitive[i])});
	columns.push(
		{id: 'self', title: title('self', selfUnit), number: true, share: i => m.self[i] / whole,
			value: i => m.self[i], text: i => inUnit(m.self[i], selfUnit)},
		{id: 'self%', title: 'self %', number: true, value: i => m.self[i], text: i => percent(m.self[i], whole)},
		{id: 'total', title: title('total', totalUnit), number: true, share: i => m.total[i] / whole,
			value: i => m.total[i], text: i => inUnit(m.total[i], totalUnit)},
		{id: 'total%', title: 'total %', number: true, value: i => m.total[i], text: i => percent(m.total[i], whole)},
		{id: 'function', title: 'function', value: i => data.name(f.symbol[i]), text: i => data.name(f.symbol[i]) || '(no name)'});
	if (f.symbol.some((s, i) => m.row[i] && data.where(s)))
		columns.push({id: 'file', title: 'file', value: i => data.where(f.symbol[i]),
			text: i => data.where(f.symbol[i])});
	return columns.filter(c => whole || !c.id.endsWith('%'));
}

// The rows that are shown, in order.
export function functionRows(app) {
	const {data, metric, found} = app, f = data.functions, m = f.metrics[metric];
	const key = app.state.sort.replace(/^-/, '') || 'self', up = app.state.sort[0] === '-';
	const columns = functionColumns(data, metric), column = columns.find(c => c.id === key) || columns.find(c => c.id === 'self');
	const rows = f.symbol.map((_, i) => i).filter(i => m.row[i] && (!found || found[f.symbol[i]]));
	const order = (a, b) => {
		const x = column.value(a), y = column.value(b);
		if (typeof x === 'string')
			return x < y ? -1 : x > y ? 1 : 0;
		return (isNaN(x) ? 1 : 0) - (isNaN(y) ? 1 : 0) || (y - x || 0);
	};
	rows.sort((a, b) => (up ? -1 : 1) * order(a, b) || a - b);
	return {rows, columns, column, up};
}

// All rows for other programs, with the columns of `hotspots --format csv`.
export function functionsCsv(data, metric, rows) {
	const f = data.functions, m = f.metrics[metric], meta = data.metrics[metric], all = wholeOf(meta);
	const whole = v => isNaN(v) ? '' : String(v), bound = v => meta.speed && v >= 0 && v <= 0.99 * all ? ratio(all, all - v) : '';
	const lines = ['function,module,file,line,kind,calls,primitive_calls,self,total,self_share,total_share,speedup_bound,estimated'];
	for (const i of rows) {
		const s = f.symbol[i];
		lines.push([data.name(s), data.moduleOf(s), data.file(s), String(data.line(s) || ''), data.kind(s), whole(m.calls[i]), whole(m.primitive[i]), exact(m.self[i], meta), exact(m.total[i], meta),
			ratio(m.self[i], all), ratio(m.total[i], all), bound(m.total[i]), String(m.row[i] === 2)].map(field).join(','));
	}
	return lines.join('\n') + '\n';
}

// Narrow windows have no room for columns that tell the same in another way.
const cls = (column, name) => (['calls', 'primitive', 'self%', 'total%', 'file'].includes(column.id) ? 'minor ' : '') + name;

function functionRow(app, columns, i) {
	const {data, metric} = app, f = data.functions, m = f.metrics[metric], meta = data.metrics[metric];
	return make('tr', {'data-symbol': f.symbol[i]}, ...columns.map(c => {
		const text = (c.number && m.row[i] === 2 ? '~' : '') + c.text(i);
		if (c.id === 'function')
			return nameCell(app, i, text);
		const cell = make('td', {class: cls(c, c.number ? 'number' : 'place'), 'data-key': c.id, 'data-value': c.share ? exact(c.value(i), meta) : c.id === 'calls' ? exact(c.value(i), {exponent: 0}) : null}, ...c.number ? [text] : placeText(text));
		return c.share ? bar(c.share(i), cell) : cell;
	}));
}

// Boxes that choose the columns beside the names.
function chooser(app, columns) {
	const off = new Set(app.state.off.split(',').filter(id => id));
	const change = id => {
		if (!off.delete(id))
			off.add(id);
		app.go({off: [...off].join()}, true);
	};
	return make('details', {class: 'columns', open: app.choosing, ontoggle: e => {
		app.choosing = e.target.open;
	}}, make('summary', {}, 'columns'), ...columns.filter(c => c.id !== 'function').map(c =>
		make('label', {class: cls(c, '')}, make('input', {type: 'checkbox', checked: !off.has(c.id), 'data-focus': 'column-' + c.id, onchange: () => change(c.id)}), ' ' + c.title)));
}

function showFunctions(app, root) {
	const {rows, columns: all, column, up} = functionRows(app), columns = all.filter(c => !app.state.off.split(',').includes(c.id) || c.id === 'function');
	const heads = columns.map(c => head(sortButton(app, c.id, c.title, c === column && !up),
		cls(c, c.number ? 'number' : ''), {'aria-sort': c === column ? up !== (typeof c.value(rows[0] || 0) === 'string') ? 'ascending' : 'descending' : 'none'}));
	root.append(barLine(
		note(plural(rows.length, 'function') + (app.found ? ' found' : '')),
		csvButtons(() => functionsCsv(app.data, app.metric, rows), plural(rows.length, 'row')), chooser(app, all)));
	if (!rows.length) {
		root.append(para(app.found ? 'No function ' + (app.data.functions.left ? 'of those in the page ' : '') + 'matches the search.' : 'There are no functions.'));
		return;
	}
	const body = make('tbody', {}), more = addRows(body, rows, pageSize, i => functionRow(app, columns, i), 'function', 'functions');
	root.append(tableBox('functions', 'Functions and their ' + app.data.metrics[app.metric].name, heads, body), more);
}

export const functionsView = {
	id: 'functions', title: 'Functions', filters: () => true, needs: data => data.functions.count > 0, render: showFunctions,
	command: app => {
		const key = app.state.sort.replace(/^-/, '').replace('%', ''), more = [];
		if (app.search && app.search.match)
			more.push(option('match', app.search.match));
		if (key && key !== 'self')
			more.push('--sort ' + key);
		if (app.state.sort[0] === '-')
			more.push('--reverse');
		return app.command('hotspots', more);
	},
};
