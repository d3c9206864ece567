// Trees made from the call paths of the page: from the functions that have a cost to their callers,
// and the callers and callees of one function. Each looks as `paths` of data.js does, for the
// metric that is shown.
import {floor, max, min} from '../format.js';
export const mostCallers = 60; // levels
const mostNodes = 15000; // more boxes than have a width in most windows

class Joined {
	constructor() {
		this.symbol = [];
		this.parent = [];
		this.total = [];
		this.self = [];
		this.estimated = [];
	}

	// A path below another one; -1 is the root of all.
	child(parent, symbol) {
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
		const n = this.symbol.length, numbers = () => new Int32Array(n).fill(-1), first = numbers(), next = numbers(), order = numbers(), place = numbers();
		const p = {count: n, left: 0, symbol: [], depth: new Float64Array(n), estimated: new Float64Array(n), parent: numbers(), children: [], roots: [], isEstimated: false};
		const total = new Float64Array(n), self = new Float64Array(n), none = [];
		let root = -1, count = 0, whole = 0;
		for (let i = n - 1; i >= 0; i--) {
			const parent = this.parent[i];
			next[i] = parent < 0 ? root : first[parent];
			if (parent < 0)
				root = i;
			else
				first[parent] = i;
		}
		for (let node = root; node >= 0;) {
			place[node] = count;
			order[count++] = node;
			if (first[node] >= 0) {
				node = first[node];
				continue;
			}
			while (node >= 0 && next[node] < 0)
				node = this.parent[node];
			node = node < 0 ? -1 : next[node];
		}
		for (let k = 0; k < n; k++) {
			const node = order[k], above = this.parent[node] < 0 ? -1 : place[this.parent[node]];
			p.symbol.push(this.symbol[node]);
			p.children.push(none);
			p.parent[k] = above;
			p.estimated[k] = this.estimated[node];
			p.isEstimated = p.isEstimated || this.estimated[node] > 0;
			total[k] = this.total[node];
			self[k] = this.self[node];
			if (above < 0) {
				p.roots.push(k);
				whole += max(0, total[k]);
				continue;
			}
			p.depth[k] = p.depth[above] + 1;
			if (p.children[above] === none)
				p.children[above] = [];
			p.children[above].push(k);
		}
		p.metrics = metrics.map(() => null);
		p.metrics[metric] = {whole, total, width: total, wide: whole, self, calls: null, noSum: false, empty: whole <= 0};
		return p;
	}
}

// Joins paths through the same functions: paths with their values, below them their callers. The
// callers of the largest come first, so that only narrow boxes lack callers if there are too many.
function upward(data, metric, starts, value, own) {
	const p = data.paths, tree = new Joined(), at = Int32Array.from(starts), whole = starts.reduce((sum, i) => sum + max(0, value[i]), 0);
	const queue = Array.from({length: 60}, () => []); // by how often the whole is halved
	const add = (parent, group, level, first) => {
		const node = tree.child(parent, p.symbol[at[group[0]]]);
		for (const k of group)
			tree.add(node, value[starts[k]], own && !level ? value[starts[k]] : 0, p.estimated[at[k]]);
		const halved = floor(Math.log2(whole / tree.total[node])), above = group.filter(k => p.parent[at[k]] >= 0);
		if (above.length && level < mostCallers - 1)
			queue[max(first, min(halved >= 0 ? halved : 59, 59))].push({node, group: above, level: level + 1});
	};
	const join = (parent, members, level, first) => {
		const groups = new Map();
		for (const k of members) {
			const symbol = p.symbol[at[k]], group = groups.get(symbol);
			if (group)
				group.push(k);
			else
				groups.set(symbol, [k]);
		}
		groups.forEach(group => add(parent, group, level, first));
	};
	let cut = 0;
	join(-1, starts.map((_, k) => k), 0, 0);
	queue.forEach((list, first) => {
		for (const {node, group, level} of list) { // grows meanwhile
			if (tree.symbol.length >= mostNodes) {
				cut++;
				continue;
			}
			for (const k of group)
				at[k] = p.parent[at[k]];
			if (group.length > 1)
				join(node, group, level, first);
			else
				add(node, group, level, first);
		}
	});
	return {...tree.finish(p.metrics, metric), cut};
}

// Functions with a cost of their own, with their callers below them. What is left out of the page has no function, and is not in it.
export function inverted(data, metric) {
	const m = data.paths.metrics[metric], starts = [];
	for (let i = 0; !m.inverted && i < m.self.length; i++)
		if (m.self[i] > 0)
			starts.push(i);
	m.inverted = m.inverted || upward(data, metric, starts, m.self, true); // a zoom asks for the same
	return m.inverted;
}

// Paths of a function that are not below another path of it: a recursive call counts once.
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
export const callersOf = (data, metric, symbol) => upward(data, metric, outermost(data.paths, symbol), data.paths.metrics[metric].total, false);

// What a function calls.
export function calleesOf(data, metric, symbol) {
	const p = data.paths, {total, self} = p.metrics[metric], tree = new Joined(), places = new Map();
	const child = (parent, s) => {
		const key = (parent + 1) * data.symbols + s;
		if (!places.has(key))
			places.set(key, tree.child(parent, s));
		return places.get(key);
	};
	for (const root of outermost(p, symbol)) {
		const of = new Map([[root, child(-1, symbol)]]);
		tree.add(of.get(root), total[root], self[root], p.estimated[root]);
		for (let i = root + 1; i < p.count && p.depth[i] > p.depth[root]; i++) {
			const node = child(of.get(p.parent[i]), p.symbol[i]);
			of.set(i, node);
			tree.add(node, total[i], self[i], p.estimated[i]);
		}
	}
	return tree.finish(p.metrics, metric);
}
