// The call graph: functions as boxes, calls as arrows, in layers from callers to callees; panned and zoomed.
import {make, button, head, keysOf, nameCell, say, svg, tableBox, wheelOf, barLine, heading, para, on} from '../dom.js';
import {abs, ceil, count, max, min, option, percent, plural, round, withUnit} from '../format.js';
import {graphLeft} from '../select/graph.js';
import {placeGraph} from './layered.js';

const longestName = 26, boxHeight = 40, part = share => max(0, min(1, share || 0));

export const graphOf = (data, metric) => data.graphs.find(g => g.metric === metric) || null;

// A value of the graph, which has times in seconds.
export function valueText(v, metric) {
	if (v === null)
		return '-';
	const scale = metric.unit === 'ns' ? 1e9 : 1, exponent = scale > 1 || Number.isInteger(v) ? 0 : 3;
	return withUnit(v * scale * 10 ** exponent, {unit: metric.unit, exponent});
}

// The part of the picture that is seen, of the address: "x,y,width" or "all". A large graph is not shown as
// a whole at first, but at a size that can be read, at the functions with the largest shares.
export function viewOf(text, placed, ratio, most, shares) {
	const parts = text.split(',').map(Number);
	if (parts.length === 3 && parts.every(Number.isFinite) && parts[2] >= 50 && parts[2] <= placed.width * 4 + 400)
		return parts;
	const width = max(placed.width + 20, (placed.height + 20) * ratio, 300);
	if (width <= most || text === 'all')
		return [placed.width / 2 - width / 2, -10, width];
	if (placed.width + 20 <= most)
		return [placed.width / 2 - most / 2, -10, most];
	let sum = 0, middle = 0;
	placed.x.forEach((x, i) => {
		const weight = placed.y[i] < most / ratio ? (shares[i] || 0) ** 2 : 0;
		sum += weight;
		middle += weight * x;
	});
	const left = middle / (sum || 1) - most / 2, first = placed.x[0], margin = 110; // the first has the largest share, and is seen
	return [max(-10, first + margin - most, min(placed.width + 10 - most, first - margin, left)), -10, most];
}

class Graph {
	constructor(app, g) {
		this.app = app;
		this.g = g;
		const {data} = app;
		this.labels = g.symbol.map(s => data.name(s) || '(no name)');
		const short = this.labels.map(l => l.length > longestName ? l.slice(0, longestName - 1) + '\u2026' : l);
		const c = make('canvas').getContext('2d');
		c.font = '12.5px system-ui, sans-serif'; // page.css
		this.widths = short.map(l => max(104, ceil(c.measureText(l).width) + 16));
		this.placed = placeGraph(this.widths, boxHeight, g.caller, g.callee);
		this.short = short;
		this.box = make('div', {class: 'graph', tabindex: '0', role: 'group', 'data-focus': 'graph',
			'aria-label': 'Call graph. Arrow keys move it, plus and minus zoom, 0 shows all. The table below has the same as text.'});
		this.picture = this.draw();
		this.box.append(this.picture);
		this.listen();
	}

	draw() {
		const {g} = this, picture = svg('svg', {'aria-hidden': 'false'});
		picture.append(svg('defs', {}, svg('marker', {id: 'tip', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: 'userSpaceOnUse', orient: 'auto'},
			svg('path', {d: 'M0 0L8 4L0 8Z', class: 'tip'}))));
		g.caller.forEach((from, i) => picture.append(this.arrow(i, from, g.callee[i])));
		g.symbol.forEach((_, i) => picture.append(this.node(i)));
		return picture;
	}

	arrow(i, from, to) {
		const {g, placed} = this, share = part(g.arrow_share[i]);
		const words = this.labels[from] + ' \u2192 ' + this.labels[to] + ': ' + percent(g.arrow_share[i] ?? NaN, 1) + (g.arrow_calls[i] === null ? '' : ', ' + plural(g.arrow_calls[i], 'call'));
		return svg('path', {d: placed.arrows[i], class: 'arrow' + (g.arrow_estimated[i] ? ' estimated' : ''), 'stroke-width': (0.8 + 5 * Math.sqrt(share)).toFixed(1), 'marker-end': 'url(#tip)'},
			svg('title', {}, words));
	}

	node(i) {
		const {g, placed, app} = this, {data, found} = app, w = this.widths[i], x = placed.x[i] - w / 2, y = placed.y[i], share = part(g.total_share[i]), total = percent(g.total_share[i] ?? NaN, 1);
		const row = data.rowOf.get(g.symbol[i]), hit = found && found[g.symbol[i]], mark = g.estimated[i] ? '~' : '';
		const second = mark + total + ' (' + mark + percent(g.self_share[i] ?? NaN, 1) + ')';
		const rect = svg('rect', {x, y, width: w, height: boxHeight, rx: 5, class: 'box' + (hit ? ' hit' : '')});
		rect.style.setProperty('--heat', round(6 + 44 * Math.sqrt(share)) + '%');
		const parts = [svg('title', {}, data.label(g.symbol[i]) + ': total ' + mark + total + ', itself ' + mark + percent(g.self_share[i] ?? NaN, 1)),
			rect, svg('text', {x: placed.x[i], y: y + 17}, this.short[i]), svg('text', {x: placed.x[i], y: y + 32, class: 'axis'}, second)];
		const faded = found && !hit ? 0.7 : null, page = document.URL.replace(/#.*/, ''); // "#" alone outside of the window looks like a skip link to axe
		return row === undefined ? svg('g', {opacity: faded}, ...parts) : svg('a', {href: page + app.link({view: 'callers', f: String(row)}), opacity: faded, 'data-focus': 'node-' + i}, ...parts);
	}

	listen() {
		const {box} = this;
		let start = null, moved = false;
		on(box, 'pointerdown', e => {
			start = {x: e.clientX, y: e.clientY, view: this.view};
			moved = false;
		});
		on(box, 'pointermove', e => {
			if (!start || !moved && abs(e.clientX - start.x) + abs(e.clientY - start.y) < 5)
				return;
			if (!moved)
				box.setPointerCapture(e.pointerId);
			moved = true;
			const scale = start.view[2] / box.clientWidth;
			this.see([start.view[0] - (e.clientX - start.x) * scale, start.view[1] - (e.clientY - start.y) * scale, start.view[2]]);
		});
		for (const end of ['pointerup', 'pointercancel'])
			on(box, end, () => {
				start = null;
				if (moved)
					this.keep();
			});
		on(box, 'click', e => {
			if (moved) // it was moved, not clicked
				e.preventDefault();
		}, true);
		on(box, 'dragstart', e => e.preventDefault());
		on(box, 'focusin', e => {
			this.reach(e.target.dataset.focus.slice(5));
			e.target.scrollIntoView({block: 'nearest'});
		});
		wheelOf(box, (factor, e) => this.zoom(factor, e));
		keysOf(box, this);
		this.observer = new ResizeObserver(() => this.see(this.view));
		this.observer.observe(box);
	}

	// On paper it is seen as a whole.
	see(view) {
		const {box, placed} = this, shown = matchMedia('print').matches ? [-10, -10, placed.width + 20, placed.height + 20] :
			[...view, view[2] * box.clientHeight / max(1, box.clientWidth)];
		this.view = view;
		this.picture.setAttribute('viewBox', shown.map(v => v.toFixed(1)).join(' '));
	}

	// Moves the picture until the box of a function is seen that has the focus.
	reach(i) {
		const {placed, view: [x, y, width]} = this, height = width * this.box.clientHeight / max(1, this.box.clientWidth), half = this.widths[i] / 2;
		if (half) // else the focus is on the picture itself
			this.see([max(min(x, placed.x[i] - half), placed.x[i] + half - width), max(min(y, placed.y[i]), placed.y[i] + boxHeight - height), width]);
	}

	keep() {
		this.app.keep({g: this.view.map(v => round(v)).join(',')});
	}

	zoom(factor, e) {
		const area = this.box.getBoundingClientRect(), [x, y, width] = this.view, ratio = area.height / max(1, area.width);
		const next = max(60, min(this.placed.width * 4 + 400, width * factor));
		const px = e ? (e.clientX - area.left) / area.width : 0.5, py = e ? (e.clientY - area.top) / area.height : 0.5;
		this.see([x + (width - next) * px, y + (width - next) * ratio * py, next]);
		this.keep();
	}

	all() {
		this.see(viewOf('all', this.placed, this.box.clientWidth / max(1, this.box.clientHeight)));
		this.app.keep({g: 'all'});
	}

	key(e) {
		const step = this.view[2] / 10, move = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[e.key];
		if (move) {
			this.see([this.view[0] + move[0] * step, this.view[1] + move[1] * step, this.view[2]]);
			this.keep();
		} else if (e.key === '+') {
			this.zoom(1 / 1.3);
		} else if (e.key === '-') {
			this.zoom(1.3);
		} else if (e.key === '0') {
			this.all();
		} else {
			return false;
		}
		return true;
	}
}

function graphTable(app, g) {
	const {data, metric} = app, meta = data.metrics[metric], m = data.functions.metrics[metric], known = g.count.some(c => c !== null);
	const cls = key => ['total', 'self'].includes(key) ? 'number' : key === 'function' ? null : 'number minor';
	const number = (key, text, value) => make('td', {class: cls(key), 'data-key': key, 'data-value': value === null ? '' : value}, text);
	return tableBox('grid', 'Functions of the call graph', ['total', 'total\u00a0%', 'self', 'self\u00a0%', ...known ? ['calls'] : [], 'function'].map(t => head(t, cls(t))),
		g.symbol.map((symbol, i) => {
			// Those of the table of functions, where gprof's have fractions of ticks.
			const mark = g.estimated[i] ? '~' : '', row = data.rowOf.get(symbol), text = key => mark + (m.row[row] ? withUnit(m[key][row], meta) : valueText(g[key][i], meta));
			return make('tr', {'data-row': i}, number('total', text('total'), g.total[i]), number('total%', mark + percent(g.total_share[i] ?? NaN, 1), g.total_share[i]),
				number('self', text('self'), g.self[i]), number('self%', mark + percent(g.self_share[i] ?? NaN, 1), g.self_share[i]),
				known ? number('calls', g.count[i] === null ? '-' : count(g.count[i]), g.count[i]) : null,
				nameCell(app, row, data.label(symbol)));
		}));
}

function showGraph(app, root) {
	const whole = graphOf(app.data, app.metric), g = whole && app.filterKey ? graphLeft(app.data, app.metric) : whole;
	if (!g || !g.symbol.length) {
		root.append(para(g ? 'No functions are left.' : 'There is no call graph of this metric.'));
		return {};
	}
	const graph = new Graph(app, g), empty = g.empty || 0, shown = g.symbol.length - empty, left = g.functions - shown, key = (text, title, go) => button(text, go, {title, 'aria-label': title});
	root.append(barLine(key('+', 'zoom in', () => graph.zoom(1 / 1.3)), key('\u2212', 'zoom out', () => graph.zoom(1.3)), button('show all', () => graph.all()),
		make('span', {class: 'note'}, plural(shown, 'function') + (empty ? ', ' + plural(empty, 'caller') + ' without values' : '') + ' and ' + plural(g.caller.length, 'arrow') +
			(left > 0 ? '; ' + plural(left, 'function') + ' of less than 0.5% or beyond the largest 60 left out' : '') + '. Boxes: total (self), of all. Drag to move.')),
	graph.box, heading('Functions of the graph'), graphTable(app, g));
	const {box, placed} = graph, wide = box.clientWidth, most = max(wide * 1.25, 480);
	box.style.height = placed.height * wide / min(most, max(placed.width + 20, wide)) + 24 + 'px'; // at most: page.css
	graph.see(viewOf(app.state.g, placed, wide / max(1, box.clientHeight), most, g.total_share));
	if (app.found && app.state.g === '')
		graph.reach(g.symbol.findIndex(s => app.found[s]));
	return {
		leave: () => graph.observer.disconnect(),
		theme: () => graph.see(graph.view),
		picture: graph,
		escape: () => !['', 'all'].includes(app.state.g) && (graph.all(), say('all of the call graph'), true),
	};
}

export const graphView = {
	id: 'graph', title: 'Call graph', filters: data => !data.graphs[0].split, needs: data => data.graphs.length > 0, render: showGraph,
	command: app => app.command('callgraph', [option('limit', '60')], '-o callgraph.svg'),
};
