// Places of the boxes and arrows of a graph in layers: callers above callees as far as there are no cycles, arrows over several
// layers bend around boxes, and boxes stand near those that they are joined to. Graphs are small: profkit limits them.
import {max, min} from '../format.js';
const gapX = 26, gapY = 52, sweeps = 10;

// Arrows that lead back in a walk from the first boxes on: cycles are cut there.
function backward(n, from, to) {
	const out = Array.from({length: n}, () => []), state = new Uint8Array(n), back = new Uint8Array(from.length);
	from.forEach((f, i) => out[f].push(i));
	for (let root = 0; root < n; root++) {
		const stack = state[root] ? [] : [{node: root, next: 0}];
		state[root] = state[root] || 1;
		while (stack.length) {
			const top = stack[stack.length - 1];
			if (top.next === out[top.node].length) {
				state[top.node] = 2;
				stack.pop();
				continue;
			}
			const edge = out[top.node][top.next++], node = to[edge];
			if (state[node] === 1)
				back[edge] = 1;
			else if (!state[node]) {
				state[node] = 1;
				stack.push({node, next: 0});
			}
		}
	}
	return back;
}

// A box is one layer below the lowest of its callers.
function layersOf(n, edges) {
	const layer = new Int32Array(n), waits = new Int32Array(n), out = Array.from({length: n}, () => []);
	for (const [a, b] of edges) {
		waits[b]++;
		out[a].push(b);
	}
	const ready = [];
	for (let i = 0; i < n; i++)
		if (!waits[i])
			ready.push(i);
	for (let k = 0; k < ready.length; k++)
		for (const b of out[ready[k]]) {
			layer[b] = max(layer[b], layer[ready[k]] + 1);
			if (!--waits[b])
				ready.push(b);
		}
	return layer;
}

// Centers of one row, near the wished ones, in order and without overlap.
function spread(row, wish, widths) {
	const x = row.map(v => wish[v]), need = k => (widths[row[k]] + widths[row[k + 1]]) / 2 + gapX;
	for (let k = 0; k + 1 < row.length; k++)
		x[k + 1] = max(x[k + 1], x[k] + need(k));
	const right = [...x];
	for (let k = 0; k < row.length; k++)
		x[k] = wish[row[k]];
	for (let k = row.length - 2; k >= 0; k--)
		x[k] = min(x[k], x[k + 1] - need(k));
	row.forEach((v, k) => {
		wish[v] = (x[k] + right[k]) / 2;
	});
}

// widths: of boxes; from, to: boxes of the arrows. Returns centers x, upper ends y, paths of the arrows, width and height.
export function placeGraph(widths, height, from, to) {
	const n = widths.length, back = backward(n, from, to), edges = from.map((f, i) => back[i] ? [to[i], f] : [f, to[i]]);
	const joined = edges.map(([a, b]) => a !== b), layer = Array.from(layersOf(n, edges.filter((_, i) => joined[i])));
	const size = [...widths], up = Array.from({length: n}, () => []), down = Array.from({length: n}, () => []), bends = edges.map(() => []);
	const join = (a, b) => {
		down[a].push(b);
		up[b].push(a);
	};
	edges.forEach(([a, b], i) => {
		let last = a;
		for (let l = layer[a] + 1; joined[i] && l < layer[b]; l++) {
			const bend = size.length;
			size.push(6);
			layer.push(l);
			up.push([]);
			down.push([]);
			bends[i].push(bend);
			join(last, bend);
			last = bend;
		}
		if (joined[i])
			join(last, b);
	});
	const rows = Array.from({length: layer.reduce((a, b) => max(a, b), 0) + 1}, () => []);
	layer.forEach((l, v) => rows[l].push(v));
	const order = new Float64Array(size.length), number = row => row.forEach((v, k) => {
		order[v] = k;
	});
	rows.forEach(number);
	const mean = (list, value, other) => list.length ? list.reduce((s, v) => s + value[v], 0) / list.length : other;
	for (let sweep = 0; sweep < sweeps; sweep++) {
		const downward = sweep % 2 === 0;
		for (const row of downward ? rows : [...rows].reverse()) {
			const key = new Map(row.map(v => [v, mean(downward ? up[v] : down[v], order, order[v])]));
			row.sort((a, b) => key.get(a) - key.get(b) || a - b);
			number(row);
		}
	}
	const x = new Float64Array(size.length);
	for (const row of rows) {
		let at = 0;
		for (const v of row) {
			x[v] = at + size[v] / 2;
			at += size[v] + gapX;
		}
		for (const v of row)
			x[v] -= at / 2;
	}
	for (let sweep = 0; sweep < sweeps; sweep++)
		for (const row of sweep % 2 ? [...rows].reverse() : rows) {
			for (const v of row)
				x[v] = mean(sweep % 2 ? down[v] : up[v], x, x[v]);
			spread(row, x, size);
		}
	let left = Infinity, right = -Infinity;
	size.forEach((w, v) => {
		left = min(left, x[v] - w / 2);
		right = max(right, x[v] + w / 2);
	});
	const step = height + gapY, y = layer.map(l => l * step), f = v => v.toFixed(1);
	const places = Array.from(x, v => v - left);
	const arrows = edges.map(([a, b], i) => {
		if (!joined[i]) { // a function that calls itself
			const side = places[a] + size[a] / 2, top = y[a];
			return 'M' + f(side) + ' ' + (top + height * 0.3) + 'c24 -6 24 ' + f(height * 0.4 + 6) + ' 1 ' + f(height * 0.4);
		}
		let points = [[places[a], y[a] + height], ...bends[i].map(v => [places[v], y[v] + height / 2]), [places[b], y[b] - 1]];
		if (back[i])
			points = points.reverse();
		return points.reduce((path, [px, py], k) => {
			if (!k)
				return 'M' + f(px) + ' ' + f(py);
			const [qx, qy] = points[k - 1], half = (qy + py) / 2;
			return path + 'C' + f(qx) + ' ' + f(half) + ' ' + f(px) + ' ' + f(half) + ' ' + f(px) + ' ' + f(py);
		}, '');
	});
	return {x: places.slice(0, n), y: y.slice(0, n), arrows, width: right - left, height: rows.length * step - gapY};
}
