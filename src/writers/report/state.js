// The state of the page, as it is in the address: "#view=flame&q=parse&n=12". A key that is missing
// has its default.
export const defaults = {
	view: '',        // id of a view; the first of the page
	q: '',           // search
	m: '0',          // number of the metric
	f: '',           // callers: row of the function
	n: '',           // flame graph: path that is zoomed to
	up: '',          // flame graph: '1' has the roots on top
	order: '',       // flame graph: 'heavy' has the largest first
	time: '',         // timeline: window, 'a..b' in ns since the begin
	t: '',            // table of several of a view
	g: '',            // call graph: what is seen of it, 'x,y,width' or 'all'
	mode: '',         // flame graph: 'inverted' or 'sandwich' (of the function f)
	sort: '',        // functions: column, after '-' from the smallest
	off: '',         // functions: columns that are not shown, 'calls,file'
	verdict: '',     // comparison: what it says of the functions that are shown
	side: '',        // flame graph of the comparison: 'before' has the widths of that side
	process: '', thread: '', rank: '', // filters, as options
	focus: '', ignore: '', hide: '', 'show-from': '', 'collapse-recursion': '', 'fold-library': '', 'only-my-code': '',
};

export function parseState(hash) {
	const state = {...defaults};
	for (const [key, value] of new URLSearchParams(hash.replace(/^#/, '')))
		if (key in defaults)
			state[key] = value;
	return state;
}

export function formatState(state) {
	const params = new URLSearchParams();
	for (const key of Object.keys(defaults))
		if (state[key] !== undefined && state[key] !== defaults[key])
			params.set(key, state[key]);
	return '#' + params.toString();
}
