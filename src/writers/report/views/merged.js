// Trees made from the call paths of the page: from the functions that have a cost to their callers, and what is above and below
// one function. Each looks as `paths` of data.js does, for the metric that is shown.
export const mostCallers = 60; // levels
const mostNodes = 50000;

class Tree {
	constructor(symbols) {
		this.symbols = symbols;
		this.places = new Map();
		this.symbol = [];
		this.parent = [];
		this.total = [];
		this.self = [];
		this.estimated = [];
	}

	// The child of a path; -1 is the root of all. -1 where there are too many.
	child(parent, symbol) {
		const key = (parent + 1) * this.symbols + symbol, known = this.places.get(key);
		if (known !== undefined)
			return known;
		if (this.symbol.length >= mostNodes)
			return -1;
		this.places.set(key, this.symbol.length);
		this.parent.push(parent);
		this.total.push(0);
		this.self.push(0);
		this.estimated.push(0);
		return this.symbol.push(symbol) - 1;
	}

	add(node, total, self, estimated) {
		this.total[node] += total;
		this.self[node] += self;
		this.estimated[node] |= estimated;
	}

	// In the order of a walk, in which callers stand before what is below them.
	finish(metrics, metric) {
		const n = this.symbol.length, below = Array.from({length: n}, () => []), roots = [], order = [], place = new Int32Array(n);
		for (let i = 0; i < n; i++)
			(this.parent[i] < 0 ? roots : below[this.parent[i]]).push(i);
		const stack = [...roots].reverse();
		while (stack.length) {
			const node = stack.pop();
			place[node] = order.push(node) - 1;
			for (let i = below[node].length; i-- > 0;)
				stack.push(below[node][i]);
		}
		const at = values => Float64Array.from(order, i => values[i]);
		const p = {count: n, left: 0, symbol: order.map(i => this.symbol[i]), depth: new Float64Array(n), estimated: at(this.estimated),
			parent: Int32Array.from(order, i => this.parent[i] < 0 ? -1 : place[this.parent[i]]), children: order.map(i => below[i].map(c => place[c])),
			roots: roots.map(r => place[r]), isEstimated: this.estimated.some(e => e)};
		for (let i = 0; i < n; i++)
			p.depth[i] = p.parent[i] < 0 ? 0 : p.depth[p.parent[i]] + 1;
		const total = at(this.total), whole = p.roots.reduce((sum, r) => sum + Math.max(0, total[r]), 0);
		p.metrics = metrics.map(() => null);
		p.metrics[metric] = {whole, total, width: total, wide: whole, self: at(this.self), calls: null, noSum: false, empty: whole <= 0};
		return p;
	}
}

// Functions with a cost of their own, with their callers below them. What is left out of the page has no function, and is not in it.
export function inverted(data, metric) {
	const p = data.paths, {self} = p.metrics[metric], tree = new Tree(data.symbols);
	for (let i = 0; i < p.count; i++) {
		if (!(self[i] > 0))
			continue;
		for (let at = i, node = -1, level = 0; at >= 0 && level < mostCallers; at = p.parent[at], level++) {
			node = tree.child(node, p.symbol[at]);
			if (node < 0)
				break;
			tree.add(node, self[i], level ? 0 : self[i], p.estimated[at]);
		}
	}
	return tree.finish(p.metrics, metric);
}

// Paths of a function that are not below another path of it: a call inside a call counts once.
export function outermost(p, symbol) {
	const inside = new Uint8Array(p.count), found = [];
	for (let i = 0; i < p.count; i++) {
		inside[i] = p.parent[i] >= 0 && inside[p.parent[i]];
		if (!inside[i] && p.symbol[i] === symbol) {
			inside[i] = 1;
			found.push(i);
		}
	}
	return found;
}

// What calls a function, with the cost of the function on the way.
export function callersOf(data, metric, symbol) {
	const p = data.paths, {total} = p.metrics[metric], tree = new Tree(data.symbols);
	for (const i of outermost(p, symbol)) {
		for (let at = i, node = -1, level = 0; at >= 0 && level < mostCallers; at = p.parent[at], level++) {
			node = tree.child(node, p.symbol[at]);
			if (node < 0)
				break;
			tree.add(node, total[i], 0, p.estimated[at]);
		}
	}
	return tree.finish(p.metrics, metric);
}

// What a function calls.
export function calleesOf(data, metric, symbol) {
	const p = data.paths, {total, self} = p.metrics[metric], tree = new Tree(data.symbols);
	for (const root of outermost(p, symbol)) {
		const of = new Map([[root, tree.child(-1, symbol)]]);
		tree.add(of.get(root), total[root], self[root], p.estimated[root]);
		for (let i = root + 1; i < p.count && p.depth[i] > p.depth[root]; i++) {
			const parent = of.get(p.parent[i]), node = parent === undefined || parent < 0 ? -1 : tree.child(parent, p.symbol[i]);
			of.set(i, node);
			if (node >= 0)
				tree.add(node, total[i], self[i], p.estimated[i]);
		}
	}
	return tree.finish(p.metrics, metric);
}
