// The processor time of the tasks in which Chromium opens, scrolls and zooms pages of `profkit report`: a frame is late if a
// task is long.
//
//	node bench/report_frames.js PAGE... (CHROMIUM names another browser)
//
// Prints for each action the time of all tasks of the page's thread and of the longest ones, in ms. Says at the end how
// many were longer than 50 ms, and fails if there were any. Processor time, since the machine may have other things to do.
const {spawn} = require('child_process'), fs = require('fs'), os = require('os'), path = require('path');
const wait = ms => new Promise(r => setTimeout(r, ms)), most = 50;

// The browser, spoken to by pipes: messages of JSON end with a zero byte.
function start(folder) {
	const browser = spawn(process.env.CHROMIUM || 'chromium', ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking',
		'--remote-debugging-pipe', '--user-data-dir=' + folder, 'about:blank'], {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
	const [, , , to, from] = browser.stdio, answers = new Map(), events = [];
	let text = '', number = 0;
	from.setEncoding('utf8').on('data', data => {
		const messages = (text + data).split('\0');
		text = messages.pop();
		for (const message of messages.map(m => JSON.parse(m))) {
			if (message.id)
				answers.get(message.id)(message);
			else
				events.push(message);
		}
	});
	const send = (method, params, sessionId) => new Promise((done, fail) => {
		answers.set(++number, m => m.error ? fail(new Error(method + ': ' + m.error.message)) : done(m.result));
		to.write(JSON.stringify({id: number, method, params, sessionId}) + '\0');
	});
	return {browser, events, send};
}

async function open(browser) {
	const {targetId} = await browser.send('Target.createTarget', {url: 'about:blank'});
	const {sessionId} = await browser.send('Target.attachToTarget', {targetId, flatten: true});
	const send = (method, params) => browser.send(method, params, sessionId);
	const run = async expression => (await send('Runtime.evaluate', {expression, awaitPromise: true, returnByValue: true})).result.value;
	const mouse = (type, x, y, more) => send('Input.dispatchMouseEvent', {type, x, y, ...more});
	await send('Emulation.setDeviceMetricsOverride', {width: 1300, height: 800, deviceScaleFactor: 1, mobile: false});
	return {events: browser.events, send, run, mouse};
}

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

// What people do in a view, beside looking at it.
function actionsOf(page, view) {
	const go = state => () => page.run(`location.hash = 'view=${view}${state}'`);
	const wheel = async step => {
		const {x, y} = await page.run(`(e => { const r = e.getBoundingClientRect(); return {x: r.left + 300, y: Math.min(r.top + 200, 700)}; })(document.querySelector('.flame') || document.getElementById('view'))`);
		for (let i = 0; i < 30; i++) {
			await page.mouse('mouseWheel', x, y, {deltaX: 0, deltaY: i < 15 ? step : -step});
			await wait(30);
		}
	};
	const drag = async buttons => {
		for (let i = 0; i < 40; i++)
			await page.mouse(buttons && !i ? 'mousePressed' : 'mouseMoved', 200 + 15 * i, 500, {button: buttons ? 'left' : 'none', buttons, clickCount: 1});
		await page.mouse('mouseReleased', 800, 500, {button: buttons ? 'left' : 'none', clickCount: 1});
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
	await add('open', async () => {
		await page.send('Page.navigate', {url: 'file://' + path.resolve(file)});
		while (!await page.run(`document.documentElement.dataset.ready === 'yes'`))
			await wait(50);
	});
	for (const view of await page.run('profkit.views.map(v => v.id)'))
		for (const [name, action] of Object.entries(actionsOf(page, view)))
			await add(view + ' ' + name, action);
	for (const {name, tasks} of rows)
		console.log(name.padEnd(28), 'all', tasks.reduce((a, b) => a + b, 0).toFixed(0).padStart(6), ' longest', tasks.slice(0, 4).map(t => t.toFixed(1).padStart(6)).join(' '));
	return rows.reduce((n, r) => n + r.tasks.filter(t => t > most).length, 0);
}

async function main(files) {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'frames-')), browser = start(folder);
	let late = 0;
	for (const file of files) {
		console.log(file);
		late += await measure(await open(browser), file);
	}
	console.log(late + ' tasks above ' + most + ' ms');
	await browser.send('Browser.close');
	await wait(500);
	fs.rmSync(folder, {recursive: true, force: true, maxRetries: 5});
	process.exitCode = late ? 1 : 0;
}

main(process.argv.slice(2));
