// The page as a whole: the views, the search, the address and the keys.
import {unpack, read} from './data.js';
import {make, button, copy, say, note, para, on} from './dom.js';
import {option} from './format.js';
import {rankOf} from './layout.js';
import {filtered, filters, isFlag, whyNot} from './select/filter.js';
import {choices, partOf, stepsOf, threadFilters, timeOption, timeWords} from './select/split.js';
import {matches, parse} from './search.js';
import {formatState, parseState} from './state.js';
import {views} from './views.js';

const themes = {system: '(prefers-color-scheme: dark)', light: 'not all', dark: 'all'}; // when the dark colors hold

function remember(key, value) {
	try {
		return value === undefined ? localStorage.getItem(key) : localStorage.setItem(key, value);
	} catch {
		return null; // a page may not have it
	}
}

class App {
	constructor(data) {
		this.data = this.whole = data;
		this.views = views.filter(v => v.needs(data));
		this.root = document.getElementById('view');
		this.state = parseState(location.hash);
		this.asked = this.state; // with the filters of the last view
		this.shown = {}; // what the view says of itself
		this.places = new Map(); // how far down each entry of the history was left
		history.scrollRestoration = 'manual'; // browsers do it before the view is there, at times
		this.makeHeader();
		on(window, 'hashchange', () => this.show());
		on(document, 'keydown', e => this.key(e));
		for (const media of ['print', '(prefers-color-scheme: dark)'])
			on(matchMedia(media), 'change', () => this.repaint());
		this.setTheme(remember('profkit-theme'));
		document.getElementById('static').remove();
		this.root.hidden = this.header.hidden = false;
	}

	makeHeader() {
		this.header = document.getElementById('header');
		this.field = make('input', {type: 'search', id: 'search', placeholder: 'text, /regex/, file.py:42', autocomplete: 'off',
			spellcheck: 'false', 'aria-describedby': 'search-error', oninput: () => this.go({q: this.field.value}, true)});
		this.error = make('span', {id: 'search-error', class: 'error', role: 'alert'});
		this.nav = make('nav', {'aria-label': 'Views'}, ...this.views.map((v, i) =>
			make('a', {href: '#', 'data-view': v.id, title: i < 9 && 'key ' + (i + 1)}, v.title)));
		this.metrics = make('select', {id: 'metric', onchange: () => this.go({m: this.metrics.value, g: ''})},
			...this.data.metrics.map((m, i) => make('option', {value: i}, m.name)));
		this.metricBox = make('span', {class: 'field'}, make('label', {for: 'metric', class: 'wide'}, 'metric '), this.metrics);
		this.themeButton = button('', () => this.setTheme({system: 'light', light: 'dark'}[this.theme]));
		this.said = make('code', {id: 'command', tabindex: '0'});
		this.help = this.makeHelp();
		this.header.append(make('div', {class: 'top views'}, make('div', {class: 'top names'}, make('strong', {class: 'title'}, document.title), this.nav), this.themeButton, button('help', () => this.help.showModal(), {title: 'key ?'})),
		make('div', {class: 'top'},
			make('label', {for: 'search', class: 'wide'}, 'search'), this.field, this.error,
			this.data.metrics.length > 1 ? this.metricBox : null, this.makeFilters()),
		make('div', {class: 'top command'}, make('span', {class: 'note wide'}, 'in a terminal:'), this.said,
			button('copy', () => copy(this.said.textContent, 'command'))),
		make('p', {id: 'status', role: 'status'}), this.help);
	}

	// Filters that the command line has applied already are not offered again.
	makeFilters() {
		const options = ' ' + this.whole.raw.options, why = whyNot(this.whole), {split} = this.whole;
		const asked = [...split && split.hasThreads ? threadFilters.filter(f => choices(split, f).length > (f === 'rank' ? 1 : 0)) : [], ...why ? [] : filters];
		this.filters = asked.filter(f => !options.includes(' --' + f));
		this.inputs = this.filters.map(f => isFlag(f) ?
			make('input', {type: 'checkbox', id: 'filter-' + f, onchange: e => this.go({[f]: e.target.checked ? '1' : '', n: '', g: ''})}) :
			make('input', {type: 'text', id: 'filter-' + f, list: split && split.threads[f] && 'names-' + f, spellcheck: 'false', autocomplete: 'off',
				placeholder: f === 'rank' ? 'number' : 'expression', onchange: e => this.go({[f]: e.target.value, n: '', g: ''})}));
		this.filterWords = make('span', {class: 'error', role: 'alert'});
		this.time = make('span', {class: 'note'});
		this.timeBox = make('span', {hidden: true}, this.time, ' ', button('all of the time', () => this.go({time: '', n: ''})));
		this.filterBox = make('details', {class: 'filters'}, make('summary', {}, 'filters'), why ? note('No filters of functions: ' + why + '.') : null,
			make('div', {class: 'top'}, ...this.inputs.map((input, i) => make('span', {class: 'field'}, make('label', {for: input.id}, this.filters[i]), ' ', input)),
				...threadFilters.filter(f => this.filters.includes(f)).map(f => make('datalist', {id: 'names-' + f}, ...choices(split, f).slice(0, 200).map(value => make('option', {value})))),
				this.filters.length ? button('clear', () => this.go({...Object.fromEntries(this.filters.map(f => [f, ''])), n: '', g: ''})) : null, this.timeBox), this.filterWords);
		return this.filterBox;
	}

	// The window and the filters as options.
	optionsOf() {
		const {whole, state} = this, time = timeOption(whole.split, state.time);
		return [...time ? [time] : [], ...this.filters.filter(f => state[f]).map(f => isFlag(f) ? '--' + f : option(f, state[f]))];
	}

	// Applies the window and the filters to the data. Views without them show all of it.
	filter(view) {
		const {whole, state} = this, takes = view.filters && view.filters(whole), options = this.optionsOf(), key = takes && options.length ? [...options, state.m].join('\n') : '';
		if (key !== this.filterKey) {
			const split = stepsOf(whole.split, state.time) || threadFilters.some(f => this.filters.includes(f) && state[f]);
			const part = key && split ? partOf(whole, state, Number(state.m)) : {data: whole, words: []};
			const left = key && filters.some(f => this.filters.includes(f) && state[f]) ? filtered(part.data, state) : {data: part.data, words: []};
			this.data = left.data;
			this.filterWords.textContent = [...part.words, ...left.words].join('; ');
			this.filterKey = key;
		}
		this.filterBox.hidden = !takes || !(this.filters.length || whole.split && whole.split.hasTime);
		this.timeBox.hidden = !key || !stepsOf(whole.split, state.time);
		if (!this.timeBox.hidden)
			this.time.textContent = timeWords(whole.split, state.time);
		this.unfiltered = !view.whole && (takes ? !options.length : true) && Boolean(options.length || state.time || threadFilters.some(f => state[f]));
		if (key)
			this.filterBox.open = true;
		this.filters.forEach((f, i) => {
			if (isFlag(f))
				this.inputs[i].checked = Boolean(state[f]);
			else if (document.activeElement !== this.inputs[i] || state[f] !== this.asked[f]) // not what is just typed
				this.inputs[i].value = state[f];
		});
		this.asked = state;
	}

	// The filters of this view as options.
	filterOptions() {
		return this.filterKey ? this.optionsOf() : [];
	}

	makeHelp() {
		const keys = [['1 \u2013 9', 'views'], ['/', 'search; Enter leads to the view'], ['Esc', 'end the search, then the zoom'], ['arrows', 'flame graph and tree: callers, callees, siblings; timeline and call graph: move'],
			['Enter', 'flame graph: zoom; tree: open, close'], ['+ \u2212 0', 'zoom in, out, to all'], ['Ctrl + wheel', 'timeline and call graph: zoom'], ['?', 'this help']];
		const dialog = make('dialog', {'aria-labelledby': 'help-title'}, make('h2', {id: 'help-title'}, 'Keys'),
			make('table', {}, make('tbody', {}, ...keys.map(([key, does]) => make('tr', {}, make('th', {scope: 'row'}, make('kbd', {}, key)), make('td', {}, does))))),
			para('The search finds text in names, files and modules, a regular expression between slashes, or the function of a line: file.py:42.'),
			para('The address keeps what is seen: a link opens the page at the same place.'));
		dialog.append(button('close', () => dialog.close()));
		return dialog;
	}

	setTheme(asked) {
		const theme = this.theme = asked in themes ? asked : 'system';
		remember('profkit-theme', theme);
		document.styleSheets[0].cssRules[1].media.mediaText = themes[theme];
		this.themeButton.textContent = 'colors: ' + theme;
		this.repaint();
	}

	// Pictures keep the colors that they were drawn with. Printers take the page as it is at
	// once.
	repaint() {
		if (this.shown.theme)
			this.shown.theme();
	}

	link(changes) {
		return formatState({...this.state, ...changes});
	}

	// Goes to another state; replace: not as a step of the history.
	go(changes, replace) {
		const hash = this.link(changes);
		if (replace)
			location.replace(hash);
		else
			location.hash = hash;
	}

	// What is seen, in the address: the view is not drawn again.
	keep(changes) {
		Object.assign(this.state, changes);
		history.replaceState(history.state, '', this.link({}));
		this.linkViews();
	}

	linkViews() {
		for (const a of this.nav.children)
			a.href = this.link({view: a.dataset.view});
	}

	// A command with the metric, the filters and the files of this page.
	command(name, more, last) {
		const {options, files} = this.data.raw, metric = this.data.metrics[this.metric];
		return ['profkit', name, ...more, this.data.metrics.length > 1 ? option('metric', metric.name) : '', options.trim(), ...this.filterOptions(), files, last || '']
			.filter(w => w).join(' ');
	}

	// The same for a command that shows all metrics.
	commandOfFiles(name, more) {
		const {options, files} = this.data.raw;
		return ['profkit', name, ...more, options.trim(), files].filter(w => w).join(' ');
	}

	show() {
		const state = this.state = parseState(location.hash), view = this.views.find(v => v.id === state.view) || this.views[0], focused = document.activeElement;
		const key = focused && this.root.contains(focused) && focused.dataset.focus;
		const metric = Number(state.m);
		this.filter(view);
		const {data} = this;
		this.metric = !view.anyMetric && Number.isInteger(metric) && metric >= 0 && metric < data.metrics.length ? metric : 0;
		this.search = parse(state.q);
		this.found = matches(data, this.search);
		this.error.textContent = this.search && this.search.error || '';
		if (document.activeElement !== this.field)
			this.field.value = state.q;
		this.metrics.value = this.metric;
		this.metricBox.hidden = Boolean(view.anyMetric);
		this.linkViews();
		for (const a of this.nav.children) {
			if (a.dataset.view === view.id)
				a.setAttribute('aria-current', 'page');
			else
				a.removeAttribute('aria-current');
		}
		if (this.shown.leave)
			this.shown.leave();
		this.places.set(this.entry, scrollY);
		this.root.replaceChildren();
		this.root.dataset.view = view.id;
		this.root.setAttribute('aria-label', view.title);
		this.shown = view.render(this, this.root) || {};
		if (!this.root.querySelector('h1'))
			this.root.prepend(make('h1', {class: 'off'}, view.title));
		if (this.unfiltered)
			this.root.prepend(note('This view shows all of the time, without filters.'));
		this.said.textContent = view.command(this);
		const again = key && Array.from(this.root.querySelectorAll('[data-focus]')).find(e => e.dataset.focus === key);
		if (again)
			again.focus();
		if (history.state === null)
			history.replaceState(Math.random(), '');
		this.entry = history.state;
		if (this.places.has(this.entry))
			scrollTo(0, this.places.get(this.entry));
	}

	escape() {
		if (this.state.q) {
			this.field.value = '';
			this.go({q: ''});
			say('search ended');
			return true;
		}
		return this.shown.escape ? this.shown.escape() : false;
	}

	key(e) {
		if (e.ctrlKey || e.altKey || e.metaKey || e.defaultPrevented || this.help.open)
			return;
		if (e.key === 'Escape' && this.escape())
			return void e.preventDefault();
		// From the fields, keys lead to the view: those of digits and signs are text here.
		if (e.target.matches('select, input:not([type=range], [type=checkbox])')) {
			if (e.key === 'Escape' || e.key === 'Enter' && e.target === this.field)
				this.root.focus({preventScroll: true});
			return;
		}
		// Where nothing has the focus, arrows are for the picture.
		const view = this.views[Number(e.key) - 1], {picture} = this.shown;
		const arrow = e.key.startsWith('Arrow') && [document.body, this.root].includes(document.activeElement);
		if (view)
			this.go({view: view.id});
		else if (e.key === '/')
			this.field.focus();
		else if (e.key === '?')
			this.help.showModal();
		else if (!(picture && (arrow || '+-0'.includes(e.key)) && picture.key(e)))
			return;
		else if (arrow && picture.box) // a tree does it itself
			picture.box.focus({preventScroll: true});
		e.preventDefault();
	}
}

// The browser may do something else before the next step.
function pause(value) {
	return new Promise(resolve => {
		setTimeout(() => resolve(value));
	});
}

unpack(document.getElementById('data').textContent).then(pause).then(read).then(pause).then(data => {
	rankOf(data); // takes long, and most views need it
	return data;
}).then(pause).then(data => {
	window.profkit = new App(data); // for tests, and to look at data in the console
}).then(pause).then(() => {
	window.profkit.show();
	document.documentElement.dataset.ready = 'yes';
}).catch(error => {
	document.getElementById('static').prepend(make('p', {class: 'error'}, 'The page cannot show its data: ' + error.message));
});
