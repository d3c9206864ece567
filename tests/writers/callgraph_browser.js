// Put behind the script of a call graph by tests/writers/flamegraph_browser.sh: uses it as people do, and
// leaves what it found in the element "results".
(function () {
'use strict';
var svg = document.querySelector('svg'), out = [];
function check(what, is, should) {
	var ok = is === should;
	out.push((ok ? 'ok ' : 'not ok ') + what + (ok ? '' : ': ' + is + ', not ' + should));
}
function part(title) {
	return Array.from(svg.querySelectorAll('.node,.edge')).find(function (g) {
		return g.querySelector('title').textContent === title;
	});
}
function box(name) {
	return Array.from(svg.querySelectorAll('.node')).find(function (g) {
		return g.querySelector('text').textContent === name;
	});
}
function id(name) { return box(name).querySelector('title').textContent; }
function place() { return svg.querySelector('#graph0').getBoundingClientRect(); }
function key(name) { dispatchEvent(new KeyboardEvent('keydown', {key: name, cancelable: true})); }
function mouse(kind, e, x, y) {
	e.dispatchEvent(new PointerEvent(kind, {clientX: x, clientY: y, button: 0, bubbles: true}));
}
function shown(e) { return e.getAttribute('opacity') || '1'; }

var r = place(), wide = r.width;
check('fits', [r.left, r.top, innerWidth - r.right, innerHeight - r.bottom].filter(function (room) {
	return room < -1;
}).join(), '');
var text = box('f1').querySelector('text').getBoundingClientRect();
key('+');
check('plus zooms', Math.round(100 * place().width / wide), 150);
key('0');
check('0 fits again', Math.round(place().width), Math.round(wide));
var px = Math.round(text.left), py = Math.round(text.top), k = place().width;
svg.dispatchEvent(new WheelEvent('wheel', {deltaY: -1000, clientX: px, clientY: py, cancelable: true}));
k = place().width / k;
var now = box('f1').querySelector('text').getBoundingClientRect();
check('the wheel zooms', k.toFixed(2), Math.pow(1.0015, 1000).toFixed(2));
check('around the pointer', Math.abs(now.left - px - k * (text.left - px)) < 3 &&
	Math.abs(now.top - py - k * (text.top - py)) < 3, true);
var from = place().left;
mouse('pointerdown', svg, 100, 100);
mouse('pointermove', svg, 150, 100);
mouse('pointerup', svg, 150, 100);
check('a drag moves', Math.round(place().left - from), 50);
box('f1').dispatchEvent(new MouseEvent('click', {bubbles: true}));
check('the end of a drag is no click', shown(box('f9')), '1');
mouse('pointerdown', box('f1'), 100, 100);
mouse('pointerup', box('f1'), 100, 100);
box('f1').dispatchEvent(new MouseEvent('click', {bubbles: true}));
check('a click fades what is elsewhere', shown(box('f9')), '0.12');
check('a callee stays', shown(box('<b>&"c')), '1');
check('its arrow, too', shown(part(id('f1') + '->' + id('<b>&"c'))), '1');
check('other arrows do not', shown(part(id('main') + '->' + id('f9'))), '0.12');
key('Escape');
check('Escape shows all', shown(box('f9')), '1');
var results = document.createElementNS('http://www.w3.org/2000/svg', 'desc');
results.setAttribute('id', 'results');
results.textContent = '\n' + out.join('\n') + '\n';
svg.appendChild(results);
})();
