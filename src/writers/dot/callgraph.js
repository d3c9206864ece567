// The interaction of the picture of a call graph in a file of its own: it fits the window, the
// wheel zooms, the mouse moves it, a click shows the calls of one function. Graphviz's drawing is
// <g id="graph0"> with a <g class="node"> or "edge" for each box and arrow, whose titles are "12"
// and "12->15". ASCII, without "]]>", and comments only on lines of their own.
(function () {
'use strict';
var svg = document.currentScript.parentNode, graph = svg.querySelector('#graph0');
if (svg !== document.documentElement || !graph)
	return;
var w = svg.viewBox.baseVal.width, h = svg.viewBox.baseVal.height;
var paper = graph.querySelector('polygon').getAttribute('fill');
var home = graph.transform.baseVal.consolidate().matrix;
// Place of the drawing in the window, in pixels, and its size: 1 is as large as it is printed.
var x = 0, y = 0, k = 1, fits = true;

svg.removeAttribute('viewBox');
svg.setAttribute('width', '100%');
svg.setAttribute('height', '100%');
svg.style.cssText = 'background:' + paper + ';touch-action:none;cursor:grab;user-select:none';
var help = document.createElementNS('http://www.w3.org/2000/svg', 'text');
help.textContent = 'wheel, + and -: zoom   drag, arrow keys: move   0: all   click: calls of a function';
help.setAttribute('style', 'font:12px sans-serif;fill:#888;white-space:pre');
help.setAttribute('id', 'help');
help.setAttribute('x', 8);
svg.appendChild(help);

function draw() {
	graph.setAttribute('transform', 'translate(' + x + ' ' + y + ') scale(' + k + ') matrix(' +
		[home.a, home.b, home.c, home.d, home.e, home.f].join(' ') + ')');
}
function fit() {
	var W = innerWidth, H = innerHeight - 24;
	k = Math.min(W / w, H / h, 4 / 3);
	x = (W - k * w) / 2;
	y = Math.max((H - k * h) / 2, 0);
	fits = true;
	help.setAttribute('y', innerHeight - 8);
	draw();
}
function zoom(by, px, py) {
	var to = Math.min(Math.max(k * by, 0.01), 20);
	x = px - (px - x) * to / k;
	y = py - (py - y) * to / k;
	k = to;
	fits = false;
	draw();
}
function move(dx, dy) {
	x += dx;
	y += dy;
	fits = false;
	draw();
}

svg.addEventListener('wheel', function (e) {
	zoom(Math.pow(1.0015, -e.deltaY * (e.deltaMode ? 30 : 1)), e.clientX, e.clientY);
	e.preventDefault();
}, {passive: false});

var held = null, moved = false;
svg.addEventListener('pointerdown', function (e) {
	held = e.button === 0 ? [e.clientX, e.clientY] : null;
	moved = false;
});
addEventListener('pointermove', function (e) {
	if (!held || (!moved && Math.hypot(e.clientX - held[0], e.clientY - held[1]) < 4))
		return;
	moved = true;
	move(e.clientX - held[0], e.clientY - held[1]);
	held = [e.clientX, e.clientY];
});
addEventListener('pointerup', function () { held = null; });

// The function that was clicked, its callers and callees, and the arrows between it and them stay;
// the rest fades. '' shows everything again.
var parts = Array.from(graph.querySelectorAll('.node,.edge')).map(function (e) {
	return {e: e, ends: e.querySelector('title').textContent.split('->')};
});
function choose(id) {
	var near = new Set([id, 'legend']);
	parts.forEach(function (p) {
		if (p.ends[1] && p.ends.includes(id))
			p.ends.forEach(function (end) { near.add(end); });
	});
	parts.forEach(function (p) {
		var stays = !id || (p.ends[1] ? p.ends.includes(id) : near.has(p.ends[0]));
		p.e.setAttribute('opacity', stays ? 1 : 0.12);
	});
}
svg.addEventListener('click', function (e) {
	var node = e.target.closest('.node');
	if (!moved)
		choose(node ? node.querySelector('title').textContent : '');
});

addEventListener('keydown', function (e) {
	var W = innerWidth, H = innerHeight;
	if (e.ctrlKey || e.metaKey || e.altKey)
		return;
	switch (e.key) {
	case '+': case '=': zoom(1.5, W / 2, H / 2); break;
	case '-': zoom(1 / 1.5, W / 2, H / 2); break;
	case '0': fit(); break;
	case 'Escape': choose(''); break;
	case 'ArrowLeft': move(W / 8, 0); break;
	case 'ArrowRight': move(-W / 8, 0); break;
	case 'ArrowUp': move(0, H / 8); break;
	case 'ArrowDown': move(0, -H / 8); break;
	default: return;
	}
	e.preventDefault();
});
addEventListener('resize', function () {
	help.setAttribute('y', innerHeight - 8);
	if (fits)
		fit();
});
fit();
})();
