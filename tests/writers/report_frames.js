// Put behind a page of many call paths by report_browser.py: counts how often pictures are drawn, and of how many shapes, when
// the page opens and while it is zoomed. The time of a frame depends on the machine, its work does not.
const wait = ms => new Promise(r => setTimeout(r, ms));
const out = [], context = CanvasRenderingContext2D.prototype, {clearRect, fillRect} = context;
// A browser without a window may leave frames out.
window.requestAnimationFrame = draw => setTimeout(draw, 16);
window.cancelAnimationFrame = clearTimeout;
let draws = 0, shapes = 0;
context.clearRect = function (...area) {
	draws += this.canvas.isConnected && !this.canvas.classList.contains('minimap');
	return clearRect.apply(this, area);
};
context.fillRect = function (...area) {
	shapes++;
	return fillRect.apply(this, area);
};
const check = (what, most) => {
	out.push((draws === 1 && shapes > 100 && shapes <= most ? 'ok ' : 'not ok ') + what + ': drawn ' + draws + ' times, ' + shapes + ' shapes of at most ' + most);
	draws = shapes = 0;
};
const zoom = async change => {
	const changed = new Promise(r => window.addEventListener('hashchange', r, {once: true}));
	draws = shapes = 0;
	change();
	await changed;
	await wait(100);
};
while (document.documentElement.dataset.ready !== 'yes')
	await wait(20);
await wait(100);
const box = () => document.querySelector('.flame'), perRow = innerWidth / 0.4; // boxes are at least 0.4 pixels wide
check('open', 3 * perRow);
for (const place of [0.2, 0.5, 0.9]) {
	const r = box().getBoundingClientRect();
	await zoom(() => box().dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: r.left + r.width * place, clientY: r.bottom - 30})));
	check('zoom in', 3 * perRow);
	await zoom(() => history.back());
	check('back', 3 * perRow);
}
await zoom(() => {
	location.hash = 'view=timeline';
});
check('timeline', 15000); // 12,000 boxes, and what else is there
await zoom(() => document.querySelector('[aria-label="zoom in"]').click());
check('timeline, zoomed', 15000);
// Rows of tables come in pieces, each with a frame of its own; the page is as long as it will be.
const rows = () => document.querySelectorAll('main tbody tr').length, pieces = [];
window.addEventListener('hashchange', () => pieces.push(rows(), document.documentElement.scrollHeight > 4000), {once: true});
await zoom(() => {
	location.hash = 'view=functions';
});
await wait(300);
pieces.push(rows());
out.push((pieces.join() === '50,true,200' ? 'ok ' : 'not ok ') + 'rows at once, in the room of all, and then: ' + pieces);
const pre = document.createElement('pre');
pre.id = 'results';
pre.textContent = out.join('\n');
document.body.append(pre);
