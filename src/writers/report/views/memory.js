// Memory over time with its peak, and who allocated it.
import {barLine, button, head, heading, make, nameCell, note, numberCell, para, say, svg, tableBox} from '../dom.js';
import {abs, inUnit, max, min, option, plural, round, timeText, unitFor, withUnit} from '../format.js';
import {partOf, stepsOf, timeOption, timesOf, timeWords} from '../select/split.js';
import {chooseTable, columnOf, drawTable, hasTable, tablesOf} from './grid.js';

const plotTop = 24, plotLeft = 90, curveHeight = 174, mostGrown = 100;
const bytes = {unit: 'bytes', exponent: 0};

// The outline of the curve: steps, since each value is the most of a part of the time.
export function pathOf(curve, highest, w, h) {
	let path = 'M0 ' + h;
	curve.forEach((v, i) => {
		const y = (h - (v || 0) / highest * h).toFixed(1);
		path += 'L' + (i * w / curve.length).toFixed(1) + ' ' + y + 'L' + ((i + 1) * w / curve.length).toFixed(1) + ' ' + y;
	});
	return path + 'L' + w + ' ' + h + 'Z';
}

// width: in pixels. window: parts of the time between which the curve is marked.
function picture(memory, width, window) {
	const {curve, highest, duration} = memory, w = width - plotLeft - 10, h = curveHeight, height = plotTop + h + 22, unit = unitFor(bytes, highest), parts = [];
	const text = (x, y, anchor, words) => svg('text', {x, y, 'text-anchor': anchor, class: 'axis'}, words);
	for (const share of [0, 0.5, 1])
		parts.push(svg('line', {x1: plotLeft, x2: plotLeft + w, y1: plotTop + h * (1 - share), y2: plotTop + h * (1 - share), class: 'grid-line'}),
			text(plotLeft - 6, plotTop + h * (1 - share) + 4, 'end', inUnit(highest * share, unit) + ' ' + unit.name));
	if (window)
		parts.push(svg('rect', {x: plotLeft + w * window[0], y: plotTop, width: w * (window[1] - window[0]), height: h, class: 'window'}));
	parts.push(svg('g', {transform: 'translate(' + plotLeft + ' ' + plotTop + ')'}, svg('path', {d: pathOf(curve, highest, w, h), class: 'curve'})));
	if (duration > 0)
		for (const share of width < 600 ? [0, 1] : [0, 0.25, 0.5, 0.75, 1])
			parts.push(text(plotLeft + w * share, height - 5, share === 0 ? 'start' : share === 1 ? 'end' : 'middle', timeText(duration * share)));
	if (memory.peak_at !== null && duration > 0 && memory.peak_at <= duration) {
		const x = plotLeft + w * memory.peak_at / duration, end = x > plotLeft + w * 0.7;
		parts.push(svg('line', {x1: x, x2: x, y1: plotTop - 16, y2: plotTop + h, class: 'peak'}),
			text(x + (end ? -5 : 5), plotTop - 8, end ? 'end' : 'start', 'peak ' + withUnit(memory.peak, bytes)));
	}
	return svg('svg', {viewBox: '0 0 ' + width + ' ' + height, role: 'img', class: 'plot', 'aria-label': 'Memory over time, at most ' + withUnit(highest, bytes)}, ...parts);
}

// The lists of the table, each as a table: by metric, and by function or line.
export function listsOf(table) {
	const list = columnOf(table, 'list').cells, by = columnOf(table, 'by').cells, lists = new Map();
	for (let i = 0; i < table.rows; i++) {
		const name = list[i] + ' by ' + by[i];
		if (!lists.has(name))
			lists.set(name, []);
		lists.get(name).push(i);
	}
	return Array.from(lists, ([name, rows]) => {
		const all = (table.all || table.columns).map(c => ({...c, cells: rows.map(i => c.cells ? c.cells[i] : null)}));
		return {...table, name, rows: rows.length, left: 0, all, columns: all.filter(c => c.cells.some(v => v !== null))};
	});
}

// The metric of changes of live memory, if their times are known; -1.
export const changesOf = ({split, metrics}) => split && split.hasTime ? metrics.findIndex((m, i) => m.name === 'leaked' && split.metrics[i].time.count > 0) : -1;

// What was allocated and not freed between the handles, by function; below 0, more was freed.
function between(app, root, metric) {
	const {data, state} = app, part = partOf(data, state, metric), f = part.data.functions, m = f.metrics[metric], meta = data.metrics[metric];
	const rows = f.symbol.map((_, i) => i).filter(i => m.self[i]).sort((a, b) => abs(m.self[b]) - abs(m.self[a]) || a - b);
	// What began and ended between others has no row in the page.
	const {total} = part.data.metrics[metric], rest = total - rows.reduce((sum, i) => sum + m.self[i], 0);
	const unit = unitFor(meta, rows.length ? m.self[rows[0]] : 0), cell = (key, i) => numberCell(key, m[key][i], inUnit(m[key][i], unit));
	root.append(heading('Between the handles'), para(withUnit(total, meta) + ' more at the end than at the begin; ' + timeWords(data.split, state.time) +
		(part.words.length ? '; ' + part.words.join('; ') : '') + '.'), para(make('code', {}, ['profkit', 'hotspots', timeOption(data.split, state.time), option('metric', meta.name), data.raw.files].join(' '))),
	tableBox('grid', 'Functions by what is alive of them more than before', [...['self', 'total'].map(t => head(t + ' (' + unit.name + ')', 'number')), head('function')],
		rows.slice(0, mostGrown).map(i => make('tr', {'data-row': i}, cell('self', i), cell('total', i), nameCell(app, i, data.label(f.symbol[i]), {m: String(metric)})))),
	rest ? note('and ' + withUnit(rest, meta) + ' of functions that have nothing in the whole of the time, and no row in this page') : '',
	rows.length > mostGrown ? note('and ' + plural(rows.length - mostGrown, 'function')) : '');
}

// Two handles on the curve, which choose a window as the timeline does.
function handles(app, begin) {
	const {duration} = app.data.memory, times = timesOf(app.state.time);
	const window = times ? times.map(t => min(1, max(0, (begin + t) / duration))) : [0, 1];
	const inputs = ['from', 'to'].map((name, k) => make('input', {type: 'range', min: 0, max: 1000, value: round(window[k] * 1000), 'aria-label': name, 'data-focus': 'memory-' + name,
		'aria-valuetext': timeText(window[k] * duration), onchange: () => {
			const ends = inputs.map(input => round(Number(input.value) / 1000 * duration) - begin);
			if (ends[0] >= ends[1])
				app.show(); // as they were
			else
				app.go({n: '', time: ends[0] + begin > 0 || ends[1] + begin < duration ? max(0, ends[0]) + '..' + max(1, ends[1]) : ''});
		}}));
	return {window, bar: barLine(...inputs.map((input, k) => make('label', {}, ['from ', 'to '][k], input)),
		times ? button('all of the time', () => app.go({time: '', n: ''})) : null)};
}

function showMemory(app, root) {
	const done = {escape: () => app.state.time && (app.go({n: '', time: ''}), say('all of the time'), true)};
	const table = tablesOf(app, 'memory')[0], {memory, split, timeline} = app.data, metric = changesOf(app.data), chosen = metric >= 0 && stepsOf(split, app.state.time);
	root.append(...wordsOf(table.words));
	if (memory.curve.length && memory.highest > 0) {
		const ends = metric >= 0 && memory.duration > 0 ? handles(app, timeline ? timeline.begin : 0) : null;
		root.append(picture(memory, max(300, min(1000, root.clientWidth)), chosen && ends.window), ends ? ends.bar : '',
			memory.series ? note(memory.series + ', as noted from time to time' + (memory.peak > memory.highest ? '; the peak is above it' : '') + '.') : '');
	}
	if (chosen)
		between(app, root, metric);
	if (!table.rows)
		return done;
	const list = chooseTable(app, listsOf(table), root), m = app.data.metrics.findIndex(({name}) => list.name.startsWith(name + ' by '));
	const file = columnOf(list, 'file'), module = columnOf(list, 'module'), known = file && module && module.cells.every((v, i) => v === null || file.cells[i] !== null);
	// A module is told by its file.
	drawTable(app, root, list, {keys: ['self', 'share', 'total', 'count', 'time', 'function', 'file', 'line', ...known ? [] : ['module']], bars: ['self'], caption: list.name, state: m < 0 ? null : {m: String(m)}});
	if (list.rows >= 300)
		root.append(note('Lists have at most 300 rows.'));
	return done;
}

export const memoryView = {
	id: 'memory', title: 'Memory', whole: true, anyMetric: true, needs: data => data.memory !== null && (hasTable(data, 'memory') || data.memory.curve.length > 0), render: showMemory,
	command: app => app.commandOfFiles('memory', []),
};
