import {randomInt} from 'node:crypto';
import {toEpochSeconds} from '../../kv/limits.ts';
import {defaultSampleSize, describeStatsCost} from '../../kv/stats/cost.ts';
import {expirySpans} from '../../kv/stats/expiries.ts';
import {maxPrefixDepth, type PrefixGroup} from '../../kv/stats/prefix-counts.ts';
import {type KvStats, StatsReading} from '../../kv/stats/read-stats.ts';
import {buildStatsSections, describeIncompleteStats, type StatsSection} from '../../kv/stats/sections.ts';
import type {KvStore} from '../../kv/store.ts';
import {supportsUtf8} from '../../terminal/locale.ts';
import {formatQuantity, parseFigure} from '../../text/figures.ts';
import {buildBarRows} from '../../text/plot/bars.ts';
import {joinSpanTexts} from '../../text/plot/plot.ts';
import type {CommandContext} from '../shell/context.ts';
import {createParsedOption, createSwitchOption, defineCommand, type OptionValues} from '../shell/declare.ts';
import {buildTargetOptions, createPrefixOption} from './options.ts';
import {createStatsReport} from './progress.ts';
import {openNamespaceStore} from './stores.ts';

/** Number of seeds: 32 bits. */
const seedCount = 2 ** 32;

const buildRangeParser = (min: number, max: number) => (text: string) => {
	const number = parseFigure(text);
	return number !== undefined && number >= min && number <= max ? number : undefined;
};

const buildStatsOptions = () => [
	createPrefixOption(),
	createParsedOption(
		'--sample <n>',
		`number of random keys whose values are measured, or all (default: ${defaultSampleSize})`,
		{
			parse: text => (text === 'all' ? 'all' : buildRangeParser(1, 1_000_000)(text)),
			expectedFormat: 'a whole number from 1 to 1,000,000, or all',
		},
	),
	createSwitchOption('--no-values', 'do not measure values'),
	createParsedOption('--seed <number>', 'sample the same keys as another run with this seed', {
		parse: buildRangeParser(0, seedCount - 1),
		expectedFormat: `a whole number from 0 to ${seedCount - 1}`,
	}),
	createParsedOption('--depth <n>', `levels of prefixes, 1 to ${maxPrefixDepth} (default: 2)`, {
		parse: buildRangeParser(1, maxPrefixDepth),
		expectedFormat: `a whole number from 1 to ${maxPrefixDepth}`,
	}),
	...buildTargetOptions(),
];

type StatsOptions = OptionValues<typeof buildStatsOptions>;

export const kvStatsCommand = defineCommand({
	usage: 'stats',
	summary:
		'show keys by prefix, value sizes, expirations and metadata fields, with error margins for estimates',
	example: 'kv stats --binding SESSIONS --prefix user:',
	sampleArguments: '--namespace-id {namespace}',
	options: buildStatsOptions,
	run: printStats,
});

/** `kv stats`: lists keys, measures values and prints the result; if interrupted, prints what is known. */
async function printStats(context: CommandContext, options: StatsOptions): Promise<void> {
	const {output, signal} = context;
	using store = await openNamespaceStore(context, options, {mustExist: true});
	const sampling = options.values === false ? 'none' : (options.sample ?? defaultSampleSize);
	const seed = options.seed ?? randomInt(seedCount);
	const {prefix, depth = 2} = options;
	// Reading local data costs no calls, so only a person wants to know. The number of keys is still unknown.
	const announce = store.kind === 'local' ? output.sayIfInteractive : output.say;
	for (const sentence of describeStatsCost(store.quota?.(), undefined, sampling)) announce(sentence);
	const statsReading = new StatsReading(store, {
		prefix,
		sampling,
		seed,
		depth,
		now: toEpochSeconds(context.now()),
	});
	const printStatsSoFar = () => printStatsResult(context, store, {stats: statsReading.stats, prefix, seed});
	const report = createStatsReport(context);
	try {
		for await (const progress of statsReading.run(signal)) report.show(progress);
	} catch (error) {
		report.clear();
		if (statsReading.stats.keys > 0) await printStatsSoFar();
		throw error;
	}
	report.clear();
	await printStatsSoFar();
}

type StatsResult = {readonly stats: KvStats; readonly prefix: string | undefined; readonly seed: number};

async function printStatsResult(context: CommandContext, store: KvStore, result: StatsResult): Promise<void> {
	const {output} = context;
	if (output.json) return output.writeJson(context.markSimulated(toStatsJson(store, result)));
	const {stats, prefix, seed} = result;
	const incompleteNote = describeIncompleteStats(stats);
	const prefixNote = prefix ? ` under ${prefix}` : '';
	await output.writeText(
		[
			`${store.label}: ${formatQuantity(stats.keys, 'key')}${prefixNote}`,
			...(incompleteNote === undefined ? [] : [incompleteNote]),
			...buildStatsSections(stats).flatMap(section => ['', ...formatSectionLines(section, context)]),
			...(stats.measuredValues === 'sample'
				? ['', `To sample the same keys again, use --seed ${seed}.`]
				: []),
			'',
		].join('\n'),
	);
}

function formatSectionLines(
	{title, lines, bars, unit}: StatsSection,
	{output, host}: CommandContext,
): string[] {
	const columns = Math.min(output.columns, 120) - 2;
	const barLines = buildBarRows({bars, unit}, {columns, isAscii: !supportsUtf8(host.env)});
	return [
		title,
		...lines.map(line => `  ${line}`),
		...barLines.map(row => `  ${joinSpanTexts(row).trimEnd()}`),
	];
}

const toGroupJson = ({prefix, keyCount, groups, smaller, ungroupedKeyCount}: PrefixGroup): object => ({
	prefix,
	keys: keyCount,
	otherKeys: ungroupedKeyCount,
	smallerPrefixes: {prefixes: smaller.groupCount, keys: smaller.keyCount},
	prefixes: groups.map(toGroupJson),
});

/** Converts stats to the JSON of `--json`; unknown values are null. */
function toStatsJson(store: KvStore, {stats, prefix, seed}: StatsResult) {
	const {expiries, metadata, sizes, measuredValues} = stats;
	return {
		namespace: store.namespace,
		prefix: prefix || null,
		complete: stats.isListed && stats.isMeasured,
		listed: stats.isListed,
		keys: stats.keys,
		prefixes: stats.prefixes.groups.map(toGroupJson),
		smallerPrefixes: {prefixes: stats.prefixes.smaller.groupCount, keys: stats.prefixes.smaller.keyCount},
		otherKeys: stats.prefixes.ungroupedKeyCount,
		expiries: {
			never: expiries.never,
			spans: expirySpans.map(({name, until}, index) => ({
				name,
				seconds: until ?? null,
				keys: expiries.spans[index] ?? 0,
			})),
			first: expiries.earliest ?? null,
			last: expiries.latest ?? null,
		},
		metadata: {
			none: metadata.none,
			bytes: metadata.bytes,
			largest: metadata.largest,
			kinds: metadata.kinds,
			fields: metadata.fields,
			otherFields: metadata.otherFields,
		},
		values: sizes
			? {
					chosen: measuredValues,
					seed: measuredValues === 'sample' ? seed : null,
					measured: sizes.measured,
					gone: sizes.missingCount,
					exact: sizes.isExact,
					confidence: 0.95,
					total: sizes.total,
					mean: sizes.mean,
					median: sizes.median,
					uncertain: sizes.isUncertain,
					mostLargerKeys: sizes.maxLargerCount,
					buckets: sizes.buckets,
					largest: sizes.largest,
				}
			: null,
	};
}
