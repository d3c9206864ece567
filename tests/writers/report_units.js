// Run by report_units.sh beside a copy of src/writers/report; the argument is a page.
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {Script} from 'node:vm';
import {deflateSync} from 'node:zlib';
import {inflate} from './report/inflate.js';
import {count, exact, field, general, percent, unitFor, inUnit, option, withUnit, word} from './report/format.js';
import {read, unpack} from './report/data.js';
import {matches, parse, patternOf} from './report/search.js';
import {defaults, formatState, parseState} from './report/state.js';
import {foldedOf, speedscopeOf, svgOf} from './report/export.js';
import {filtered, whyNot} from './report/select/filter.js';
import {choices, numberOf, partOf, stepsOf, timeOption} from './report/select/split.js';
import {layout, lineage, ordered} from './report/layout.js';
import {functionRows, functionsCsv} from './report/views/functions.js';
import {chosen, relatives} from './report/views/callers.js';
import {ratioText} from './report/views/comparison.js';
import {firstOf, remarks} from './report/views/summary.js';
import {colorOf} from './report/colors.js';
import {matchedValue, missing} from './report/views/flame.js';
import {laneText, longest, moved, placed, stepOf, timelineView, windowOf} from './report/views/timeline.js';
import {calleesOf, callersOf, inverted} from './report/views/merged.js';
import {placeGraph} from './report/views/layered.js';
import {viewOf} from './report/views/graph.js';
import {partsOf} from './report/views/workers.js';
import {listsOf, pathOf} from './report/views/memory.js';
import {foundGroups, groupsOf} from './report/views/lines.js';
import {functionOf, shownColumns, sortedRows, tableCsv} from './report/views/grid.js';
import {reveal, treeRows} from './report/views/tree.js';
import {views} from './report/views.js';

const page = readFileSync(process.argv[2], 'utf8');
const part = (from, to) => page.slice(page.indexOf(from) + from.length, page.indexOf(to, page.indexOf(from)));
const tests = {
	'inflate undoes what zlib makes': () => {
		for (const level of [0, 1, 6, 9]) {
			for (const size of [0, 1, 300, 70000]) {
				const bytes = Uint8Array.from({length: size}, (_, i) => i * i % 251 ^ i >> 7);
				assert.deepEqual(inflate(deflateSync(bytes, {level})), bytes, `${level} ${size}`);
			}
			const text = Buffer.from('self and total, '.repeat(999));
			assert.deepEqual(Buffer.from(inflate(deflateSync(text, {level}))), text);
		}
		const zipped = deflateSync(Buffer.from('abc'.repeat(100)));
		assert.throws(() => inflate(zipped.subarray(0, 8)), /cut off/);
	},
	'numbers are those of profkit': () => {
		const ns = {unit: 'ns', exponent: 0}, bytes = {unit: 'bytes', exponent: 0};
		assert.equal(withUnit(285433485, ns), '285.43 ms');
		assert.equal(withUnit(8537, ns), '8.537 us');
		assert.equal(withUnit(999, ns), '999 ns');
		assert.equal(withUnit(1536, bytes), '1.500 KB');
		assert.equal(withUnit(2892793620, {unit: 'bytes/s', exponent: 0}), '2.694 GB/s');
		assert.equal(withUnit(5e15, {unit: 'bytes/s', exponent: 0}), '4,547.47 TB/s');
		assert.equal(withUnit(1234567, {unit: 'count', exponent: 0}), '1,234,567');
		assert.equal(withUnit(-1234567, ns), '-1.235 ms');
		assert.equal(withUnit(NaN, ns), '-');
		// halves, which doubles do not have
		assert.deepEqual([184885000, 37525000, 1005000, 1000500, -184885000].map(v => withUnit(v, ns)), ['184.89 ms', '37.53 ms', '1.005 ms', '1.001 ms', '-184.89 ms']);
		assert.equal(inUnit(-400, unitFor(ns, 2e6)), '0.000');
		assert.equal(percent(25, 2000), '1.3%');
		assert.equal(percent(-1, 9999), '0.0%');
		assert.equal(withUnit(12345, {unit: 'count', exponent: 2}), '123.45');
		assert.equal(inUnit(5, unitFor(ns, 2e9)), '0.000');
		assert.equal(percent(1, 3), '33.3%');
		assert.equal(percent(1, 0), '-');
		assert.equal(count(1234), '1,234');
		assert.equal(exact(12345, {exponent: 2}), '123.45');
		assert.equal(exact(12, {exponent: 9}), '0.000000012');
		assert.deepEqual([0, 0.5, 0.0001, 0.00001234567, 1234567, 123456.7, -0.00005].map(general), ['0', '0.5', '0.0001', '1.23457e-05', '1.23457e+06', '123457', '-5e-05']);
	},
	'words and fields are quoted': () => {
		assert.equal(word('a.b/c-d'), 'a.b/c-d');
		assert.equal(word("it's; rm"), "'it'\\''s; rm'");
		assert.equal(word('-x'), "'-x'");
		assert.equal(word('a\x03\nb'), 'a..b');
		assert.equal(word("'a\x03\nb' \u2028\x9b"), "''\\''a..b'\\'' ..'");
		assert.equal(option('match', 'a|b'), "--match 'a|b'");
		assert.equal(option('metric', '-x'), "--metric='-x'");
		assert.equal(field('a,"b"'), '"a,""b"""');
	},
	'windows of time': () => {
		assert.deepEqual(windowOf('', 100), [0, 100]);
		assert.deepEqual(windowOf('5..20', 100), [5, 20]);
		assert.deepEqual(windowOf('20..5', 100), [0, 100]);
		assert.deepEqual(windowOf('5..101', 100), [0, 100]);
		assert.deepEqual(windowOf('-1..x', 100), [0, 100]);
		assert.deepEqual(moved(90, 20, 100), [80, 100]);
		assert.deepEqual(moved(-5, 200, 100), [0, 100]);
		assert.equal(stepOf(1000, 10), 100);
		assert.equal(stepOf(3, 10), 1);
		const t = {lanes: {process: ['a', 'a', 'b'], thread: ['1', '2', '3'], depth: [1, 2, 1]}, counters: [{process: 'c'}, {process: 'a'}]};
		assert.deepEqual(placed(t).rows.map(r => r.kind + r.i), ['processa', 'lane0', 'lane1', 'counter1', 'processb', 'lane2', 'processc', 'counter0']);
		assert.deepEqual([0, 1, 2, 3].map(i => laneText({process: ['GPU 0', '/device:TPU:0', 'python', 'python'], thread: ['stream 7', 'Steps', 'stream 7', ''], gpu: [1, 1, 1, 0]}, i)),
			['stream 7', 'Steps', 'GPU stream 7', '(no name)']);
		const boxes = {lane: [0, 0, 0], symbol: [0, 1, 1], begin: [0, 0, 50], length: [100, 10, 20]};
		assert.deepEqual(longest({boxes}, 0, 100, null), [0, 2, 1]);
		assert.deepEqual(longest({boxes}, 20, 60, [0, 1]), [2]);
	},
	'tables of commands': () => {
		const table = {rows: 3, depth: [0, 1, 0], columns: [{key: 'function', type: 'text', cells: ['f', 'a,b', 'g']}, {key: 'file', type: 'text', cells: ['x.py', 'x.py', 'y.py']},
			{key: 'line', type: 'number', cells: [null, 3, 4]}, {key: 'self', type: 'value', unit: 'count', exponent: 1, cells: [null, 15, 7]}]};
		assert.deepEqual(groupsOf(table), [{head: 0, rows: [1]}, {head: 2, rows: []}]);
		assert.deepEqual(foundGroups(table, groupsOf(table), /y\.py/), [{head: 2, rows: []}]);
		assert.deepEqual(foundGroups(table, groupsOf(table), parse('x.py:3').re), [{head: 0, rows: [1]}]);
		assert.equal(tableCsv(table, [1, 2]), 'function,file,line,self\n"a,b",x.py,3,1.5\ng,y.py,4,0.7\n');
		assert.equal(tableCsv({...table, all: [...table.columns, {key: 'hits'}]}, [2]), 'function,file,line,self,hits\ng,y.py,4,0.7,\n');
		assert.equal(tableCsv({columns: [{key: 'kernels', type: 'text', cells: [['a', 'b "c"']]}]}, [0]), 'kernels\n"[""a"",""b \\""c\\""""]"\n');
		assert.deepEqual(sortedRows([0, 1, 2], table.columns, 'self').rows, [1, 2, 0]);
		const shown = shownColumns({columns: [{key: 'short', type: 'text', cells: ['copy', null]}, {key: 'long', type: 'text', cells: ['x'.repeat(30), 'x']}, {key: 'list', type: 'text', cells: [['a', 'b'], null]}, {key: 'stddev', type: 'real', cells: [1, 2]},
			{key: 'mean', heading: 'mean', type: 'real', cells: [1, 2]}, {key: 'self_share', type: 'share', cells: [1, 0]}]});
		assert.deepEqual(shown.map(c => c.key + ': ' + c.cls), ['short: short', 'long: name', 'list: name', 'mean: number', 'self_share: number minor']);
		assert.deepEqual(sortedRows([0, 1, 2], table.columns, '-self').rows, [2, 1, 0]);
		assert.deepEqual(sortedRows([0, 1, 2], table.columns, 'function').rows, [1, 0, 2]);
		assert.deepEqual(sortedRows([0, 1, 2], table.columns, '').rows, [0, 1, 2]);
	},
	'inverted paths and sandwiches': () => {
		// main 1 -> a 2 -> b 3 -> a 4; main -> b 5
		const paths = {count: 5, symbol: [0, 1, 2, 1, 2], parent: [-1, 0, 1, 2, 0], depth: [0, 1, 2, 3, 1], estimated: [0, 0, 0, 1, 0],
			metrics: [{self: [1, 2, 3, 4, 5], total: [15, 9, 7, 4, 5]}]};
		const data = {symbols: 3, paths}, seen = p => Array.from({length: p.count}, (_, i) => [p.depth[i], p.symbol[i], p.metrics[0].total[i], p.metrics[0].self[i]].join(' '));
		assert.deepEqual(seen(inverted(data, 0)), ['0 0 1 1', '0 1 6 6', '1 0 2 0', '1 2 4 0', '2 1 4 0', '3 0 4 0', '0 2 8 8', '1 1 3 0', '2 0 3 0', '1 0 5 0']);
		assert.equal(inverted(data, 0).metrics[0].whole, 15);
		// 30,000 functions called by two: all of them are there, and the callers of the largest
		const n = 30000, many = {symbols: n + 2, paths: {count: 2 * n + 2, symbol: [n, n + 1], parent: [-1, -1], estimated: new Uint8Array(2 * n + 2), metrics: [{self: [0, 0]}]}};
		for (let i = 0; i < n; i++) {
			many.paths.symbol.push(i, i);
			many.paths.parent.push(0, 1);
			many.paths.metrics[0].self.push(i + 1, 2 * (i + 1));
		}
		assert.deepEqual([inverted(many, 0).metrics[0].whole, inverted(many, 0).count, inverted(many, 0).cut], [3 * n * (n + 1) / 2, n, n]);
		many.paths.metrics = [{self: many.paths.metrics[0].self.map((v, i) => i < 15002 ? v : 0)}];
		const some = inverted(many, 0), callers = some.children.filter((c, i) => some.parent[i] < 0).map(c => c.length);
		assert.deepEqual([some.count, some.cut], [15000, 3750]);
		assert.deepEqual([callers.slice(0, 10), callers.slice(-10)], [Array(10).fill(0), Array(10).fill(2)]);
		assert.deepEqual(seen(callersOf(data, 0, 2)), ['0 2 12 0', '1 1 7 0', '2 0 7 0', '1 0 5 0']);
		assert.deepEqual(seen(calleesOf(data, 0, 1)), ['0 1 9 2', '1 2 7 3', '2 1 4 4']);
		assert.deepEqual(Array.from(calleesOf(data, 0, 1).estimated), [0, 0, 1]);
		assert.deepEqual(calleesOf(data, 0, 1).children, [[1], [2], []]);
	},
	'the call graph is laid out': () => {
		const widths = [100, 50, 60, 70, 80], from = [0, 0, 1, 2, 3, 3, 0], to = [1, 2, 3, 3, 0, 3, 4], g = placeGraph(widths, 40, from, to);
		assert.deepEqual([g.y[0], g.y[1] === g.y[2], g.y[3] > g.y[1]], [0, true, true]);
		for (let i = 0; i < 5; i++)
			for (let j = 0; j < i; j++)
				assert.ok(g.y[i] !== g.y[j] || Math.abs(g.x[i] - g.x[j]) >= (widths[i] + widths[j]) / 2 + 20, `${i} ${j}`);
		assert.ok(widths.every((w, i) => g.x[i] - w / 2 >= -0.1 && g.x[i] + w / 2 <= g.width + 0.1));
		assert.ok(g.arrows.every(a => /^M[-\d. ]+[Cc][-\d. C]+$/.test(a)), g.arrows.join());
		assert.deepEqual(placeGraph(widths, 40, from, to), g);
		assert.deepEqual(viewOf('1,2,300', g, 1, 900), [1, 2, 300]);
		assert.equal(viewOf('x', g, 1, 900, []).length, 3);
		const wide = {x: [400, 100, 900], y: [0, 90, 90], width: 1000, height: 140};
		assert.deepEqual(viewOf('', wide, 2, 500, [1, 0, 0]), [150, -10, 500]);
		assert.deepEqual(viewOf('', wide, 2, 500, [0, 0, 1]), [290, -10, 500]);
		assert.deepEqual(viewOf('', wide, 2, 500, [0, 1, 0]), [10, -10, 500]);
		assert.deepEqual(viewOf('', {...wide, height: 2000}, 2, 1200, [1, 0, 0]), [-100, -10, 1200]);
		assert.equal(viewOf('all', wide, 2, 500, [1, 0, 0])[2], wide.width + 20);
		const ring = Array.from({length: 60}, (_, i) => i);
		placeGraph(ring.map(() => 100), 40, [...ring, ...ring, ...ring], [...ring.map(i => (i + 1) % 60), ...ring.map(i => (i + 7) % 60), ...ring.map(i => (i * 13 + 5) % 60)]);
	},
	'workers and memory': () => {
		const workers = {columns: [{key: 'useful', cells: [3, 0]}, {key: 'wait', cells: [1, null]}]};
		assert.deepEqual(partsOf(workers, 0).map(p => p.width), [0, 75, 0, 25, 0]);
		assert.deepEqual(partsOf(workers, 1).map(p => p.width), [0, 0, 0, 0, 0]);
		assert.equal(pathOf([0, 2, 1], 2, 30, 10), 'M0 10L0.0 10.0L10.0 10.0L10.0 0.0L20.0 0.0L20.0 5.0L30.0 5.0L30 10Z');
		const memory = {rows: 3, columns: [{key: 'list', cells: ['peak', 'leaked', 'peak']}, {key: 'by', cells: ['function', 'line', 'function']}, {key: 'self', cells: [3, 2, 1]}]};
		assert.deepEqual(listsOf(memory).map(l => [l.name, l.rows, l.columns[2].cells]), [['peak by function', 2, [3, 1]], ['leaked by line', 1, [2]]]);
	},
	'searches': () => {
		const finds = (text, on) => parse(text).re.test(on);
		assert.equal(parse('  '), null);
		assert.ok(finds('PARSE', 'my_parser'));
		assert.ok(!finds('a.b', 'axb'));
		assert.ok(finds('/^a.b$/', 'axb'));
		assert.ok(!finds('/A/', 'a'));
		assert.ok(finds('x.py:42', '/home/x.py:42'));
		assert.ok(!finds('x.py:42', '/home/x.py:421'));
		assert.ok(!finds('x.py:42', '/home/ax.py:42'));
		assert.match(parse('/(/').error, /no regular expression/);
		assert.equal(parse('a.b').match, '(?i)a\\.b');
		assert.equal(parse('/a|b/').match, 'a|b');
		const names = ['f', 'f', 'f', 'g()'], places = ['x.py:1', 'y.py:2', '', 'x.py:9'], d = {symbols: 4, name: s => names[s], place: s => places[s], line: s => places[s] ? 1 : 0};
		assert.deepEqual(names.map((_, s) => patternOf(d, s)), ['^x\\.py:1$', '^y\\.py:2$', '^f$', '^g\\(\\)$']);
	},
	'the state survives the address': () => {
		const state = {...defaults, view: 'flame', q: 'a&b=c #d', n: '12'};
		assert.deepEqual(parseState(formatState(state)), state);
		assert.deepEqual(parseState(''), defaults);
		assert.deepEqual(parseState('#view=tree&evil=1&__proto__=2').evil, undefined);
	},
	'the page may run its script and style only': () => {
		const hash = text => "'sha256-" + createHash('sha256').update(text).digest('base64') + "'";
		const policy = part('Content-Security-Policy" content="', '">');
		assert.equal(policy, "default-src 'none'; script-src " + hash(part('<script type="module">', '</script>')) +
			'; style-src ' + hash(part('<style>', '</style>')) + "; img-src data:; base-uri 'none'; form-action 'none'");
		assert.ok(!/ on[a-z]+="/.test(page));
		assert.ok(!/(src|href)="(?!data:,")/.test(page));
	},
	'the modules are one script without names that two of them have': () => {
		new Script("'use strict'; {" + part('<script type="module">', '</script>') + '}');
	},
	'assets are at most 150 KB': () => {
		assert.ok(part('<script type="module">', '</script>').length + part('<style>', '</style>').length < 150 << 10);
	},
};

// main 100 = work 60 (itself 10, sort 30, load 20) + idle 40; 5 of load are not in the page
const small = {
	profkit: '0', inputs: [], words: ['x'], options: '', files: 'x.folded', metrics_left: 0, texts_cut: 0,
	metrics: [{name: 'samples', unit: 'count', exponent: 0, total: 100, exactness: 'sampled'}],
	texts: ['', 'main', 'work', 'sort', 'load', 'idle', '/usr/lib/x.py'], kinds: ['unknown'],
	symbols: {count: 5, name: [1, 2, 3, 4, 5], file: [0, 0, 0, 6, 0], line: [0, 0, 0, 3, 0]},
	functions: {count: 5, left: 0, left_self: 0, symbol: [0, 1, 2, 3, 4], metrics: [
		{self: [0, 10, 30, 20, 40], total: [100, 60, 30, 20, 40], row: [1, 1, 1, 1, 2], calls: [null, null, null, null, 7], primitive: [null, null, null, null, 5]}]},
	calls: [{count: 4, left: 0, caller: [0, 0, 1, 1], callee: [1, 4, 2, 3], calls: [null], self: [10, 40, 30, 20],
		total: [60, 40, 30, 20]}],
	paths: {count: 5, left: 1, symbol: [0, 4, 1, 3, 2], depth: [0, 1, 1, 2, 2], metrics: [
		{total: 100, self: [0, 40, 10, 15, 30], rest: [0, 0, 0, 5, 0]}]},
};
Object.assign(tests, {
	'totals are added up': () => {
		const d = read(small), m = d.paths.metrics[0];
		assert.deepEqual(Array.from(m.total), [100, 40, 60, 20, 30]);
		assert.deepEqual(Array.from(d.paths.parent), [-1, 0, 0, 2, 2]);
		assert.equal(d.label(3), 'load (x.py:3)');
		const raw = structuredClone(small); // as tracemalloc names lines
		raw.texts[4] = 'x.py:3';
		assert.equal(read(raw).label(3), 'x.py:3');
		assert.ok(Number.isNaN(d.functions.metrics[0].calls[0]));
	},
	'boxes': () => {
		const d = read(small), sorted = ordered(d, 0, '');
		const b = layout(d, 0, -1, 0.25, sorted), at = node => b.node.indexOf(node);
		assert.deepEqual(b.node.slice().sort(), [-1, 0, 1, 2, 4]);
		assert.equal(b.narrow, 1);
		assert.equal(b.x[at(2)], 0.4);
		assert.ok(Math.abs(b.w[at(4)] - 0.3) < 1e-9);
		const z = layout(d, 0, 2, 0, sorted);
		assert.deepEqual(z.w.slice(0, 3), [1, 1, 1]);
		assert.equal(z.node.includes(1), false);
		assert.ok(Math.abs(z.w[z.node.indexOf(4)] - 0.5) < 1e-9);
		assert.deepEqual(ordered(d, 0, 'heavy').children[0], [2, 1]);
		assert.deepEqual(lineage(d.paths, 4), [0, 2, 4]);
	},
	'costs below 0 have no width': () => {
		const raw = structuredClone(small); // idle -40, and main 20
		raw.paths.left = 0;
		raw.paths.metrics = [{total: 20, self: [0, -40, 10, 20, 30], whole_width: 60, width: [60, 0, 60, 20, 30]}];
		const d = read(raw), b = layout(d, 0, -1, 0, ordered(d, 0, '')), at = node => b.node.indexOf(node);
		assert.deepEqual([0, 2, 4].map(node => b.w[at(node)]), [1, 1, 0.5]);
		assert.equal(at(1), -1);
		assert.equal(d.paths.metrics[0].total[0], 20);
		assert.equal(matchedValue(d, 0, matches(d, parse('main')), -1), 60);
	},
	'what is no sum has no flame graph': () => {
		const raw = structuredClone(small);
		assert.equal(missing(read(raw), 0), '');
		raw.paths.metrics[0] = {total: 0};
		assert.equal(missing(read(raw), 0), 'No call path has a cost in this metric.');
		raw.paths.metrics[0] = {total: 0, self: [5, -5]};
		assert.equal(missing(read(raw), 0), '');
		raw.paths.metrics[0].no_sum = true;
		assert.equal(missing(read(raw), 0), 'samples is no sum of its parts, and has no flame graph: choose another metric.');
	},
	'a deep tree needs no recursion': () => {
		const n = 30000, raw = structuredClone(small);
		raw.paths = {count: n, left: 0, symbol: new Array(n).fill(0), depth: Array.from({length: n}, (_, i) => i),
			metrics: [{total: 1, self: Array.from({length: n}, (_, i) => i === n - 1 ? 1 : 0)}]};
		const d = read(raw), b = layout(d, 0, -1, 0, ordered(d, 0, ''));
		assert.equal(b.rows, n + 1);
		assert.equal(d.paths.metrics[0].total[0], 1);
	},
	'what a search matches counts once': () => {
		const d = read(small), all = matches(d, parse('/./'));
		assert.equal(matchedValue(d, 0, all, -1), 100);
		assert.equal(matchedValue(d, 0, matches(d, parse('load')), -1), 20);
		assert.equal(matchedValue(d, 0, matches(d, parse('x.py:3')), 2), 20);
		assert.equal(matchedValue(d, 0, matches(d, parse('main')), 2), 60);
	},
	'the table is sorted and filtered': () => {
		const d = read(small), app = {data: d, metric: 0, found: null, state: {sort: ''}};
		assert.deepEqual(functionRows(app).rows, [4, 2, 3, 1, 0]);
		app.state.sort = '-total';
		assert.deepEqual(functionRows(app).rows, [3, 2, 4, 1, 0]);
		app.state.sort = 'function';
		assert.deepEqual(functionRows(app).rows, [4, 3, 0, 2, 1]);
		app.state.sort = 'calls';
		assert.deepEqual(functionRows(app).rows, [4, 0, 1, 2, 3]);
		app.found = matches(d, parse('o'));
		assert.deepEqual(functionRows(app).rows, [1, 2, 3]);
		assert.equal(functionsCsv(d, 0, [4]), 'function,module,file,line,kind,calls,primitive_calls,self,total,self_share,total_share,speedup_bound,estimated\nidle,,,,unknown,7,5,40,40,0.4,0.4,,true\n');
	},
	'callers and callees': () => {
		const d = read(small), c = d.calls[0];
		assert.deepEqual(relatives(d, 0, 1, 'callee').map(i => c.caller[i]), [0]);
		assert.deepEqual(relatives(d, 0, 1, 'caller').map(i => c.callee[i]), [2, 3]);
		assert.deepEqual(relatives(d, 0, 4, 'caller'), []);
	},
	'what to know': () => {
		const raw = structuredClone(small), says = text => remarks(read(raw)).some(s => s.includes(text));
		assert.ok(!says('estimated') && !says('no costs of functions'));
		Object.assign(raw.metrics[0], {exactness: 'sampled', name: 'wall'});
		assert.ok(says('Values of wall are sampled.'));
		raw.metrics[0].name = 'samples'; // of which it says nothing
		assert.ok(!says('Values of'));
		raw.functions.left = 5;
		raw.functions.count = 0;
		assert.ok(says('5 functions are left out') && !says('no costs of functions'));
		raw.functions.left = 0;
		assert.ok(says('no costs of functions'));
		raw.functions.count = 5;
		raw.paths.estimated = [0, 0, 0, 0, 1];
		assert.ok(says('values marked ~, the flame graph and the call tree are estimated'));
		raw.functions.metrics[0].row = [1, 1, 1, 1, 1];
		assert.ok(says('not call paths: the flame graph and the call tree are estimated'));
		raw.calls.forEach(c => { c.count = c.left = 0; });
		assert.ok(says('knows functions, not their callers: the flame graph'));
	},
	'views that are the same for all metrics': () => {
		assert.deepEqual(views.filter(v => v.anyMetric).map(v => v.id), ['comparison', 'changes', 'changes-flame', 'timeline', 'workers', 'gpu', 'ops', 'memory']);
	},
	'functions that tables name': () => {
		const raw = structuredClone(small), table = {columns: [{key: 'function', cells: ['work', 'load', 'load', 'sort', null]}, {key: 'file', cells: [null, '/usr/lib/x.py', 'y.py', null, null]},
			{key: 'line', cells: [1, 4, 3, 7, null]}]}, rows = () => [0, 1, 2, 3, 4].map(i => functionOf(read(raw), table, i));
		assert.deepEqual(rows(), [1, 3, undefined, 2, undefined]);
		raw.functions.symbol = [...raw.functions.symbol];
		raw.symbols = {count: 5, name: [1, 3, 3, 4, 5], file: [0, 0, 0, 6, 0], line: [0, 7, 8, 3, 0]}; // two of one name
		assert.deepEqual(rows(), [undefined, 3, undefined, 1, undefined]);
		table.columns.push({key: 'function_line', cells: [1, 3, 3, 8, null]});
		assert.deepEqual(rows(), [undefined, 3, undefined, 2, undefined]);
	},
	'what to look at first': () => {
		const raw = structuredClone(small), words = () => firstOf(read(raw), 0).map(f => f.words);
		assert.deepEqual(words(), [' ~40.0%, ~40 itself', ' 30.0%, 30 itself', ' 20.0%, 20 itself', ' 10.0%, 10 itself']);
		raw.metrics[0].aggregate = 'max'; // of which there are no shares
		assert.deepEqual(words(), [' ~40 itself', ' 30 itself', ' 20 itself', ' 10 itself']);
		assert.ok(firstOf(read(raw), 0).every(f => f.share === null));
		const ids = () => functionRows({data: read(raw), metric: 0, found: null, state: defaults}).columns.map(c => c.id).filter(id => id.endsWith('%'));
		assert.deepEqual(ids(), []);
		assert.deepEqual(functionsCsv(read(raw), 0, [0]).split('\n')[1].split(',').slice(9, 11), ['', '']); // self_share, total_share
		raw.metrics[0].aggregate = 'sum';
		assert.deepEqual(ids(), ['self%', 'total%']);
		raw.metrics[0].total = -5; // of a difference
		assert.deepEqual([ids(), words()[0]], [[], ' ~40 itself']);
	},
	'rows of the tree': () => {
		const d = read(small), sorted = ordered(d, 0, 'heavy'), open = new Set();
		assert.deepEqual(treeRows(sorted, open, new Map()).map(r => r.node), [0]);
		assert.deepEqual(reveal(d, 0, matches(d, parse('sort')), open, sorted), {count: 1, first: 4});
		assert.deepEqual(treeRows(sorted, open, new Map()).map(r => r.node), [0, 2, 4, 3, 1]);
		// the paths that are counted are those of the tree: idle has a value in no metric here
		const raw = structuredClone(small);
		raw.metrics.push(raw.metrics[0]);
		raw.paths.metrics[0].self[1] = 0;
		raw.paths.metrics.push(raw.paths.metrics[0]);
		const two = read(raw), of = ordered(two, 0, 'heavy');
		assert.deepEqual([of.count, reveal(two, 0, matches(two, parse('idle')), new Set(), of).count, reveal(two, 0, matches(two, parse('/./')), new Set(), of).count], [4, 0, 4]);
	},
	'what is saved is what is shown': async () => {
		const data = read(await unpack(part('<script type="application/json" id="data">', '</script>'))), p = data.paths, m = p.metrics[0];
		const sum = text => text.split('\n').reduce((n, line) => n + Number(line.replace(/^.* /, '')), 0);
		assert.equal(sum(foldedOf(data, 0, -1)), m.self.reduce((a, b) => a + b));
		assert.equal(sum(foldedOf(data, 0, 1)), m.total[1]);
		const less = {...data, paths: {...data.paths, metrics: [{...m, self: m.self.map((v, i) => i === 1 ? -v : v)}]}};
		assert.equal(sum(foldedOf(less, 0, -1)), sum(foldedOf(data, 0, -1)) - m.self[1]);
		const speedscope = JSON.parse(speedscopeOf(data, 0, -1, 'x')).profiles[0];
		assert.equal(speedscope.weights.length, speedscope.samples.length);
		assert.equal(speedscope.endValue, m.self.reduce((a, b) => a + Math.max(b, 0), 0));
		assert.match(svgOf(data, 0, -1, '', false), /<svg [^>]*data-profkit="[^]*<title>all \(\d+ ns, 100\.00%\)</);
		assert.equal(foldedOf(data, 0, -1), readFileSync(process.argv[4], 'utf8'));
		assert.match(foldedOf({...data, name: () => '# a;b\n1'}, 0, -1), /^#_a:b( 1;# a:b)*_1 \d+\n/);
		assert.equal(svgOf(data, 0, -1, '', false).match(/url\(#hatch\)/g).length + 1, svgOf(data, 0, -1, '', false).match(/<title/g).length);
		assert.equal(svgOf(data, 0, -1, '', false).match(/<title/g).length, layout(data, 0, -1, 0.1 / 1200, ordered(data, 0, '')).node.length);
		assert.match(svgOf({...data, place: () => '/a/b.py:3'}, 0, -1, '', false), /<title>[^<]* \(\/a\/b.py:3\) \(\d+ ns/); // others may be b.py, too
	},
	'filters that do nothing leave all': async () => {
		const data = read(await unpack(part('<script type="application/json" id="data">', '</script>'))), left = filtered(data, {ignore: 'there is none'});
		assert.deepEqual(left.words, ['ignore matches nothing']);
		assert.deepEqual(left.data.paths.metrics[0].total, data.paths.metrics[0].total);
		assert.equal(left.data.metrics[0].total, data.metrics[0].total);
		assert.equal(filtered(data, {ignore: '.'}).data.paths.count, 0);
		assert.equal(filtered(read(small), {ignore: 'work|idle'}).data.paths.count, 0); // main has no cost of its own
		assert.equal(filtered(read(small), {ignore: 'sort|load|idle'}).data.paths.count, 2);
		const raw = structuredClone(small);
		raw.paths.metrics[0].self[1] = 0; // idle
		assert.equal(filtered(read(raw), {ignore: 'sort'}).data.paths.count, 4);
		raw.paths.estimated = [1, 1, 1, 1, 1];
		assert.equal(filtered(read(raw), {ignore: 'sort'}).data.paths.count, 3);
		assert.equal(whyNot(data), '');
		const known = structuredClone(small);
		Object.assign(known.functions, {count: 4, symbol: [0, 1, 2, 3]}); // idle is no row
		const {calls: [c], functions: f} = filtered(read(known), {ignore: 'sort'}).data;
		assert.deepEqual([Array.from(c.caller), Array.from(c.callee)], [[0, 1], [1, 3]]);
		assert.deepEqual(Array.from(f.metrics[0].self), [0, 10, 0, 15]);
	},
	'the function that is chosen': () => {
		const data = read(small), of = (found, f = '') => chosen({data, metric: 0, state: {f}, found: found && Uint8Array.from(found)});
		assert.equal(of(null), 4);
		assert.equal(of([1, 1, 0, 1, 0]), 3);
		assert.equal(of([0, 0, 0, 0, 0]), 4);
		assert.equal(of([0, 0, 0, 0, 1], '2'), 2);
	},
	'a timeline without lanes and counters is no view': () => {
		const timeline = {begin: 0, end: 9, lanes: {process: []}, boxes: {lane: []}, counters: []};
		assert.equal(timelineView.needs({timeline}), false);
		assert.equal(timelineView.needs({timeline: {...timeline, counters: [{}]}}), true);
		// one value at one time
		assert.equal(timelineView.needs({timeline: {...timeline, end: 1, counters: [{}]}}), false);
		assert.equal(timelineView.needs({timeline: {...timeline, end: 1, lanes: {process: [1]}, boxes: {lane: [0]}}}), true);
	},
	'ratios': () => {
		assert.deepEqual([NaN, 0.01, 1, 1.25, 2.5e12].map(ratioText), ['-', '0.0100', '1.0000', '1.25', '2.5e+12']);
	},
	'colors are the same each time': () => {
		const make = (name, kind) => ({colors: [], name: () => name, kind: () => kind});
		assert.equal(colorOf(make('main', 'python'), 0), colorOf(make('main', 'python'), 0));
		assert.match(colorOf(make('', 'idle'), 0), /^hsl\(\d+ 0% \d+%\)$/);
	},
	'the CSV of functions has what hotspots has': async () => {
		const data = read(await unpack(part('<script type="application/json" id="data">', '</script>')));
		const [heads, ...lines] = readFileSync(process.argv[3], 'utf8').trim().split('\n'), rows = data.functions.symbol.map((_, i) => i);
		const [first, ...all] = functionsCsv(data, 0, rows).trim().split('\n');
		assert.equal(first, heads);
		assert.deepEqual(all.sort(), lines.sort());
	},
	'the data of a page is read': async () => {
		const raw = await unpack(part('<script type="application/json" id="data">', '</script>')), d = read(raw);
		const text = globalThis.DecompressionStream;
		delete globalThis.DecompressionStream;
		assert.deepEqual(await unpack(part('<script type="application/json" id="data">', '</script>')), raw);
		globalThis.DecompressionStream = text;
		assert.equal(raw.metrics[0].total, 285433485);
		assert.equal(d.functions.metrics[0].self.reduce((a, b) => a + b), 285433485);
		assert.equal(d.paths.metrics[0].self.reduce((a, b) => a + b), 285433485);
		assert.ok(d.paths.isEstimated);
	},
});

// Thread 7: main 3 in step 1, main;work 4 in step 2, of which 1 is below a path of the page; thread 8: main;work 5 in step 4.
const inParts = {...small, functions: {...small.functions, count: 2, symbol: [0, 1], metrics: [{self: [3, 8], total: [12, 9], row: [1, 1], calls: [null, null]}]},
	calls: [{count: 0, left: 0}], paths: {count: 2, left: 0, symbol: [0, 1], depth: [0, 1], metrics: [{total: 12, self: [3, 8], rest: [0, 1]}],
		split: {begin: 100, step: 10, steps: 4, threads: {known: [1, 1], tid: [7, 8], pid: [1, 1], rank: [0, 3], thread: ['a', 'b'], process: ['p', 'p']}, metrics: [{
			cost: {count: 4, path: [0, 1, 0, 0], thread: [0, 0, 0, 1], rest: [0, 0, 1, 0], self: [3, 3, 1, 5]},
			time: {count: 4, path: [0, 1, 0, 0], thread: [0, 0, 0, 1], at: [1, 1, 0, 2], rest: [0, 0, 1, 0], self: [3, 3, 1, 5], calls: [1, 1, null, 1], ends: [0, 0, 1, 1]}}]}}};
Object.assign(tests, {
	'numbers of threads': () => {
		// The values that strtoll reads with base 0, and with base 10.
		for (const [text, value, decimal] of [['7', 7, 7], [' +7', 7, 7], ['-7', -7, -7], ['0x1F', 31, null], ['-0x10', -16, null], ['017', 15, 17], ['0', 0, 0], ['08', null, 8],
			['7 ', null, null], ['', null, null], ['1e3', null, null], ['0x', null, null], ['x', null, null], ['a0x1', null, null]]) {
			assert.equal(numberOf(text, false), value, text);
			assert.equal(numberOf(text, true), decimal, text);
		}
		const threads = {known: [1, 1, 0], thread: ['', 'a.b', ''], tid: [12, 13, 14], process: ['', '', ''], pid: [0, 0, 0]};
		assert.deepEqual(choices({threads}, 'thread'), ['12', '^a\\.b$']);
		assert.deepEqual(choices({threads}, 'process'), []);
	},
	'a part by thread and time': () => {
		const d = read(inParts), of = changes => partOf(d, {...defaults, ...changes}, 0), f = p => [p.data.functions.metrics[0].self, p.data.functions.metrics[0].total].map(a => [...a]);
		assert.deepEqual(f(of({thread: '^a$'})), [[3, 3], [7, 4]]);
		assert.deepEqual(f(of({thread: '8'})), [[0, 5], [5, 5]]);
		assert.deepEqual(f(of({rank: '0'})), [[3, 3], [7, 4]]);
		assert.deepEqual(of({rank: '1'}).words, ['no rank has the number 1']);
		assert.deepEqual(of({thread: '0x9'}).words, ['no thread has the number 0x9']);
		assert.deepEqual(of({rank: 'a'}).words, ['rank: this is no number']);
		assert.deepEqual(choices(d.split, 'rank'), ['0', '3']);
		assert.deepEqual(choices(d.split, 'thread'), ['^a$', '^b$']);
		assert.deepEqual(of({process: 'q'}).words, ['process matches nothing']);
		assert.deepEqual(of({process: '(', thread: 'b'}).words, ['process: this is no regular expression']);
		assert.deepEqual(f(of({thread: '(?i)B', process: '\\p'})), [[0, 5], [5, 5]]);
		assert.equal(of({process: 'q'}).data.paths.count, 0);
		d.split.from = 0;
		assert.deepEqual(stepsOf(d.split, '5..15'), [0, 2]); // outwards, to whole steps
		assert.equal(stepsOf(d.split, '0..40'), null);
		assert.equal(timeOption(d.split, '5..15'), '--time=100ns..120ns');
		assert.deepEqual(f(of({time: '5..15'})), [[3, 3], [7, 4]]);
		assert.deepEqual(f(of({time: '10..40'})), [[0, 8], [9, 9]]);
		assert.deepEqual([...of({time: '30..40'}).data.functions.metrics[0].calls], [1, 2]); // one of work began before, and has not ended
		assert.equal(of({time: '10..40', thread: 'b'}).data.metrics[0].total, 5);
	},
});

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
	try {
		await test();
		console.log('ok ' + name);
	} catch (error) {
		failed = 1;
		console.log('not ok ' + name + '\n' + error.stack);
	}
}
process.exit(failed);
