// What the page of `report` tells those who do not see it: the table of functions and the call tree as the accessibility tree
// of Chromium has them are compared with `hotspots` and `tree`, for two fixtures of each format.
//
//	node report_access.js PROFKIT TESTDATA WORK
const {execFileSync} = require('child_process'), fs = require('fs'), path = require('path');
const {start, tab, wait} = require('../../bench/chromium.js');
const [profkit, testdata, work] = process.argv.slice(2), page = path.join(work, 'page.html');
const divisors = {ns: 1, us: 1e3, ms: 1e6, s: 1e9, B: 1, KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40};
let passed = 0, failed = 0;

function check(what, good, more) {
	if (good)
		passed++;
	else if (++failed < 50)
		console.log('not ok ' + what + ': ' + JSON.stringify(more).slice(0, 600));
}

function run(...words) {
	try {
		return execFileSync(profkit, words, {stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 30, encoding: 'utf8'});
	} catch {
		return null;
	}
}

// The number of a cell, in the unit of its column, has the digits of the value, whose unit is `base`.
function same(text, value, unit, base) {
	const scale = (divisors[unit] || 1) / (divisors[base] || 1), shown = text.replace(/[~,]/g, ''), decimals = (shown.split('.')[1] || '').length;
	return value === null ? shown === '-' : Math.abs(Number(shown) - value / scale) <= 0.5001 * 10 ** -decimals + 1e-12 * Math.abs(value);
}

const unitOf = head => (/ \((\w+)\)$/.exec(head) || [])[1];
// Names with other characters are written out in the page, and long ones cut.
const plain = name => name === null || name === '' ? '(no name)' : /^[!-~]([ -~]*[!-~])?$/.test(name) && !name.includes('  ') && name.length < 500 ? name : null;
const sameName = (text, name) => plain(name) === null || text.startsWith(plain(name));

class Access {
	constructor(nodes) {
		this.by = new Map(nodes.map(n => [n.nodeId, n]));
		this.nodes = nodes;
	}

	role(node) {
		return node.ignored || !node.role ? '' : node.role.value;
	}

	// Those of a role below a node, in their order.
	below(node, roles) {
		return node.childIds.flatMap(id => {
			const child = this.by.get(id);
			return !child ? [] : roles.includes(this.role(child)) ? [child] : this.below(child, roles);
		});
	}

	name(node) {
		return node.name ? node.name.value : '';
	}

	table() {
		const table = this.nodes.find(n => this.role(n) === 'table' && /^Functions and their /.test(this.name(n)));
		return table ? this.below(table, ['row']).map(row => this.below(row, ['columnheader', 'rowheader', 'cell', 'gridcell']).map(c => this.name(c))) : [];
	}

	tree() {
		return this.nodes.filter(n => this.role(n) === 'treeitem').map(n => ({
			depth: n.properties.find(p => p.name === 'level').value.value - 1, words: this.below(n, ['StaticText']).map(t => this.name(t).trim()).filter(t => t)}));
	}
}

const access = async t => new Access((await t.send('Accessibility.getFullAXTree')).nodes);

async function compareFunctions(t, name, {rows, metric}) {
	await t.open(page, '#view=functions&sort=total');
	while (await t.run(`document.querySelectorAll('main tbody tr').length`) < Math.min(rows.length, 200))
		await wait(30);
	const [heads, ...lines] = (await access(t)).table(), left = new Set(rows);
	check(name + ': as many rows', lines.length === Math.min(rows.length, 200), [lines.length, rows.length]);
	for (const cells of lines) {
		const of = key => heads.findIndex(h => h.replace(/ \(\w+\)$/, '') === key), fits = row => sameName(cells[of('function')], row.function) &&
			['self', 'total', 'calls'].every(key => of(key) < 0 || same(cells[of(key)], row[key], unitOf(heads[of(key)]), key !== 'calls' && metric && metric.unit));
		const row = [...left].find(fits);
		check(name + ': ' + cells, row, [heads, rows.filter(r => sameName(cells[of('function')], r.function)).slice(0, 3)]);
		left.delete(row);
	}
}

async function compareTree(t, name, {rows, metric}) {
	await t.open(page, '#view=tree');
	let lines = [];
	for (let i = 0; i < 50 && !(lines.length && lines.every(l => l.words.length === 4)); i++) { // those outside of the window come late
		await wait(20);
		lines = (await access(t)).tree();
	}
	const unit = await t.run(`(/\\((\\w+)\\)/.exec(document.querySelector('.tree-head').textContent) || [])[1]`);
	check(name + ': has a tree', lines.length > 0 && lines.every(l => l.words.length === 4), lines);
	for (const {depth, words: [total, , self, label = '']} of lines)
		check(name + ': path ' + label, rows.some(r => r.depth === depth && sameName(label, r.function) && same(total, r.total, unit, metric.unit) && same(self, r.self, unit, metric.unit)),
			[depth, total, self, label, rows.filter(r => r.depth === depth && sameName(label, r.function)).slice(0, 3)]);
}

async function main() {
	const browser = start(), t = await tab(browser);
	let files = 0;
	await t.send('Accessibility.enable');
	for (const folder of fs.readdirSync(testdata).sort()) {
		let found = 0;
		for (const file of fs.statSync(path.join(testdata, folder)).isDirectory() ? fs.readdirSync(path.join(testdata, folder)).sort() : []) {
			const whole = path.join(testdata, folder, file), hotspots = found < 2 && !/(\.dump|SOURCE|\.py|\.sh)$/.test(file) && run('hotspots', '-q', '--format', 'json', '-n', '0', whole);
			if (!hotspots || JSON.parse(hotspots).schema !== 'profkit.hotspots' || run('report', '-q', whole, '-o', page) === null || !JSON.parse(hotspots).rows.length)
				continue;
			found++;
			files++;
			await compareFunctions(t, folder + '/' + file, JSON.parse(hotspots));
			const tree = run('tree', '-q', '--format', 'json', '-n', '0', whole);
			if (tree !== null && JSON.parse(tree).rows.length)
				await compareTree(t, folder + '/' + file, JSON.parse(tree));
		}
	}
	await browser.close();
	console.log(passed + ' passed, ' + failed + ' failed, ' + files + ' files');
	process.exitCode = failed || files < 40 ? 1 : 0;
}

main();
