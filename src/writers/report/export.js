// What is shown, for other programs: folded stacks, speedscope, SVG. Files are made in the page and saved from it.
import {button, copy, make, say} from './dom.js';
import {exact} from './format.js';
import {layout, lineage, ordered} from './layout.js';
import {colorOf} from './colors.js';

export function save(name, type, text) {
	const url = URL.createObjectURL(new Blob([text], {type})), a = make('a', {href: url, download: name});
	document.body.append(a);
	a.click();
	a.remove();
	setTimeout(() => URL.revokeObjectURL(url), 10000);
	say(name + ' saved');
}

// Paths with a cost of their own: that which is zoomed to and those below.
function shown(data, zoom) {
	const p = data.paths, list = [];
	for (let i = Math.max(zoom, 0); i < p.count && (zoom < 0 || i === zoom || p.depth[i] > p.depth[zoom]); i++)
		list.push(i);
	return list;
}

// A frame of folded stacks: ";" parts them.
function frame(data, symbol) {
	return (data.label(symbol) || '(no name)').replace(/;/g, ':').replace(/[\0-\x1f]/g, ' ');
}

export function foldedOf(data, metric, zoom) {
	const p = data.paths, {self} = p.metrics[metric], meta = data.metrics[metric];
	return shown(data, zoom).filter(i => self[i] > 0).map(i => lineage(p, i).map(n => frame(data, p.symbol[n])).join(';') + ' ' + exact(self[i], meta) + '\n').join('');
}

export function speedscopeOf(data, metric, zoom, name) {
	const p = data.paths, {self} = p.metrics[metric], meta = data.metrics[metric], frames = [], number = new Map();
	const frameOf = symbol => {
		if (!number.has(symbol)) {
			number.set(symbol, frames.length);
			frames.push({name: data.name(symbol) || '(no name)', ...data.file(symbol) ? {file: data.file(symbol), line: data.line(symbol) || undefined} : {}});
		}
		return number.get(symbol);
	};
	const nodes = shown(data, zoom).filter(i => self[i] > 0), weights = nodes.map(i => Number(exact(self[i], meta)));
	const samples = nodes.map(i => lineage(p, i).map(n => frameOf(p.symbol[n])));
	const unit = {ns: 'nanoseconds', bytes: 'bytes'}[meta.unit] || 'none';
	return JSON.stringify({$schema: 'https://www.speedscope.app/file-format-schema.json', name, exporter: 'profkit ' + data.raw.profkit, shared: {frames},
		profiles: [{type: 'sampled', name: meta.name, unit, startValue: 0, endValue: weights.reduce((a, b) => a + b, 0), samples, weights}]});
}

const xml = text => text.replace(/[&<>"]/g, c => '&#' + c.charCodeAt(0) + ';').replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd');

export function svgOf(data, metric, zoom, order, down) {
	const boxes = layout(data, metric, zoom, 0.5 / 1200, ordered(data, metric, order)), p = data.paths, row = 18, height = boxes.rows * row, out = [];
	for (let i = 0; i < boxes.node.length; i++) {
		const node = boxes.node[i], symbol = p.symbol[node], x = boxes.x[i] * 1200, w = boxes.w[i] * 1200, y = down ? boxes.row[i] * row : height - (boxes.row[i] + 1) * row;
		const text = node < 0 ? 'all' : data.label(symbol), fill = node < 0 ? '#c9ced6' : colorOf(data, symbol);
		const value = exact(node < 0 ? p.metrics[metric].whole : p.metrics[metric].total[node], data.metrics[metric]);
		out.push('<g><title>' + xml(text + ': ' + value + ' ' + data.metrics[metric].unit) + '</title><rect x="' + x.toFixed(2) + '" y="' + y + '" width="' + Math.max(w - 0.5, 0.3).toFixed(2) +
			'" height="17" fill="' + fill + '"/>' + (w > 28 ? '<text x="' + (x + 4).toFixed(2) + '" y="' + (y + 13) + '">' + xml(text.slice(0, Math.floor((w - 8) / 7))) + '</text>' : '') + '</g>\n');
	}
	return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 ' + height + '" font-size="12" font-family="sans-serif" fill="#16181c">\n' + out.join('') + '</svg>\n';
}

// Buttons that save the paths that are shown. Costs below 0 have no place in these files.
export function pathButtons(app, zoom) {
	const {data, metric, state} = app, base = 'profile', m = data.paths.metrics[metric];
	return make('span', {class: 'saves'}, make('span', {class: 'note'}, 'save as '),
		button('folded', () => save(base + '.folded', 'text/plain', foldedOf(data, metric, zoom))), ' ',
		button('speedscope', () => save(base + '.speedscope.json', 'application/json', speedscopeOf(data, metric, zoom, document.title))), ' ',
		button('SVG', () => save(base + '.svg', 'image/svg+xml', svgOf(data, metric, zoom, state.order, state.up === '1'))),
		m.width === m.total ? null : make('span', {class: 'note'}, ' without costs below 0'));
}

// Buttons that copy or save rows: `make` gives the text.
export function csvButtons(text, what) {
	return make('span', {class: 'saves'}, button('copy as CSV', () => copy(text(), what)), ' ', button('save as CSV', () => save('profile.csv', 'text/csv', text())));
}
