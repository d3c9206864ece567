// The interaction of a timeline beyond that of a flame graph, whose script comes before this: an
// axis that follows, and zoom and panning in time by wheel, mouse and keys.
(function () {
'use strict';
var svg = document.currentScript ? document.currentScript.parentNode :
	document.querySelector('svg[data-begin]');
var NS = 'http://www.w3.org/2000/svg';
var axis = svg.querySelector('#axis'), frames = svg.querySelector('#frames');
var begin = +svg.getAttribute('data-begin'), total = +svg.getAttribute('data-total');
var first = axis.querySelector('line'), text = axis.querySelector('text');
var y1 = first ? first.getAttribute('y1') : 0, y2 = first ? first.getAttribute('y2') : 0;
var base = text ? text.getAttribute('y') : 0;
var unit = svg.getAttribute('data-unit');
var units = unit === 'ns' ? [[1e9, 's'], [1e6, 'ms'], [1e3, 'us'], [1, 'ns']] : [[1, unit]];

function put(tag, attributes) {
	var e = document.createElementNS(NS, tag);
	for (var k in attributes)
		e.setAttribute(k, attributes[k]);
	return axis.appendChild(e);
}

// 1, 2 or 5 times a power of ten, so that ticks are at least `room` apart.
function stepOf(room) {
	var step = Math.pow(10, Math.floor(Math.log10(room)));
	return [1, 2, 5, 10].map(function (k) { return k * step; }).find(function (s) {
		return s >= room * 0.999999;
	});
}

function draw() {
	var pk = svg.view, from = begin + total * pk.from / 100, span = total * pk.width / 100;
	var step = Math.max(stepOf(span / pk.pixels * 100), 1);
	var most = Math.max(from + span, -from);
	var u = units.find(function (v) { return most >= v[0]; }) || units[units.length - 1];
	var digits = Math.max(0, -Math.floor(Math.log10(step / u[0]) + 1e-9));
	axis.setAttribute('width', pk.pixels);
	axis.textContent = '';
	for (var k = Math.ceil(from / step - 1e-6); k * step <= from + span; k++) {
		var x = 100 * (k * step - from) / span + '%';
		put('line', {x1: x, x2: x, y1: y1, y2: y2});
		// Where there is no room beside the last one, it has no text.
		if ((1 - (k * step - from) / span) * pk.pixels < 70)
			continue;
		put('text', {x: x, y: base, dx: 3}).textContent =
			(k * step / u[0]).toFixed(digits) + ' ' + u[1];
	}
	Array.from(svg.querySelectorAll('.moves')).forEach(function (e) {
		e.parentNode.setAttribute('width', pk.pixels);
	});
}
svg.addEventListener('pklook', draw);

// Joins many events to one change.
var wanted = null;
function look(from, width) {
	var waits = wanted !== null;
	wanted = [from, width];
	if (waits)
		return;
	requestAnimationFrame(function () {
		var v = wanted;
		wanted = null;
		svg.view.look(v[0], v[1]);
	});
}
function now() { return wanted || [svg.view.from, svg.view.width]; }
function zoom(factor, at) {
	var v = now(), width = Math.min(Math.max(v[1] * factor, 1e-6), 100);
	look(v[0] + at * (v[1] - width), width);
}
function pan(share) {
	var v = now();
	look(v[0] + share * v[1], v[1]);
}
function place(e) {
	return (e.clientX - svg.getBoundingClientRect().left - 10) / svg.view.pixels;
}

svg.addEventListener('wheel', function (e) {
	if (e.ctrlKey || e.metaKey)
		zoom(Math.pow(1.0015, e.deltaY), Math.min(Math.max(place(e), 0), 1));
	else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY))
		pan((e.deltaX || e.deltaY) / svg.view.pixels);
	else
		return;
	e.preventDefault();
}, {passive: false});

var held = null, moved = false;
frames.addEventListener('pointerdown', function (e) {
	if (e.button === 0)
		held = {at: place(e), from: svg.view.from};
	moved = false;
});
addEventListener('pointermove', function (e) {
	if (!held || (!moved && Math.abs(place(e) - held.at) * svg.view.pixels < 5))
		return;
	moved = true;
	look(held.from - (place(e) - held.at) * svg.view.width, svg.view.width);
});
addEventListener('pointerup', function () { held = null; });
// The end of a drag is not a click.
svg.addEventListener('click', function (e) {
	if (moved)
		e.stopPropagation();
	moved = false;
}, true);

(svg === document.documentElement ? window : svg).addEventListener('keydown', function (e) {
	if (e.ctrlKey || e.metaKey || e.altKey)
		return;
	switch (e.key) {
	case '+': case '=': case 'w':
		zoom(0.5, 0.5);
		break;
	case '-': case 's':
		zoom(2, 0.5);
		break;
	case 'a':
		pan(-0.2);
		break;
	case 'd':
		pan(0.2);
		break;
	default:
		return;
	}
	e.preventDefault();
});
// A click on the name of a thread folds it to its first row, one on the name of a process all its
// threads. Lanes below move up, and deeper rows are not displayed.
var ROW = 16, folded = new Set();
var top = (svg.getAttribute('data-lanes') || '').split(' ').map(Number);
var rows = top.map(function () { return 1; });
function number(e, name) { return +e.getAttribute(name); }
var placed = [];
function keep(e, part, names) {
	names.forEach(function (name) {
		if (e.hasAttribute(name))
			placed.push({e: e, name: name, at: number(e, name), part: part});
	});
}
svg.view.box.forEach(function (g, i) {
	var at = number(g.children[1], 'y'), lane = top.length - 1;
	while (lane > 0 && top[lane] > at + 1)
		lane--;
	if (i)
		rows[lane] = Math.max(rows[lane], Math.round((at - top[lane]) / ROW) + 1);
});
svg.querySelectorAll('.moves:not(#frames) *').forEach(function (e) { keep(e, false, ['y', 'y1', 'y2']); });
svg.querySelectorAll('.lane,.process,.foot').forEach(function (e) { keep(e, false, ['y']); });
var tall = number(svg, 'height'), lines = number(first || svg, 'y2');

// Where y is now; -1: not displayed.
function placeOf(y, box) {
	var up = 0, hidden = false;
	folded.forEach(function (i) {
		var end = top[i] + rows[i] * ROW;
		if (y >= end - 1)
			up += (rows[i] - 1) * ROW;
		else if (y >= top[i] + ROW - 1 && box)
			hidden = true;
		else if (y >= top[i] + ROW - 1)
			up += Math.floor((y - top[i]) / ROW) * ROW;
	});
	return hidden ? -1 : y - up;
}
var home = svg.view.box.map(function (g) { return number(g.children[1], 'y'); });
function refold() {
	svg.view.box.forEach(function (g, i) {
		var y = i ? placeOf(home[i], true) : home[i], by = y - number(g.children[1], 'y');
		g.style.display = y < 0 ? 'none' : '';
		if (y >= 0 && by)
			g.querySelectorAll('rect,text').forEach(function (e) {
				e.setAttribute('y', number(e, 'y') + by);
			});
	});
	placed.forEach(function (p) { p.e.setAttribute(p.name, placeOf(p.at, false)); });
	svg.setAttribute('height', placeOf(tall, false));
	y2 = placeOf(lines, false);
	draw();
}
// Boxes of joined spans show their spans where these are a pixel wide on average. Each is a <g class="true">
// in the <g> of the box, whose own rectangle and text are not displayed meanwhile.
var names = Array.from(svg.querySelectorAll('#names>rect')).map(function (r) {
	return {name: r.textContent, fill: r.getAttribute('fill')};
});
var joined = svg.view.box.filter(function (g) { return g.hasAttribute('data-s'); }).map(function (g) {
	return {g: g, x: parseFloat(g.children[1].getAttribute('x')), spans: null,
		w: parseFloat(g.children[1].getAttribute('width'))};
});
function spansOf(j) {
	var v = j.g.getAttribute('data-s').trim().split(' ').map(function (n) { return parseInt(n, 36); });
	j.spans = [];
	for (var i = 0; i < v.length; i += 3)
		j.spans.push({x: j.x + 100 * v[i] / total, w: 100 * v[i + 1] / total, ns: v[i + 1],
			is: names[v[i + 2]]});
}
function cover(j, on) {
	Array.from(j.g.children).forEach(function (e) {
		if (e.classList.contains('true'))
			e.remove();
		else if (e.tagName !== 'title')
			e.style.display = on ? '' : 'none';
	});
	j.open = !on;
}
function add(tag, attributes, parent) {
	return parent.appendChild(put(tag, attributes));
}
function putSpan(j, s, one) {
	var y = number(j.g.children[1], 'y'), g = add('g', {class: 'true'}, j.g), from = svg.view.from;
	add('title', {}, g).textContent = s.is.name + ' (' + svg.view.amount(s.ns) + ')';
	add('rect', {x: s.x + '%', width: s.w + '%', y: y, height: ROW - 1, fill: s.is.fill}, g);
	var a = Math.max(s.x, from), b = Math.min(s.x + s.w, from + svg.view.width);
	var text = svg.view.fit(s.is.name, (b - a) * one - 6);
	if (text)
		add('text', {x: (a * one + 3) + 'px', y: y + ROW - 4.5}, g).textContent = text;
}
function reveal() {
	var from = svg.view.from, to = from + svg.view.width, one = svg.view.pixels / svg.view.width, room = 4000;
	joined.forEach(function (j) {
		if (j.open)
			cover(j, true);
		if (j.w * one < 4 || j.x > to || j.x + j.w < from)
			return;
		if (!j.spans)
			spansOf(j);
		var seen = j.spans.filter(function (s) { return s.x < to && s.x + s.w > from; });
		if (seen.length > room || seen.length > (Math.min(j.x + j.w, to) - Math.max(j.x, from)) * one)
			return;
		room -= seen.length;
		cover(j, false);
		seen.forEach(function (s) { putSpan(j, s, one); });
	});
}
var later = 0;
svg.addEventListener('pklook', function () {
	clearTimeout(later);
	later = setTimeout(reveal, 50);
});
frames.addEventListener('pointerover', function (e) {
	var s = e.target.closest('.true');
	if (s)
		svg.querySelector('#details').textContent = s.firstElementChild.textContent;
});

var process = null;
var headings = Array.from(svg.querySelectorAll('[data-lane],.process'));
headings.forEach(function (e) {
	var lane = e.hasAttribute('data-lane') ? number(e, 'data-lane') : -1;
	e.fold = [];
	if (lane < 0)
		process = e;
	else if (rows[lane] > 1)
		[e, process || e].forEach(function (h) { h.fold.push(lane); });
});
headings = headings.filter(function (e) { return e.fold.length; });
headings.forEach(function (e) {
	var label = e.firstChild, own = label.data; // what the trace says of it may follow
	e.show = function () {
		var shut = e.fold.every(function (i) { return folded.has(i); });
		label.data = (shut ? '\u25b8 ' : '\u25be ') + own;
		e.setAttribute('aria-expanded', !shut);
	};
	e.style.cssText = 'cursor:pointer;pointer-events:auto';
	svg.view.press(e, function () {
		var shut = e.fold.every(function (i) { return folded.has(i); });
		e.fold.forEach(function (i) { folded[shut ? 'delete' : 'add'](i); });
		headings.forEach(function (h) { h.show(); });
		refold();
	});
});
headings.forEach(function (h) { h.show(); });
draw();
reveal();
})();
