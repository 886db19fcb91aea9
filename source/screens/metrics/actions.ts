import {nameKey} from '../../keyboard/named-keys.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {getSelectedNamespace} from '../namespaces/slice.ts';
import {createActionFactory, withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import type {ScreenDefinition} from '../shell/screen.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import {metricsPeriods} from './slice.ts';

const defineMetricsAction = createActionFactory('Metrics', ['metrics']);

/** Returns the open namespace, or the one under the cursor. */
const getOpenOrSelectedNamespace = (
	state: StateWith<'keys' | 'namespaces'> & StateWith<'navigation', 'stack'>,
): NamespaceRow | undefined =>
	getCurrentScreen(state) === 'keys'
		? state.keys.data?.namespace
		: getSelectedNamespace(state.namespaces.data);

/** Reads the current series unless it is recent. `isForced` reads it in any case. */
function readMetrics({state}: App, isForced = false): void {
	const metrics = state().metrics.data;
	const metricsName = metrics?.namespace
		? `metrics of ${metrics.namespace.title}`
		: 'metrics of all namespaces';
	void state().work.run(`loading ${metricsName}`, 'read', signal => state().metrics.load(signal, isForced));
}

const reloadMetrics = (app: App): void => readMetrics(app, true);

function openNamespaceMetrics(app: App, {id, title}: NamespaceRow): void {
	const openMetrics = app.state().metrics.open;
	const {go} = app.state().navigation;
	openMetrics(id === undefined ? undefined : {id, title});
	go('metrics');
	readMetrics(app);
}

/** Opens the metrics from the namespaces or from the keys of one. */
export const openMetricsAction: Action = createActionFactory('Namespaces', ['namespaces', 'keys'])(
	'metrics.open',
	['M'],
	'metrics: operations, latency, keys and size over time',
	{
		paletteMode: 'at once',
		hint: 'metrics',
		searchTerms: [
			'graph',
			'traffic graph',
			'show traffic graph',
			'top',
			'slow',
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
		...withSelection(getOpenOrSelectedNamespace, 'no namespace selected', openNamespaceMetrics, state => {
			const namespace = getOpenOrSelectedNamespace(state);
			if (namespace?.where === 'local')
				return `metrics cover deployed namespaces only; statistics (${nameKey('namespaces.stats', 'S')}) work on local data`;
			return namespace && namespace.id === undefined ? 'its id is unknown' : undefined;
		}),
	},
);

export const metricsActions: readonly Action[] = [
	defineMetricsAction('metrics.days', ['t', 'tab'], 'show 1, 7 or 31 days', {
		hint: '1/7/31 days',
		searchTerms: ['time range', 'last 24 hours', 'last week', 'last month', 'days', 'longer', 'shorter'],
		run(app) {
			const {data: metrics, showDays: showMetricsDays} = app.state().metrics;
			const index = metricsPeriods.indexOf(metrics?.days ?? 7);
			showMetricsDays(metricsPeriods[(index + 1) % metricsPeriods.length] ?? metricsPeriods[0]);
			readMetrics(app);
		},
	}),
	defineMetricsAction('metrics.all', ['A'], 'switch between this namespace and all namespaces', {
		hint: 'all/one',
		searchTerms: ['all namespaces together', 'total', 'whole account', 'account usage'],
		getUnavailableReason: ({metrics: {data: metrics}}) =>
			metrics?.lastNamespace ? undefined : 'no namespace selected',
		run(app) {
			app.state().metrics.toggleAll();
			readMetrics(app);
		},
	}),
];

export const metricsScreen: ScreenDefinition = {
	group: 'Metrics',
	label: 'the metrics',
	buildPath(before, {metrics: {data: metrics}}) {
		if (!metrics?.namespace) return [...before, 'metrics of all'];
		const {title} = metrics.namespace;
		return [...before, ...(before.at(-1) === title ? [] : [title]), 'metrics'];
	},
	reload: reloadMetrics,
	move: (state, by) => state.metrics.move(by),
};
