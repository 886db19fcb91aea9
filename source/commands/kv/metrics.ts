import {
	type AnalyticsProblem,
	buildMissingJson,
	createMissingFailure,
	formatMissingLine,
	type ReadResult,
} from '../../analytics/problem.ts';
import {checkStoreDays, getStoreSubject, readStoreSummaries} from '../../analytics/store-metrics.ts';
import {readStoreSeries} from '../../analytics/store-series.ts';
import {Failure} from '../../failure.ts';
import {listKvNamespaces, type Namespace} from '../../kv/namespaces.ts';
import {cacheNamespaceTitles} from '../../session/listing-cache.ts';
import {supportsUtf8} from '../../terminal/locale.ts';
import type {CommandContext} from '../shell/context.ts';
import {
	buildExclusionFailure,
	createNumberOption,
	createSwitchOption,
	createValueOption,
	defineCommand,
	type OptionValues,
} from '../shell/declare.ts';
import {type MeasuredNamespace, toSeriesJson, toSummariesJson} from './metrics-json.ts';
import {formatMetricSeries, formatMetricSummaries} from './metrics-text.ts';
import {buildPreviewOptions, createBindingOption, createNamespaceIdOption} from './options.ts';

/** Default number of days: for series over time, and for the table of all namespaces. */
const defaultDays = {series: 7, table: 1} as const;

const buildMetricsOptions = () => [
	createNumberOption(
		'--days <n>',
		'last n days, at most 31 (default: 7, or 1 for the table of all namespaces)',
		1,
	),
	createSwitchOption('--all', 'all namespaces combined, over time'),
	createBindingOption(),
	createNamespaceIdOption(),
	createValueOption('--namespace <name>', 'namespace, by its binding, id or title'),
	...buildPreviewOptions(),
	createSwitchOption('--local', 'not supported: local data has no metrics').hideHelp(),
];

type MetricsOptions = OptionValues<typeof buildMetricsOptions>;

export const kvMetricsCommand = defineCommand({
	usage: 'metrics',
	summary: 'show keys, size, operations and latencies, as measured by the service',
	example: 'kv metrics --binding SESSIONS --days 31',
	sampleArguments: '--namespace-id {namespace}',
	formatDetails: () =>
		'Without a namespace, prints a table of all namespaces. With one, or with --all, prints series over time: charts on a\nterminal, otherwise tables. Requires the permission Account Analytics: Read. Local data has no metrics.\n\n--json prints {days, since, until, namespaces: [{id, title, keys, bytes, operations, estimated}], missing}, or, with\na namespace or --all, {namespace, days, until, operations: {stepSeconds, estimated, buckets}, latencyMs:\n{stepSeconds, buckets, kinds}, storage, missing}. null means unknown; missing says why.',
	options: buildMetricsOptions,
	run: printMetrics,
});

async function printMetrics(context: CommandContext, options: MetricsOptions): Promise<void> {
	if (options.local)
		throw new Failure('usage', "Local data has no metrics, so --local can't be used here.", {
			why: 'The service measures only deployed namespaces.',
			next: 'Leave out --local.',
		});
	const {binding, namespaceId, namespace, all = false, preview, days} = options;
	const isNamed = [binding, namespaceId, namespace, preview || undefined].some(
		selector => selector !== undefined,
	);
	if (all && isNamed) throw buildExclusionFailure('--all', 'a namespace');
	const isSeries = all || isNamed;
	const dayCount = checkStoreDays(days ?? (isSeries ? defaultDays.series : defaultDays.table));
	await (isSeries ? printMetricsSeries(context, options, dayCount) : printMetricsTable(context, dayCount));
}

async function printMetricsTable(context: CommandContext, days: number): Promise<void> {
	const {output, signal} = context;
	const client = await context.client();
	const account = await context.getAccount();
	const [namespaces, result] = await Promise.all([
		Array.fromAsync(listKvNamespaces(client, account.id, signal)),
		readStoreSummaries(client, account.id, signal, {days}),
	]);
	cacheNamespaceTitles(context.session, client, account.id, namespaces);
	const summaries = requireValue(result);
	const measuredNamespaces: readonly MeasuredNamespace[] = namespaces.map((namespace: Namespace) => ({
		...namespace,
		...summaries.get(namespace.id),
	}));
	if (output.json)
		return output.writeJson(
			context.markSimulated(
				toSummariesJson(measuredNamespaces, summaries, days, result.problems.map(toProblemJson)),
			),
		);
	await output.writeText(formatMetricSummaries(measuredNamespaces, days));
	warnOfMissing(context, result.problems);
}

async function printMetricsSeries(
	context: CommandContext,
	options: MetricsOptions,
	days: number,
): Promise<void> {
	const {output, signal, env} = context;
	const chosenNamespace = options.all ? undefined : await chooseRemoteNamespace(context, options);
	const client = await context.client();
	const account = await context.getAccount();
	const result = await readStoreSeries(client, account.id, chosenNamespace?.id, {days}, signal);
	const series = requireValue(result);
	if (output.json)
		return output.writeJson(
			context.markSimulated(toSeriesJson(chosenNamespace, series, days, result.problems.map(toProblemJson))),
		);
	const label = chosenNamespace === undefined ? `all namespaces of ${account.label}` : chosenNamespace.name;
	await output.writeText(
		formatMetricSeries(result, {
			heading: `${label}, ${days === 1 ? '24 hours' : `${days} days`}`,
			columns: output.columns,
			wantsPlots: output.stdoutIsTerminal,
			isAscii: !supportsUtf8(env),
		}),
	);
	warnOfMissing(context, result.problems);
}

/** Returns the namespace of the service that the options name, with the name the user gave. */
async function chooseRemoteNamespace(
	context: CommandContext,
	{namespace, preview = false, ...selection}: MetricsOptions,
): Promise<{readonly id: string; readonly name: string}> {
	if (namespace === undefined) {
		const {id, binding} = await context.chooseNamespace({...selection, preview}, 'remote');
		return {id, name: binding ?? id};
	}
	const {openTargetNamespace} = await import('./stores.ts');
	const {store} = await openTargetNamespace(context, {...selection, namespace, preview, remote: true});
	return {id: store.namespace, name: namespace};
}

/** Returns the value of a read. Fails with its first problem if the value is missing. */
function requireValue<T>({value, problems: [problem]}: ReadResult<T>): T {
	if (value !== undefined) return value;
	const why: AnalyticsProblem = problem ?? {kind: 'failed', message: '', path: []};
	throw createMissingFailure(getStoreSubject(why), why);
}

const toProblemJson = (problem: AnalyticsProblem) => buildMissingJson(getStoreSubject(problem), problem);

function warnOfMissing({output}: CommandContext, problems: readonly AnalyticsProblem[]): void {
	for (const line of new Set(problems.map(problem => formatMissingLine(getStoreSubject(problem), problem))))
		output.warn(line);
}
