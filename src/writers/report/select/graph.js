// The call graph of the functions and calls that filters or a window leave, chosen as the command chooses it
// (src/analysis/callgraph/prune.c).
import {abs, isNaN, max, min} from '../format.js';

const most = 60, leastFunction = 0.005, leastCall = 0.001;

export function graphLeft(data, metric) {
	const f = data.functions, m = f.metrics[metric], calls = data.calls[metric], {caller, callee} = calls, meta = data.metrics[metric];
	const all = f.symbol.map((_, i) => i).filter(i => m.row[i]), below = all.some(i => m.self[i] < 0 || m.total[i] < 0);
	const selfs = all.reduce((sum, i) => sum + m.self[i], 0), whole = below ? selfs : all.reduce((sum, i) => max(sum, m.total[i]), selfs);
	// With values below 0, shares are as they are.
	const share = (value, of) => below ? of > 0 ? value / of : NaN : of ? max(0, min(1, value / of)) : 1;
	const self = i => share(m.self[i], selfs), total = i => share(m.total[i], whole), weight = i => share(calls.total[i], whole);
	const size = i => !below ? total(i) : m.self[i] || m.total[i] ? max(abs(self(i)), abs(total(i))) : 0;
	const rows = all.filter(i => !(size(i) < leastFunction)).sort((a, b) => m.total[b] - m.total[a] || a - b).slice(0, most);
	const place = new Map(rows.map((row, i) => [row, i])), largest = new Map(); // by callee: its largest call, which is kept first
	const shown = Array.from(caller, (_, i) => i).filter(i => place.has(caller[i]) && place.has(callee[i]) && !(abs(weight(i)) < leastCall));
	for (const i of shown)
		if (caller[i] !== callee[i] && !(abs(weight(largest.get(callee[i]))) >= abs(weight(i))))
			largest.set(callee[i], i);
	const rank = i => (abs(weight(i)) || 0) + (largest.get(callee[i]) === i ? 2 : 0);
	const arrows = shown.sort((a, b) => rank(b) - rank(a) || a - b).slice(0, 50 + 2 * rows.length).sort((a, b) => a - b);
	const known = v => isNaN(v) ? null : v, value = v => v / 10 ** meta.exponent / (meta.unit === 'ns' ? 1e9 : 1);
	return {
		functions: all.length, symbol: rows.map(i => f.symbol[i]), count: rows.map(i => known(m.calls[i])), self: rows.map(i => value(m.self[i])), total: rows.map(i => value(m.total[i])),
		self_share: rows.map(self), total_share: rows.map(total), estimated: rows.map(i => m.row[i] === 2), caller: arrows.map(i => place.get(caller[i])), callee: arrows.map(i => place.get(callee[i])),
		arrow_calls: arrows.map(i => known(calls.calls[i])), arrow_share: arrows.map(weight), arrow_estimated: arrows.map(i => calls.estimated[i]),
	};
}
