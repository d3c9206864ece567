// Colors of boxes.

// A color by the name, within a range for the kind of code. Dark text has a contrast above 4.5 on
// all of them.
function makeColor(name, kind) {
	let hash = 2166136261;
	for (let i = 0; i < name.length; i++)
		hash = Math.imul(hash ^ name.charCodeAt(i), 16777619);
	hash >>>= 0;
	const ranges = {native: [195, 40], kernel: [25, 15], builtin: [90, 40], gpu: [265, 40], runtime: [215, 20], idle: [0, 0]};
	const [from, width] = ranges[kind] || [22, 36];
	return 'hsl(' + (from + hash % 997 / 997 * width).toFixed(0) + ' ' + (kind === 'idle' ? 0 : 78) + '% ' +
		(68 + (hash >>> 10) % 10) + '%)';
}

// The color of a symbol, which pictures ask for at each box.
export const colorOf = (data, symbol) => data.colors[symbol] = data.colors[symbol] || makeColor(data.name(symbol), data.kind(symbol));
