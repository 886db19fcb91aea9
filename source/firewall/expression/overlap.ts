import {type AddressRange, collectSourceAddresses} from './address-set.ts';
import {matchesRequest} from './evaluate.ts';
import type {FieldValue} from './field-value.ts';
import type {Address} from './grammar/addresses.ts';
import type {Argument, Expression, Operand, RightSide} from './grammar/tree.ts';
import {isImplied} from './implication.ts';
import {canMatchAddress, listOperandFields} from './possible-results.ts';
import {getSampleTraffic} from './sample-requests.ts';
import {parseAllowingConstants} from './traffic-share.ts';
import {findField} from './vocabulary/fields.ts';

/** How many of the requests that match one expression also match another. */
export type Overlap =
	| {readonly kind: 'none'}
	/** Certain: proven from the form of the expressions. */
	| {readonly kind: 'all'}
	/**
	 * `addresses`: sources of the shared requests, if the expressions name any. `isWhole`: true if
	 * the other expression matches all requests from these addresses that the first one matches.
	 */
	| {readonly kind: 'some'; readonly addresses: readonly string[]; readonly isWhole: boolean}
	/** Unknown: invalid expressions, regular expressions, lists, or an address compared with a country. */
	| {readonly kind: 'possible'};

/** Maximum number of requests to try. */
const maxRequests = 4_000;

/**
 * Compares two expressions by evaluating requests made from the values that both name, and from sample
 * values. Local and deterministic.
 */
export function findOverlap(expression: string, otherExpression: string): Overlap {
	const key = `${expression}\n${otherExpression}`;
	const cached = overlaps.get(key);
	if (cached) return cached;
	if (overlaps.size >= 500) overlaps.clear();
	const result = compareTrees(parseAllowingConstants(expression), parseAllowingConstants(otherExpression));
	overlaps.set(key, result);
	return result;
}

/** Cache: screens compare the same expressions on each render. */
const overlaps = new Map<string, Overlap>();

function compareTrees(tree: Expression | undefined, otherTree: Expression | undefined): Overlap {
	if (!tree || !otherTree) return {kind: 'possible'};
	if (isImplied(tree, otherTree)) return {kind: 'all'};
	const [items, otherItems] = [collectSourceAddresses(tree), collectSourceAddresses(otherTree)];
	const addresses = [...collectEnds([...items, ...otherItems]), ...sampleAddresses].filter(address =>
		canMatchAddress(tree, address),
	);
	if (!addresses.some(address => canMatchAddress(otherTree, address))) return {kind: 'none'};
	const {fieldGetters, isTruncated} = buildFieldGetters(
		[tree, otherTree],
		Math.max(8, Math.floor(maxRequests / addresses.length)),
	);
	const results = addresses.map(address => {
		const requests = fieldGetters.map(getFieldValue => ({
			index: 0,
			version: address.version,
			field: (name: string) => (name === 'ip.src' ? address : getFieldValue(name)),
		}));
		const matchedRequests = requests.filter(request => matchesRequest(tree, request));
		const sharedCount = matchedRequests.filter(request => matchesRequest(otherTree, request)).length;
		return {
			address,
			matches: matchedRequests.length > 0,
			isHit: sharedCount > 0,
			isWhole: sharedCount === matchedRequests.length,
		};
	});
	const matchingResults = results.filter(({matches}) => matches);
	const hits = matchingResults.filter(({isHit}) => isHit);
	const isUnsure = isTruncated || isOpaque(tree) || isOpaque(otherTree);
	if (hits.length === 0) return {kind: isUnsure || matchingResults.length === 0 ? 'possible' : 'none'};
	// The countries and autonomous systems of addresses are unknown here.
	if (
		(items.length > 0 && filtersByLocation(otherTree)) ||
		(otherItems.length > 0 && filtersByLocation(tree))
	)
		return {kind: 'possible'};
	return {
		kind: 'some',
		addresses: listSharedAddresses(items, otherItems, matchingResults),
		// If all of them matched, it would have been proven if the samples told the truth.
		isWhole: !isUnsure && hits.length < matchingResults.length && hits.every(({isWhole}) => isWhole),
	};
}

/**
 * True if an expression names countries, autonomous systems or the like (`ip.src.country`, `ip.src.asnum`), and
 * no addresses.
 */
const filtersByLocation = (tree: Expression): boolean =>
	collectSourceAddresses(tree).length === 0 &&
	collectConditions(tree).some(({fields}) => fields.some(name => /^ip\.(?:src\.|geoip\.)/.test(name)));

type Item = AddressRange & {readonly text: string};
/** `isHit`: true if both expressions match a request from the address. */
type Result = {readonly address: Address; readonly isHit: boolean};

/** Lists the addresses of the first expression that both match; if it names none, those of the second. */
function listSharedAddresses(
	items: readonly Item[],
	otherItems: readonly Item[],
	results: readonly Result[],
): readonly string[] {
	const isShared = (item: Item): boolean => {
		const insideResults = results.filter(({address}) => isInside(address, item));
		return insideResults.length > 0 && insideResults.every(({isHit}) => isHit);
	};
	const isHit = (item: Item): boolean =>
		results.some(({address, isHit: hit}) => hit && isInside(address, item));
	if (items.length === 0) return toUniqueTexts(otherItems.filter(isShared));
	return items.filter(isHit).flatMap(item => {
		if (isShared(item)) return [item.text];
		const parts = toUniqueTexts(otherItems.filter(part => isSubrange(part, item) && isShared(part)));
		return parts.length > 0 ? parts : [`part of ${item.text}`];
	});
}

const toUniqueTexts = (items: readonly Item[]): readonly string[] => [
	...new Set(items.map(({text}) => text)),
];

const isInside = ({version, value}: Address, item: AddressRange): boolean =>
	version === item.version && value >= item.first && value <= item.last;

const isSubrange = (part: AddressRange, whole: AddressRange): boolean =>
	part.version === whole.version && part.first >= whole.first && part.last <= whole.last;

/** First and last address of each item, without duplicates. */
function collectEnds(items: readonly AddressRange[]): readonly Address[] {
	const ends = items.flatMap(({version, first, last}) => [
		{version, value: first},
		{version, value: last},
	]);
	return [...new Map(ends.map(address => [`${address.version} ${address.value}`, address])).values()];
}

/**
 * A few requests per IP version: the first two groups differ only in it. Index 1 is an unusual request; 8, 15,
 * … are ordinary ones.
 */
const sampleRequests = getSampleTraffic()
	.slice(0, 2)
	.flatMap(requests => requests.filter(({index}) => index % 7 === 1));
const sampleAddresses = sampleRequests.flatMap(request => {
	const address = request.field('ip.src');
	return typeof address === 'object' && 'version' in address ? [address] : [];
});

/** Gets the value of a field in one made-up request. */
type FieldGetter = (name: string) => FieldValue;

/**
 * Builds combinations of values for the fields of some expressions, at most `maxFieldGetters`. `isTruncated`
 * is true if values were dropped. The parts of a URL are chosen together.
 */
function buildFieldGetters(
	trees: readonly Expression[],
	maxFieldGetters: number,
): {readonly fieldGetters: readonly FieldGetter[]; readonly isTruncated: boolean} {
	const valuesByField = new Map<string, Set<FieldValue>>();
	const addValues = (name: string, values: readonly FieldValue[]) => {
		const fieldValues = valuesByField.get(name) ?? new Set();
		for (const value of values) fieldValues.add(value);
		valuesByField.set(name, fieldValues);
	};
	for (const {fields, literals} of trees.flatMap(collectConditions))
		for (const name of fields) {
			if (name === 'ip.src') continue;
			const part = urlParts[name.replace(/^raw\./, '')];
			if (part === undefined)
				addValues(name, [...literals.flatMap(listNearbyValues), ...listSampleValues(name)]);
			else
				addValues(uriKey, [
					...literals.flatMap(literal => buildUris(part, literal)),
					...listSampleValues('http.request.uri'),
				]);
			if (part === 'full')
				addValues('http.host', [...literals.flatMap(parseHost), ...listSampleValues('http.host')]);
		}
	const candidateValues = [...valuesByField].map(([name, values]) => ({name, values: [...values]}));
	let isTruncated = false;
	const countCombinations = () => candidateValues.reduce((product, {values}) => product * values.length, 1);
	while (countCombinations() > maxFieldGetters) {
		isTruncated = true;
		// Named values come first, so sample values are dropped first.
		candidateValues.toSorted((a, b) => b.values.length - a.values.length)[0]?.values.pop();
	}
	const fieldGetters = Array.from({length: countCombinations()}, (_, combinationIndex) => {
		const chosenValues = new Map<string, FieldValue>();
		let remainder = combinationIndex;
		for (const {name, values} of candidateValues) {
			chosenValues.set(name, values[remainder % values.length]);
			remainder = Math.floor(remainder / values.length);
		}
		return (name: string) => getChosenValue(name, chosenValues);
	});
	return {fieldGetters, isTruncated};
}

/** Key of the URI (path and query) from which the parts of a URL are taken. */
const uriKey = 'url';
const urlParts: Readonly<Record<string, 'path' | 'uri' | 'query' | 'full'>> = {
	'http.request.uri.path': 'path',
	'http.request.uri': 'uri',
	'http.request.uri.query': 'query',
	'http.request.full_uri': 'full',
};

function getChosenValue(name: string, chosenValues: ReadonlyMap<string, FieldValue>): FieldValue {
	const part = urlParts[name.replace(/^raw\./, '')];
	if (part === undefined) return wrapValue(name, chosenValues.get(name));
	const uri = String(chosenValues.get(uriKey) ?? '/');
	const queryIndex = uri.indexOf('?');
	switch (part) {
		case 'path':
			return queryIndex < 0 ? uri : uri.slice(0, queryIndex);
		case 'query':
			return queryIndex < 0 ? '' : uri.slice(queryIndex + 1);
		case 'uri':
			return uri;
		case 'full':
			return `https://${String(chosenValues.get('http.host') ?? 'host.example')}${uri}`;
	}
}

/** Wraps a value as its field's type requires. */
function wrapValue(name: string, value: FieldValue): FieldValue {
	const type = findField(name)?.type;
	if (value === undefined || typeof value === 'object') return value;
	if (type?.kind === 'Map') return {byName: new AnyKeyMap(type.of.kind === 'Array' ? [value] : value)};
	return type?.kind === 'Array' ? [value] : value;
}

/** A map that returns the same value for every key, since it is unknown which one an expression looks up. */
class AnyKeyMap extends Map<string, FieldValue> {
	readonly #value: FieldValue;

	constructor(value: FieldValue) {
		super([['any', value]]);
		this.#value = value;
	}

	override get(): FieldValue {
		return this.#value;
	}

	override has(): boolean {
		return true;
	}
}

const listSampleValues = (name: string): readonly FieldValue[] =>
	findField(name)?.type?.kind === 'Boolean'
		? [true, false]
		: sampleRequests.map(request => request.field(name));

/** A number and its neighbours, for comparisons other than equality. */
const listNearbyValues = (literal: FieldValue): readonly FieldValue[] =>
	typeof literal === 'number' ? [literal, literal - 1, literal + 1] : [literal];

function buildUris(part: 'path' | 'uri' | 'query' | 'full', literal: FieldValue): readonly string[] {
	if (typeof literal !== 'string') return [];
	const text = literal.replaceAll('*', '');
	const pathAndQuery = part === 'full' ? text.replace(/^[a-z]*:\/\/[^/]*/i, '') : text;
	if (part === 'query') return [`/?${pathAndQuery}`];
	return [pathAndQuery.startsWith('/') ? pathAndQuery : `/${pathAndQuery}`];
}

const parseHost = (literal: FieldValue): readonly string[] => {
	const [, host = ''] = /^[a-z]*:\/\/([^/]*)/i.exec(String(literal)) ?? [];
	return host === '' || host.includes('*') ? [] : [host];
};

/** Fields that are compared, and the literals they are compared with. */
type Condition = {readonly fields: readonly string[]; readonly literals: readonly FieldValue[]};

function collectConditions(tree: Expression): readonly Condition[] {
	switch (tree.kind) {
		case 'group':
			return collectConditions(tree.inner);
		case 'not':
			return collectConditions(tree.operand);
		case 'logical':
			return tree.operands.flatMap(collectConditions);
		case 'bare':
			return buildConditions([tree.operand]);
		case 'comparison':
			return buildConditions([tree.left, tree.right]);
	}
}

const buildConditions = (operands: readonly (Operand | RightSide)[]): readonly Condition[] => [
	{fields: operands.flatMap(listOperandFields), literals: operands.flatMap(collectLiterals)},
	...operands.flatMap(collectNestedConditions),
];

const collectNestedConditions = (one: Operand | RightSide): readonly Condition[] =>
	one.kind === 'call'
		? one.arguments.flatMap(argument =>
				argument.kind === 'expression'
					? collectConditions(argument.expression)
					: collectNestedConditions(argument),
			)
		: [];

function collectLiterals(one: Operand | RightSide | Argument): readonly FieldValue[] {
	switch (one.kind) {
		case 'string':
		case 'boolean':
			return [one.value];
		case 'integer':
			return [Number(one.value)];
		case 'set':
			return one.items.flatMap(collectLiterals);
		case 'range':
			return [...collectLiterals(one.first), ...collectLiterals(one.last)];
		case 'call':
			return one.arguments.flatMap(collectLiterals);
		default:
			return [];
	}
}

/** True if matching values cannot be derived from the literals of an expression. */
function isOpaque(tree: Expression): boolean {
	switch (tree.kind) {
		case 'group':
			return isOpaque(tree.inner);
		case 'not':
			return isOpaque(tree.operand);
		case 'logical':
			return tree.operands.some(isOpaque);
		case 'bare':
			return hasOpaqueCall(tree.operand);
		case 'comparison': {
			const {left, operator, right} = tree;
			const isOpaqueComparison =
				operator === 'matches' || operator === 'bitwise_and' || right.kind === 'list';
			return isOpaqueComparison || hasOpaqueCall(left) || listOperandFields(right).length > 0;
		}
	}
}

const transparentCalls: ReadonlySet<string> = new Set([
	'lower',
	'upper',
	'starts_with',
	'ends_with',
	'any',
	'all',
]);

const hasOpaqueCall = (one: Operand | Argument): boolean =>
	one.kind === 'call' &&
	(!transparentCalls.has(one.name) ||
		one.arguments.some(argument =>
			argument.kind === 'expression' ? isOpaque(argument.expression) : hasOpaqueCall(argument),
		));
