import {type Address, formatIpAddress, parseIpAddress, parseNetwork} from '../grammar/addresses.ts';
import {abbreviate, type Parser} from '../grammar/parser.ts';
import type {Correction} from '../grammar/problem.ts';
import type {Literal} from '../grammar/tree.ts';

/** An item of a set of numbers or addresses, as the range of its values. */
type Interval = {
	readonly index: number;
	/** `integer`, or the version of the address: values of different kinds are never equal. */
	readonly kind: string;
	readonly first: bigint;
	readonly last: bigint;
};

/** An item that another one makes redundant, both by index. */
type Redundancy = {readonly index: number; readonly other: number};

/**
 * Warns of items of a set that add nothing: duplicates, and addresses or numbers that a network or range of
 * the same set contains. Adds a hint to ranges that overlap.
 */
export function checkRedundantValues(parser: Parser, items: readonly Literal[]): void {
	if (items.length < 2) return;
	const intervals = items.flatMap((item, index) => toInterval(item, index) ?? []);
	const {duplicates, contained, overlaps} = compareIntervals(intervals);
	duplicates.push(...findEqualStrings(items));
	warnRedundant(parser, items, duplicates, 'L100', () => 'is in this set already');
	warnRedundant(parser, items, contained, 'L101', other => `is part of ${quote(parser, other)}`);
	const [overlap] = overlaps;
	if (overlap) hintOverlap(parser, items, overlap);
}

function toInterval(item: Literal, index: number): Interval | undefined {
	switch (item.kind) {
		case 'integer':
			return {index, kind: 'integer', first: item.value, last: item.value};
		case 'address': {
			const address = parseIpAddress(item.text);
			return address.ok ? toAddressInterval(index, address, address.value) : undefined;
		}
		case 'network': {
			const network = parseNetwork(item.text);
			if (!network.ok) return undefined;
			const hostBits = BigInt((network.version === 4 ? 32 : 128) - network.bits);
			return toAddressInterval(index, network, network.value + (1n << hostBits) - 1n);
		}
		case 'range': {
			const [first, last] = [toInterval(item.first, index), toInterval(item.last, index)];
			return first && last && {...first, last: last.last};
		}
		default:
			return undefined;
	}
}

const toAddressInterval = (index: number, {version, value}: Address, last: bigint): Interval => ({
	index,
	kind: `IPv${version}`,
	first: value,
	last,
});

/** Compares intervals in the order of their values; each has at most one result. */
function compareIntervals(intervals: readonly Interval[]): {
	duplicates: Redundancy[];
	contained: Redundancy[];
	overlaps: (readonly [Interval, Interval])[];
} {
	const duplicates: Redundancy[] = [];
	const contained: Redundancy[] = [];
	const overlaps: (readonly [Interval, Interval])[] = [];
	/** The interval that reaches farthest so far. */
	let widest: Interval | undefined;
	for (const interval of intervals.toSorted(compareByValue)) {
		if (!widest || widest.kind !== interval.kind || interval.first > widest.last) widest = interval;
		else if (interval.last <= widest.last) {
			const isDuplicate = interval.first === widest.first && interval.last === widest.last;
			(isDuplicate ? duplicates : contained).push({index: interval.index, other: widest.index});
		} else {
			overlaps.push([widest, interval]);
			widest = interval;
		}
	}
	return {duplicates, contained, overlaps};
}

/** Orders by first value, the larger interval first, and equal ones as in the text. */
function compareByValue(one: Interval, other: Interval): number {
	if (one.kind !== other.kind) return one.kind < other.kind ? -1 : 1;
	if (one.first !== other.first) return one.first < other.first ? -1 : 1;
	if (one.last !== other.last) return one.last > other.last ? -1 : 1;
	return one.index - other.index;
}

function findEqualStrings(items: readonly Literal[]): readonly Redundancy[] {
	const indexes = new Map<string, number>();
	return items.flatMap((item, index) => {
		if (item.kind !== 'string') return [];
		const other = indexes.get(item.value);
		if (other === undefined) indexes.set(item.value, index);
		return other === undefined ? [] : {index, other};
	});
}

/** Warns once per set, with a correction that removes all redundant items. */
function warnRedundant(
	parser: Parser,
	items: readonly Literal[],
	redundancies: readonly Redundancy[],
	code: 'L100' | 'L101',
	formatReason: (other: Literal) => string,
): void {
	const [first] = redundancies.toSorted((one, other) => one.index - other.index);
	const item = first && items[first.index];
	const other = first && items[first.other];
	if (!item || !other) return;
	const moreCount = redundancies.length - 1;
	const more =
		moreCount === 0 ? '' : ` The same goes for ${moreCount} more value${moreCount === 1 ? '' : 's'}.`;
	parser.warning(item, `${quote(parser, item)} ${formatReason(other)}: it has no effect.${more}`, {
		code,
		correction: buildRemoval(parser, items, new Set(redundancies.map(({index}) => index))),
	});
}

const quote = (parser: Parser, item: Literal): string => abbreviate(parser.slice(item));

/** Rewrites a part of a set without some of its items, and with other text for some. */
function buildRemoval(
	parser: Parser,
	items: readonly Literal[],
	removed: ReadonlySet<number>,
	replacements: ReadonlyMap<number, string> = new Map(),
): Correction {
	const changed = [...removed, ...replacements.keys()].toSorted((one, other) => one - other);
	// With an item that stays, since a correction without text is hard to read.
	const from = Math.max(0, (changed[0] ?? 0) - 1);
	const to = (changed.at(-1) ?? 0) + (removed.has(from) ? 1 : 0);
	let text = '';
	const part = items.slice(from, to + 1);
	const span = {start: part[0]?.start ?? 0, end: part.at(-1)?.end ?? 0};
	let end = span.start;
	for (const [offset, item] of part.entries()) {
		if (!removed.has(from + offset)) {
			// The space before the first item that stays belongs to the removed ones.
			if (text !== '') text += parser.text.slice(end, item.start);
			text += replacements.get(from + offset) ?? parser.slice(item);
		}
		end = item.end;
	}
	return {span, text};
}

function hintOverlap(
	parser: Parser,
	items: readonly Literal[],
	[lower, upper]: readonly [Interval, Interval],
): void {
	const [lowerItem, upperItem] = [items[lower.index], items[upper.index]];
	if (!lowerItem || !upperItem) return;
	const union = `${formatBound(lower.kind, lower.first)}..${formatBound(upper.kind, upper.last)}`;
	const [kept, dropped] = lower.index < upper.index ? [lower.index, upper.index] : [upper.index, lower.index];
	parser.hint(
		lower.index < upper.index ? upperItem : lowerItem,
		`${quote(parser, lowerItem)} and ${quote(parser, upperItem)} overlap: together they are ${union}.`,
		{code: 'L102', correction: buildRemoval(parser, items, new Set([dropped]), new Map([[kept, union]]))},
	);
}

const formatBound = (kind: string, value: bigint): string =>
	kind === 'integer' ? String(value) : formatIpAddress({version: kind === 'IPv4' ? 4 : 6, value});
