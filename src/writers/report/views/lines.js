// Lines of functions, with heat beside them; source text if the page has it.
import {addRows, barLine, make, note, para, plainTable} from '../dom.js';
import {csvButtons} from '../export.js';
import {andLeft, percent, plural, round, wholeOf, withUnit} from '../format.js';
import {cellOf, columnOf, tableCsv, hasTable, headsOf, largest, linked, shownColumns, tablesOf} from './grid.js';

const mostGroups = 20;

// Rows of a function or file: a heading and what is below it.
export function groupsOf(table) {
	const groups = [];
	for (let i = 0; i < table.rows; i++) {
		if (!table.depth || !table.depth[i])
			groups.push({head: i, rows: []});
		else
			groups[groups.length - 1].rows.push(i);
	}
	return groups;
}

// Groups that the search finds: by function, file, or text of a line; file.py:42 finds the line.
export function foundGroups(table, groups, re) {
	const name = columnOf(table, 'function'), file = columnOf(table, 'file'), line = columnOf(table, 'line'), text = columnOf(table, 'source');
	const hit = i => name.cells[i] !== null && (re.test(name.cells[i]) || file && file.cells[i] !== null &&
		(re.test(file.cells[i]) || re.test(file.cells[i] + ':' + line.cells[i]))) || text && text.cells[i] !== null && re.test(text.cells[i]);
	return re ? groups.filter(g => hit(g.head) || g.rows.some(hit)) : groups;
}

// Heat is the part of the hottest line of all, which has the whole color.
function lineRow(columns, heat, i) {
	const row = make('tr', {'data-row': i}, ...columns.map(c => cellOf(c, i)));
	if (heat.cells[i] > 0) {
		row.firstChild.classList.add('heat');
		row.firstChild.style.setProperty('--heat', round(100 * Math.sqrt(heat.cells[i] / heat.whole)) + '%');
	}
	return row;
}

// What a function has itself and in all, by which groups are in order, and without columns that nothing of it has.
function drawGroup(app, table, group, columns, heat) {
	const source = columnOf(table, 'source'), title = source && source.cells[group.head] || '(no name)', whole = wholeOf(app.data.metrics[app.metric]);
	const amounts = columns.filter(c => /^(self|total)$/.test(c.key) && c.cells[group.head])
		.map(c => ', ' + c.title + ' ' + withUnit(c.cells[group.head], c) + (whole ? ' (' + percent(c.cells[group.head], whole) + ')' : ''));
	const shown = columns.filter(c => group.rows.some(i => c.cells[i] !== null));
	return [make('h2', {class: 'group'}, linked(app, table, group.rows.find(i => columnOf(table, 'function').cells[i]), title), make('span', {class: 'note'}, ...amounts)),
		plainTable('lines', 'Lines of ' + title, headsOf(app, shown, null), group.rows.map(i => lineRow(shown, heat, i)))];
}

function showLines(app, root) {
	const table = tablesOf(app, 'lines')[0];
	if (!table) {
		root.append(para('No line has a cost in this metric.'));
		return;
	}
	const all = groupsOf(table), groups = foundGroups(table, all, app.search && app.search.re);
	const withText = columnOf(table, 'source') && all.some(g => g.rows.some(i => columnOf(table, 'line').cells[i] !== null && columnOf(table, 'source').cells[i]));
	const keys = ['line', 'hits', 'self', 'total', 'function_share', 'file_share', ...withText ? ['source'] : []];
	const columns = shownColumns(table, keys), heat = columns.find(c => c.key === 'self');
	heat.whole = largest(groups.flatMap(g => g.rows).map(i => heat.cells[i]));
	const box = make('div', {class: 'scroll', tabindex: '0'}), more = addRows(box, groups, mostGroups, g => drawGroup(app, table, g, columns, heat), 'function', 'functions', mostGroups);
	// For people, a total that is the self of all lines is left out.
	const whole = {...table, all: table.all.map(c => c.key === 'total' && !c.cells ? {...heat, key: 'total'} : c)};
	root.append(...wordsOf(table.words), barLine(
		note(plural(groups.length, 'function') + ' with lines' + (app.search && app.search.re ? ' found' : '') +
			andLeft(table.left)),
		csvButtons(() => tableCsv(whole, groups.flatMap(g => g.rows).filter(i => heat.cells[i] !== null)), 'lines')), // not those around
	box, more, ...wordsOf(table.notes, 'note'));
}

export const linesView = {
	id: 'lines', title: 'Lines', needs: data => hasTable(data, 'lines'), render: showLines,
	command: app => app.command('lines', []),
};
