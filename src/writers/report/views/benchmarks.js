// Results of benchmarks: the table, and how the values of each are spread.
import {heading, make, note, para, svg} from '../dom.js';
import {max, withUnit} from '../format.js';
import {columnOf, drawTable, foundRows, hasTable, tablesOf} from './grid.js';

const mostStrips = 60, stripWidth = 600, stripHeight = 26;

// The places of a strip, from the smallest to the largest value; null if all values are equal or unknown.
export function stripOf(table, row) {
	const at = key => columnOf(table, key) ? columnOf(table, key).cells[row] : null, min = at('min'), max = at('max');
	if (min === null || max === null || !(max > min))
		return null;
	const place = v => v === null ? null : 8 + (v - min) / (max - min) * (stripWidth - 16);
	return {min, max, q1: place(at('q1')), q3: place(at('q3')), median: place(at('median')), points: ((table.values || [])[row] || []).map(v => place(v * table.scale))};
}

function strip(metric, name, table, row) {
	const s = stripOf(table, row);
	if (!s)
		return null;
	const value = v => withUnit(v, {unit: metric.unit, exponent: 0}), middle = stripHeight / 2, parts = [svg('line', {x1: 8, x2: stripWidth - 8, y1: middle, y2: middle, class: 'grid-line'})];
	if (s.q1 !== null && s.q3 !== null)
		parts.push(svg('rect', {x: s.q1, y: 4, width: max(s.q3 - s.q1, 1), height: stripHeight - 8, class: 'curve'}));
	parts.push(...s.points.map((x, i) => svg('circle', {cx: x.toFixed(1), cy: (middle + (i % 5 - 2) * 2.2).toFixed(1), r: 2, class: 'dot'})));
	if (s.median !== null)
		parts.push(svg('line', {x1: s.median, x2: s.median, y1: 1, y2: stripHeight - 1, class: 'peak'}));
	return make('div', {class: 'worker strip'}, make('span', {class: 'name'}, name),
		make('span', {}, svg('svg', {viewBox: '0 0 ' + stripWidth + ' ' + stripHeight, role: 'img', 'aria-label': name + ': from ' + value(s.min) + ' to ' + value(s.max)}, ...parts),
			make('span', {class: 'ends note'}, make('span', {}, value(s.min)), make('span', {}, value(s.max)))));
}

function showBenchmarks(app, root) {
	const found = tablesOf(app, 'benchmarks')[0], metric = app.data.metrics[app.metric];
	if (!found || !found.rows) {
		root.append(para('No benchmark has this metric.'));
		return;
	}
	// columns of reals without unit are in the unit of the metric
	const table = {...found, scale: metric.kind === 'time' ? 1e9 : 1,
		columns: found.columns.map(c => c.type === 'real' ? {...c, type: 'value', unit: metric.unit, exponent: 0} : c)};
	drawTable(app, root, table, {keys: ['benchmark', 'group', 'parameters', 'mean', 'stddev', 'median', 'min', 'max', 'rounds', 'outliers', 'module', 'file'],
		what: ['benchmark', 'benchmarks'], caption: 'Benchmarks', own: true});
	const names = columnOf(table, 'benchmark').cells, rows = foundRows(app, table, names.map((_, i) => i));
	const strips = rows.slice(0, mostStrips).map(i => strip(metric, names[i], table, i)).filter(s => s);
	if (strips.length)
		root.append(heading('How values are spread'), note('From the smallest to the largest value of each benchmark: the box has the middle half, ' +
			'the line is the median' + ((table.values || []).some(v => v.length) ? ', dots are values (60 of them at most)' : '') + (rows.length > mostStrips ? '; the first ' + mostStrips + ' benchmarks' : '') + '.'),
		make('div', {class: 'work'}, ...strips));
}

export const benchmarksView = {
	id: 'benchmarks', title: 'Benchmarks', needs: data => hasTable(data, 'benchmarks'), render: showBenchmarks,
	command: app => app.command('hotspots', []),
};
