// The views of the page, in the order of their keys 1 to 9. A view is added here: a module with `id`, `title`,
// `needs` (whether the data has what it shows), `anyMetric` (it is the same for all metrics), `filters` (whether it shows what filters and a window leave), `render` (fills an element; may return what to do on
// keys and when it is left) and `command` (the profkit command that shows the same).
import {changesFlameView, changesTreeView} from './views/changes.js';
import {comparisonView} from './views/comparison.js';
import {summaryView} from './views/summary.js';
import {functionsView} from './views/functions.js';
import {callersView} from './views/callers.js';
import {flameView} from './views/flame.js';
import {treeView} from './views/tree.js';
import {graphView} from './views/graph.js';
import {timelineView} from './views/timeline.js';
import {linesView} from './views/lines.js';
import {workersView} from './views/workers.js';
import {gpuView, opsView} from './views/gpu.js';
import {memoryView} from './views/memory.js';
import {benchmarksView} from './views/benchmarks.js';

export const views = [comparisonView, changesTreeView, changesFlameView, benchmarksView, summaryView, functionsView, callersView, flameView, treeView, graphView, timelineView, linesView, workersView, gpuView, opsView,
	memoryView];
