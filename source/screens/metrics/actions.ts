import type {Has} from '../../store/ledge-store.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {selectedNamespace} from '../namespaces/slice.ts';
import {actionsOf, withFound} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import type {ScreenDefinition} from '../shell/screen.ts';
import {screenOf} from '../shell/screen-name.ts';
import {spans} from './slice.ts';

const action = actionsOf('Metrics', ['metrics']);

/** Returns the open namespace, or the one under the cursor. */
const namespaceHere = (
	state: Has<'keys' | 'namespaces'> & Has<'navigation', 'stack'>,
): NamespaceRow | undefined =>
	screenOf(state) === 'keys' ? state.keys.data?.namespace : selectedNamespace(state.namespaces.data);

/** Reads the current series unless it is recent; `isWanted` reads it anyway. */
function readMetrics({state}: App, isWanted = false): void {
	const metrics = state().metrics.data;
	const of = metrics?.of ? `metrics of ${metrics.of.title}` : 'metrics of all namespaces';
	void state().work.run(`reading ${of}`, 'read', signal => state().metrics.load(signal, isWanted));
}

const reloadMetrics = (app: App): void => readMetrics(app, true);

function open(app: App, {id, title}: NamespaceRow): void {
	const openMetrics = app.state().metrics.open;
	const {go} = app.state().navigation;
	openMetrics(id === undefined ? undefined : {id, title});
	go('metrics');
	readMetrics(app);
}

/** Opens the metrics from the namespaces or from the keys of one. */
export const toMetrics: Action = actionsOf('Namespaces', ['namespaces', 'keys'])(
	'metrics.open',
	['m'],
	'metrics: operations, latency, keys and size over time',
	{
		elsewhere: 'at once',
		hint: 'metrics',
		words: [
			'usage',
			'analytics',
			'statistics of use',
			'reads',
			'writes',
			'reads and writes',
			'latency',
			'performance',
			'how fast',
			'slow',
			'speed',
			'how big',
			'how large',
			'is it used',
			'in use',
			'plot',
			'graph',
			'chart',
			'namespace metrics',
			'store metrics',
		],
		...withFound(namespaceHere, 'there is no namespace here', open, state => {
			const here = namespaceHere(state);
			if (here?.where === 'local')
				return 'the service measures deployed namespaces only; statistics (S) read local data';
			return here && here.id === undefined ? 'its id is not known' : undefined;
		}),
	},
);

export const metricsActions: readonly Action[] = [
	action('metrics.days', ['t', 'tab'], 'show 1, 7 or 31 days', {
		hint: '1/7/31 days',
		words: ['time range', 'last 24 hours', 'last week', 'last month', 'days', 'longer', 'shorter'],
		run(app) {
			const {data: metrics, showDays: showMetricsDays} = app.state().metrics;
			const at = spans.indexOf(metrics?.days ?? 7);
			showMetricsDays(spans[(at + 1) % spans.length] ?? spans[0]);
			readMetrics(app);
		},
	}),
	action('metrics.all', ['a'], 'change between the namespace and all of them together', {
		hint: 'all/one',
		words: ['all namespaces together', 'total', 'whole account', 'account usage'],
		unavailable: ({metrics: {data: metrics}}) => (metrics?.one ? undefined : 'no namespace was chosen'),
		run(app) {
			app.state().metrics.toggleAll();
			readMetrics(app);
		},
	}),
];

export const metricsScreen: ScreenDefinition = {
	group: 'Metrics',
	called: 'the metrics',
	path(before, {metrics: {data: metrics}}) {
		if (!metrics?.of) return [...before, 'metrics of all'];
		const {title} = metrics.of;
		return [...before, ...(before.at(-1) === title ? [] : [title]), 'metrics'];
	},
	reload: reloadMetrics,
	move: (state, by) => state.metrics.move(by),
};
