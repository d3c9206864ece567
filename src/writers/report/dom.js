// Elements. Text becomes text and never markup, and characters that would hide or reorder it are written out, as profkit's
// tables do it.
import {ceil, count, floor, max, min, plural} from './format.js';

export function visible(text) {
	return text.replace(/[\0-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu, c => {
		const code = c.codePointAt(0), hex = code.toString(16), short = {10: '\\n', 9: '\\t', 13: '\\r'}[code];
		return short || (code < 0x80 ? '\\x' + hex.padStart(2, '0') : code < 0x10000 ? '\\u' + hex.padStart(4, '0') : '\\U' + hex.padStart(8, '0'));
	});
}

function fill(e, attributes, children) {
	for (const [key, value] of Object.entries(attributes || {})) {
		if (key.startsWith('on'))
			on(e, key.slice(2), value);
		else if (value !== false && value !== undefined && value !== null)
			e.setAttribute(key, value === true ? '' : value);
	}
	e.append(...children.filter(c => c !== null && c !== undefined && c !== false).map(c => typeof c === 'string' ? visible(c) : c));
	return e;
}

export const make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

// A part of a picture.
export const svg = (tag, attributes, ...children) => fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

export function on(target, event, does, options) {
	target.addEventListener(event, does, options);
}

// Paragraphs, those of remarks, headings, and lines of buttons and what belongs to them.
export const para = (...children) => make('p', {}, ...children);

export const note = (...children) => make('p', {class: 'note'}, ...children);

export const heading = text => make('h2', {}, text);

export const barLine = (...children) => make('div', {class: 'bar-line'}, ...children);

export const button = (text, onclick, attributes) => make('button', {type: 'button', onclick, ...attributes}, text);

// A button that is pressed while something holds. name: by which the focus comes back to it.
export const toggle = (text, on, name, onclick) => button(text, onclick, {'aria-pressed': String(on), 'data-focus': name});

let saying = 0;

// Says something for some seconds, which is read aloud, too.
export function say(text) {
	const status = document.getElementById('status');
	status.textContent = text;
	clearTimeout(saying);
	saying = setTimeout(() => status.replaceChildren(), 4000);
}

// Pages on a disk may not have the clipboard: then the text is selected and copied as by hand.
export async function copy(text, what) {
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		const area = make('textarea', {class: 'off'});
		area.value = text;
		document.body.append(area);
		area.select();
		document.execCommand('copy');
		area.remove();
	}
	say(what + ' copied');
}

// Text in a picture, cut off if there is not room for all of it, and left out if there is room for
// two letters only.
export function fitText(c, text, x, y, room) {
	const some = text.slice(0, max(0, ceil(room / 2))), width = c.measureText(some).width;
	const fits = width > room ? floor(some.length * room / width) - 1 : some.length;
	if (fits === text.length || fits > 1)
		c.fillText(fits < text.length ? some.slice(0, fits) + '\u2026' : text, x, y, room);
}

// A place, which breaks before the name of the file where there is no room for it.
export function placeText(text) {
	const cut = text.lastIndexOf('/') + 1;
	return cut ? [text.slice(0, cut), make('wbr'), text.slice(cut)] : [text];
}

// A bar as wide as the share, behind what is in the element.
export function bar(share, e) {
	e.classList.add('bar');
	e.style.backgroundSize = max(0, min(1, share || 0)) * 100 + '% calc(100% - 2px)';
	return e;
}

export const shortened = text => text.length > 200 ? text.slice(0, 200) + '\u2026' : text;

// The heading of a column.
export const head = (title, cls, more) => make('th', {scope: 'col', class: cls, ...more}, title);

// What sorts by a column, in its heading. down: it is sorted so already, and then the other way.
export const sortButton = (app, id, title, down) => button(title, () => app.go({sort: down ? '-' + id : id}), {'data-focus': 'sort-' + id});

// caption: describes the table to screen readers; body: <tbody>, or rows.
export function plainTable(cls, caption, heads, body) {
	return make('table', {class: cls}, make('caption', {class: 'off'}, caption), make('thead', {}, make('tr', {}, ...heads)), Array.isArray(body) ? make('tbody', {}, ...body) : body);
}

// The same in a box that scrolls sideways.
export const tableBox = (...of) => make('div', {class: 'scroll', tabindex: '0'}, plainTable(...of));

// The name of a function, as a link to it if it is in the page.
export const functionLink = (app, row, text, more) => row === undefined ? text : make('a', {href: app.link({view: 'callers', f: String(row), ...more})}, text);

// A cell with a number, and the value that programs read.
export const numberCell = (key, value, text, more) => make('td', {class: 'number' + (more || ''), 'data-key': key, 'data-value': value}, text);

// The cell that names a function.
export const nameCell = (...of) => make('th', {scope: 'row', class: 'name', 'data-key': 'function'}, functionLink(...of));

// The keys of a box, of which `key` of its picture tells whether it took them.
export function keysOf(box, picture) {
	on(box, 'keydown', e => {
		if (!e.ctrlKey && !e.altKey && !e.metaKey && picture.key(e))
			e.preventDefault();
	});
}

// Zooms by the wheel with Ctrl. more: away from it.
export function wheelOf(box, zoom) {
	on(box, 'wheel', e => {
		if (!e.ctrlKey && !e.metaKey)
			return;
		e.preventDefault();
		zoom(e.deltaY > 0 ? 1.25 : 0.8, e);
	}, {passive: false});
}

export const pageSize = 200;

// Adds rows to an element, `most` at a time, and returns the button for more. They come in four pieces, or so many, each with a frame of its
// own, since browsers need long to lay out many rows of a table. The room of those to come is there at once, so that the way
// back leads to the same place.
export function addRows(e, rows, most, makeRow, one, many, pieces = 4) {
	const more = make('p', {class: 'more'}), piece = ceil(most / pieces);
	let shown = 0, wanted = 0;
	const grow = () => {
		const from = shown;
		shown = min(wanted, from + piece);
		e.append(...rows.slice(from, shown).flatMap(makeRow));
		more.style.paddingTop = 1.7 * (wanted - shown) + 'em';
		if (shown < wanted)
			setTimeout(() => e.isConnected && grow(), 16);
	};
	const next = () => {
		const left = max(0, rows.length - wanted - most);
		wanted = min(rows.length, wanted + most);
		more.replaceChildren(...left ? [button('show ' + count(min(most, left)) + ' more', next), ' of ' + plural(left, one, many) + ' not shown'] : []);
		grow();
	};
	next();
	return more;
}
