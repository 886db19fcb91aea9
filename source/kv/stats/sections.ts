import {formatInteger, formatPlainQuantity, formatQuantity, formatShortSize} from '../../text/figures.ts';
import type {Bar, BarChart} from '../../text/plot/bars.ts';
import {formatExpiration} from '../keys.ts';
import {limits} from '../limits.ts';
import {type Estimate, reliableSampleSize} from './estimate.ts';
import {expirySpans} from './expiries.ts';
import type {JsonKind} from './metadata-fields.ts';
import type {PrefixGroup} from './prefix-counts.ts';
import type {KvStats} from './read-stats.ts';
import type {ValueSizes} from './value-sizes.ts';

/** Target that a bar opens. Raw data. */
type BarTarget =
	| {readonly kind: 'prefix'; readonly prefix: string}
	| {readonly kind: 'key'; readonly key: string};

/** One section of the statistics. Lines and labels contain data that is not yet safe for a terminal. */
export type StatsSection = {
	readonly name: 'prefixes' | 'sizes' | 'largest' | 'expiries' | 'metadata';
	readonly title: string;
	readonly lines: readonly string[];
	readonly bars: readonly (Bar & {readonly target?: BarTarget})[];
	readonly unit: BarChart['unit'];
};

/** Builds the sections that have something to show. */
export function buildStatsSections(stats: KvStats): readonly StatsSection[] {
	const {sizes} = stats;
	return [
		buildPrefixSection(stats),
		...(sizes ? [buildSizesSection(sizes, stats)] : []),
		...(sizes && sizes.largest.length > 0 ? [buildLargestSection(sizes)] : []),
		buildExpiriesSection(stats),
		buildMetadataStatsSection(stats),
	];
}

/** Describes why the figures do not cover all keys; undefined if they do. */
export function describeIncompleteStats({
	isListed,
	isMeasured,
	keys,
	sizes,
	measuredValues,
}: KvStats): string | undefined {
	if (!isListed)
		return `Incomplete: the figures cover the first ${formatQuantity(keys, 'key')} by name, which is not a random sample.`;
	if (isMeasured) return undefined;
	const measured = formatQuantity(sizes?.measured ?? 0, 'value');
	return measuredValues === 'sample'
		? `Incomplete: all keys are listed, and ${measured} of the sample ${sizes?.measured === 1 ? 'was' : 'were'} read.`
		: `Incomplete: all keys are listed, and ${measured} ${sizes?.measured === 1 ? 'was' : 'were'} read, in order of name.`;
}

/** Prefixes to show below another one. */
const maxNestedPrefixes = 5;

function buildPrefixSection({prefixes, keys}: KvStats): StatsSection {
	const bars: StatsSection['bars'][number][] = [];
	const addGroups = ({groups, smaller, ungroupedKeyCount}: PrefixGroup, depth: number) => {
		const indent = '  '.repeat(depth);
		const shownGroups = groups.slice(0, depth === 0 ? groups.length : maxNestedPrefixes);
		const hiddenGroups = groups.slice(shownGroups.length);
		for (const group of shownGroups) {
			const {prefix} = group;
			const target = {kind: 'prefix', prefix} as const;
			bars.push({
				label: `${indent}${prefix}`,
				value: group.keyCount,
				note: formatShare(group.keyCount, keys),
				target,
			});
			if (group.groups.length > 0) addGroups(group, depth + 1);
		}
		const addRemainder = (label: string, value: number) =>
			bars.push({label: `${indent}${label}`, value, note: formatShare(value, keys)});
		const hiddenCount = smaller.groupCount + hiddenGroups.length;
		const hiddenKeyCount = hiddenGroups.reduce((sum, group) => sum + group.keyCount, smaller.keyCount);
		if (hiddenCount > 0)
			addRemainder(`(${formatQuantity(hiddenCount, 'smaller prefix', 'smaller prefixes')})`, hiddenKeyCount);
		if (ungroupedKeyCount > 0 && depth === 0)
			addRemainder(groups.length > 0 ? '(other keys)' : '(no common prefix)', ungroupedKeyCount);
	};
	addGroups(prefixes, 0);
	return {name: 'prefixes', title: 'Keys by prefix', lines: [], bars, unit: 'count'};
}

function buildSizesSection(sizes: ValueSizes, {keys}: KvStats): StatsSection {
	const {measured, missingCount, isExact, total, mean, median, maxLargerCount, largest, isUncertain} = sizes;
	const isSmallSample = !isExact && measured < reliableSampleSize;
	const formatEstimate = (figure: Estimate) => formatSizeEstimate(figure, isExact);
	const basis = isExact
		? formatQuantity(measured, 'value')
		: `all keys, estimated from ${formatQuantity(measured, 'random value')}`;
	const lines = [
		`Total ${formatEstimate(total)}: ${basis}.`,
		`Median ${formatEstimate(median)}, mean ${formatEstimate(mean)}.`,
		...(isExact ? [] : ['In brackets: the 95% confidence interval.']),
		...(isSmallSample
			? [
					`Fewer than ${reliableSampleSize} values: a few keys of up to ${formatShortSize(limits.valueBytes)} could go unnoticed.`,
				]
			: []),
		...(isUncertain && !isSmallSample
			? ['A few large values make up most of the total, so it is uncertain: a larger sample narrows it.']
			: []),
		...(!isExact && maxLargerCount > 0 && largest[0]
			? [
					`At most ${formatQuantity(maxLargerCount, 'key')} (${formatShare(maxLargerCount, keys)}) ${maxLargerCount === 1 ? 'has' : 'have'} a larger value than ${formatShortSize(largest[0].bytes)}, the largest in the sample.`,
				]
			: []),
		...(missingCount > 0
			? [`${formatQuantity(missingCount, 'key')} no longer existed when the values were read.`]
			: []),
	];
	const population = isExact ? measured : keys;
	const bars = sizes.buckets.map(({from, below, keys: count}) => ({
		label: formatBucket(from, below),
		value: count.value,
		note:
			count.low === count.high
				? formatShare(count.value, population)
				: `${formatShare(count.value, population)} (${formatShare(count.low, population)} to ${formatShare(count.high, population)})`,
	}));
	return {name: 'sizes', title: 'Value sizes, without names and metadata', lines, bars, unit: 'count'};
}

function buildLargestSection({largest, isExact}: ValueSizes): StatsSection {
	return {
		name: 'largest',
		title: isExact ? 'Largest values' : 'Largest values in the sample',
		lines: [],
		bars: largest.map(({key, bytes}) => ({label: key, value: bytes, target: {kind: 'key', key}})),
		unit: 'bytes',
	};
}

function buildExpiriesSection({expiries, keys}: KvStats): StatsSection {
	const {never, spans, earliest, latest} = expiries;
	const lines =
		earliest === undefined || latest === undefined
			? ['No key expires.']
			: [`The first expires at ${formatExpiration(earliest)}, the last at ${formatExpiration(latest)}.`];
	const buildBar = (label: string, value: number): Bar => ({label, value, note: formatShare(value, keys)});
	const bars = [
		...expirySpans.map(({name}, index) => buildBar(name, spans[index] ?? 0)),
		buildBar('never', never),
	];
	return {
		name: 'expiries',
		title: 'Expirations',
		lines: keys === 0 ? [] : lines,
		bars: keys === never ? [] : bars,
		unit: 'count',
	};
}

const kindNames: Readonly<Record<JsonKind, string>> = {
	object: 'objects',
	array: 'arrays',
	string: 'strings',
	number: 'numbers',
	boolean: 'booleans',
	null: 'null',
};

function buildMetadataStatsSection({metadata, keys}: KvStats): StatsSection {
	const {none, kinds, bytes, largest, fields, otherFields} = metadata;
	const metadataCount = keys - none;
	const otherKinds = kinds.filter(({kind}) => kind !== 'object');
	const lines =
		metadataCount === 0
			? [keys === 0 ? '' : 'No key has metadata.']
			: [
					`${formatQuantity(metadataCount, 'key')} (${formatShare(metadataCount, keys)}) ${metadataCount === 1 ? 'has' : 'have'} metadata: ${formatShortSize(bytes)} in total, at most ${formatShortSize(largest)} each.`,
					...(otherKinds.length > 0
						? [
								`Not objects: ${otherKinds.map(({kind, keys: count}) => `${formatInteger(count)} ${kindNames[kind]}`).join(', ')}.`,
							]
						: []),
					...(otherFields > 0
						? [`Too many fields to list: others were found ${formatPlainQuantity(otherFields, 'time')}.`]
						: []),
				];
	return {
		name: 'metadata',
		title: 'Metadata fields',
		lines: lines.filter(line => line !== ''),
		bars: fields.map(field => ({
			label: field.name,
			value: field.keys,
			note: `${formatShare(field.keys, keys)}, ${field.kinds.map(({kind}) => kindNames[kind]).join(', ')}, at most ${formatShortSize(field.largest)}`,
		})),
		unit: 'count',
	};
}

function formatSizeEstimate({value, low, high}: Estimate, isExact: boolean): string {
	if (isExact) return formatShortSize(value);
	const [from, to] = [formatShortSize(low), formatShortSize(high)];
	return from === to ? `about ${formatShortSize(value)}` : `${formatShortSize(value)} (${from} to ${to})`;
}

/** Formats a share in percent: `60%`, `0.3%`, `<0.1%`. */
function formatShare(part: number, whole: number): string {
	const share = whole === 0 ? 0 : (part * 100) / whole;
	if (part > 0 && share < 0.1) return '<0.1%';
	if (part < whole && share > 99.9) return '>99.9%';
	const isNearAnEnd = (share < 10 && part > 0) || (share > 99 && part < whole);
	return `${isNearAnEnd ? share.toFixed(1).replace('.0', '') : Math.round(share)}%`;
}

/** `0 B`, `1 to 3 B`, `256 B to 1 KB`. */
function formatBucket(from: number, below: number): string {
	if (from === 0) return '0 B';
	if (below <= 1024) return `${from} to ${below - 1} B`;
	return `${formatShortSize(from)} to ${formatShortSize(below)}`;
}
