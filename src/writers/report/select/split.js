// The profile by thread, process and window of time; src/writers/report/parts/split.c describes the
// data. Paths get the cost that they have there, and functions and calls are added up from them.
import {readPaths} from '../data.js';
import {expression, summedUp} from './filter.js';
import {ceil, floor, isNaN, max, min, percent, plural, timeText} from '../format.js';
import {escape} from '../search.js';

// The two times of a window of the address, "a..b" in ns since the begin of the timeline; null if there is none.
export function timesOf(text) {
	const parts = /^(\d{1,18})\.\.(\d{1,18})$/.exec(text);
	return parts && [Number(parts[1]), Number(parts[2])];
}

// The steps of a window: [first, one after the last]; null is all of the time.
export function stepsOf(split, text) {
	const times = timesOf(text);
	if (!times || !split || !split.hasTime)
		return null;
	const first = max(0, floor((split.from + times[0]) / split.step)), last = min(split.steps, ceil((split.from + times[1]) / split.step));
	return first < last && (first > 0 || last < split.steps) ? [first, last] : null;
}

// The window as an option, and in words.
export function timeOption(split, text) {
	const steps = stepsOf(split, text);
	return steps && '--time=' + (split.begin + steps[0] * split.step) + 'ns..' + (steps[1] < split.steps ? split.begin + steps[1] * split.step + 'ns' : '');
}

export function timeWords(split, text) {
	const [first, last] = stepsOf(split, text);
	return 'time from ' + timeText(max(0, first * split.step - split.from)) + ' to ' + timeText(last * split.step - split.from) + ', in steps of ' + timeText(split.step);
}

// The commands add up what they have chosen of each file.
export const shiftedWords = ({raw}) => raw.shifted ? ['times are those from the begin of the first file; --time of the command counts from that of each file'] : [];

export const threadFilters = ['process', 'thread', 'rank'];

// What there is to choose from, as a filter takes it: expressions for names, numbers of ranks and of what has no name.
export function choices({threads}, filter) {
	if (filter === 'rank')
		return Array.from(new Set(threads.rank)).filter(v => v !== null).sort((a, b) => a - b).map(String);
	const numbers = filter === 'process' ? threads.pid : threads.tid;
	const values = threads[filter].map((name, i) => name ? '^' + escape(name) + '$' : threads.known[i] && numbers[i] > 0 ? String(numbers[i]) : '');
	return Array.from(new Set(values)).filter(v => v);
}

// A number as the commands read it, those of threads and processes also with base 16 (0x1f) or 8 (017); null if it is none.
export function numberOf(text, decimal) {
	if (decimal)
		return /^\s*[+-]?\d+$/.test(text) ? Number(text) : null;
	const [all, sign, hex, octal, digits] = /^\s*([+-]?)(?:0x([\da-f]+)|(0[0-7]*)|([1-9]\d*))$/i.exec(text) || [];
	return all ? (sign === '-' ? -1 : 1) * (hex ? parseInt(hex, 16) : octal ? parseInt(octal, 8) : Number(digits)) : null;
}

// Which threads are chosen, as --thread, --process and --rank do it: a number is that of the system, anything else an expression for the name.
function threadsOf({threads}, state, words) {
	const kept = new Uint8Array(threads.thread.length).fill(1);
	for (const [option, names, numbers] of [['process', threads.process, threads.pid], ['thread', threads.thread, threads.tid], ['rank', null, threads.rank]]) {
		const wanted = state[option], number = numberOf(wanted, !names);
		let re = null, found = false;
		if (!wanted)
			continue;
		if (!names && number === null) {
			words.push(option + ': this is no number');
			continue;
		}
		try {
			re = expression(wanted);
		} catch {
			words.push(option + ': this is no regular expression');
			continue;
		}
		for (let i = 0; i < kept.length; i++) {
			const fits = (threads.known[i] || !names) && (number !== null ? numbers[i] === number : re.test(names[i]));
			kept[i] &= fits ? 1 : 0;
			found = found || fits;
		}
		if (!found)
			words.push(number === null ? option + ' matches nothing' : 'no ' + option + ' has the number ' + wanted.trim());
	}
	return kept;
}

// The cost of paths in one metric. used: paths that something happened on.
function partMetric(rows, n, steps, threads, used) {
	const self = new Float64Array(n), rest = new Float64Array(n), calls = new Float64Array(n).fill(NaN);
	let total = 0;
	for (let k = 0; k < rows.count; k++) {
		const i = rows.path[k], at = rows.at[k], value = rows.self[k];
		if (!threads[rows.thread[k]])
			continue;
		if (!steps || !at || at > steps[0] && at <= steps[1]) {
			total += value;
			if (i >= n)
				continue;
			used[i] = 1;
			(rows.rest[k] ? rest : self)[i] += value;
		}
		if (i >= n || rows.noCalls || rows.rest[k] || steps && at > steps[1])
			continue;
		if (!isNaN(rows.calls[k]))
			calls[i] = (calls[i] || 0) + rows.calls[k];
		if (steps && at <= steps[0])
			calls[i] = (calls[i] || 0) - rows.ends[k];
	}
	for (let i = 0; steps && i < n; i++)
		calls[i] = calls[i] || NaN;
	return {total, self, rest, calls: rows.noCalls ? undefined : calls};
}

// The profile in the window and the threads of the state, and what is to be said of it in one metric.
export function partOf(data, state, metric) {
	const {split, paths: p} = data, steps = stepsOf(split, state.time), words = steps ? shiftedWords(data) : [], threads = threadsOf(split, state, words), used = new Uint8Array(p.count);
	const found = p.metrics.map((m, i) => {
		const rows = split.metrics[i][steps ? 'time' : 'cost'];
		if (i === metric && !rows.count && m.whole)
			words.push(data.metrics[i].name + ' is not known by ' + (steps ? 'time' : 'thread'));
		return {...partMetric(rows, p.count, steps, threads, used), no_sum: m.noSum};
	});
	const order = [];
	for (let i = p.count - 1; i >= 0; i--) {
		if (!used[i] && !found.some(m => m.calls && m.calls[i] > 0))
			continue;
		used[i] = 1;
		order.push(i);
		if (p.parent[i] >= 0)
			used[p.parent[i]] = 1;
	}
	order.reverse();
	const at = values => values && Float64Array.from(order, i => values[i]), metrics = found.map(m => {
		const negative = m.self.some(v => v < 0), self = at(m.self);
		return {...m, self, rest: at(m.rest), calls: m.calls && at(m.calls), ...negative ? {width: self.map(v => max(v, 0)), whole_width: 0} : {}};
	});
	const paths = readPaths({count: order.length, left: p.left, symbol: order.map(i => p.symbol[i]), depth: at(p.depth), estimated: at(p.estimated), metrics});
	const without = p.left + (split.lumped || 0), m = found[metric] || found[0];
	if (without)
		words.push('functions are without ' + plural(without, 'call path that has', 'call paths that have') + ' no rows by thread and time in the page, with ' +
			percent(m.rest.reduce((sum, v) => sum + v, 0), m.total) + ' of all; totals of callers include them');
	return {words, data: summedUp(data, paths)};
}
