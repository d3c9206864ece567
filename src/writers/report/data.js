// The data of the page: src/writers/report/data.c says what it is.
import {inflate} from './inflate.js';

// Reads what is in <script id="data">: JSON, or base64 of compressed JSON.
export async function unpack(text) {
	if (text[0] === '{')
		return JSON.parse(text);
	const packed = atob(text), bytes = new Uint8Array(packed.length);
	for (let i = 0; i < packed.length; i++)
		bytes[i] = packed.charCodeAt(i);
	if (typeof DecompressionStream === 'undefined')
		return JSON.parse(new TextDecoder().decode(inflate(bytes)));
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
	return JSON.parse(await new Response(stream).text());
}

// A column of numbers, NaN if not known. A missing column is all zeros; a single number stands for
// all rows.
function column(values, length) {
	const array = new Float64Array(length);
	if (values && values.length === 1)
		return array.fill(values[0] === null ? NaN : values[0]);
	for (let i = 0; values && i < length; i++)
		array[i] = values[i] === null ? NaN : values[i];
	return array;
}

function readFunctions(raw) {
	const f = {count: raw.count, left: raw.left, leftSelf: raw.left_self, symbol: raw.symbol};
	f.metrics = raw.metrics.map(m => ({
		self: column(m.self, f.count), total: column(m.total, f.count), calls: column(m.calls, f.count),
		primitive: column(m.primitive, f.count), row: column(m.row, f.count),
	}));
	return f;
}

// Totals are added up from the leaves; `rest` is the cost of paths that are not in the page.
function readPathMetric(raw, parent) {
	const n = parent.length, m = {whole: raw.total, noSum: Boolean(raw.no_sum), self: column(raw.self, n), calls: raw.calls && column(raw.calls, n)};
	m.total = column(raw.rest, n);
	for (let i = n - 1; i >= 0; i--) {
		m.total[i] += m.self[i];
		if (parent[i] >= 0)
			m.total[parent[i]] += m.total[i];
	}
	// Costs below 0 have no width.
	m.width = raw.whole_width === undefined ? m.total : column(raw.width, n);
	m.wide = raw.whole_width === undefined ? m.whole : raw.whole_width;
	m.empty = !m.whole && m.self.every(v => !v) && m.total.every(v => !v);
	return m;
}

export function readPaths(raw) {
	const n = raw.count, depth = column(raw.depth, n);
	const p = {count: n, left: raw.left, symbol: raw.symbol, depth, estimated: column(raw.estimated, n)};
	const above = [];
	p.parent = new Int32Array(n);
	p.children = Array.from({length: n}, () => []);
	p.roots = [];
	for (let i = 0; i < n; i++) {
		p.parent[i] = depth[i] ? above[depth[i] - 1] : -1;
		above[depth[i]] = i;
		(p.parent[i] < 0 ? p.roots : p.children[p.parent[i]]).push(i);
	}
	p.metrics = raw.metrics.map(m => readPathMetric(m, p.parent));
	p.isEstimated = p.estimated.some(e => e);
	return p;
}

// The costs of paths by thread and step of time; paths and steps are written as differences.
function readRows(raw) {
	const n = raw.count, rows = {count: n};
	for (const key of ['path', 'thread', 'at', 'rest', 'self', 'calls', 'ends'])
		rows[key] = column(raw[key], n);
	for (let i = 1; i < n; i++) {
		rows.path[i] += rows.path[i - 1];
		rows.at[i] += rows.at[i - 1];
	}
	rows.noCalls = !raw.calls;
	return rows;
}

function readSplit(raw, begin) {
	const {thread} = raw.threads, metrics = raw.metrics.map(m => {
		const time = readRows(m.time || {count: 0});
		return {cost: m.time && m.time.all ? time : readRows(m.cost || {count: 0}), time};
	});
	return {...raw, from: begin - raw.begin, metrics, hasTime: raw.steps !== undefined, hasThreads: thread.length > 1 && metrics.some(m => m.cost.count)};
}

// Rows of `diff`: numbers of columns by row. tone: 1 good, 2 bad.
function readComparison(raw) {
	const c = {...raw, metric: {name: raw.metric, unit: raw.unit, exponent: raw.exponent}};
	for (const key of ['symbol', 'before', 'after', 'ratio', 'ci_low', 'ci_high', 'p', 'verdict', 'say', 'tone', 'note', 'estimated'])
		c[key] = column(raw[key], raw.count);
	c.paths = raw.paths ? readPaths(raw.paths) : null;
	c.rowOf = new Map(Array.from(c.symbol, (symbol, row) => [symbol, row]));
	return c;
}

// Calls between functions, which are rows of the table.
function readCalls(raw) {
	const c = {count: raw.count, left: raw.left};
	for (const key of ['caller', 'callee', 'calls', 'self', 'total', 'estimated'])
		c[key] = column(raw[key], raw.count);
	return c;
}

export function read(raw) {
	const s = raw.symbols, n = s.count;
	const columns = {};
	for (const key of ['name', 'file', 'module', 'line', 'kind'])
		columns[key] = column(s[key], n);
	const d = {raw, metrics: raw.metrics, symbols: n, colors: []};
	for (const key of ['name', 'file', 'module'])
		d[key] = symbol => raw.texts[columns[key][symbol]];
	d.line = symbol => columns.line[symbol];
	d.kind = symbol => raw.kinds[columns.kind[symbol]];
	// "dir/file.py:12", or the known part of it.
	d.place = symbol => d.file(symbol) && d.file(symbol) + (d.line(symbol) ? ':' + d.line(symbol) : '');
	d.where = symbol => d.place(symbol) || d.module(symbol);
	// The module, or one made from the name of the file.
	d.moduleOf = symbol => {
		const base = d.file(symbol).replace(/^[^]*\//, '');
		return d.module(symbol) || (base[0] === '<' ? base.replace(/^<frozen (.*?)>?$/, '$1') : base.replace(/(.)\.[^.]*$/, '$1'));
	};
	// "name (file.py:12)"; a name that is the place stands alone
	d.label = symbol => {
		const place = d.place(symbol).replace(/^.*\//, ''), name = d.name(symbol) || '(no name)';
		return name + (place && place !== name ? ' (' + place + ')' : '');
	};
	d.functions = readFunctions(raw.functions);
	d.calls = raw.calls.map(readCalls);
	d.knows = 'the profile knows ' + (d.calls.some(c => c.count || c.left) ? 'callers, not call paths' : 'functions, not their callers');
	d.tables = (raw.tables || []).map(t => ({...t, all: t.columns, columns: t.columns.filter(c => c.cells)}));
	d.timeline = raw.timeline || null;
	d.memory = raw.memory || null;
	d.graphs = raw.graphs || [];
	d.paths = raw.paths ? readPaths(raw.paths) : null;
	d.split = raw.paths && raw.paths.split ? readSplit(raw.paths.split, raw.timeline ? raw.timeline.begin : 0) : null;
	d.comparison = raw.comparison ? readComparison(raw.comparison) : null;
	d.check = raw.check || null;
	// Row of a function in the table, by symbol.
	d.rowOf = new Map(d.functions.symbol.map((symbol, row) => [symbol, row]));
	return d;
}
