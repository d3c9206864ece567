// Chromium without a window, spoken to by pipes: messages of JSON end with a zero byte. CHROMIUM names another browser.
const {spawn} = require('child_process'), fs = require('fs'), os = require('os'), path = require('path');
const wait = ms => new Promise(r => setTimeout(r, ms));

function start() {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chromium-'));
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
	const close = async () => {
		await send('Browser.close');
		await wait(500);
		fs.rmSync(folder, {recursive: true, force: true, maxRetries: 5});
	};
	return {events, send, close};
}

// A tab of 1,300 by 800 pixels.
async function tab(browser) {
	const {targetId} = await browser.send('Target.createTarget', {url: 'about:blank'});
	const {sessionId} = await browser.send('Target.attachToTarget', {targetId, flatten: true});
	const send = (method, params) => browser.send(method, params, sessionId);
	const run = async expression => (await send('Runtime.evaluate', {expression, awaitPromise: true, returnByValue: true})).result.value;
	// Opens a page of `report`.
	const open = async (file, hash) => {
		await send('Page.navigate', {url: 'about:blank'});
		await send('Page.navigate', {url: 'file://' + path.resolve(file) + (hash || '')});
		while (!await run(`document.documentElement.dataset.ready === 'yes'`))
			await wait(50);
	};
	await send('Emulation.setDeviceMetricsOverride', {width: 1300, height: 800, deviceScaleFactor: 1, mobile: false});
	return {events: browser.events, send, run, open};
}

module.exports = {start, tab, wait};
