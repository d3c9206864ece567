// Describes the profile in the words of `profkit summary`, and says where to look first.
import {make, bar, functionLink, head, shortened, tableBox, heading, para} from '../dom.js';
import {abs, count, leftOut, percent, plural, wholeOf, withUnit} from '../format.js';
import {benchmarksView} from './benchmarks.js';
import {Flame, missing} from './flame.js';
import {hasTable} from './grid.js';

// Sentences about parts that are not in the page, or not certain.
export function remarks(data) {
	const f = data.functions, p = data.paths, said = [];
	if (!f.count && !f.left && !data.tables.length)
		said.push('There are no costs of functions in it.');
	const inexact = data.metrics.filter(m => m.exactness !== 'exact' && m.name !== 'samples');
	for (const how of new Set(inexact.map(m => m.exactness)))
		said.push('Values of ' + inexact.filter(m => m.exactness === how).map(m => m.name).join(', ') + ' are ' + how + '.');
	if (p && p.isEstimated)
		said.push('T' + data.knows.slice(1) + ': ' + (f.metrics.some(m => m.row.includes(2)) ? 'values marked ~, ' : '') +
			'the flame graph and the call tree are estimated from them.');
	if (f.left)
		said.push(leftOut(f.left, 'function') + ', with ' +
			percent(f.leftSelf, data.metrics[0].total) + ' of all ' + data.metrics[0].name + '.');
	if (p && p.left)
		said.push(leftOut(p.left, 'call path') + '; totals include them.');
	if (data.raw.metrics_left)
		said.push(leftOut(data.raw.metrics_left, 'metric') + '.');
	// Numbers of a browser have 53 bits.
	const large = v => abs(v) > Number.MAX_SAFE_INTEGER;
	if (data.metrics.some(m => large(m.total)) || f.metrics.some(m => m.self.some(large) || m.total.some(large) || m.calls.some(large)))
		said.push('Values above ' + count(Number.MAX_SAFE_INTEGER) + ' are rounded to 53 bits in this page; the commands have all digits.');
	if (data.raw.texts_cut)
		said.push(plural(data.raw.texts_cut, 'long name is', 'long names are') + ' cut off.');
	return said;
}

// The functions with the most of a metric. Only what is a sum has shares.
export function firstOf(data, metric) {
	const m = data.functions.metrics[metric], meta = data.metrics[metric], whole = wholeOf(meta);
	const rows = data.functions.symbol.map((_, i) => i).filter(i => m.row[i] && m.self[i] > 0)
		.sort((a, b) => m.self[b] - m.self[a]).slice(0, 5);
	return rows.map(i => {
		const mark = m.row[i] === 2 ? '~' : '';
		return {row: i, share: whole ? m.self[i] / whole : null, words: ' ' + (whole ? mark + percent(m.self[i], whole) + ', ' : '') + mark + withUnit(m.self[i], meta) + ' itself'};
	});
}

function firstLook(app) {
	const {data} = app;
	return firstOf(data, app.metric).map(({row, share, words}) => make('li', {},
		functionLink(app, row, shortened(data.label(data.functions.symbol[row]))),
		make('span', {class: 'note'}, words), share === null ? null : bar(share, make('span', {class: 'track'}))));
}

// The flame graph with the roots on top, in little: a click goes on in its view.
class Overview extends Flame {
	zoomTo(node) {
		this.app.go({view: 'flame', n: node < 0 ? '' : String(node)});
	}
}

function addOverview(app, root) {
	const flame = new Overview(app, true, 'Call paths');
	root.append(heading('Where it goes'), flame.details, flame.box);
	flame.describe(-1);
	flame.resize();
	return {leave: () => flame.leave(), theme: () => flame.draw()};
}

function showSummary(app, root) {
	const {data} = app, said = remarks(data), words = data.raw.words;
	let overview;
	root.append(make('h1', {}, words[0]));
	root.append(...words.slice(1).filter(w => w).map(w => para(w)));
	if (said.length)
		root.append(heading('What to know'), make('ul', {}, ...said.map(s => make('li', {}, s))));
	if (!data.functions.count && hasTable(data, 'benchmarks'))
		benchmarksView.render(app, root);
	if (!data.metrics.length)
		return {};
	const items = firstLook(app);
	if (items.length)
		root.append(heading('What to look at first' + (data.metrics.length > 1 ? ', by ' + data.metrics[app.metric].name : '')), make('ol', {class: 'hot'}, ...items));
	if (data.paths && !missing(data, app.metric))
		overview = addOverview(app, root);
	if (!data.functions.count)
		return {};
	root.append(heading('Metrics'), tableBox('', 'Metrics', ['metric', 'total', 'values are', 'functions'].map((t, i) => head(t, i % 2 ? 'number' : null)),
		data.metrics.map((m, i) => make('tr', {}, make('th', {scope: 'row'}, make('a', {href: app.link({view: 'functions', m: String(i)})}, m.name)),
			make('td', {class: 'number'}, withUnit(m.total, m)), make('td', {}, m.exactness),
			make('td', {class: 'number'}, count(data.functions.metrics[i].row.reduce((n, r) => n + (r ? 1 : 0), 0)))))));
	return overview;
}

export const summaryView = {
	id: 'summary', title: 'Summary', needs: () => true, render: showSummary,
	command: app => app.command('summary', []),
};
