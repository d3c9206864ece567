// The processor time of the tasks in which Chromium opens, scrolls and zooms pages of `profkit report`: a frame is late if a
// task is long.
//
//	node bench/report_frames.js PAGE... (CHROMIUM names another browser)
//
// Prints for each action the time of all tasks of the page's thread and of the longest ones, in ms. Says at the end how
// many were longer than 50 ms, and fails if there were any. Processor time, since the machine may have other things to do.
const {start, tab, wait} = require('./chromium.js'), most = 50;

// Tasks of the page's thread while something is done, the longest first.
async function tasksOf(page, action) {
	page.events.length = 0;
	await page.send('Tracing.start', {transferMode: 'ReportEvents', traceConfig: {includedCategories: ['toplevel']}});
	await action();
	await wait(300);
	await page.send('Tracing.end');
	while (!page.events.some(e => e.method === 'Tracing.tracingComplete'))
		await wait(20);
	const all = page.events.filter(e => e.method === 'Tracing.dataCollected').flatMap(e => e.params.value), thread = e => e.pid + ' ' + e.tid;
	const main = new Set(all.filter(e => e.name === 'thread_name' && e.args.name === 'CrRendererMain').map(thread));
	return all.filter(e => e.name.endsWith('RunTask') && e.ph === 'X' && main.has(thread(e))).map(e => (e.tdur ?? e.dur) / 1000).sort((a, b) => b - a);
}

const mouse = (page, type, x, y, more) => page.send('Input.dispatchMouseEvent', {type, x, y, ...more});

// What people do in a view, beside looking at it.
function actionsOf(page, view) {
	const go = state => () => page.run(`location.hash = 'view=${view}${state}'`);
	const wheel = async step => {
		const {x, y} = await page.run(`(e => { const r = e.getBoundingClientRect(); return {x: r.left + 300, y: Math.min(r.top + 200, 700)}; })(document.querySelector('.flame') || document.getElementById('view'))`);
		for (let i = 0; i < 30; i++) {
			await mouse(page, 'mouseWheel', x, y, {deltaX: 0, deltaY: i < 15 ? step : -step});
			await wait(30);
		}
	};
	const drag = async buttons => {
		for (let i = 0; i < 40; i++)
			await mouse(page, buttons && !i ? 'mousePressed' : 'mouseMoved', 200 + 15 * i, 500, {button: buttons ? 'left' : 'none', buttons, clickCount: 1});
		await mouse(page, 'mouseReleased', 800, 500, {button: buttons ? 'left' : 'none', clickCount: 1});
	};
	const keys = async () => {
		for (const key of ['+', '+', '+', '-', '0']) {
			await page.run(`(document.querySelector('.flame') || document.body).dispatchEvent(new KeyboardEvent('keydown', {key: '${key}', bubbles: true}))`);
			await wait(200);
		}
	};
	const more = () => page.run(`document.querySelector('.more button') && document.querySelector('.more button').click()`);
	return {'': go(''), scroll: () => wheel(100), move: () => drag(0), drag: () => drag(1), keys, search: go('&q=e'), more: async () => {
		await go('')();
		await wait(300);
		await more();
	}};
}

async function measure(page, file) {
	const rows = [], add = async (name, action) => rows.push({name, tasks: await tasksOf(page, action)});
	await add('open', () => page.open(file));
	for (const view of await page.run('profkit.views.map(v => v.id)'))
		for (const [name, action] of Object.entries(actionsOf(page, view)))
			await add(view + ' ' + name, action);
	for (const {name, tasks} of rows)
		console.log(name.padEnd(28), 'all', tasks.reduce((a, b) => a + b, 0).toFixed(0).padStart(6), ' longest', tasks.slice(0, 4).map(t => t.toFixed(1).padStart(6)).join(' '));
	return rows.reduce((n, r) => n + r.tasks.filter(t => t > most).length, 0);
}

async function main(files) {
	const browser = start();
	let late = 0;
	for (const file of files) {
		console.log(file);
		late += await measure(await tab(browser), file);
	}
	console.log(late + ' tasks above ' + most + ' ms');
	await browser.close();
	process.exitCode = late ? 1 : 0;
}

main(process.argv.slice(2));
