// How evenly workers shared the work: bars, the table, diagnoses.
import {make} from '../dom.js';
import {max, min, percent} from '../format.js';
import {columnOf, drawTable, foundRows, hasTable, tablesOf, wordsOf} from './grid.js';

const parts = ['startup', 'useful', 'overhead', 'wait', 'tail'];
const mostBars = 200;

// The parts of a worker's time, of all that its row has; widths in percent.
export function partsOf(table, row) {
	const values = parts.map(p => columnOf(table, p) ? columnOf(table, p).cells[row] || 0 : 0), sum = values.reduce((a, b) => a + b, 0);
	return parts.map((part, i) => ({part, value: values[i], width: sum > 0 ? 100 * values[i] / sum : 0, sum}));
}

function bars(table, rows) {
	const names = columnOf(table, 'name').cells, box = make('div', {class: 'work', 'aria-hidden': 'true'},
		make('p', {class: 'legend'}, ...parts.map(p => make('span', {}, make('i', {class: 'part ' + p}), p.replace('startup', 'start-up').replace('wait', 'waiting')))),
		...rows.slice(0, mostBars).map(i => {
			const line = make('span', {class: 'parts'}, ...partsOf(table, i).filter(p => p.width > 0).map(p => {
				const e = make('span', {class: 'part ' + p.part, title: p.part + ' ' + percent(p.value, p.sum)});
				e.style.width = p.width + '%';
				return e;
			}));
			return make('div', {class: 'worker'}, make('span', {class: 'name'}, names[i]), line);
		}));
	box.style.setProperty('--name', min(60, max(...names.map(name => name.length))) + 'ch');
	return box;
}

function showWorkers(app, root) {
	const table = tablesOf(app, 'workers')[0], rows = foundRows(app, table, Array.from({length: table.rows}, (_, i) => i));
	root.append(...wordsOf(table.words), rows.length ? bars(table, rows) : '', ...wordsOf(table.notes.filter(line => !/^time of all workers:.*\u2588/.test(line))));
	drawTable(app, root, table, {keys: ['name', 'useful', 'overhead', 'startup', 'tail', 'wait', 'tasks', 'samples', 'start', 'end'], bars: ['useful'],
		what: ['worker', 'workers'], caption: 'Workers and where their time went'});
}

export const workersView = {
	id: 'workers', title: 'Workers', anyMetric: true, needs: data => hasTable(data, 'workers'), render: showWorkers,
	command: app => app.commandOfFiles('workers', []),
};
