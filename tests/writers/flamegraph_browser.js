// Put behind the script of a flame graph of tests/writers/flamegraph_browser.sh: uses it as people do,
// and leaves what it found in the element "results".
(function () {
'use strict';
var svg = document.querySelector('svg[data-profkit]'), out = [];
function $(id) { return svg.querySelector('#' + id); }
function box(name) {
	return Array.from($('frames').children).find(function (g) {
		return g.firstElementChild.textContent.startsWith(name + ' (');
	});
}
function check(what, is, should) {
	var ok = is === should;
	out.push((ok ? 'ok ' : 'not ok ') + what + (ok ? '' : ': ' + is + ', not ' + should));
}
function click(e) { e.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true})); }
function key(name, more) {
	(document.activeElement || svg).dispatchEvent(new KeyboardEvent('keydown',
		Object.assign({key: name, bubbles: true, cancelable: true}, more)));
}
function hover(e) {
	e.dispatchEvent(new PointerEvent(e ? 'pointerover' : 'pointerout', {bubbles: true}));
}
// Where a box is seen, in pixels from the left end of the frames, rounded.
function place(name) {
	var r = box(name).children[1].getBoundingClientRect();
	return Math.round(r.left - svg.getBoundingClientRect().left - 10) + '+' + Math.round(r.width);
}
function label(name) {
	var t = box(name).querySelector('text');
	return t ? t.textContent : '';
}
function focused() {
	var e = document.activeElement;
	return e && e.getAttribute('aria-label') ? e.getAttribute('aria-label').split(' (')[0] : '';
}
function search(s) {
	click($('search'));
	var field = svg.querySelector('input');
	field.value = s;
	field.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));
}
var inverted = +box('main').children[1].getAttribute('y') > +box('all').children[1].getAttribute('y');
var above = inverted ? 'ArrowDown' : 'ArrowUp', below = inverted ? 'ArrowUp' : 'ArrowDown';
var alone = svg === document.documentElement;
var whole = Math.round(box('all').children[1].getBoundingClientRect().width);

// main 100 = work 60 (load 20 (open 5), sort 30) + idle 40, half of which is open
check('fills the width', whole, Math.round(svg.getBoundingClientRect().width) - 20);
check('all', place('all'), '0+' + whole);
check('label', label('sort'), 'sort');
check('label without a folder', label('load'), 'load (x.py:3)');
hover(box('sort'));
check('details', $('details').textContent, 'Function: sort (30 samples, 30.00%)');

click(box('work').children[1]);
check('zoomed box fills the width', place('work'), '0+' + whole);
check('what is above is faded', box('main').getAttribute('class'), 'up');
check('label of a grown box', label('load'), 'load (x.py:3)');
check('what is below grows', place('sort').split('+')[1], String(Math.round(whole / 2)));
check('label of what is above stays in sight', label('main'), 'main');
check('reset is offered', $('unzoom').getAttribute('visibility'), 'visible');
if (alone)
	check('address', /^#x=\d/.test(location.hash), true);
click($('unzoom'));
check('reset', place('all') + box('main').getAttribute('class'), '0+' + whole);
check('reset is not offered', $('unzoom').getAttribute('visibility'), 'hidden');

search('open|load');
check('a match below a match counts once', $('matched').textContent, 'Matched: 40.00%');
check('matches are marked', box('load').getAttribute('class'), 'm');
check('button', $('search').textContent, 'Reset Search');
if (alone)
	check('address of a search', location.hash, '#s=open%7Cload');
click(box('work').children[1]);
check('share of the zoomed box', $('matched').textContent, 'Matched: 40.00% (33.33% of this)');
key('Escape');
check('Escape ends the search', $('matched').textContent, '');
key('Escape');
check('and then the zoom', place('all'), '0+' + whole);
search('OPEN');
check('case counts', $('matched').textContent, 'Matched: 0.00%');
click($('ignorecase'));
check('or not', $('matched').textContent, 'Matched: 25.00%');
search('[');
click($('search'));
search('(');
check('what is no expression is said', $('matched').textContent, 'not a regular expression');
click($('search'));
search('<b>&"');
check('special characters', $('matched').textContent, 'Matched: 1.00%');
key('Escape');

box('all').focus();
[above, above, 'ArrowLeft'].forEach(function (k) { key(k); });
check('arrow keys', focused(), 'idle');
key('ArrowRight');
key(above);
check('the widest of those above', focused(), 'sort');
check('is explained', $('details').textContent, 'Function: sort (30 samples, 30.00%)');
key(below);
key('Enter');
check('Enter zooms', place('work'), '0+' + whole);
key('ArrowLeft');
check('arrow keys stay in sight', focused(), 'work');
key('Escape');
check('Escape goes back', place('all'), '0+' + whole);
if (alone)
	document.activeElement.blur();
key('f', {ctrlKey: true});
check('Ctrl-F', document.activeElement.tagName.toLowerCase(), 'input');
key('Escape');

if (alone) {
	var r = box('sort').children[1];
	location.hash = '#x=' + parseFloat(r.getAttribute('x')) + '&y=' + r.getAttribute('y') +
		'&s=so.t';
	dispatchEvent(new HashChangeEvent('hashchange'));
	check('address sets the zoom', place('sort'), '0+' + whole);
	check('address sets the search', $('matched').textContent,
		'Matched: 30.00% (100.00% of this)');
	check('title of the window', document.title, svg.getAttribute('aria-label'));
} else {
	check('the address of a page is left alone', location.hash, '');
	check('another picture on it is, too',
		document.querySelectorAll('svg[data-profkit]')[1].querySelector('#matched').textContent, '');
}
var results = document.createElementNS('http://www.w3.org/2000/svg', 'desc');
results.setAttribute('id', 'results');
results.textContent = '\n' + out.join('\n') + '\n';
svg.appendChild(results);
})();
