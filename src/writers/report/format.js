// Numbers for people, as profkit prints them.
export const {abs, ceil, floor, max, min, round} = Math, {isNaN} = Number;

const scales = {
	ns: [['ns', 1], ['us', 1e3], ['ms', 1e6], ['s', 1e9]],
	bytes: [['B', 1], ['KB', 2 ** 10], ['MB', 2 ** 20], ['GB', 2 ** 30], ['TB', 2 ** 40]],
	count: [['', 1]],
};
scales['bytes/s'] = scales.bytes.map(([name, scale]) => [name + '/s', scale]);

// The unit of a column, by its largest value; values are whole numbers of 10^-exponent of the base.
export function unitFor(metric, largest) {
	const power = 10 ** metric.exponent, size = abs(largest) / power;
	let [name, divisor] = [metric.unit, 1];
	for (const [scaleName, scale] of scales[metric.unit] || [])
		if (size >= scale || scale === 1)
			[name, divisor] = [scaleName, scale];
	let decimals = divisor > 1 ? size < 10 * divisor ? 3 : 2 : 0;
	if (!decimals && metric.exponent)
		decimals = min(metric.exponent, 3);
	return {name, divisor: divisor * power, decimals};
}

// Halves are rounded up, as by profkit: the quotient alone may be just below one.
export function fixed(value, decimals, divisor = 1) {
	const power = 10 ** decimals, whole = round(abs(value) * power / divisor), parts = (whole / power).toFixed(decimals).split('.');
	parts[0] = parts[0].replace(/\B(?=(\d{3})+$)/g, ',');
	return (value < 0 && whole ? '-' : '') + parts.join('.');
}

// A value in the unit of its column; NaN is not known.
export const inUnit = (value, unit) => isNaN(value) ? '-' : fixed(value, unit.decimals, unit.divisor);

// A value alone: "12.34 ms".
export function withUnit(value, metric) {
	const unit = unitFor(metric, value);
	return inUnit(value, unit) + (unit.name && !isNaN(value) ? ' ' + unit.name : '');
}

export const nanoseconds = {unit: 'ns', exponent: 0};

export const timeText = ns => withUnit(ns, nanoseconds);

export const count = value => isNaN(value) ? '-' : fixed(value, 0);

// What shares of a metric are of; NaN if it has none, where the whole is the largest value, a mean or not above 0.
export const wholeOf = meta => /max|mean/.test(meta.aggregate) || meta.total <= 0 ? NaN : meta.total;

export const percent = (part, whole) => whole > 0 && !isNaN(part) ? fixed(part / whole * 100, 1) + '%' : '-';

// many: where it has no "s" more than one.
export const plural = (number, one, many = one + 's') => count(number) + ' ' + (number === 1 ? one : many);

// What else there is of something that is counted.
export const andLeft = number => number ? ', and ' + count(number) + ' left out of the page' : '';

export const leftOut = (number, one) => plural(number, one + ' is', one + 's are') + ' left out of the page';

// A list with the sentence about call paths that are not in the page, or without one.
export const pathsLeft = number => number ? [leftOut(number, 'call path') + '.'] : [];

// A value for programs: in base units, as a decimal.
export function exact(value, metric) {
	if (isNaN(value))
		return '';
	const text = String(value / 10 ** metric.exponent);
	return text.includes('e-') ? (value / 10 ** metric.exponent).toFixed(metric.exponent) : text;
}

// A number for programs with the digits of the commands, which are those of printf's %g.
export function general(number) {
	const value = Number(number.toPrecision(6)), size = abs(value);
	return size && (size < 1e-4 || size >= 1e6) ? value.toExponential().replace(/e(.)(\d)$/, 'e$10$2') : String(value);
}

// A share or ratio for programs; '' if it is not known.
export const ratio = (part, whole) => whole > 0 && !isNaN(part) ? general(part / whole) : '';

// A field of CSV.
export const field = text => /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;

// A word of a shell. It is copied into terminals, which act on control characters: they become ".", which as a regular
// expression matches them.
export function word(text) {
	text = text.replace(/[\0-\x1f\x7f-\x9f\u2028\u2029]/g, '.');
	return /^[A-Za-z0-9_./:@%+,][A-Za-z0-9_./:@%+,-]*$/.test(text) ? text : "'" + text.replace(/'/g, "'\\''") + "'";
}

// An option with its value, which may begin as options do.
export const option = (name, value) => '--' + name + (value[0] === '-' ? '=' : ' ') + word(value);
