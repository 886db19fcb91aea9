import {randomInt} from 'node:crypto';
import {unixSeconds} from '../../kv/limits.ts';
import {costText, usualSample} from '../../kv/stats/cost.ts';
import {expirySpans} from '../../kv/stats/expiries.ts';
import {mostDepth, type PrefixGroup} from '../../kv/stats/prefix-counts.ts';
import {type KvStats, StatsReading} from '../../kv/stats/reading.ts';
import {incompleteText, type StatsSection, statsSections} from '../../kv/stats/sections.ts';
import type {KvStore} from '../../kv/store.ts';
import {drawsUtf8} from '../../terminal/locale.ts';
import {counted, parseFigure} from '../../text/figures.ts';
import {barRows} from '../../text/plot/bars.ts';
import {plainText} from '../../text/plot/plot.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand, type OptionValues, readOption, switchOption} from '../shell/declare.ts';
import {prefixOption, targetOptions} from './options.ts';
import {statsReport} from './progress.ts';
import {openNamespace} from './stores.ts';

/** Number of seeds: 32 bits. */
const seeds = 2 ** 32;

const wholeIn = (least: number, most: number) => (text: string) => {
	const number = parseFigure(text);
	return number !== undefined && number >= least && number <= most ? number : undefined;
};

const statsOptions = () => [
	prefixOption(),
	readOption(
		'--sample <n>',
		`measure the values of so many keys drawn at random, or of all (${usualSample})`,
		{
			read: text => (text === 'all' ? 'all' : wholeIn(1, 1_000_000)(text)),
			takes: 'a whole number of 1 to 1,000,000, or all',
		},
	),
	switchOption('--no-values', 'measure no values'),
	readOption('--seed <number>', 'draw the same keys as another run with that number', {
		read: wholeIn(0, seeds - 1),
		takes: `a whole number of 0 to ${seeds - 1}`,
	}),
	readOption('--depth <n>', `levels of prefixes, 1 to ${mostDepth} (2)`, {
		read: wholeIn(1, mostDepth),
		takes: `a whole number of 1 to ${mostDepth}`,
	}),
	...targetOptions(),
];

type StatsOptions = OptionValues<typeof statsOptions>;

export const kvStatsCommand = defineCommand({
	usage: 'stats',
	summary:
		'keys by prefix, sizes of values, expiries and metadata fields, with the error of what is estimated',
	example: 'kv stats --binding SESSIONS --prefix user:',
	sample: '--namespace-id {namespace}',
	options: statsOptions,
	run: printStats,
});

/** `kv stats`: lists keys, measures values and prints the result; if interrupted, prints what is known. */
async function printStats(context: CommandContext, options: StatsOptions): Promise<void> {
	const {output, signal} = context;
	using store = await openNamespace(context, options, {mustExist: true});
	const sampling = options.values === false ? 'none' : (options.sample ?? usualSample);
	const seed = options.seed ?? randomInt(seeds);
	const {prefix, depth = 2} = options;
	const announce = store.kind === 'local' ? output.mention : output.say;
	for (const sentence of costText(store.quota?.(), undefined, sampling)) announce(sentence);
	const reading = new StatsReading(store, {prefix, sampling, seed, depth, now: unixSeconds(context.now())});
	const print = () => printed(context, store, {stats: reading.stats, prefix, seed});
	const report = statsReport(context);
	try {
		for await (const progress of reading.run(signal)) report.show(progress);
	} catch (error) {
		report.clear();
		if (reading.stats.keys > 0) await print();
		throw error;
	}
	report.clear();
	await print();
}

type Found = {readonly stats: KvStats; readonly prefix: string | undefined; readonly seed: number};

async function printed(context: CommandContext, store: KvStore, found: Found): Promise<void> {
	const {output} = context;
	if (output.json) return output.value(context.marked(statsJson(store, found)));
	const {stats, prefix, seed} = found;
	const incomplete = incompleteText(stats);
	const below = prefix ? ` below ${prefix}` : '';
	await output.text(
		[
			`${store.label}: ${counted(stats.keys, 'key')}${below}`,
			...(incomplete === undefined ? [] : [incomplete]),
			...statsSections(stats).flatMap(section => ['', ...sectionLines(section, context)]),
			...(stats.chosen === 'sample' ? ['', `The same keys are drawn with --seed ${seed}.`] : []),
			'',
		].join('\n'),
	);
}

function sectionLines({title, lines, bars, unit}: StatsSection, {output, host}: CommandContext): string[] {
	const columns = Math.min(output.columns, 120) - 2;
	const drawn = barRows({bars, unit}, {columns, isAscii: !drawsUtf8(host.env)});
	return [title, ...lines.map(line => `  ${line}`), ...drawn.map(row => `  ${plainText(row).trimEnd()}`)];
}

const groupJson = ({prefix, keys, groups, smaller, alone}: PrefixGroup): object => ({
	prefix,
	keys,
	otherKeys: alone,
	smallerPrefixes: {prefixes: smaller.groups, keys: smaller.keys},
	prefixes: groups.map(groupJson),
});

/** Converts stats to the JSON of `--json`; unknown values are null. */
function statsJson(store: KvStore, {stats, prefix, seed}: Found) {
	const {expiries, metadata, sizes, chosen} = stats;
	return {
		namespace: store.namespace,
		prefix: prefix || null,
		complete: stats.isListed && stats.isMeasured,
		listed: stats.isListed,
		keys: stats.keys,
		prefixes: stats.prefixes.groups.map(groupJson),
		smallerPrefixes: {prefixes: stats.prefixes.smaller.groups, keys: stats.prefixes.smaller.keys},
		otherKeys: stats.prefixes.alone,
		expiries: {
			never: expiries.never,
			spans: expirySpans.map(({name, until}, at) => ({
				name,
				seconds: until ?? null,
				keys: expiries.spans[at] ?? 0,
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
					chosen,
					seed: chosen === 'sample' ? seed : null,
					measured: sizes.measured,
					gone: sizes.gone,
					exact: sizes.isExact,
					confidence: 0.95,
					total: sizes.total,
					mean: sizes.mean,
					median: sizes.median,
					uncertain: sizes.isRough,
					mostLargerKeys: sizes.mostLarger,
					buckets: sizes.buckets,
					largest: sizes.largest,
				}
			: null,
	};
}
