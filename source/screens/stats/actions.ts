import {defaultSampleSize, type Sampling} from '../../kv/stats/cost.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatInteger} from '../../text/figures.ts';
import {openKey} from '../key/actions.ts';
import {openKeysInPlace} from '../keys/actions.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {openKeysAtPrefix} from '../keys/show-prefix.ts';
import {getSelectedNamespace} from '../namespaces/slice.ts';
import {createActionFactory, withClipboardCopy, withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {getStatsTarget, type StatsState} from './state.ts';

const defineStatsAction = createActionFactory('Statistics', ['stats']);

const getStatsPhase = ({stats: {data: stats}}: StateWith<'stats'>): StatsState['phase']['name'] | undefined =>
	stats?.phase.name;
const isAsking = (state: StateWith<'stats'>): boolean => getStatsPhase(state) === 'asking';
const areResultsShown = (state: StateWith<'stats'>): boolean => !isAsking(state);
const getStillReadingReason = (state: StateWith<'stats'>): string | undefined =>
	getStatsPhase(state) === 'reading' ? 'not finished yet' : undefined;

/**
 * Shows the statistics of a namespace, or what reading them costs. Local data is free, so it is read at once.
 */
function openStats({state}: App, namespace: NamespaceRow, prefix?: string): void {
	const {data: stats, showCost: showStatsCost} = state().stats;
	const {keyCounts} = state().namespaces;
	const {go} = state().navigation;
	go('stats');
	const isSameRequest = stats?.request.namespace.name === namespace.name && stats.request.prefix === prefix;
	if (isSameRequest && stats.entries.length > 0) return;
	const knownCount = keyCounts.get(namespace.name);
	const keyCount = prefix === undefined && knownCount?.isExact ? knownCount.keys : undefined;
	showStatsCost({namespace, prefix, keyCount, sampling: defaultSampleSize});
	if (namespace.where === 'local') void state().stats.read();
}

/** Starts over. For a remote namespace, the cost is shown first. */
export function refreshStats({state}: App): void {
	const {data: stats, showCost: showStatsCost} = state().stats;
	if (!stats || stats.phase.name === 'reading') return;
	showStatsCost(stats.request);
	if (stats.request.namespace.where === 'local') void state().stats.read();
}

/** Esc: stops reading. Returns false if the caller must leave the screen. */
export function leaveStats({state}: App): boolean {
	return state().stats.stop();
}

/** Opens the namespace unless it is open. Returns true if it is open. */
const ensureNamespaceOpen = async (app: App, namespace: NamespaceRow): Promise<boolean> =>
	app.state().keys.data?.namespace.name === namespace.name || openKeysInPlace(app, namespace);

async function openTarget(app: App, stats: StatsState): Promise<void> {
	const target = getStatsTarget(stats);
	const {namespace} = stats.request;
	switch (target?.kind) {
		case undefined:
			return;
		case 'key':
			if (await ensureNamespaceOpen(app, namespace)) await openKey(app, target.key);
			return;
		case 'prefix':
			await openKeysAtPrefix(app, namespace, target.prefix);
			return;
		default:
			return target satisfies never;
	}
}

const sampleChoices: readonly {
	readonly value: string;
	readonly label: string;
	readonly sampling: Sampling;
}[] = [
	...[defaultSampleSize, 20_000, 100_000].map(size => ({
		value: String(size),
		label: `The values of ${formatInteger(size)} random keys`,
		sampling: size,
	})),
	{value: 'all', label: 'The values of all keys', sampling: 'all'},
	{value: 'none', label: 'No values, only the listing', sampling: 'none'},
];

function askForSample({state}: App, {request}: StatsState): void {
	state().dialog.open({
		kind: 'choice',
		title: 'Which values should be measured?',
		lines: [
			'Keys, expirations and metadata come with the listing; sizes are known only for values that are read.',
		],
		choices: sampleChoices,
		initialValue: String(request.sampling),
		choose(value) {
			const sampleChoice = sampleChoices.find(one => one.value === value);
			if (sampleChoice) state().stats.showCost({...request, sampling: sampleChoice.sampling});
		},
	});
}

const openStatsOptions = {
	hint: 'statistics',
	searchTerms: [
		'stats',
		'sizes',
		'histogram',
		'largest',
		'largest keys',
		'biggest values',
		'bigkeys',
		'dbsize',
		'how big',
		'how big is this',
		'distribution',
		'count by prefix',
		'expiry timeline',
		'metadata fields',
		'storage used',
	],
} as const;

const openStatsTitle = 'statistics: keys by prefix, value sizes, expirations, metadata';

/** Actions of the keys and of the list of namespaces. */
export const openStatsActions: readonly Action[] = [
	defineStatsAction('keys.stats', ['S'], openStatsTitle, {
		...openStatsOptions,
		group: 'Keys',
		where: ['keys'],
		...withSelection(
			({keys: {data: keys}}) => keys?.namespace,
			'no namespace is open',
			(app, row) => openStats(app, row),
		),
	}),
	defineStatsAction('namespaces.stats', ['S'], openStatsTitle, {
		...openStatsOptions,
		group: 'Namespaces',
		where: ['namespaces'],
		...withSelection(
			({namespaces: {data: namespaces}}) => getSelectedNamespace(namespaces),
			'no namespace selected',
			(app, row) => openStats(app, row),
			({namespaces: {data: namespaces}}) => {
				const row = getSelectedNamespace(namespaces);
				return row && row.id === undefined ? 'its id is unknown' : undefined;
			},
		),
	}),
];

export const statsActions: readonly Action[] = [
	defineStatsAction('stats.start', ['enter'], 'start listing keys and reading values', {
		hint: 'start',
		searchTerms: ['read', 'begin'],
		isActive: isAsking,
		run: ({state}) => void state().stats.read(),
	}),
	defineStatsAction('stats.open', ['enter', 'l', 'right'], 'open the key, or the keys under the prefix', {
		opensRow: true,
		hint: 'open',
		isActive: areResultsShown,
		...withSelection(
			({stats: {data: stats}}) => (stats && getStatsTarget(stats) ? stats : undefined),
			'no prefix or key selected',
			(app, stats) => void openTarget(app, stats),
		),
	}),
	defineStatsAction('stats.section', ['tab'], 'next section', {
		hint: 'next section',
		isActive: areResultsShown,
		isMove: true,
		run: ({state}) => state().stats.moveToSection(1),
	}),
	defineStatsAction('stats.section-before', ['shift-tab'], 'previous section', {
		isActive: areResultsShown,
		isMove: true,
		run: ({state}) => state().stats.moveToSection(-1),
	}),
	defineStatsAction('stats.narrow', ['S'], 'statistics of the keys under the prefix', {
		hint: 'statistics of prefix',
		searchTerms: ['narrow', 'drill down', 'statistics of prefix'],
		isActive: areResultsShown,
		...withSelection(
			({stats: {data: stats}}) => {
				const target = stats && getStatsTarget(stats);
				return target?.kind === 'prefix'
					? {prefix: target.prefix, namespace: stats?.request.namespace}
					: undefined;
			},
			'the cursor is not on a prefix',
			(app, {prefix, namespace}) => namespace && openStats(app, namespace, prefix),
			getStillReadingReason,
		),
	}),
	defineStatsAction('stats.sample', ['v'], 'choose how many values to measure', {
		hint: 'sample',
		searchTerms: ['sample size', 'accuracy', 'all values', 'no values'],
		getUnavailableReason(state) {
			if (state.stats.data?.request.namespace.where === 'local')
				return 'all value sizes are known for local data';
			return getStillReadingReason(state) ?? (state.stats.data ? undefined : 'no statistics yet');
		},
		run(app) {
			const stats = app.state().stats.data;
			if (stats) askForSample(app, stats);
		},
	}),
	defineStatsAction('stats.copy', ['y'], 'copy the prefix or the key name', {
		searchTerms: ['clipboard'],
		isActive: areResultsShown,
		...withClipboardCopy(({stats: {data: stats}}) => {
			const target = stats && getStatsTarget(stats);
			return target?.kind === 'prefix' ? target.prefix : target?.key;
		}, 'no prefix or key selected'),
	}),
];
