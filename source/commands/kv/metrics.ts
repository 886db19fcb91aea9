import {missingJson, missingLine, type Problem, type Read, withoutNumbers} from '../../analytics/problem.ts';
import {checkDays, storeSubject, storeSummaries} from '../../analytics/store-metrics.ts';
import {storeSeries} from '../../analytics/store-series.ts';
import {Failure} from '../../failure.ts';
import {type Namespace, namespaces} from '../../kv/namespaces.ts';
import {keepNamespaces} from '../../session/listings.ts';
import {drawsUtf8} from '../../terminal/locale.ts';
import type {CommandContext} from '../shell/context.ts';
import {
	defineCommand,
	excludesOther,
	numberOption,
	type OptionValues,
	switchOption,
	valueOption,
} from '../shell/declare.ts';
import {type MeasuredNamespace, seriesJson, summariesJson} from './metrics-json.ts';
import {seriesText, summariesText} from './metrics-text.ts';
import {bindingOption, namespaceIdOption, previewOptions} from './options.ts';

/** Default days of the series, and of the table of all namespaces. */
const usualDays = {series: 7, table: 1} as const;

const metricsOptions = () => [
	numberOption('--days <n>', 'days up to now, 31 at most (7; 1 for the table of all namespaces)', 1),
	switchOption('--all', 'all namespaces together, over time'),
	bindingOption(),
	namespaceIdOption(),
	valueOption('--namespace <name>', 'namespace, by its binding, id or title, whichever there is'),
	...previewOptions(),
	switchOption('--local', 'refused: local data has no metrics').hideHelp(),
];

type MetricsOptions = OptionValues<typeof metricsOptions>;

export const kvMetricsCommand = defineCommand({
	usage: 'metrics',
	summary: 'keys, size, operations and latencies, as the service measures them',
	example: 'kv metrics --binding SESSIONS --days 31',
	sample: '--namespace-id {namespace}',
	more: () =>
		'Without a namespace: a table of all of them. With one, or with --all: series over time, drawn on a terminal, else\nas tables. Needs the permission Account Analytics: Read. Local data has no metrics.\n\n--json prints {days, since, until, namespaces: [{id, title, keys, bytes, operations, estimated}], missing}, or with\na namespace or --all {namespace, days, until, operations: {stepSeconds, estimated, buckets}, latencyMs:\n{stepSeconds, buckets, kinds}, storage, missing}. null is what is not known; missing has why.',
	options: metricsOptions,
	run: metrics,
});

async function metrics(context: CommandContext, options: MetricsOptions): Promise<void> {
	if (options.local)
		throw new Failure('usage', 'Local data has no metrics; --local has no meaning here.', {
			why: 'The service measures deployed namespaces only.',
			next: 'Leave out --local.',
		});
	const {binding, namespaceId, namespace, all = false, preview, days} = options;
	const isNamed = [binding, namespaceId, namespace, preview || undefined].some(one => one !== undefined);
	if (all && isNamed) throw excludesOther('--all', 'a namespace');
	const isSeries = all || isNamed;
	const span = checkDays(days ?? (isSeries ? usualDays.series : usualDays.table));
	await (isSeries ? series(context, options, span) : table(context, span));
}

async function table(context: CommandContext, days: number): Promise<void> {
	const {output, signal} = context;
	const client = await context.client();
	const account = await context.account();
	const [listed, read] = await Promise.all([
		Array.fromAsync(namespaces(client, account.id, signal)),
		storeSummaries(client, account.id, signal, {days}),
	]);
	keepNamespaces(context.session, client, account.id, listed);
	const value = needed(read);
	const measured: readonly MeasuredNamespace[] = listed.map((one: Namespace) => ({
		...one,
		...value.of(one.id),
	}));
	if (output.json)
		return output.value(context.marked(summariesJson(measured, value, days, read.problems.map(problemJson))));
	await output.text(summariesText(measured, days));
	sayMissing(context, read.problems);
}

async function series(context: CommandContext, options: MetricsOptions, days: number): Promise<void> {
	const {output, signal, env} = context;
	const chosen = options.all ? undefined : await chooseRemote(context, options);
	const client = await context.client();
	const account = await context.account();
	const read = await storeSeries(client, account.id, chosen?.id, {days}, signal);
	const value = needed(read);
	if (output.json)
		return output.value(context.marked(seriesJson(chosen, value, days, read.problems.map(problemJson))));
	const called = chosen === undefined ? `all namespaces of ${account.label}` : chosen.called;
	await output.text(
		seriesText(read, {
			heading: `${called}, ${days === 1 ? '24 hours' : `${days} days`}`,
			columns: output.columns,
			isDrawn: output.stdoutIsTerminal,
			isAscii: !drawsUtf8(env),
		}),
	);
	sayMissing(context, read.problems);
}

/** Returns the namespace of the service that the options name, with the name the user gave. */
async function chooseRemote(
	context: CommandContext,
	{namespace, preview = false, ...selection}: MetricsOptions,
): Promise<{readonly id: string; readonly called: string}> {
	if (namespace === undefined) {
		const {id, binding} = await context.choose({...selection, preview}, 'remote');
		return {id, called: binding ?? id};
	}
	const {openStore} = await import('./stores.ts');
	const {store} = await openStore(context, {...selection, namespace, preview, remote: true});
	return {id: store.namespace, called: namespace};
}

/** Returns the value of a read. Fails with its first problem if the value is missing. */
function needed<T>({value, problems: [problem]}: Read<T>): T {
	if (value !== undefined) return value;
	const why: Problem = problem ?? {kind: 'failed', message: '', path: []};
	throw withoutNumbers(storeSubject(why), why);
}

const problemJson = (problem: Problem) => missingJson(storeSubject(problem), problem);

function sayMissing({output}: CommandContext, problems: readonly Problem[]): void {
	for (const line of new Set(problems.map(problem => missingLine(storeSubject(problem), problem))))
		output.warn(line);
}
