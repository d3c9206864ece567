// The call tree: rows that open and close.
import {make, button, bar, keysOf, barLine, note, para} from '../dom.js';
import {joinsLines} from './flame.js';
import {pathButtons} from '../export.js';
import {andLeft, count, inUnit, max, min, percent, plural, unitFor, wholeOf} from '../format.js';
import {ordered} from '../layout.js';

const mostChildren = 100, mostTreeRows = 3000, mostRevealed = 200;

// Paths that are open at first: from the root along the largest, as long as they have most of the cost.
export function hottest(data, metric, sorted) {
	const total = data.paths.metrics[metric].total, open = new Set();
	for (let node = sorted.roots[0], i = 0; node !== undefined && i < 40; i++) {
		const child = sorted.children[node][0];
		open.add(node);
		if (child === undefined || total[child] < total[node] / 2)
			break;
		node = child;
	}
	return open;
}

// Opens the callers of the largest paths that were found, up to a number of rows. Returns how many
// were found, and the largest of these.
export function reveal(data, metric, found, open, {has}) {
	const p = data.paths, isFound = i => found[p.symbol[i]] && has(i), total = p.metrics[metric].total, values = new Float64Array(p.count), largest = [];
	let rows = 0, count = 0;
	for (let i = 0; i < p.count; i++)
		if (isFound(i))
			values[count++] = total[i];
	const least = values.subarray(0, count).sort()[max(0, count - 100)]; // many numbers are sorted faster than rows
	for (let i = 0; i < p.count; i++)
		if (total[i] >= least && isFound(i))
			largest.push(i);
	largest.sort((a, b) => total[b] - total[a] || a - b);
	for (const node of largest) {
		for (let above = p.parent[node]; above >= 0; above = p.parent[above]) {
			rows += open.has(above) ? 0 : min(p.children[above].length, mostChildren);
			open.add(above);
		}
		if (rows > mostRevealed)
			break;
	}
	return {count, first: largest[0]};
}

// The rows that are seen: paths, and after many children the number of the others.
export function treeRows(sorted, open, more) {
	const rows = [], stack = [];
	const push = (children, parent) => {
		const shown = min(children.length, more.get(parent) || mostChildren);
		if (shown < children.length)
			stack.push({parent, left: children.length - shown});
		for (let i = shown; i-- > 0;)
			stack.push({node: children[i], place: i + 1, of: children.length});
	};
	push(sorted.roots, -1);
	while (stack.length && rows.length < mostTreeRows) {
		const row = stack.pop();
		rows.push(row);
		if (row.node !== undefined && open.has(row.node))
			push(sorted.children[row.node], row.node);
	}
	return rows;
}

export class Tree {
	constructor(app) {
		const {data, metric} = app;
		this.app = app;
		this.arrange();
		this.matched = app.found ? reveal(data, metric, app.found, this.open, this.sorted) : {count: 0};
		this.more = new Map();
		const largest = data.paths.metrics[metric].whole;
		this.unit = unitFor(data.metrics[metric], largest);
		app.root.style.setProperty('--digits', inUnit(largest, this.unit).length + 2 + 'ch'); // with a mark, of the widest number
		this.current = this.matched.first ?? this.sorted.roots[0];
		this.list = make('div', {role: 'tree', class: 'tree', 'aria-label': 'Call tree'});
		keysOf(this.list, this);
		this.draw(false);
	}

	// Which path is above which, and which are open.
	arrange() {
		const {data, metric} = this.app;
		this.sorted = ordered(data, metric, 'heavy');
		this.open = hottest(data, metric, this.sorted);
	}

	// Numbers of a path, before its name.
	cells(node, mark) {
		const {data, metric} = this.app, m = data.paths.metrics[metric], whole = wholeOf(data.metrics[metric]) ? m.whole : NaN;
		const number = (text, value) => make('span', {class: 'number', 'data-value': value}, mark + text);
		return [bar(m.total[node] / whole, number(inUnit(m.total[node], this.unit), m.total[node])),
			number(percent(m.total[node], whole)),
			number(inUnit(m.self[node], this.unit), m.self[node])];
	}

	row(r) {
		const {data, found} = this.app, p = data.paths;
		if (r.node === undefined)
			return make('div', {class: 'row', role: 'treeitem', 'aria-level': r.parent < 0 ? 1 : p.depth[r.parent] + 2}, button('show ' + plural(min(r.left, mostChildren), 'more', 'more') + ' of ' + count(r.left), () => {
				this.more.set(r.parent, (this.more.get(r.parent) || mostChildren) + mostChildren);
				this.draw(true);
			}));
		const {node} = r, children = this.sorted.children[node].length, open = this.open.has(node), symbol = p.symbol[node];
		const mark = p.estimated[node] ? '~' : '', name = make('span', {class: 'name' + (found && found[symbol] ? ' found' : '')}, data.label(symbol));
		name.style.setProperty('--depth', min(p.depth[node], 60));
		name.prepend(make('span', {class: 'twist', 'aria-hidden': 'true'}, children ? open ? '\u25be' : '\u25b8' : ''));
		return make('div', {role: 'treeitem', class: 'row', 'aria-level': p.depth[node] + 1, 'aria-expanded': children ? String(open) : null,
			'aria-setsize': r.of, 'aria-posinset': r.place, 'aria-selected': String(node === this.current),
			tabindex: node === this.current ? 0 : -1, 'data-focus': node === this.current && 'tree', 'data-node': node,
			onclick: () => {
				this.current = node;
				this.toggle(node);
			}},
		...this.cells(node, mark), name);
	}

	draw(focus) {
		const rows = treeRows(this.sorted, this.open, this.more);
		this.shown = rows.filter(r => r.node !== undefined).map(r => r.node);
		if (!this.shown.includes(this.current))
			this.current = this.shown[0];
		this.list.replaceChildren(...rows.map(r => this.row(r)));
		if (rows.length >= mostTreeRows)
			this.list.append(make('div', {class: 'row note'}, 'Close some paths to see the rows below.'));
		const row = this.list.querySelector('[tabindex="0"]');
		if (focus && row) {
			row.focus();
			row.scrollIntoView({block: 'nearest'});
		}
	}

	// How many paths the search finds.
	found() {
		return this.app.found ? '; ' + plural(this.matched.count, 'matches', 'match') + ' the search' : '';
	}

	closer() {
		return button('close all', () => {
			this.open.clear();
			this.draw(false);
		});
	}

	toggle(node) {
		if (this.open.has(node))
			this.open.delete(node);
		else
			this.open.add(node);
		this.draw(true);
	}

	go(node) {
		if (node !== undefined && node >= 0)
			this.current = node;
		this.draw(true);
	}

	key({key}) {
		const {current, shown} = this, i = shown.indexOf(current), children = this.sorted.children[current];
		if (key === 'ArrowDown')
			this.go(shown[i + 1]);
		else if (key === 'ArrowUp')
			this.go(shown[i - 1]);
		else if (key === 'Home')
			this.go(shown[0]);
		else if (key === 'End')
			this.go(shown[shown.length - 1]);
		else if (key === 'ArrowRight' && children.length)
			this.open.has(current) ? this.go(children[0]) : this.toggle(current);
		else if (key === 'ArrowLeft')
			this.open.has(current) && children.length ? this.toggle(current) : this.go(this.app.data.paths.parent[current]);
		else if (key === 'Enter' || key === ' ')
			this.toggle(current);
		else
			return false;
		return true;
	}
}

function showTree(app, root) {
	const {data, metric} = app, p = data.paths, tree = new Tree(app), unit = tree.unit.name ? ' (' + tree.unit.name + ')' : '';
	root.append(barLine(
		note(plural(tree.sorted.count, 'call path') + (joinsLines(data) ? ' of functions' : '') +
			andLeft(p.left) +
			tree.found() +
			(p.isEstimated ? '; ~ estimated: ' + data.knows : '')),
		tree.closer(), pathButtons(app, -1)),
	p.metrics[metric].empty ? para('No call path has a cost in this metric.') : '',
	make('div', {class: 'scroll'}, make('div', {class: 'tree-head row', 'aria-hidden': 'true'},
		...['total' + unit, 'total %', 'self' + unit].map(t => make('span', {class: 'number'}, t)), make('span', {class: 'name'}, data.metrics[metric].name + ' of call paths')), tree.list));
	return {picture: tree};
}

export const treeView = {
	id: 'tree', title: 'Call tree', filters: () => true, needs: data => data.paths !== null && data.metrics.length > 0, render: showTree,
	command: app => app.command('tree', ['--limit 0']),
};
