import {analyse} from './analyse.ts';
import {type Address, parseIpAddress, parseNetwork} from './grammar/addresses.ts';
import {type Expression, isLiteral, type Literal, type RightSide} from './grammar/tree.ts';

/** A range of addresses of one IP version; both ends are included. */
export type AddressRange = {readonly version: 4 | 6; readonly first: bigint; readonly last: bigint};

/** An expression extended by further addresses. */
type ExtendedSet = {
	/** Unchanged if nothing was added. */
	readonly expression: string;
	readonly added: readonly string[];
	/** Addresses that the expression, or another added address, already matches. */
	readonly covered: readonly string[];
};

/**
 * Returns the addresses, networks and ranges of an expression that only tests the client address (`ip.src eq
 * …`, `ip.src in {…}`). Undefined for any other expression, and for one that cannot be parsed.
 */
export const parseAddressSet = (expression: string): readonly string[] | undefined =>
	parseSetItems(expression)?.map(item => expression.slice(item.start, item.end));

/**
 * Adds the addresses of the set `addition` to the set `expression`, as `ip.src in {…}`: the result matches
 * what either matches. Skips addresses that are already covered. Undefined unless both are sets of addresses.
 */
export function withAddresses(expression: string, addition: string): ExtendedSet | undefined {
	const [existingItems, newItems] = [parseSetItems(expression), parseSetItems(addition)];
	if (!existingItems || !newItems) return undefined;
	const ranges = existingItems.flatMap(item => toAddressRange(item) ?? []);
	const addedItems: string[] = [];
	const coveredItems: string[] = [];
	for (const item of newItems) {
		const text = addition.slice(item.start, item.end);
		const range = toAddressRange(item);
		if (!range) return undefined;
		if (isCovered(range, ranges)) coveredItems.push(text);
		else {
			addedItems.push(text);
			ranges.push(range);
		}
	}
	if (addedItems.length === 0) return {expression, added: addedItems, covered: coveredItems};
	const existingTexts = existingItems.map(item => expression.slice(item.start, item.end));
	return {
		expression: `ip.src in {${[...existingTexts, ...addedItems].join(' ')}}`,
		added: addedItems,
		covered: coveredItems,
	};
}

/**
 * Collects all addresses, networks and ranges that an expression compares with `ip.src`, in any condition.
 */
export function collectSourceAddresses(
	tree: Expression,
): readonly (AddressRange & {readonly text: string})[] {
	switch (tree.kind) {
		case 'group':
			return collectSourceAddresses(tree.inner);
		case 'not':
			return collectSourceAddresses(tree.operand);
		case 'logical':
			return tree.operands.flatMap(collectSourceAddresses);
		case 'bare':
			return [];
		case 'comparison': {
			const {left, right} = tree;
			const items = right.kind === 'set' ? right.items : [right];
			if (left.kind !== 'field' || left.name !== 'ip.src') return [];
			return items.flatMap(item => {
				const range = isLiteral(item) ? toAddressRange(item) : undefined;
				return range ? [{...range, text: formatAddressItem(item)}] : [];
			});
		}
	}
}

const formatAddressItem = (item: RightSide): string =>
	item.kind === 'range'
		? `${formatAddressItem(item.first)}..${formatAddressItem(item.last)}`
		: item.kind === 'address' || item.kind === 'network'
			? item.text
			: '';

function parseSetItems(expression: string): readonly Literal[] | undefined {
	const {tree, errors} = analyse(expression);
	const comparison = tree && errors.length === 0 ? unwrapGroups(tree) : undefined;
	if (comparison?.kind !== 'comparison') return undefined;
	const {left, operator, right} = comparison;
	if (left.kind !== 'field' || left.name !== 'ip.src' || left.indexes.length > 0) return undefined;
	if (operator === 'in') return right.kind === 'set' ? right.items : undefined;
	return operator === 'eq' && right.kind === 'address' ? [right] : undefined;
}

const unwrapGroups = (tree: Expression): Expression =>
	tree.kind === 'group' ? unwrapGroups(tree.inner) : tree;

const addressBits = {4: 32n, 6: 128n} as const;

/** Returns the addresses of an address, a network or a range; undefined for other literals. */
export function toAddressRange(item: Literal): AddressRange | undefined {
	switch (item.kind) {
		case 'address': {
			const address = toAddress(item);
			return address && {version: address.version, first: address.value, last: address.value};
		}
		case 'network': {
			const network = parseNetwork(item.text);
			if (!network.ok) return undefined;
			const size = 1n << (addressBits[network.version] - BigInt(network.bits));
			return {version: network.version, first: network.value, last: network.value + size - 1n};
		}
		case 'range': {
			const [first, last] = [toAddress(item.first), toAddress(item.last)];
			return first && last && {version: first.version, first: first.value, last: last.value};
		}
		default:
			return undefined;
	}
}

function toAddress(item: Literal): Address | undefined {
	const parsedAddress = item.kind === 'address' ? parseIpAddress(item.text) : undefined;
	return parsedAddress?.ok ? {version: parsedAddress.version, value: parsedAddress.value} : undefined;
}

type Range<Version> = {readonly version: Version; readonly first: bigint; readonly last: bigint};

/** True if `ranges` together cover a range, which may span several adjacent ones. */
export function isCovered<Version>(
	{version, first, last}: Range<Version>,
	ranges: readonly Range<Version>[],
): boolean {
	const sortedRanges = ranges
		.filter(one => one.version === version)
		.sort((one, other) => (one.first < other.first ? -1 : one.first > other.first ? 1 : 0));
	let nextAddress = first;
	for (const range of sortedRanges) {
		if (range.first > nextAddress) return false;
		if (range.last >= nextAddress) nextAddress = range.last + 1n;
		if (nextAddress > last) return true;
	}
	return false;
}
