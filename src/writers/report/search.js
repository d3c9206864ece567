// The one search of all views: text, /regular expression/ or file.py:42.

export const escape = text => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

// An expression for a function: its name, or its place if others have the same name.
export function patternOf(data, symbol) {
	const name = data.name(symbol);
	let same = 0;
	for (let s = 0; s < data.symbols; s++)
		same += data.name(s) === name ? 1 : 0;
	return '^' + escape(same > 1 && data.line(symbol) ? data.place(symbol) : name) + '$';
}

// What the search says is compared with names, places and modules of functions, as profkit's --match
// does, whose argument is `match`.
export function parse(text) {
	text = text.trim();
	if (!text)
		return null;
	const escaped = escape(text);
	let source = escaped, flags = 'i', match = '(?i)' + escaped;
	if (/^\/.+\/$/.test(text)) {
		source = match = text.slice(1, -1);
		flags = 'u';
	} else if (/^[^\s:]+\.\w+:\d+$/.test(text)) {
		source = match = '(^|/)' + escaped + '$';
		flags = '';
	}
	try {
		return {re: new RegExp(source, flags), match};
	} catch {
		return {error: 'This is no regular expression: ' + text};
	}
}

// Which symbols match: an array of 0 and 1; null without a search.
export function matches(data, search) {
	if (!search || search.error)
		return null;
	const found = new Uint8Array(data.symbols);
	for (let s = 0; s < data.symbols; s++)
		found[s] = search.re.test(data.name(s)) || search.re.test(data.place(s)) || search.re.test(data.module(s));
	return found;
}
