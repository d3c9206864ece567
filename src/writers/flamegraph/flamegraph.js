// The interaction of a flame graph: details, zoom, search, keys, links. It works on the boxes of
// the picture, which can be seen without it. Comments and indentation are removed when it is put
// into the program; keep it ASCII, without "]]>" and without backslashes at the end of a line.
(function () {
'use strict';
var svg = document.currentScript ? document.currentScript.parentNode :
	document.querySelector('svg[data-profkit]:not([data-ready])');
svg.setAttribute('data-ready', '');
var NS = 'http://www.w3.org/2000/svg';
var alone = svg === document.documentElement;
var fluid = svg.hasAttribute('data-fluid');
var unit = svg.getAttribute('data-unit');
var frames = svg.querySelector('#frames'), view = frames.parentNode;
// Not the live list: looking into that is slow after every change.
var box = Array.from(frames.children);
var n = box.length, style = getComputedStyle(svg), size = parseFloat(style.fontSize);

// The geometry of the file: x and w in percent of the whole, y in pixels. Boxes come parents first,
// from left to right.
var x = new Float64Array(n), w = new Float64Array(n), y = new Float64Array(n);
var up = new Int32Array(n), depth = new Int32Array(n);
var text = [], shown = [], name = null, hit = null;
// What is in sight, in percent of the whole.
var vx = 0, vw = 100;
var zoomed = 0, focused = 0, pattern = '', fold = false, W = 0;

function rect(i) { return box[i].firstElementChild.nextElementSibling; }
function title(i) { return box[i].firstElementChild.textContent; }
var tall = +rect(0).getAttribute('height');

// The boxes of a timeline are in lanes: rows that begin at these y, below the root.
var lanes = (svg.getAttribute('data-lanes') || '').split(' ').map(Number);
var laned = svg.hasAttribute('data-lanes');
function row(i) {
	if (!laned || !i)
		return Math.round(Math.abs(y[i] - y[0]) / (tall + 1));
	var k = lanes.length - 1;
	while (k > 0 && lanes[k] > y[i] + 1)
		k--;
	return 1 + Math.round((y[i] - lanes[k]) / (tall + 1));
}

(function () {
	for (var g = box[0], i = 0; i < n; g = g.nextElementSibling, i++) {
		var r = g.firstElementChild.nextElementSibling, p = i - 1;
		g.pk = i;
		x[i] = parseFloat(r.getAttribute('x'));
		w[i] = parseFloat(r.getAttribute('width'));
		y[i] = +r.getAttribute('y');
		text[i] = g.querySelector('text');
		shown[i] = text[i] ? null : '';
		depth[i] = row(i);
		while (p >= 0 && depth[p] >= depth[i])
			p = up[p];
		up[i] = p;
	}
})();
var inverted = n > 1 && y[1] > y[0];

function element(tag, attributes, parent) {
	var e = document.createElementNS(NS, tag);
	for (var k in attributes)
		e.setAttribute(k, attributes[k]);
	return parent.appendChild(e);
}

// Widths of characters, measured once each: asking the picture itself is too slow.
var canvas = document.createElementNS('http://www.w3.org/1999/xhtml', 'canvas').getContext('2d');
canvas.font = size + 'px ' + style.fontFamily;
var known = new Map();
function wide(c) {
	var v = known.get(c);
	if (v === undefined)
		known.set(c, v = canvas.measureText(c).width);
	return v;
}
function length(s) {
	var sum = 0;
	for (var c of s)
		sum += wide(c);
	return sum;
}
var dots = wide('.') * 2, least = 3 * size * 0.59;
var atEnd = svg.hasAttribute('data-left');

// As much of s as fits into `room` pixels; '' if that is too little to read.
function fit(s, room) {
	if (room < least)
		return '';
	var c = Array.from(s.length > 2000 ? s.slice(0, 2000) : s), sum = 0, keep = 0, i;
	if (atEnd)
		c.reverse();
	for (i = 0; i < c.length; i++) {
		sum += wide(c[i]);
		if (sum + dots <= room)
			keep = i + 1;
		if (sum > room)
			break;
	}
	if (i === c.length)
		return s;
	c = c.slice(0, keep);
	return atEnd ? '..' + c.reverse().join('') : c.join('') + '..';
}

// "NAME (VALUE UNIT, SHARE)" in parts.
function parts(i) {
	var t = title(i), u = t.lastIndexOf(' ' + unit + ', '), o = t.lastIndexOf(' (', u);
	if (u < 0 || o < 0)
		return {name: t, value: w[i], rest: ''};
	return {name: t.slice(0, o), value: parseFloat(t.slice(o + 2, u).replace(/,/g, '')),
		rest: t.slice(u + unit.length + 3, -1)};
}

// In a box, the folder of an absolute path is left out.
function short(s) {
	return s.replace(/ \((?:\/|[A-Za-z]:[\\/])[^()]*[\\/]([^()\\/]*)\)($| and )/, ' ($1)$2')
		.replace(/ \(\/([^()\\/]*)\)($| and )/, ' ($1)$2');
}

var scales = {ns: [[1e9, 's'], [1e6, 'ms'], [1e3, 'us']],
	bytes: [[1e9, 'GB'], [1e6, 'MB'], [1e3, 'KB']]};
function amount(value) {
	var s = scales[unit] || [];
	for (var k = 0; k < s.length; k++)
		if (value >= s[k][0])
			return (value / s[k][0]).toPrecision(4) + ' ' + s[k][1];
	return '';
}
function readable(i) {
	var p = parts(i), s = p.rest && amount(p.value);
	return s ? p.name + ' (' + s + ', ' + p.rest + ')' : title(i);
}

function dark(fill) {
	var v = /^#(..)(..)(..)$/.exec(fill);
	if (!v)
		return false;
	v = v.slice(1).map(function (h) {
		return Math.pow(parseInt(h, 16) / 255, 2.2);
	});
	return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2] < 0.18;
}

// Puts the names into the boxes that are in sight.
function label() {
	var from = vx, one = W / vw, left = from * one;
	for (var i = 0; i < n; i++) {
		var a = Math.max((x[i] - from) * one, 0), b = Math.min((x[i] + w[i] - from) * one, W);
		var s = b - a - 6 < least ? '' : fit(short(parts(i).name), b - a - 6), t = text[i];
		if (!s) {
			if (shown[i] !== '') {
				t.textContent = '';
				shown[i] = '';
			}
			continue;
		}
		if (!t) {
			t = text[i] = element('text',
				{y: +rect(i).getAttribute('y') + tall / 2 + size / 4}, box[i]);
			if (dark(rect(i).getAttribute('fill')))
				t.setAttribute('class', 'w');
		}
		if (s !== shown[i])
			t.textContent = shown[i] = s;
		t.setAttribute('x', left + a + 3);
	}
}

var details = svg.querySelector('#details'), note = details.textContent;
var kind = svg.getAttribute('data-nametype');
function tell(i) {
	var s = i < 0 ? note : (kind ? kind + ' ' : '') + readable(i);
	details.textContent = fit(s, W - length(matched.textContent) - 20);
}

function press(e, f) {
	e.setAttribute('tabindex', 0);
	e.setAttribute('role', 'button');
	e.addEventListener('click', f);
	e.addEventListener('keydown', function (ev) {
		if (ev.key === 'Enter' || ev.key === ' ') {
			f();
			ev.preventDefault();
			ev.stopPropagation();
		}
	});
}
function show(e, on) { e.setAttribute('visibility', on ? 'visible' : 'hidden'); }

var line = 2 * size, right = {y: line, x: '100%', 'text-anchor': 'end'};
var unzoom = element('text', {id: 'unzoom', x: 10, y: line}, svg);
var find = element('text', Object.assign({id: 'search', dx: -15 - 2 * size}, right), svg);
var fold_ = element('text', Object.assign({id: 'ignorecase', dx: -10}, right), svg);
var matched = element('text', Object.assign({id: 'matched', dx: -10}, right), svg);
matched.setAttribute('y', details.getAttribute('y'));
matched.setAttribute('aria-live', 'polite');
unzoom.textContent = 'Reset Zoom';
find.textContent = 'Search';
fold_.textContent = 'ic';
element('title', {}, fold_).textContent = 'ignore case (Ctrl-I)';
element('title', {}, find).textContent = 'regular expression (Ctrl-F)';
press(unzoom, function () { zoom(0); });
press(find, function () { pattern ? search('') : ask(); });
press(fold_, function () { fold = !fold; search(pattern); });
show(unzoom, false);

function zoom(i) {
	if (!(w[i] > 0))
		return;
	for (var p = up[zoomed]; p >= 0; p = up[p])
		box[p].classList.remove('up');
	zoomed = i;
	for (p = up[i]; p >= 0; p = up[p])
		box[p].classList.add('up');
	look(x[i], w[i]);
	sum();
}

// Brings a part of the whole into sight.
var moving = Array.from(svg.querySelectorAll('#frames,.moves'));
function look(from, width) {
	vx = from;
	vw = width;
	moving.forEach(function (e) {
		e.setAttribute('x', -100 * vx / vw + '%');
		e.setAttribute('width', 10000 / vw + '%');
	});
	show(unzoom, vw < 100);
	label();
	remember();
	svg.dispatchEvent(new CustomEvent('pklook'));
}

// The share of what matches: a match below a match is counted once.
function sum() {
	if (!hit) {
		matched.textContent = '';
		return;
	}
	var all = 0, here = 0, below = new Uint8Array(n), inside = new Uint8Array(n);
	for (var i = 0; i < n; i++) {
		var p = up[i];
		below[i] = p >= 0 && (below[p] || hit[p]);
		inside[i] = i === zoomed || (p >= 0 && inside[p]);
		if (i === zoomed && (below[i] || hit[i]))
			here = parts(i).value;
		if (hit[i] && !below[i]) {
			var v = parts(i).value;
			all += v;
			if (inside[i] && i !== zoomed)
				here += v;
		}
	}
	if (laned) {
		matched.textContent = 'Matched: ' + amount(all);
		return;
	}
	matched.textContent = 'Matched: ' + (100 * all / parts(0).value).toFixed(2) + '%' +
		(zoomed ? ' (' + (100 * here / parts(zoomed).value).toFixed(2) + '% of this)' : '');
}

function search(s) {
	var re = null, bad = false;
	try {
		re = s ? new RegExp(s, fold ? 'i' : '') : null;
	} catch (e) {
		bad = true;
	}
	if (!name && re) {
		name = [];
		for (var i = 0; i < n; i++)
			name[i] = parts(i).name;
	}
	for (i = 0; i < n; i++) {
		var was = hit ? hit[i] : false, is = re ? re.test(name[i]) : false;
		if (is !== was)
			box[i].classList.toggle('m', is);
	}
	hit = re ? name.map(function (t) { return re.test(t); }) : null;
	pattern = s;
	svg.classList.toggle('found', !!hit);
	find.textContent = s ? 'Reset Search' : 'Search';
	fold_.setAttribute('font-weight', fold ? 'bold' : 'normal');
	sum();
	if (bad)
		matched.textContent = 'not a regular expression';
	tell(-1);
	remember();
}

// A field to type the expression in.
var field = null, typing = 0;
function ask() {
	if (!field) {
		var f = element('foreignObject', {width: 240, height: 2 * size + 4}, svg);
		field = document.createElementNS('http://www.w3.org/1999/xhtml', 'input');
		field.setAttribute('aria-label', 'Search (regular expression)');
		field.setAttribute('placeholder', 'regular expression');
		field.setAttribute('style', 'width:100%;height:100%;box-sizing:border-box;font:inherit');
		f.appendChild(field);
		field.addEventListener('input', function () {
			clearTimeout(typing);
			typing = setTimeout(function () { search(field.value); }, n > 20000 ? 250 : 60);
		});
		field.addEventListener('keydown', function (e) {
			if (e.key === 'Enter' || e.key === 'Escape')
				leave(e.key === 'Enter' ? field.value : '');
			if (!e.ctrlKey || e.key !== 'i')
				e.stopPropagation();
		});
		field.addEventListener('blur', function () { leave(field.value); });
	}
	field.value = pattern;
	field.parentNode.setAttribute('x', Math.max(W - 230, 10));
	field.parentNode.setAttribute('y', Math.max(line - size - 6, alone ? scrollY + 2 : 0));
	field.parentNode.removeAttribute('display');
	field.focus();
	field.select();
}
function leave(s) {
	if (field.parentNode.hasAttribute('display'))
		return;
	clearTimeout(typing);
	field.parentNode.setAttribute('display', 'none');
	if (document.activeElement === field)
		find.focus();
	search(s);
}

// The state is kept after the '#', so that a link shows what its sender saw.
function remember() {
	if (!alone || W === 0)
		return;
	var s = [];
	if (zoomed)
		s.push('x=' + x[zoomed], 'y=' + y[zoomed]);
	else if (vw < 100)
		s.push('v=' + vx + ',' + vw);
	if (pattern)
		s.push('s=' + encodeURIComponent(pattern));
	if (pattern && fold)
		s.push('i=1');
	s = s.join('&') || (location.search || location.hash ? 'all' : '');
	try {
		if (s)
			history.replaceState(null, '', '#' + s);
	} catch (e) {
		location.hash = s;
	}
}
function restore() {
	if (!alone)
		return;
	var q = new URLSearchParams((location.hash.length > 1 ? location.hash : location.search).slice(1));
	var at = parseFloat(q.get('x')), row = parseFloat(q.get('y')), to = 0, s = q.get('s') || '';
	for (var i = 0; i < n && at >= 0; i++)
		if (y[i] === row && x[i] <= at + 1e-9 && at < x[i] + w[i])
			to = i;
	fold = q.get('i') === '1';
	if (to !== zoomed)
		zoom(to);
	var v = (q.get('v') || '').split(',').map(Number);
	if (v[1] > 0 && v[0] >= 0 && v[0] + v[1] <= 100.001)
		look(v[0], v[1]);
	if (s !== pattern)
		search(s);
}

var lines = Array.from(svg.querySelectorAll('#title,#subtitle')).map(function (e) {
	// Beside the title are the buttons.
	return {e: e, text: e.textContent, part: size / parseFloat(getComputedStyle(e).fontSize),
		room: e.id === 'title' ? 220 : 0};
});
function resize() {
	var now = (fluid ? svg.getBoundingClientRect().width : svg.viewBox.baseVal.width) - 20;
	if (now < 20 || now === W)
		return;
	W = now;
	view.setAttribute('width', W);
	lines.forEach(function (l) { l.e.textContent = fit(l.text, (W - l.room) * l.part); });
	label();
	tell(-1);
	svg.dispatchEvent(new CustomEvent('pklook'));
}

// The line of details stays in the window when the picture is higher than that.
var place = +details.getAttribute('y');
var bar = element('rect', {width: '100%', height: 2 * size, 'pointer-events': 'none'}, svg);
svg.appendChild(details);
svg.appendChild(matched);
function follow() {
	var at = inverted ? Math.max(place, scrollY + 1.5 * size) :
		Math.min(place, scrollY + innerHeight - 0.7 * size);
	bar.setAttribute('fill', getComputedStyle(svg.querySelector('.b1')).stopColor);
	bar.setAttribute('y', at - 1.3 * size);
	show(bar, at !== place);
	details.setAttribute('y', at);
	matched.setAttribute('y', at);
}

function index(target) {
	while (target && target.pk === undefined)
		target = target.parentNode;
	return target ? target.pk : -1;
}
frames.addEventListener('pointerover', function (e) { tell(index(e.target)); });
frames.addEventListener('pointerout', function () { tell(-1); });
frames.addEventListener('click', function (e) {
	var i = index(e.target);
	if (i < 0 || (box[i].tagName === 'a' && !e.ctrlKey && !e.metaKey))
		return;
	e.preventDefault();
	if (document.activeElement && document.activeElement.pk !== undefined)
		focus(i);
	zoom(i);
	tell(i);
});

// One box can be reached by Tab; the arrow keys move on from there.
function focus(i) {
	box[focused].removeAttribute('tabindex');
	focused = i;
	box[i].setAttribute('tabindex', 0);
	box[i].setAttribute('role', 'button');
	box[i].setAttribute('aria-label', title(i));
	box[i].focus();
	tell(i);
}
function inSight(i) {
	return x[i] + w[i] > vx + 1e-9 && x[i] < vx + vw - 1e-9;
}
function child(i) {
	var best = -1;
	for (var k = i + 1; k < n && depth[k] > depth[i]; k++)
		if (up[k] === i && inSight(k) && (best < 0 || w[k] > w[best]))
			best = k;
	return best;
}
function beside(i, step) {
	for (var k = i + step; k >= 0 && k < n; k += step)
		if (y[k] === y[i] && inSight(k))
			return k;
	return -1;
}
function arrow(key, i) {
	switch (key) {
	case 'ArrowLeft':
		return beside(i, -1);
	case 'ArrowRight':
		return beside(i, 1);
	case 'ArrowUp':
		return inverted ? up[i] : child(i);
	case 'ArrowDown':
		return inverted ? child(i) : up[i];
	case 'Home':
		return zoomed;
	}
	return -2;
}
box[0].setAttribute('tabindex', 0);
box[0].setAttribute('role', 'button');
(alone ? window : svg).addEventListener('keydown', function (e) {
	var on = index(document.activeElement), command = e.ctrlKey || e.metaKey, to;
	if ((command && e.key === 'f') || e.key === 'F3') {
		ask();
	} else if (command && e.key === 'i') {
		fold = !fold;
		search(field && document.activeElement === field ? field.value : pattern);
	} else if (e.key === 'Escape') {
		pattern ? search('') : zoom(0);
	} else if (command || e.altKey || on < 0) {
		return;
	} else if (e.key === 'Enter' || e.key === ' ') {
		zoom(on);
	} else {
		to = arrow(e.key, on);
		if (to === -2)
			return;
		if (to >= 0)
			focus(to);
	}
	e.preventDefault();
});
frames.addEventListener('focusin', function (e) { tell(index(e.target)); });

// For other parts of the picture: the window that is shown, and how to change it.
svg.view = {
	get from() { return vx; },
	get width() { return vw; },
	get pixels() { return W; },
	box: box,
	press: press,
	fit: function (s, room) { return fit(short(s), room); },
	amount: function (value) { return amount(value) || value + ' ' + unit; },
	look: function (from, width) {
		for (var p = up[zoomed]; p >= 0; p = up[p])
			box[p].classList.remove('up');
		zoomed = 0;
		width = Math.min(Math.max(width, 1e-6), 100);
		look(Math.min(Math.max(from, 0), 100 - width), width);
	}
};

if (fluid) {
	svg.setAttribute('width', '100%');
	svg.removeAttribute('viewBox');
	new ResizeObserver(resize).observe(svg);
}
resize();
if (alone) {
	document.title = lines[0].text;
	addEventListener('hashchange', restore);
	addEventListener('scroll', follow, {passive: true});
	addEventListener('resize', function () { resize(); follow(); });
	// A picture higher than the window opens where its roots are.
	if (!inverted && !laned && !scrollY && !location.hash)
		scrollTo(0, document.documentElement.scrollHeight);
	follow();
} else {
	show(bar, false);
}
restore();
})();
