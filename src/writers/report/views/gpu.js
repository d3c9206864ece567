// Where the time of GPUs goes, and the operators of a trace.
import {heading} from '../dom.js';
import {chooseTable, drawTable, hasTable, tablesOf} from './grid.js';
import {word} from '../format.js';

function chosenOf(app) {
	const tables = tablesOf(app, 'gpu').filter(t => t.rows);
	return tables.find(t => t.name === app.state.t) || tables[0];
}

function renderGpu(app, root) {
	const tables = tablesOf(app, 'gpu').filter(t => t.rows), first = tablesOf(app, 'gpu')[0], chosen = chooseTable(app, tables, root);
	if (chosen === tables[0])
		root.append(...wordsOf(first.words));
	root.append(heading(chosen.name[0].toUpperCase() + chosen.name.slice(1)));
	drawTable(app, root, chosen, {bars: ['time', 'total', 'sum', 'idle', 'duration'], caption: chosen.name});
	root.append(...wordsOf(first.notes, 'note'));
}

export const gpuView = {
	id: 'gpu', title: 'GPU', anyMetric: true, needs: data => hasTable(data, 'gpu'), render: renderGpu,
	command: app => app.commandOfFiles('gpu', ['--view ' + word(chosenOf(app).name)]),
};

export const opsView = {
	id: 'ops', title: 'Operators', anyMetric: true, needs: data => hasTable(data, 'ops'),
	render: (app, root) => drawTable(app, root, tablesOf(app, 'ops')[0], {bars: ['cpu_self', 'device_self'], what: ['operator', 'operators'], caption: 'Operators'}),
	command: app => app.commandOfFiles('ops', []),
};
