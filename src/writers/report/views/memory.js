// Memory over time with its peak, and who allocated it.
import {make, svg} from '../dom.js';
import {inUnit, unitFor, withUnit} from '../format.js';
import {chooseTable, columnOf, drawTable, hasTable, tablesOf, wordsOf} from './grid.js';

const width = 1000, height = 220, left = 90, bottom = 22, top = 24;
const nanoseconds = {unit: 'ns', exponent: 0}, bytes = {unit: 'bytes', exponent: 0};

// The outline of the curve: steps, since each value is the most of a part of the time.
export function pathOf(curve, highest, w, h) {
	let path = 'M0 ' + h;
	curve.forEach((v, i) => {
		const y = (h - (v || 0) / highest * h).toFixed(1);
		path += 'L' + (i * w / curve.length).toFixed(1) + ' ' + y + 'L' + ((i + 1) * w / curve.length).toFixed(1) + ' ' + y;
	});
	return path + 'L' + w + ' ' + h + 'Z';
}

function picture(memory) {
	const {curve, highest, duration} = memory, w = width - left - 10, h = height - top - bottom, unit = unitFor(bytes, highest), parts = [];
	const text = (x, y, anchor, words) => svg('text', {x, y, 'text-anchor': anchor, class: 'axis'}, words);
	for (const share of [0, 0.5, 1])
		parts.push(svg('line', {x1: left, x2: left + w, y1: top + h * (1 - share), y2: top + h * (1 - share), class: 'grid-line'}),
			text(left - 6, top + h * (1 - share) + 4, 'end', inUnit(highest * share, unit) + ' ' + unit.name));
	parts.push(svg('g', {transform: 'translate(' + left + ' ' + top + ')'}, svg('path', {d: pathOf(curve, highest, w, h), class: 'curve'})));
	if (duration > 0)
		for (const share of [0, 0.25, 0.5, 0.75, 1])
			parts.push(text(left + w * share, height - 5, share === 0 ? 'start' : share === 1 ? 'end' : 'middle', withUnit(duration * share, nanoseconds)));
	if (memory.peak_at !== null && duration > 0 && memory.peak_at <= duration) {
		const x = left + w * memory.peak_at / duration, end = x > left + w * 0.7;
		parts.push(svg('line', {x1: x, x2: x, y1: top - 16, y2: top + h, class: 'peak'}),
			text(x + (end ? -5 : 5), top - 8, end ? 'end' : 'start', 'peak ' + withUnit(memory.peak, bytes)));
	}
	return svg('svg', {viewBox: '0 0 ' + width + ' ' + height, role: 'img', class: 'plot', 'aria-label': 'Memory over time, at most ' + withUnit(highest, bytes)}, ...parts);
}

// The lists of the table, each as a table: by what is counted, and by function or line.
export function listsOf(table) {
	const list = columnOf(table, 'list').cells, by = columnOf(table, 'by').cells, lists = new Map();
	for (let i = 0; i < table.rows; i++) {
		const name = list[i] + ' by ' + by[i];
		if (!lists.has(name))
			lists.set(name, []);
		lists.get(name).push(i);
	}
	return Array.from(lists, ([name, rows]) => ({...table, name, rows: rows.length, left: 0,
		columns: table.columns.map(c => ({...c, cells: rows.map(i => c.cells[i])})).filter(c => c.cells.some(v => v !== null))}));
}

function render(app, root) {
	const table = tablesOf(app, 'memory')[0], {memory} = app.data;
	root.append(...wordsOf(table.words));
	if (memory.curve.length && memory.highest > 0)
		root.append(make('div', {class: 'scroll'}, picture(memory)));
	if (!table.rows)
		return;
	const list = chooseTable(app, listsOf(table), root);
	drawTable(app, root, list, {keys: ['self', 'share', 'total', 'count', 'time', 'function', 'file', 'line', 'module'], bars: ['self'], caption: list.name});
	root.append(make('p', {class: 'note'}, 'Lists have at most 300 rows.'));
}

export const memoryView = {
	id: 'memory', title: 'Memory', whole: true, needs: data => data.memory !== null && (hasTable(data, 'memory') || data.memory.curve.length > 0), render,
	command: app => app.commandOfFiles('memory', []),
};
