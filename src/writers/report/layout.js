// Where the boxes of a flame graph are.
import {isNaN, max} from './format.js';
export const mostBoxes = 50000;

const known = new WeakMap(); // orders by the paths: a search asks for the same order at each key
const ranks = new WeakMap(); // ranks of the symbols by name, the same for all paths

export function rankOf(data) {
	if (!ranks.has(data.label)) {
		const rank = new Int32Array(data.symbols), labels = Array.from(rank, (_, s) => data.label(s));
		Array.from(rank.keys())
			.sort((a, b) => labels[a] < labels[b] ? -1 : labels[a] > labels[b] ? 1 : a - b)
			.forEach((s, i) => rank[s] = i);
		ranks.set(data.label, rank);
	}
	return ranks.get(data.label);
}

// Children of each path in the order asked for: by name, or the largest first. With several metrics, a path
// may have no value in this one: kernels have no CPU time.
export function ordered(data, metric, order) {
	const key = metric + (order === 'heavy' ? 'h' : '');
	if (!known.has(data.paths))
		known.set(data.paths, new Map());
	const orders = known.get(data.paths);
	if (!orders.has(key))
		orders.set(key, arrange(data, metric, order));
	return orders.get(key);
}

function arrange(data, metric, order) {
	const p = data.paths, {total, width, calls} = p.metrics[metric];
	const rank = rankOf(data), byName = (a, b) => rank[p.symbol[a]] - rank[p.symbol[b]] || a - b;
	const compare = order === 'heavy' ? (a, b) => total[b] - total[a] || byName(a, b) : byName;
	const several = data.metrics.length > 1, valued = m => c => m && (m.total[c] || m.width[c] || m.calls && !isNaN(m.calls[c]));
	// Where calls are not known, a path is left out that has nothing in any metric: changes of memory that end as they began.
	const has = calls ? valued({total, width, calls}) : c => p.metrics.some(m => valued(m)(c));
	const sorted = list => (several ? list.filter(has) : list.slice()).sort(compare);
	const roots = sorted(p.roots), children = p.children.map(c => c.length > (several ? 0 : 1) ? sorted(c) : c);
	return {roots, children, has: c => !several || has(c), count: children.reduce((n, c) => n + c.length, roots.length)};
}

// The paths from a root to a path.
export function lineage(paths, node) {
	const line = [];
	for (; node >= 0; node = paths.parent[node])
		line.unshift(node);
	return line;
}

// Boxes of at least `least` of the width, which is 1. zoom: the path that has the whole width, -1 = all.
// Box -1 is the root of all, in row 0. Costs below 0 have no width.
export function layout(data, metric, zoom, least, sorted) {
	const p = data.paths, {width: size, wide} = p.metrics[metric];
	const boxes = {node: [-1], x: [0], w: [1], row: [0], narrow: 0, rows: 1};
	const add = (node, x, w, row) => {
		boxes.node.push(node);
		boxes.x.push(x);
		boxes.w.push(w);
		boxes.row.push(row);
		boxes.rows = max(boxes.rows, row + 1);
	};
	const roots = p.roots.reduce((sum, r) => sum + max(size[r], 0), 0), all = p.left ? max(wide, roots) : roots;
	const line = lineage(p, zoom);
	line.forEach((node, i) => add(node, 0, 1, i + 1));
	const width = zoom < 0 ? all : size[zoom];
	const stack = width > 0 ? [[zoom, 0, line.length]] : [];
	while (stack.length) {
		const [node, from, row] = stack.pop();
		const children = node < 0 ? sorted.roots : sorted.children[node];
		let x = from;
		for (const child of children) {
			const w = max(size[child], 0) / width;
			if (w >= least && w > 0 && boxes.node.length < mostBoxes) {
				add(child, x, w, row + 1);
				if (p.children[child].length)
					stack.push([child, x, row + 1]);
			} else {
				boxes.narrow++;
			}
			x += w;
		}
	}
	return boxes;
}
