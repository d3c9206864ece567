// What is shown, for other programs: folded stacks, speedscope, SVG. Files are made in the page and saved from it.
import {button, copy, make, say} from './dom.js';
import {exact, floor, max} from './format.js';
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

// Paths with a cost of their own: the zoomed path and those below it.
function shown(data, zoom) {
	const p = data.paths, list = [];
	for (let i = max(zoom, 0); i < p.count && (zoom < 0 || i === zoom || p.depth[i] > p.depth[zoom]); i++)
		list.push(i);
	return list;
}

// The text that `convert` writes: ";" separates frames, so a number at the end would be read as a
// second value, "#" as a comment.
export function foldedOf(data, metric, zoom) {
	const p = data.paths, {self} = p.metrics[metric], sums = new Map();
	for (const i of shown(data, zoom)) {
		const frames = lineage(p, i).map(n => (data.name(p.symbol[n]) || '(no name)').replace(/;/g, ':').replace(/[\n\r\t]/g, ' '));
		const path = frames.join(';').replace(/ (\d+(\.\d+)?)$/, '_$1').replace(/^#( |$)/, '#_');
		if (self[i] > 0)
			sums.set(path, (sums.get(path) || 0) + self[i]);
	}
	return Array.from(sums).sort(([a], [b]) => a < b ? -1 : 1).map(([path, value]) => path + ' ' + exact(value, data.metrics[metric]) + '\n').join('');
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

// Titles of boxes are those of profkit's other flame graphs, which it reads; what it knows them by does not stand in this file as
// a whole, or the page would be taken for one.
export function svgOf(data, metric, zoom, order, down) {
	const {whole, total} = data.paths.metrics[metric], meta = data.metrics[metric], unit = meta.unit === 'count' ? meta.name : meta.unit;
	const boxes = layout(data, metric, zoom, 0.1 / 1200, ordered(data, metric, order)), p = data.paths, row = 18, height = boxes.rows * row, out = [];
	for (let i = 0; i < boxes.node.length; i++) {
		const node = boxes.node[i], symbol = p.symbol[node], x = boxes.x[i] * 1200, w = boxes.w[i] * 1200, y = down ? boxes.row[i] * row : height - (boxes.row[i] + 1) * row;
		const text = node < 0 ? 'all' : data.label(symbol), title = node < 0 || !data.place(symbol) ? text : (data.name(symbol) || '(no name)') + ' (' + data.place(symbol) + ')', fill = node < 0 ? '#c9ced6' : colorOf(data, symbol);
		const value = node < 0 ? whole : total[node], place = '<rect x="' + x.toFixed(3) + '" width="' + w.toFixed(3) + '" y="';
		out.push('<g><title>' + xml(title + ' (' + exact(value, meta) + ' ' + unit + ', ' + (100 * value / whole).toFixed(2) + '%)') + '</title>' + place + y + '" height="17" fill="' + fill + '"/>' +
			(p.estimated[node] ? place + (y + 12) + '" height="5" fill="url(#hatch)"/>' : '') + (w > 28 ? '<text x="' + (x + 4).toFixed(2) + '" y="' + (y + 13) + '">' + xml(text.slice(0, floor((w - 8) / 7))) + '</text>' : '') + '</g>\n');
	}
	return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 ' + height + '" data-profkit=' + JSON.stringify(data.raw.profkit) + ' font-size="12" font-family="sans-serif" fill="#16181c">\n<style>rect{stroke:#fff;stroke-width:.4px}</style>\n' +
		'<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M0 6L6 0" stroke="#000" stroke-opacity=".4"/></pattern>\n' + out.join('') + '</svg>\n';
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
