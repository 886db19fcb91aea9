import {counted, grouped, quantity, shortSize} from '../../text/figures.ts';
import type {Bar, Bars} from '../../text/plot/bars.ts';
import {isoExpiration} from '../keys.ts';
import {limits} from '../limits.ts';
import {type Estimate, enoughMeasured} from './estimate.ts';
import {expirySpans} from './expiries.ts';
import type {JsonKind} from './metadata-fields.ts';
import type {PrefixGroup} from './prefix-counts.ts';
import type {KvStats} from './reading.ts';
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
	readonly unit: Bars['unit'];
};

/** Builds the sections that have something to show. */
export function statsSections(stats: KvStats): readonly StatsSection[] {
	const {sizes} = stats;
	return [
		prefixSection(stats),
		...(sizes ? [sizesSection(sizes, stats)] : []),
		...(sizes && sizes.largest.length > 0 ? [largestSection(sizes)] : []),
		expiriesSection(stats),
		metadataSection(stats),
	];
}

/** Describes why the figures do not cover all keys; undefined if they do. */
export function incompleteText({isListed, isMeasured, keys, sizes, chosen}: KvStats): string | undefined {
	if (!isListed)
		return `Incomplete: the figures are of the first ${counted(keys, 'key')} by name, which is not a random sample.`;
	if (isMeasured) return undefined;
	const measured = counted(sizes?.measured ?? 0, 'value');
	return chosen === 'sample'
		? `Incomplete: all keys are listed, and ${measured} of the sample ${sizes?.measured === 1 ? 'was' : 'were'} read.`
		: `Incomplete: all keys are listed, and ${measured} ${sizes?.measured === 1 ? 'was' : 'were'} read, in the order of the names.`;
}

/** Prefixes to show below another one. */
const mostBelow = 5;

function prefixSection({prefixes, keys}: KvStats): StatsSection {
	const bars: StatsSection['bars'][number][] = [];
	const add = ({groups, smaller, alone}: PrefixGroup, depth: number) => {
		const indent = '  '.repeat(depth);
		const shown = groups.slice(0, depth === 0 ? groups.length : mostBelow);
		const hidden = groups.slice(shown.length);
		for (const group of shown) {
			const {prefix} = group;
			const target = {kind: 'prefix', prefix} as const;
			bars.push({label: `${indent}${prefix}`, value: group.keys, note: shareText(group.keys, keys), target});
			if (group.groups.length > 0) add(group, depth + 1);
		}
		const rest = (label: string, value: number) =>
			bars.push({label: `${indent}${label}`, value, note: shareText(value, keys)});
		const others = smaller.groups + hidden.length;
		const keysOfOthers = hidden.reduce((sum, group) => sum + group.keys, smaller.keys);
		if (others > 0) rest(`(${counted(others, 'smaller prefix', 'smaller prefixes')})`, keysOfOthers);
		if (alone > 0 && depth === 0) rest(groups.length > 0 ? '(other keys)' : '(no common prefix)', alone);
	};
	add(prefixes, 0);
	return {name: 'prefixes', title: 'Keys by prefix', lines: [], bars, unit: 'count'};
}

function sizesSection(sizes: ValueSizes, {keys}: KvStats): StatsSection {
	const {measured, gone, isExact, total, mean, median, mostLarger, largest, isRough} = sizes;
	const isFew = !isExact && measured < enoughMeasured;
	const shown = (figure: Estimate) => sizeText(figure, isExact);
	const of = isExact
		? counted(measured, 'value')
		: `all keys, estimated from ${counted(measured, 'value')} drawn at random`;
	const lines = [
		`Total ${shown(total)}: ${of}.`,
		`Median ${shown(median)}, mean ${shown(mean)}.`,
		...(isExact ? [] : ['In brackets: where the true figures are, with a confidence of 95 %.']),
		...(isFew
			? [
					`Fewer than ${enoughMeasured} values: a few keys that hold up to ${shortSize(limits.valueBytes)} would not be noticed.`,
				]
			: []),
		...(isRough && !isFew
			? ['A few large values make most of the total, which is uncertain: a larger sample narrows it.']
			: []),
		...(!isExact && mostLarger > 0 && largest[0]
			? [
					`At most ${counted(mostLarger, 'key')} (${shareText(mostLarger, keys)}) ${mostLarger === 1 ? 'has' : 'have'} a larger value than ${shortSize(largest[0].bytes)}, the largest of the sample.`,
				]
			: []),
		...(gone > 0
			? [`${counted(gone, 'key')} ${gone === 1 ? 'was' : 'were'} gone when the values were read.`]
			: []),
	];
	const population = isExact ? measured : keys;
	const bars = sizes.buckets.map(({from, below, keys: count}) => ({
		label: bucketText(from, below),
		value: count.value,
		note:
			count.low === count.high
				? shareText(count.value, population)
				: `${shareText(count.value, population)} (${shareText(count.low, population)} to ${shareText(count.high, population)})`,
	}));
	return {name: 'sizes', title: 'Sizes of values, without names and metadata', lines, bars, unit: 'count'};
}

function largestSection({largest, isExact}: ValueSizes): StatsSection {
	return {
		name: 'largest',
		title: isExact ? 'Largest values' : 'Largest values of the sample',
		lines: [],
		bars: largest.map(({key, bytes}) => ({label: key, value: bytes, target: {kind: 'key', key}})),
		unit: 'bytes',
	};
}

function expiriesSection({expiries, keys}: KvStats): StatsSection {
	const {never, spans, earliest, latest} = expiries;
	const lines =
		earliest === undefined || latest === undefined
			? ['No key expires.']
			: [`The first expires at ${isoExpiration(earliest)}, the last at ${isoExpiration(latest)}.`];
	const bar = (label: string, value: number): Bar => ({label, value, note: shareText(value, keys)});
	const bars = [...expirySpans.map(({name}, at) => bar(name, spans[at] ?? 0)), bar('never', never)];
	return {
		name: 'expiries',
		title: 'Expiries',
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

function metadataSection({metadata, keys}: KvStats): StatsSection {
	const {none, kinds, bytes, largest, fields, otherFields} = metadata;
	const present = keys - none;
	const others = kinds.filter(({kind}) => kind !== 'object');
	const lines =
		present === 0
			? [keys === 0 ? '' : 'No key has metadata.']
			: [
					`${counted(present, 'key')} (${shareText(present, keys)}) ${present === 1 ? 'has' : 'have'} metadata: ${shortSize(bytes)} together, at most ${shortSize(largest)} each.`,
					...(others.length > 0
						? [
								`Not objects: ${others.map(({kind, keys: count}) => `${grouped(count)} ${kindNames[kind]}`).join(', ')}.`,
							]
						: []),
					...(otherFields > 0
						? [`More fields than are kept: others were found ${quantity(otherFields, 'time')}.`]
						: []),
				];
	return {
		name: 'metadata',
		title: 'Metadata fields',
		lines: lines.filter(line => line !== ''),
		bars: fields.map(field => ({
			label: field.name,
			value: field.keys,
			note: `${shareText(field.keys, keys)}, ${field.kinds.map(({kind}) => kindNames[kind]).join(', ')}, at most ${shortSize(field.largest)}`,
		})),
		unit: 'count',
	};
}

function sizeText({value, low, high}: Estimate, isExact: boolean): string {
	if (isExact) return shortSize(value);
	const [from, to] = [shortSize(low), shortSize(high)];
	return from === to ? `about ${shortSize(value)}` : `${shortSize(value)} (${from} to ${to})`;
}

/** Formats a share in percent: `60 %`, `0.3 %`, `<0.1 %`. */
function shareText(part: number, whole: number): string {
	const share = whole === 0 ? 0 : (part * 100) / whole;
	if (part > 0 && share < 0.1) return '<0.1 %';
	if (part < whole && share > 99.9) return '>99.9 %';
	const isNearAnEnd = (share < 10 && part > 0) || (share > 99 && part < whole);
	return `${isNearAnEnd ? share.toFixed(1).replace('.0', '') : Math.round(share)} %`;
}

/** `0 B`, `1 to 3 B`, `256 B to 1 KB`. */
function bucketText(from: number, below: number): string {
	if (from === 0) return '0 B';
	if (below <= 1024) return `${from} to ${below - 1} B`;
	return `${shortSize(from)} to ${shortSize(below)}`;
}
