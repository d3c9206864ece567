// Tables of other commands: columns as in their JSON. parts/parts.c says what the data is.
import {addRows, make, bar, functionLink, head, pageSize, placeText, shortened, tableBox, barLine, note, toggle, sortButton} from '../dom.js';
import {csvButtons} from '../export.js';
import {abs, andLeft, count, exact, field, general, inUnit, max, percent, plural, unitFor, withUnit} from '../format.js';

const isValue = type => type === 'value' || type === 'delta' || type === 'each';

// The tables of a view, for the metric that is shown or for none.
export const tablesOf = (app, view) => app.data.tables.filter(t => t.view === view && (t.metric === null || t.metric === app.metric));

export const hasTable = (data, view) => data.tables.some(t => t.view === view && t.rows);

export const columnOf = (table, key) => table.columns.find(c => c.key === key);

export const largest = cells => cells.reduce((most, v) => max(most, abs(v)), 0);

// What a cell says to people; units: by column.
function textOf(column, value, unit) {
	if (value === null)
		return '';
	switch (column.type) {
	case 'text': return Array.isArray(value) ? value.join(' \u2192 ') : value;
	case 'bool': return value ? 'yes' : 'no';
	case 'number': return String(value);
	case 'int': return count(value);
	case 'share': return percent(value, 1);
	case 'ratio': case 'chance': case 'real': return String(Number(value.toPrecision(4)));
	}
	return (column.type === 'delta' && value > 0 ? '+' : '') + (column.own ? withUnit(value, column) : inUnit(value, unit));
}

const named = new WeakMap(); // rows of functions by name and file

// The row of the function that a row names by its name and file; of several ones that of the line.
export function functionOf(data, table, i) {
	const {symbol} = data.functions, [name, file, line] = ['function', 'file', columnOf(table, 'function_line') ? 'function_line' : 'line'].map(key => (columnOf(table, key) || {cells: []}).cells[i]);
	if (!named.has(symbol)) {
		const all = new Map();
		symbol.forEach((s, row) => {
			const key = data.name(s) + '\n' + data.file(s);
			all.set(key, all.get(key) || []).get(key).push(row);
		});
		named.set(symbol, all);
	}
	const rows = named.get(symbol).get(name + '\n' + (file || '')) || [];
	return rows.length > 1 ? rows.find(row => data.line(symbol[row]) === line) : rows[0];
}

// A name as a link to the function, if it is in the page.
export const linked = (app, table, i, text, more) => functionLink(app, functionOf(app.data, table, i), text, more);

// A value for programs, as in JSON.
export function machine(column, value) {
	return value === null ? '' : isValue(column.type) ? exact(value, column) : Array.isArray(value) ? JSON.stringify(value) :
		['share', 'ratio', 'chance'].includes(column.type) ? general(value) : String(value);
}

const minor = /share$|^(group|parameters|stddev|rounds|outliers|module|samples|start|end|startup)$/; // narrow windows have no room for these

// The visible columns: those with a heading, or those that the command has for programs, except for
// numbers without a unit. Long texts have room for several words.
export function shownColumns(table, keys) {
	const shown = keys ? keys.map(k => columnOf(table, k)).filter(c => c) : table.columns.filter(c => c.key && (c.heading || c.type !== 'real'));
	return shown.map(c => ({...c, title: c.heading || c.key.replace(/_/g, ' '), number: c.type !== 'text', cls: (c.type !== 'text' ? 'number' : c.key === 'source' || c.cells.some(v => v && (Array.isArray(v) || v.length > 18)) ? 'name' : 'short') + (minor.test(c.key) ? ' minor' : ''),
		unitShown: isValue(c.type) ? unitFor(c, largest(c.cells)) : null}));
}

// Rows in which the search finds a text.
export function foundRows(app, table, rows) {
	const re = app.search && app.search.re, texts = table.columns.filter(c => c.type === 'text');
	return re ? rows.filter(i => texts.some(c => c.cells[i] !== null && re.test(c.cells[i]))) : rows;
}

// Sorted by the column of the address; without one as the command has them.
export function sortedRows(rows, columns, sort) {
	const up = sort[0] === '-', column = columns.find(c => c.key === sort.replace(/^-/, ''));
	if (!column)
		return {rows, column, up};
	const {cells} = column, order = (a, b) => {
		const x = cells[a], y = cells[b];
		if (x === null || y === null)
			return x === y ? 0 : x === null ? 1 : -1;
		if (column.type === 'text')
			return (up ? -1 : 1) * (x < y ? -1 : x > y ? 1 : 0);
		return (up ? -1 : 1) * (y - x);
	};
	return {rows: [...rows].sort((a, b) => order(a, b) || a - b), column, up};
}

export function tableCsv(table, rows) {
	const columns = (table.all || table.columns).filter(c => c.key);
	return [columns.map(c => field(c.key)), ...rows.map(i => columns.map(c => field(machine(c, c.cells ? c.cells[i] : null))))]
		.map(line => line.join(',') + '\n').join('');
}

export function cellOf(column, i, link) {
	const value = column.cells[i], text = textOf(column, value, column.unitShown), seen = column.key === 'source' ? text : shortened(text);
	const cell = make('td', {class: column.cls, title: seen === text ? null : text, 'data-key': column.key, 'data-value': column.number ? machine(column, value) : null}, ...column.key === 'file' ? placeText(seen) : [link ? link(seen) : seen]);
	return column.whole > 0 && value > 0 ? bar(value / column.whole, cell) : cell;
}

export function headsOf(app, columns, sorted) {
	return columns.map(c => {
		const title = c.title + (c.unitShown && c.unitShown.name && !c.own ? (c.title.length < 6 ? '\u00a0(' : ' (') + c.unitShown.name + ')' : '');
		const down = sorted && c === sorted.column && !sorted.up;
		return head(sorted && c.key ? sortButton(app, c.key, title, down) : title, c.number ? c.cls : minor.test(c.key) ? 'minor' : null,
			{'aria-sort': !sorted ? null : c !== sorted.column ? 'none' : sorted.up === (c.type === 'text') ? 'descending' : 'ascending'});
	});
}

// Each line is a block: if it is too long, its further lines stand below its first word.
export function wordsOf(lines, cls) {
	return lines.length ? [make('div', {class: 'words ' + (cls || '')}, ...lines.map(line => {
		const text = line.trimStart(), e = make('div', {}, text || '\u00a0');
		e.style.paddingLeft = line.length - text.length + 'ch';
		return e;
	}))] : [];
}

// Buttons for the tables of a view, and the one that the address chooses.
export function chooseTable(app, tables, root) {
	const chosen = tables.find(t => t.name === app.state.t) || tables[0];
	if (tables.length > 1)
		root.append(make('div', {class: 'bar-line', role: 'group', 'aria-label': 'Tables'}, ...tables.map(t =>
			toggle(t.title || t.name, t === chosen, 'table-' + t.name, () => app.go({t: t.name, sort: ''})))));
	return chosen;
}

// The table with its sort, search and CSV. Options: keys (of the columns), bars (keys of columns with bars), what (rows are),
// own (each value has a unit of its own), state (what else links to functions change).
export function drawTable(app, root, table, options) {
	const columns = shownColumns(table, options.keys), all = Array.from({length: table.rows}, (_, i) => i);
	const sorted = sortedRows(foundRows(app, table, all), columns, app.state.sort), {rows} = sorted;
	for (const c of columns)
		Object.assign(c, {whole: (options.bars || []).includes(c.key) ? largest(c.cells) : 0, own: Boolean(options.own)});
	const [one, many] = options.what || ['row', 'rows'], body = make('tbody', {});
	const more = addRows(body, rows, pageSize, i => make('tr', {'data-row': i}, ...columns.map(c => cellOf(c, i, c.key === 'function' && (text => linked(app, table, i, text, options.state))))), one, many);
	root.append(barLine(
		note(plural(rows.length, one, many) + (rows.length < all.length ? ' found' : '') +
			andLeft(table.left)),
		csvButtons(() => tableCsv(table, rows), plural(rows.length, 'row'))),
	rows.length ? tableBox('grid', options.caption, headsOf(app, columns, sorted), body) : '', more);
}
