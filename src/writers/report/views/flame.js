// The flame graph, on a canvas: of boxes as wide as their cost, callers at the root.
import {make, button, fitText, functionLink, say, visible, barLine, heading, note, para, toggle, on} from '../dom.js';
import {floor, max, option, percent, plural, withUnit} from '../format.js';
import {colorOf} from '../colors.js';
import {pathButtons} from '../export.js';
import {layout, lineage, ordered} from '../layout.js';
import {Canvas, edgeColor, fillBox, sized} from './canvas.js';
import {callersOf, calleesOf, inverted, mostCallers} from './merged.js';
import {patternOf} from '../search.js';
import {chosen} from './callers.js';

const rowHeight = 19;

// The cost of the matches in the visible part: a match inside a match counts once.
export function matchedValue(data, metric, found, zoom) {
	const p = data.paths, {width} = p.metrics[metric], inside = new Uint8Array(p.count);
	const depth = zoom < 0 ? -1 : p.depth[zoom];
	let sum = 0;
	if (zoom >= 0 && lineage(p, zoom).some(node => found[p.symbol[node]]))
		return width[zoom];
	for (let i = zoom < 0 ? 0 : zoom + 1; i < p.count && (zoom < 0 || p.depth[i] > depth); i++) {
		inside[i] = p.parent[i] >= 0 && inside[p.parent[i]];
		if (!inside[i] && found[p.symbol[i]]) {
			inside[i] = 1;
			sum += max(width[i], 0);
		}
	}
	return sum;
}

function hatchOf(c) {
	const tile = make('canvas', {width: 6, height: 6}), t = tile.getContext('2d');
	t.strokeStyle = '#0006';
	t.lineWidth = 1.2;
	for (const x of [-6, 0, 6]) {
		t.moveTo(x, 6);
		t.lineTo(x + 6, 0);
	}
	t.stroke();
	return c.createPattern(tile, 'repeat');
}

export class Flame extends Canvas {
	// One of several graphs on the page has a direction, and a click goes to the function.
	constructor(app, down, name) {
		super(app, 'flame' + (name || ''), (name || 'Flame graph') + '. Arrow keys go to callers, callees and siblings, Enter zooms. The call tree shows the same as text.');
		const {data, state, metric} = app, p = data.paths;
		const n = state.n === '' || name ? -1 : Number(state.n);
		this.name = name;
		this.p = p;
		this.zoom = Number.isInteger(n) && n >= 0 && n < p.count ? n : -1;
		this.selected = this.zoom;
		this.down = down;
		this.sorted = ordered(data, metric, state.order);
		this.listen();
	}

	listen() {
		const {box} = this;
		on(box, 'pointermove', e => this.describe(this.at(e), true));
		on(box, 'pointerleave', () => this.describe(this.selected));
		on(box, 'click', e => {
			const node = this.at(e);
			if (node !== undefined)
				this.zoomTo(node);
		});
	}

	zoomTo(node) {
		const row = this.name && node >= 0 ? this.app.data.rowOf.get(this.p.symbol[node]) : undefined;
		if (this.name)
			return row === undefined ? undefined : this.app.go({f: String(row)});
		this.app.go({n: node < 0 ? '' : String(node)});
	}

	resize() {
		const {box, app, canvas} = this, first = this.width === undefined;
		let width = box.clientWidth;
		if (!width || width === this.width && box.clientHeight === this.height)
			return;
		if (width !== this.width)
			this.boxes = layout(app.data, app.metric, this.zoom, 0.4 / width, this.sorted);
		if (first) {
			const whole = this.zoom < 0 ? this.boxes : layout(app.data, app.metric, -1, 0.4 / width, this.sorted);
			box.style.height = max(whole.rows, this.boxes.rows) * rowHeight + 2 + 'px'; // at most: page.css
		}
		const height = box.clientHeight;
		this.full = max(this.boxes.rows * rowHeight, height);
		canvas.style.height = height + 'px';
		this.spacer.style.height = this.full - height + 'px';
		width = box.clientWidth; // a bar to scroll may have come
		sized(canvas, width, height);
		this.width = width;
		this.height = height;
		if (first && !this.down)
			box.scrollTop = this.full;
		if (first)
			this.paint();
		else
			this.draw(); // the canvas is empty now, and is seen before the next frame
	}

	// The upper end of a row, in the window of the canvas.
	top(row, scrolled = this.box.scrollTop) {
		return (this.down ? row * rowHeight : this.full - (row + 1) * rowHeight) - scrolled;
	}

	colors() {
		const style = getComputedStyle(this.box);
		return {text: '#16181c', faded: style.color, mark: style.getPropertyValue('--mark').trim(), back: style.getPropertyValue('--back').trim(),
			focus: style.getPropertyValue('--focus').trim()};
	}

	draw() {
		const {boxes, app} = this, c = this.start(this.canvas, this.height, '12px'), colors = this.colors(), scrolled = this.box.scrollTop;
		for (let i = 0; i < boxes.node.length; i++) {
			const top = this.top(boxes.row[i], scrolled);
			if (top + rowHeight > 0 && top < this.height)
				this.paintBox(c, i, top, colors);
		}
		if (!app.found)
			return;
		// marked boxes have an edge, too; narrow ones at the top alone, or the edge would
		// cover them
		c.strokeStyle = c.fillStyle = colors.mark;
		c.lineWidth = 2;
		for (let i = 1; i < boxes.node.length; i++) {
			const top = this.top(boxes.row[i], scrolled), x = boxes.x[i] * this.width, w = boxes.w[i] * this.width;
			if (!app.found[this.p.symbol[boxes.node[i]]] || top + rowHeight <= 0 || top >= this.height)
				continue;
			if (w < 8)
				c.fillRect(x, top, max(w - 1, 3), 3);
			else
				c.strokeRect(x + 1, top + 1, w - 2, rowHeight - 3);
		}
	}

	color(node) {
		return colorOf(this.app.data, this.p.symbol[node]);
	}

	// Nothing is drawn into boxes of one profile.
	mark() {}

	labelOf(node) {
		return node < 0 ? 'all' : this.app.data.label(this.p.symbol[node]);
	}

	paintBox(c, i, top, colors) {
		const {boxes, app, p} = this, node = boxes.node[i], x = boxes.x[i] * this.width, w = boxes.w[i] * this.width;
		const pale = app.found && !(node >= 0 && app.found[p.symbol[node]]);
		const above = this.zoom >= 0 && boxes.row[i] <= p.depth[this.zoom];
		const shown = max(w - (w > 3 ? 1 : 0), 0.4);
		c.globalAlpha = pale ? 0.35 : above ? 0.55 : 1;
		fillBox(c, node < 0 ? '#c9ced6' : this.color(node), x, top, shown, rowHeight - 1);
		this.mark(c, node, x, top, shown);
		if (node >= 0 && p.estimated[node])
			this.hatch(c, x, top, shown);
		c.globalAlpha = 1;
		if (node === this.selected && document.activeElement === this.box) {
			c.strokeStyle = edgeColor(colors, pale);
			c.lineWidth = 2;
			c.strokeRect(x + 1, top + 1, max(shown - 2, 1), rowHeight - 3);
		}
		if (w > 24)
			this.label(c, node, x, top, shown, colors, pale || above);
	}

	// An estimated box is hatched at its lower edge, where there is room for a line.
	hatch(c, x, top, w) {
		this.hatched = this.hatched || hatchOf(c);
		fillBox(c, w < 5 ? '#0003' : this.hatched, x, top + rowHeight - 6, w, 5);
	}

	label(c, node, x, top, w, colors, faded) {
		c.fillStyle = faded ? colors.faded : colors.text;
		fitText(c, visible(this.labelOf(node)), x + 4, top + rowHeight / 2, w - 7);
	}

	// The path under the pointer; -1 is the root of all.
	at(e) {
		const area = this.canvas.getBoundingClientRect(), x = (e.clientX - area.left) / this.width, y = e.clientY - area.top;
		const row = this.down ? floor((y + this.box.scrollTop) / rowHeight) : floor((this.full - y - this.box.scrollTop) / rowHeight);
		const {boxes} = this;
		for (let i = 0; i < boxes.node.length; i++)
			if (boxes.row[i] === row && x >= boxes.x[i] && x < boxes.x[i] + boxes.w[i])
				return boxes.node[i];
		return undefined;
	}

	describe(node, pointed) {
		this.box.classList.toggle('over', Boolean(pointed) && node !== undefined);
		node = node === undefined ? this.selected : node;
		const row = node >= 0 && node === this.selected && !this.name ? this.app.data.rowOf.get(this.p.symbol[node]) : undefined;
		this.details.replaceChildren(visible(this.words(node)), ...row === undefined ? [] : [' \u2013 ', functionLink(this.app, row, 'what calls it, what it calls')]);
	}

	words(node) {
		const {data, metric} = this.app, m = this.p.metrics[metric], meta = data.metrics[metric];
		if (node < 0)
			return 'all: ' + withUnit(m.whole, meta) + (meta.unit === 'count' ? ' ' + meta.name : '');
		const symbol = this.p.symbol[node], place = data.where(symbol);
		return data.name(symbol) + (place ? ' (' + place + ')' : '') + ': ' + withUnit(m.total[node], meta) + ', ' +
			percent(m.total[node], m.whole) + ' of all; itself ' + withUnit(m.self[node], meta) +
			(m.calls && m.calls[node] > 0 ? '; ' + plural(m.calls[node], 'call') : '') + (this.p.estimated[node] ? '; estimated' : '');
	}

	select(node) {
		this.selected = node;
		this.describe(node);
		const i = this.boxes.node.indexOf(node), top = i < 0 ? 0 : this.top(this.boxes.row[i]);
		if (top < 0)
			this.box.scrollTop += top;
		else if (top + rowHeight > this.height)
			this.box.scrollTop += top + rowHeight - this.height;
		this.paint();
	}

	// Boxes that can be seen, of the children of a path.
	visible(node) {
		const shown = new Set(this.boxes.node);
		return (node < 0 ? this.sorted.roots : this.sorted.children[node]).filter(c => shown.has(c));
	}

	// The widest child of a path; itself if it has none.
	largest(node) {
		const {width} = this.p.metrics[this.app.metric];
		return this.visible(node).reduce((most, c) => most === undefined || width[c] > width[most] ? c : most, undefined) ?? node;
	}

	walk(name) {
		const node = this.selected, parent = node < 0 ? -1 : this.p.parent[node];
		const up = this.down ? 'ArrowUp' : 'ArrowDown', down = this.down ? 'ArrowDown' : 'ArrowUp';
		if (name === up)
			return parent;
		if (name === down)
			return this.largest(node);
		const siblings = node < 0 ? [-1] : this.visible(parent), i = siblings.indexOf(node) + (name === 'ArrowLeft' ? -1 : 1);
		return siblings[i] ?? node;
	}

	key(e) {
		if (e.key.startsWith('Arrow'))
			this.select(this.walk(e.key));
		else if (e.key === 'Enter' || e.key === ' ')
			this.zoomTo(this.selected);
		else if (e.key === '+')
			this.zoomTo(this.selected === this.zoom ? this.largest(this.zoom) : this.selected);
		else if (e.key === '-')
			this.zoomTo(this.zoom < 0 ? -1 : this.p.parent[this.zoom]);
		else if (e.key === '0')
			this.zoomTo(-1);
		else
			return false;
		return true;
	}
}

// Why there is no flame graph of the metric; '' if there is one.
export function missing(data, metric) {
	const m = data.paths.metrics[metric];
	if (m.noSum)
		return data.metrics[metric].name + ' is no sum of its parts, and has no flame graph: choose another metric.';
	return m.empty ? 'No call path has a cost in this metric.' : '';
}

// The app with other paths.
function withPaths(app, paths) {
	const other = Object.create(app);
	other.data = {...app.data, paths};
	return other;
}

function modes(app) {
	const {state, data} = app;
	const mode = (text, value) => toggle(text, state.mode === value, 'mode-' + text, () => app.go({mode: value, n: ''}));
	return [mode('from roots', ''), mode('inverted', 'inverted'), data.functions.count ? mode('sandwich', 'sandwich') : null,
		app.views.some(v => v.id === 'timeline') ? make('a', {href: app.link({view: 'timeline'})}, 'in the order of time') : null];
}

// A function between its callers, above, and what it calls, below.
function drawSandwich(app, root) {
	const {data, metric} = app, symbol = data.functions.symbol[chosen(app)], meta = data.metrics[metric];
	const above = new Flame(withPaths(app, callersOf(data, metric, symbol)), false, 'Callers'), below = new Flame(withPaths(app, calleesOf(data, metric, symbol)), true, 'Callees');
	const whole = above.p.metrics[metric].whole;
	const help = 'A click on a function goes on to its sandwich.' + ['', ...pathsLeft(data.paths.left)].join(' ') +
		' Callers are shown up to ' + mostCallers + ' levels' + (above.p.cut ? ', and not of ' + plural(above.p.cut, 'narrow box', 'narrow boxes') : '') + '.';
	root.append(barLine(...modes(app).filter(e => e)), make('h1', {}, data.label(symbol)),
		para(withUnit(whole, meta) + ', ' + percent(whole, data.paths.metrics[metric].whole) + ' of all on its paths'),
		heading('Callers'), above.details, above.box, heading('What it calls'), below.details, below.box, note(help));
	below.details.id = 'details-below';
	below.box.setAttribute('aria-describedby', 'details-below');
	for (const flame of [above, below]) {
		flame.describe(-1);
		flame.resize();
	}
	return {
		leave: () => [above, below].forEach(flame => flame.leave()),
		theme: () => [above, below].forEach(flame => flame.draw()),
	};
}

function showFlame(app, root) {
	const why = missing(app.data, app.metric), {mode} = app.state;
	if (why) {
		root.append(para(why));
		return {};
	}
	if (mode === 'sandwich' && app.data.functions.count)
		return drawSandwich(app, root);
	if (mode !== 'inverted')
		return drawFlame(app, root, app.data.paths);
	if (!app.data.paths.metrics[app.metric].inverted) {
		const {data, metric} = app, line = barLine(...modes(app).filter(e => e));
		root.append(line);
		setTimeout(() => { // making the tree takes as long as drawing it, each is a frame of its own
			inverted(data, metric);
			if (line.isConnected)
				app.show();
		});
		return {};
	}
	return drawFlame(withPaths(app, inverted(app.data, app.metric)), root, app.data.paths);
}

// all: the paths of the page.
function drawFlame(app, root, all) {
	const {data, state, metric, found} = app;
	const flame = new Flame(app, state.up === '1'), meta = data.metrics[metric], p = data.paths;
	const choice = (text, on, change) => toggle(text, on, 'flame-' + text, () => app.go(change));
	const notes = [];
	if (p.isEstimated)
		notes.push('Hatched: estimated, ' + data.knows + '.');
	if (p !== all)
		notes.push('Functions with a cost of their own stand at the root, what calls them follows, up to ' + mostCallers + ' levels.' + (p.cut ? ' Callers of ' + plural(p.cut, 'narrow box', 'narrow boxes') + ' are not shown.' : '') +
			(all.left || all.metrics[metric].width !== all.metrics[metric].total ? ' What is left out of the page, or below 0, is not in it.' : ''));
	notes.push(...pathsLeft(all.left));
	if (p.metrics[metric].width !== p.metrics[metric].total)
		notes.push('Costs below 0 have no width.');
	if (found && p.metrics[metric].wide > 0) {
		const value = matchedValue(data, metric, found, flame.zoom);
		notes.push('The search matches ' + percent(value, p.metrics[metric].wide) + ' of all ' + (p.metrics[metric].width === p.metrics[metric].total ? '(' : 'above 0 (') + withUnit(value, meta) + ').');
	}
	root.append(barLine(...modes(app).filter(e => e),
		choice('roots on top', state.up === '1', {up: state.up === '1' ? '' : '1'}),
		choice('largest first', state.order === 'heavy', {order: state.order === 'heavy' ? '' : 'heavy'}),
		flame.zoom >= 0 ? button('show all', () => flame.zoomTo(-1)) : null, pathButtons(app, flame.zoom)));
	return show(flame, root, notes);
}

// Puts it into the page, and tells what to do on keys.
export function show(flame, root, notes) {
	root.append(flame.details, flame.box, note(notes.join(' ')));
	flame.describe(flame.selected);
	flame.resize();
	return {
		escape: () => flame.zoom >= 0 && (flame.zoomTo(-1), say('the whole flame graph'), true),
		leave: () => flame.leave(),
		picture: flame,
		theme: () => flame.draw(),
	};
}

// True if the profile has call paths of lines, of which the page shows those of functions.
export const joinsLines = ({raw}) => raw.places && !raw.options.includes('--granularity');

// Boxes of the command would be lines.
export const flameOptions = ({data, state}) => [...state.up === '1' ? ['--icicle'] : [], ...joinsLines(data) ? ['--granularity function'] : []];

// A command has one --focus; if it is taken, what it leaves is read by a second one.
function sandwichCommand(app, more) {
	const focus = option('focus', patternOf(app.data, app.data.functions.symbol[chosen(app)]));
	if (!/ --focus[ =]/.test(' ' + app.command('flamegraph', [])))
		return app.command('flamegraph', [...more, focus], '-o flame.svg');
	return app.command('convert', ['--to pprof'], '-o - | ' + ['profkit flamegraph', ...more, focus, '- -o flame.svg'].join(' '));
}

export const flameView = {
	id: 'flame', title: 'Flame graph', filters: () => true, needs: data => data.paths !== null && data.metrics.length > 0, render: showFlame,
	command: app => {
		if (missing(app.data, app.metric))
			return app.command('tree', ['--limit 0']);
		const more = flameOptions(app);
		if (app.state.mode === 'sandwich' && app.data.functions.count)
			return sandwichCommand(app, more);
		return app.command('flamegraph', app.state.mode === 'inverted' ? [...more, '--reverse'] : more, '-o flame.svg');
	},
};
