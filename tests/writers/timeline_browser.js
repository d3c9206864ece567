// Put behind the scripts of a timeline of tests/writers/flamegraph_browser.sh: uses it as people do, and
// leaves what it found in the element "results".
(function () {
'use strict';
var svg = document.querySelector('svg[data-profkit]'), out = [];
function $(id) { return svg.querySelector('#' + id); }
function check(what, is, should) {
	var ok = is === should;
	out.push((ok ? 'ok ' : 'not ok ') + what + (ok ? '' : ': ' + is + ', not ' + should));
}
function boxes(name) {
	return Array.from($('frames').children).filter(function (g) {
		return g.firstElementChild.textContent.startsWith(name + ' (');
	});
}
function place(g) {
	var r = g.children[1].getBoundingClientRect();
	return Math.round(r.left - svg.getBoundingClientRect().left - 10) + '+' + Math.round(r.width);
}
function ticks() {
	return Array.from($('axis').querySelectorAll('text')).map(function (t) { return t.textContent; });
}
function click(e) { e.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true})); }
function key(name) {
	(document.activeElement || svg).dispatchEvent(new KeyboardEvent('keydown',
		{key: name, bubbles: true, cancelable: true}));
}
var whole = Math.round(svg.getBoundingClientRect().width) - 20;

check('all of the time', place(boxes('all')[0]), '0+' + whole);
check('first tick', ticks()[0], '0 us');
check('parents are found by lanes', boxes('a').length, 1);
click(boxes('c')[0]);
check('a click zooms', place(boxes('c')[0]), '0+' + whole);
check('its parents stay', boxes('a')[0].classList.contains('up'), true);
check('the axis follows', ticks()[0], '1.5 us');
$('frames').dispatchEvent(new PointerEvent('pointerover', {bubbles: true}));
boxes('c')[0].dispatchEvent(new PointerEvent('pointerover', {bubbles: true}));
check('is explained', $('details').textContent, 'c (2.500 us, 27.78%)');
key('Escape');
check('Escape goes back', place(boxes('all')[0]), '0+' + whole);
svg.view.look(50, 10);
check('any part', svg.view.from + ',' + svg.view.width, '50,10');
check('is in the address', location.hash, '#v=50,10');
svg.view.look(95, 10);
check('not beyond the end', svg.view.from, 90);
svg.view.look(0, 1000);
check('not more than all', svg.view.width, 100);
click($('search'));
var field = svg.querySelector('input');
field.value = '^b';
field.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, cancelable: true}));
check('search adds up time', $('matched').textContent, 'Matched: 4.250 us');
check('what is not found fades', getComputedStyle(boxes('a')[0]).opacity, '0.3');
check('what is found does not', getComputedStyle(boxes('b')[0]).opacity, '1');
key('Escape');
check('fits its box', Array.from($('frames').querySelectorAll('text')).every(function (t) {
	var b = t.parentNode.children[1].getBoundingClientRect(), r = t.getBoundingClientRect();
	return !t.textContent || (r.left >= b.left - 1 && r.right <= b.right + 1);
}), true);
var lane = svg.querySelector('[data-lane]'), high = +svg.getAttribute('height');
click(lane);
check('a thread folds to its first row', getComputedStyle(boxes('a')[0]).display + ' ' +
	getComputedStyle(boxes('c')[0]).display, 'inline none');
check('the picture is lower', high - svg.getAttribute('height') >= 32, true);
check('and says so', lane.textContent.charAt(0) + lane.getAttribute('aria-expanded'), '\u25b8false');
click(lane);
check('and unfolds', getComputedStyle(boxes('c')[0]).display + ' ' + svg.getAttribute('height'), 'inline ' + high);
boxes('all')[0].focus();
key('ArrowDown');
key('ArrowDown');
check('arrow keys', document.activeElement.getAttribute('aria-label').split(' (')[0], 'b');
window.requestAnimationFrame = function (f) { f(); };
key('+');
check('plus zooms', svg.view.from + ',' + svg.view.width, '25,50');
key('d');
check('d moves', svg.view.from + ',' + svg.view.width, '35,50');
var results = document.createElementNS('http://www.w3.org/2000/svg', 'desc');
results.setAttribute('id', 'results');
results.textContent = '\n' + out.join('\n') + '\n';
svg.appendChild(results);
})();
