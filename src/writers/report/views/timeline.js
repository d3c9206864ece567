// What ran when: processes, threads, ranks and GPU streams as lanes, counters below them, on a canvas; the same as tables.
import {make, button, fitText, functionLink, head, nameCell, say, tableBox, wheelOf, barLine, heading, note, para, on} from '../dom.js';
import {abs, ceil, count, floor, inUnit, max, min, nanoseconds, plural, round, timeText, unitFor, withUnit} from '../format.js';
import {colorOf} from '../colors.js';
import {shiftedWords, timesOf} from '../select/split.js';
import {Canvas, edgeColor, fillBox, sized} from './canvas.js';

const laneHeight = 14, headHeight = 17, plotHeight = 44, axisHeight = 20, mapHeight = 56, mostSpans = 50;
const hues = ['#a9c6e8', '#f0c896', '#b2d8ac', '#c9bbe0', '#e8aeb0', '#d8cf9a', '#9fd6d2', '#e3b6d8'];
const amountText = (counter, v) => counter.bytes ? withUnit(v, {unit: 'bytes', exponent: 0}) : count(Number(v.toPrecision(6)));

// Of a device whose process does not say so.
export const laneText = (lanes, i) => (lanes.gpu[i] && !/[GT]PU/.test(lanes.process[i]) ? 'GPU ' : '') + (lanes.thread[i] || '(no name)');

// The window of the address; all without one.
export function windowOf(text, whole) {
	const [from, to] = timesOf(text) || [0, whole];
	return from < to && to <= whole ? [from, to] : [0, whole];
}

// A window of a width within the whole.
export function moved(from, width, whole) {
	width = max(1, min(whole, round(width)));
	from = max(0, min(whole - width, round(from)));
	return [from, from + width];
}

// The order from top to bottom: processes, lanes and counters, each with its place.
export function placed(t) {
	const rows = [], {lanes} = t, done = new Set();
	let y = axisHeight;
	const put = (kind, i, height) => {
		rows.push({kind, i, y, height});
		y += height;
	};
	const counters = process => t.counters.forEach((c, i) => {
		if (c.process === process && !done.has(i)) {
			done.add(i);
			put('counter', i, headHeight + plotHeight + 4);
		}
	});
	for (let i = 0; i < lanes.process.length; i++) {
		if (!i || lanes.process[i] !== lanes.process[i - 1])
			put('process', lanes.process[i], headHeight + 2);
		put('lane', i, headHeight + lanes.depth[i] * laneHeight + 4);
		if (lanes.process[i] !== lanes.process[i + 1])
			counters(lanes.process[i]);
	}
	t.counters.forEach((c, i) => { // of processes without lanes
		if (!done.has(i)) {
			put('process', c.process, headHeight + 2);
			counters(c.process);
		}
	});
	return {rows, height: y + 4};
}

// A round step of the axis, for at most so many.
export function stepOf(width, most) {
	const raw = width / most, power = 10 ** floor(Math.log10(max(raw, 1)));
	return [1, 2, 5, 10].map(f => f * power).find(s => s >= raw) || 10 * power;
}

class Timeline extends Canvas {
	constructor(app, t) {
		super(app, 'timeline', 'Timeline. Arrow keys left and right move the window, plus and minus zoom, 0 shows all. The tables below have the same as text.');
		this.t = t;
		this.whole = t.end - t.begin;
		[this.from, this.to] = windowOf(app.state.time, this.whole);
		this.selected = -1;
		this.places = placed(t);
		this.laneY = [];
		for (const row of this.places.rows)
			if (row.kind === 'lane')
				this.laneY[row.i] = row.y + headHeight;
		this.map = make('canvas', {'aria-hidden': 'true', class: 'minimap'});
		this.handles = ['from', 'to'].map((name, i) => make('input', {type: 'range', min: 0, max: 1000, 'aria-label': name, 'data-focus': 'time-' + name,
			onchange: () => this.handle(i)}));
		this.setHandles();
		this.listen();
	}

	setHandles() {
		[this.from, this.to].forEach((v, i) => {
			this.handles[i].value = round(1000 * v / this.whole);
			this.handles[i].setAttribute('aria-valuetext', timeText(v));
		});
	}

	handle(i) {
		const ends = [this.from, this.to];
		ends[i] = round(Number(this.handles[i].value) / 1000 * this.whole);
		if (ends[0] < ends[1])
			this.show(ends[0], ends[1]);
		else
			this.setHandles();
	}

	show(from, to, replace) {
		this.app.go({n: '', time: from <= 0 && to >= this.whole ? '' : round(from) + '..' + round(to)}, replace);
	}

	// part: the part of the width that stays where it is.
	zoom(factor, part = 0.5, replace = false) {
		const width = (this.to - this.from) * factor;
		this.show(...moved(this.from + (this.to - this.from - width) * part, width, this.whole), replace);
	}

	pan(part) {
		this.show(...moved(this.from + (this.to - this.from) * part, this.to - this.from, this.whole));
	}

	listen() {
		const {box, canvas, map} = this;
		on(canvas, 'pointerleave', () => this.describe(this.selected));
		this.drag(canvas, x => this.from + (this.to - this.from) * x, e => this.select(this.at(e)), e => this.point(e));
		this.drag(map, x => this.whole * x, (e, x) => this.show(...moved(this.whole * x - (this.to - this.from) / 2, this.to - this.from, this.whole)));
		wheelOf(box, (factor, e) => this.zoom(factor, e.offsetX / this.width, true));
	}

	// Drawing sideways chooses a window; a click does something else.
	drag(canvas, timeAt, click, move) {
		let start = null;
		const part = e => {
			const area = canvas.getBoundingClientRect();
			return max(0, min(1, (e.clientX - area.left) / area.width));
		};
		on(canvas, 'pointerdown', e => {
			start = {x: e.clientX, part: part(e)};
			canvas.setPointerCapture(e.pointerId);
		});
		on(canvas, 'pointermove', e => {
			if (start && abs(e.clientX - start.x) > 4)
				this.paint({canvas, a: start.part, b: part(e)});
			else if (move)
				move(e);
		});
		on(canvas, 'pointerup', e => {
			const from = start;
			start = null;
			if (!from)
				return;
			if (abs(e.clientX - from.x) <= 4)
				return void click(e, part(e));
			const times = [timeAt(from.part), timeAt(part(e))].sort((a, b) => a - b);
			this.show(floor(times[0]), max(ceil(times[1]), floor(times[0]) + 1));
		});
		on(canvas, 'pointercancel', () => {
			start = null;
			this.paint();
		});
	}

	resize() {
		const {box} = this, first = this.width === undefined;
		if (!box.clientWidth || box.clientWidth === this.width && box.clientHeight === this.height)
			return;
		if (first)
			box.style.height = this.places.height + 2 + 'px'; // at most: page.css
		this.height = box.clientHeight;
		this.canvas.style.height = this.height + 'px';
		this.spacer.style.height = max(0, this.places.height - this.height) + 'px';
		this.width = box.clientWidth; // a bar to scroll may have come
		sized(this.canvas, this.width, this.height);
		sized(this.map, this.width, mapHeight);
		if (first) // after the frame in which the tables are laid out
			setTimeout(() => this.box.isConnected && this.paint(), 16);
		else
			this.draw(); // the canvas is empty now, and is seen before the next frame
	}

	x(time) {
		return (time - this.from) / (this.to - this.from) * this.width;
	}

	leave() {
		super.leave();
		cancelAnimationFrame(this.mapFrame);
	}

	colorsNow() {
		const style = getComputedStyle(this.box), color = name => style.getPropertyValue('--' + name).trim();
		return {text: color('text'), faint: color('faint'), line: color('line'), back: color('back'), soft: color('soft'), mark: color('mark'), focus: color('focus')};
	}

	// chosen: {canvas, a, b}, the part of a canvas where a window is being chosen.
	draw(chosen) {
		const c = this.start(this.canvas, this.height, '11px'), colors = this.colorsNow();
		this.paintAxis(c, colors);
		this.paintBoxes(c, colors);
		this.paintMarks(c, colors);
		for (const row of this.places.rows)
			if (row.y + row.height > this.box.scrollTop && row.y < this.box.scrollTop + this.height)
				this.paintRow(c, row, colors);
		this.paintTicks(c, colors);
		if (this.little())
			this.paintMap(colors);
		else
			this.mapFrame = this.mapFrame || requestAnimationFrame(() => { // of its own: there are as many boxes again
				this.mapFrame = 0;
				this.makeLittle();
				this.paintMap(this.colorsNow());
			});
		if (chosen) {
			const {canvas, a, b} = chosen, other = canvas === this.map ? this.map.getContext('2d') : c, height = canvas === this.map ? mapHeight : this.height;
			fillBox(other, colors.focus + '44', min(a, b) * this.width, 0, abs(b - a) * this.width, height);
		}
	}

	ticks() {
		const step = stepOf(this.to - this.from, max(2, this.width / 110)), all = [];
		for (let at = ceil(this.from / step) * step; at <= this.to; at += step)
			all.push(at);
		return all;
	}

	paintAxis(c, colors) {
		c.fillStyle = colors.line;
		for (const at of this.ticks())
			c.fillRect(this.x(at), 0, 0.5, this.height);
	}

	paintTicks(c, colors) {
		const ticks = this.ticks(), unit = unitFor(nanoseconds, this.to);
		const step = ticks.length > 1 ? ticks[1] - ticks[0] : 1;
		const decimals = min(9, max(0, ceil(-Math.log10(step / unit.divisor) - 1e-9)));
		fillBox(c, colors.back, 0, 0, this.width, axisHeight - 2);
		c.fillStyle = colors.faint;
		for (const at of ticks) {
			const text = inUnit(at, {...unit, decimals}) + ' ' + unit.name;
			if (this.x(at) + 3 + c.measureText(text).width < this.width)
				c.fillText(text, this.x(at) + 3, axisHeight / 2 - 1);
		}
	}

	paintRow(c, row, colors) {
		const {lanes, counters} = this.t, y = row.y - this.box.scrollTop;
		c.fillStyle = colors.faint;
		if (row.kind === 'process') {
			fillBox(c, colors.soft, 0, y, this.width, row.height);
			c.fillStyle = colors.text;
			c.font = 'bold 12px system-ui, sans-serif';
			c.fillText(row.i || 'process', 4, y + row.height / 2);
			c.font = '11px system-ui, sans-serif';
		} else if (row.kind === 'lane') {
			const text = laneText(lanes, row.i);
			fillBox(c, colors.back, 2, y + 1, c.measureText(text).width + 5, headHeight - 2); // marks may stand there
			c.fillStyle = colors.faint;
			c.fillText(text, 4, y + headHeight / 2 + 1);
		} else {
			this.paintCounter(c, counters[row.i], y, colors);
		}
	}

	paintCounter(c, counter, y, colors) {
		const scale = counter.highest > 0 ? plotHeight / counter.highest : 0, bottom = y + headHeight + plotHeight;
		const words = (counter.name || 'counter') + ', at most ' + amountText(counter, counter.highest), middle = y + headHeight / 2 + 1;
		c.fillText(words, 4, middle);
		for (let i = 0, x = c.measureText(words).width + 14; counter.series.length > 1 && i < counter.series.length; i++) {
			fillBox(c, hues[i % hues.length], x, middle - 5, 9, 9);
			c.fillStyle = colors.faint;
			c.fillText(counter.series[i], x + 12, middle);
			x += c.measureText(counter.series[i]).width + 24;
		}
		for (let k = 0; k < counter.begin.length; k++) {
			const from = max(this.x(counter.begin[k]), -1), to = min(this.x(counter.begin[k] + counter.length[k]), this.width + 1);
			if (to < 0 || from > this.width)
				continue;
			fillBox(c, hues[counter.of[k] % hues.length], from, bottom - counter.high[k] * scale, max(to - from, 0.6), (counter.high[k] - counter.low[k]) * scale);
		}
		fillBox(c, colors.line, 0, bottom, this.width, 0.5);
	}

	paintBoxes(c, colors) {
		const {boxes} = this.t, {data, found} = this.app, top = this.box.scrollTop;
		for (let i = 0; i < boxes.lane.length; i++) {
			const y = this.laneY[boxes.lane[i]] + boxes.depth[i] * laneHeight - top, end = boxes.begin[i] + boxes.length[i];
			if (y + laneHeight < 0 || y > this.height || end < this.from || boxes.begin[i] > this.to)
				continue;
			const from = max(this.x(boxes.begin[i]), -2), width = max(min(this.x(end), this.width + 2) - from, 0.6);
			const symbol = boxes.symbol[i], hit = found && found[symbol], pale = found && !hit;
			c.globalAlpha = pale ? 0.3 : 1;
			fillBox(c, colorOf(data, symbol), from, y, width > 2 ? width - 0.5 : width, laneHeight - 1);
			c.globalAlpha = 1;
			if (hit || i === this.selected) {
				c.strokeStyle = i === this.selected ? edgeColor(colors, pale) : colors.mark;
				c.lineWidth = 1.5;
				c.strokeRect(from + 0.7, y + 0.7, max(width - 1.4, 0.6), laneHeight - 2.4);
			}
			if (width > 26)
				this.label(c, data.name(symbol) + (boxes.others[i] ? ' …' : ''), from, y, width, pale ? colors.text : '#16181c');
		}
	}

	label(c, text, x, y, width, color) {
		const from = max(x, 0) + 3;
		c.fillStyle = color;
		fitText(c, text, from, y + laneHeight / 2, x + width - 2 - from);
	}

	// Marks stand at the upper edge of their lane as triangles.
	paintMarks(c, colors) {
		const {marks} = this.t;
		c.fillStyle = colors.text;
		for (let i = 0; i < marks.lane.length; i++) {
			const x = this.x(marks.time[i]), lane = this.laneY[marks.lane[i]], y = (lane === undefined ? axisHeight : lane) - this.box.scrollTop;
			if (x < 0 || x > this.width || y < axisHeight || y > this.height)
				continue;
			c.beginPath();
			c.moveTo(x - 3, y - 6);
			c.lineTo(x + 3, y - 6);
			c.lineTo(x, y - 1);
			c.fill();
		}
	}

	// All lanes in little, which are drawn once for a width.
	little() {
		const drawn = this.app.whole.little;
		return drawn && drawn.width === this.map.width && drawn.height === this.map.height ? drawn : null;
	}

	makeLittle() {
		const dpr = window.devicePixelRatio || 1, {boxes, lanes} = this.t, rows = max(1, lanes.process.length), height = (mapHeight - 4) / rows;
		const scale = this.width / this.whole, little = this.app.whole.little = make('canvas', {width: this.map.width, height: this.map.height}), c = little.getContext('2d');
		c.setTransform(dpr, 0, 0, dpr, 0, 0);
		for (let i = 0; i < boxes.lane.length; i++) {
			if (boxes.depth[i] && height < 4)
				continue;
			const part = height / max(1, min(lanes.depth[boxes.lane[i]], floor(height / 2)));
			if (boxes.depth[i] * part >= height)
				continue;
			fillBox(c, colorOf(this.app.data, boxes.symbol[i]), boxes.begin[i] * scale, 2 + boxes.lane[i] * height + boxes.depth[i] * part, max(boxes.length[i] * scale, 0.6), max(part - 0.4, 0.6));
		}
	}

	// The window is a frame in it.
	paintMap(colors) {
		const c = this.start(this.map, mapHeight, '11px'), scale = this.width / this.whole, from = this.from * scale, width = max((this.to - this.from) * scale, 2);
		c.drawImage(this.little(), 0, 0, this.width, mapHeight);
		c.fillStyle = colors.back;
		c.globalAlpha = 0.65;
		c.fillRect(0, 0, from, mapHeight);
		c.fillRect(from + width, 0, this.width, mapHeight);
		c.globalAlpha = 1;
		c.strokeStyle = colors.text;
		c.lineWidth = 2;
		c.strokeRect(from + 1, 1, max(width - 2, 1), mapHeight - 2);
	}

	// What is under the pointer: how far down in the picture, and when.
	pointed(e) {
		const area = this.canvas.getBoundingClientRect();
		return {y: e.clientY - area.top + this.box.scrollTop, time: this.from + (e.clientX - area.left) / this.width * (this.to - this.from)};
	}

	// The box under the pointer, the innermost.
	at(e) {
		const {y, time} = this.pointed(e), {boxes} = this.t, slack = (this.to - this.from) / this.width;
		let best = -1;
		for (let i = 0; i < boxes.lane.length; i++) {
			const top = this.laneY[boxes.lane[i]] + boxes.depth[i] * laneHeight;
			if (y >= top && y < top + laneHeight && time >= boxes.begin[i] - slack && time <= boxes.begin[i] + boxes.length[i] + slack &&
				(best < 0 || boxes.length[i] < boxes.length[best]))
				best = i;
		}
		return best;
	}

	// The values of a counter at a moment.
	counterAt(e) {
		const {y, time} = this.pointed(e);
		const row = this.places.rows.find(r => r.kind === 'counter' && y >= r.y && y < r.y + r.height);
		if (!row)
			return '';
		const counter = this.t.counters[row.i], parts = [];
		for (let k = 0; k < counter.begin.length; k++)
			if (time >= counter.begin[k] && time < counter.begin[k] + counter.length[k])
				parts.push((counter.series[counter.of[k]] || '') + ' ' + amountText(counter, counter.high[k] - counter.low[k]));
		return (counter.name || 'counter') + ' at ' + timeText(time) + ': ' + (parts.join(', ') || 'nothing');
	}

	point(e) {
		const i = this.at(e), words = i < 0 ? this.counterAt(e) : '';
		this.box.classList.toggle('over', i >= 0);
		if (words)
			this.details.textContent = words;
		else
			this.describe(i < 0 ? this.selected : i);
	}

	select(i) {
		this.selected = i;
		this.describe(i);
		this.paint();
	}

	describe(i) {
		const {boxes, lanes} = this.t, {data} = this.app;
		if (i < 0) {
			this.details.textContent = timeText(this.from) + ' to ' + timeText(this.to) + ' of ' + timeText(this.whole);
			return;
		}
		const many = boxes.count[i] > 1;
		const row = data.rowOf.get(boxes.symbol[i]), label = data.label(boxes.symbol[i]);
		this.details.replaceChildren(functionLink(this.app, row, label),
			(many ? ' and others: ' + plural(boxes.count[i], 'span') + ' of ' + timeText(boxes.busy[i]) + ' in all, between ' : ': ' + timeText(boxes.length[i]) + ', ') +
			timeText(boxes.begin[i]) + ' to ' + timeText(boxes.begin[i] + boxes.length[i]) + ', ' +
			[lanes.process[boxes.lane[i]], lanes.thread[boxes.lane[i]]].filter(s => s).join(', '));
	}

	key(e) {
		const {boxes} = this.t, i = this.selected;
		if (e.key === 'ArrowLeft' || e.key === 'ArrowRight')
			this.pan(e.key === 'ArrowLeft' ? -0.25 : 0.25);
		else if (e.key === '+')
			this.zoom(0.5);
		else if (e.key === '-')
			this.zoom(2);
		else if (e.key === '0')
			this.show(0, this.whole);
		else if (e.key === 'Enter' && i >= 0)
			this.show(...moved(boxes.begin[i], max(boxes.length[i], 1), this.whole));
		else
			return false;
		return true;
	}
}

// The boxes of the window that the search finds, the longest first.
export function longest(t, from, to, found) {
	const {boxes} = t, inside = [];
	for (let i = 0; i < boxes.lane.length; i++)
		if (boxes.begin[i] + boxes.length[i] > from && boxes.begin[i] < to && (!found || found[boxes.symbol[i]]))
			inside.push(i);
	return inside.sort((a, b) => boxes.length[b] - boxes.length[a] || a - b);
}

const cell = (key, text, value) => make('td', {class: value === undefined ? 'name' : 'number', 'data-key': key, 'data-value': value}, text);

function lanesTable(t) {
	const {lanes} = t;
	return tableBox('grid', 'Lanes', ['process', 'thread', 'spans', 'busy', 'first', 'last'].map((t, i) => head(t, i > 1 ? 'number' : null)), lanes.process.map((process, i) => make('tr', {'data-row': i},
		cell('process', process), cell('thread', laneText(lanes, i)), cell('spans', count(lanes.spans[i]), lanes.spans[i]),
		cell('busy', timeText(lanes.busy[i]), lanes.busy[i]), ...['first', 'last'].map(k => cell(k, lanes[k][i] === null ? '-' : timeText(lanes[k][i]), lanes[k][i])))));
}

function longestTable(app, t, rows) {
	const {boxes, lanes} = t, {data} = app;
	return tableBox('grid', 'The longest spans', ['length', 'from', 'function', 'thread'].map((t, i) => head(t, i < 2 ? 'number' : null)), rows.map(i => {
		const label = data.label(boxes.symbol[i]) + (boxes.count[i] > 1 ? ' and others, ' + plural(boxes.count[i], 'span') : '');
		return make('tr', {'data-row': i}, cell('length', timeText(boxes.length[i]), boxes.length[i]), cell('from', timeText(boxes.begin[i]), boxes.begin[i]),
			nameCell(app, data.rowOf.get(boxes.symbol[i]), label), cell('thread', [lanes.process[boxes.lane[i]], lanes.thread[boxes.lane[i]]].filter(s => s).join(', ')));
	}));
}

function notesOf(t) {
	const say = (n, one, many) => n ? [plural(n, one, many)] : [], others = ' with ' + plural(t.other_spans, 'span');
	const notes = [...say(t.left, 'short span is left out of the page', 'short spans are left out of the page'),
		...say(t.joined, 'span shorter than ' + timeText(t.least) + ' is joined with its neighbors', 'spans shorter than ' + timeText(t.least) + ' are joined with their neighbors'),
		...say(t.deep, 'span is too deep to be shown', 'spans are too deep to be shown'),
		...say(t.other_threads, 'thread' + others + ' is left out', 'threads' + others + ' are left out'),
		...say(t.other_counters, 'counter is left out', 'counters are left out'), ...say(t.marks_left, 'mark is left out', 'marks are left out')];
	return (t.sampled && t.boxes.lane.length ? 'Spans are made from samples: each call path lasts until the next sample. ' + (t.together ? 'Samples of a thread that begin within ' + timeText(t.together) + ' are drawn as one, with the path that lasts longest. ' : '') : '') + (notes.length ? notes.join('; ') + '.' : '');
}

// The time of the window as profkit's --time takes it.
export function windowOption(app) {
	const t = app.data.timeline, [from, to] = windowOf(app.state.time, t.end - t.begin);
	return from || to < t.end - t.begin ? '--time=' + (t.begin + from) + 'ns..' + (t.begin + to) + 'ns' : '';
}

function showTimeline(app, root) {
	const t = app.data.timeline, line = new Timeline(app, t), rows = longest(t, line.from, line.to, app.found), option = windowOption(app);
	const all = !option, nudge = (text, title, go) => button(text, go, {title, 'aria-label': title, 'data-focus': 'time-' + title});
	root.append(barLine(nudge('+', 'zoom in', () => line.zoom(0.5)), nudge('\u2212', 'zoom out', () => line.zoom(2)),
		nudge('\u2190', 'earlier', () => line.pan(-0.25)), nudge('\u2192', 'later', () => line.pan(0.25)), all ? null : button('show all', () => line.show(0, line.whole)),
		make('span', {class: 'field'}, make('label', {}, 'from ', line.handles[0]), make('label', {}, ' to ', line.handles[1]))),
	t.boxes.lane.length ? line.map : '', line.details, line.box, note(notesOf(t)),
	all ? '' : para('A page of this part of the time alone: ', make('code', {}, app.command('report', [option], '-o part.html')), ...shiftedWords(app.data).map(words => '; ' + words)),
	...t.boxes.lane.length ? [heading('Processes and threads'), lanesTable(t),
		heading(all ? 'The longest spans' : 'The longest spans of the window'),
		rows.length ? longestTable(app, t, rows.slice(0, mostSpans)) : note('None.')] : []);
	line.describe(-1);
	line.resize();
	return {
		escape: () => !all && (line.show(0, line.whole), say('all of the time'), true),
		leave: () => line.leave(),
		picture: line,
		theme: () => line.draw(),
	};
}

export const timelineView = {
	id: 'timeline', title: 'Timeline', whole: true, anyMetric: true, needs: ({timeline: t}) => t !== null && t.end > t.begin + !t.boxes.lane.length && t.lanes.process.length + t.counters.length > 0, render: showTimeline,
	command: app => app.command('timeline', [windowOption(app)], '-o timeline.svg'),
};
