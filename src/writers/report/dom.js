// Elements. Text becomes text and never markup.
export function make(tag, attributes, ...children) {
	const e = document.createElement(tag);
	for (const [key, value] of Object.entries(attributes || {})) {
		if (key.startsWith('on'))
			e.addEventListener(key.slice(2), value);
		else if (value !== false && value !== undefined && value !== null)
			e.setAttribute(key, value === true ? '' : value);
	}
	e.append(...children.filter(c => c !== null && c !== undefined && c !== false));
	return e;
}

export function button(text, onclick, attributes) {
	return make('button', {type: 'button', onclick, ...attributes}, text);
}

// Says something that is read aloud, too.
export function say(text) {
	const status = document.getElementById('status');
	if (status)
		status.textContent = text;
}

// Pages on a disk may not have the clipboard: then text is selected and copied as people do it.
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

// A bar as wide as the share, behind a number.
export function bar(share) {
	const e = make('span', {class: 'bar', 'aria-hidden': 'true'});
	e.style.width = Math.max(0, Math.min(1, share || 0)) * 100 + '%';
	return e;
}
