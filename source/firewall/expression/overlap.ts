import {addressItems, type Stretch} from './address-set.ts';
import {holds} from './evaluate.ts';
import type {Address} from './grammar/addresses.ts';
import type {Argument, Expression, Operand, RightSide} from './grammar/tree.ts';
import {canMatchAddress, fieldsOf} from './possible.ts';
import {withoutConstants} from './reach.ts';
import {sampleTraffic, type Value} from './sample-requests.ts';
import {fieldNamed} from './vocabulary/fields.ts';

/** How many of the requests that match one expression also match another. */
export type Overlap =
	| {readonly kind: 'none'}
	| {readonly kind: 'all'}
	/**
	 * `addresses`: sources of the shared requests, if the expressions name any. `isWhole`: true if all
	 * requests from these that match the first expression are shared.
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
export function findOverlap(one: string, other: string): Overlap {
	const key = `${one}\n${other}`;
	const known = overlaps.get(key);
	if (known) return known;
	if (overlaps.size >= 500) overlaps.clear();
	const found = compareTrees(withoutConstants(one), withoutConstants(other));
	overlaps.set(key, found);
	return found;
}

/** Cache: screens compare the same expressions on each render. */
const overlaps = new Map<string, Overlap>();

function compareTrees(one: Expression | undefined, other: Expression | undefined): Overlap {
	if (!one || !other) return {kind: 'possible'};
	const [items, others] = [addressItems(one), addressItems(other)];
	const from = [...collectEnds([...items, ...others]), ...anyAddresses].filter(address =>
		canMatchAddress(one, address),
	);
	if (!from.some(address => canMatchAddress(other, address))) return {kind: 'none'};
	const {choices, isCut} = buildChoices([one, other], Math.max(8, Math.floor(maxRequests / from.length)));
	const results = from.map(address => {
		const requests = choices.map(choice => ({
			number: 0,
			version: address.version,
			field: (name: string) => (name === 'ip.src' ? address : choice(name)),
		}));
		const matched = requests.filter(request => holds(one, request));
		const both = matched.filter(request => holds(other, request)).length;
		return {address, matches: matched.length > 0, isHit: both > 0, isWhole: both === matched.length};
	});
	const matching = results.filter(({matches}) => matches);
	const hits = matching.filter(({isHit}) => isHit);
	const isUnsure = isCut || isOpaque(one) || isOpaque(other);
	if (hits.length === 0) return {kind: isUnsure || matching.length === 0 ? 'possible' : 'none'};
	// The country or network of an address is unknown here.
	if ((items.length > 0 && namesPlaces(other)) || (others.length > 0 && namesPlaces(one)))
		return {kind: 'possible'};
	if (!isUnsure && matching.every(({isWhole}) => isWhole)) return {kind: 'all'};
	return {
		kind: 'some',
		addresses: findSharedAddresses(items, others, matching),
		isWhole: !isUnsure && hits.every(({isWhole}) => isWhole),
	};
}

/** True if an expression names countries or networks of addresses, and no addresses. */
const namesPlaces = (tree: Expression): boolean =>
	addressItems(tree).length === 0 &&
	findConditions(tree).some(({fields}) => fields.some(name => /^ip\.(?:src\.|geoip\.)/.test(name)));

type Item = Stretch & {readonly text: string};
type Result = {readonly address: Address; readonly isHit: boolean};

/** Addresses of the first expression that both match; if it names none, those of the second. */
function findSharedAddresses(
	items: readonly Item[],
	others: readonly Item[],
	results: readonly Result[],
): readonly string[] {
	const isShared = (item: Item): boolean => {
		const inside = results.filter(({address}) => isInside(address, item));
		return inside.length > 0 && inside.every(({isHit}) => isHit);
	};
	const isHit = (item: Item): boolean =>
		results.some(({address, isHit: hit}) => hit && isInside(address, item));
	if (items.length === 0) return toUniqueTexts(others.filter(isShared));
	return items.filter(isHit).flatMap(item => {
		if (isShared(item)) return [item.text];
		const parts = toUniqueTexts(others.filter(part => isWithin(part, item) && isShared(part)));
		return parts.length > 0 ? parts : [`a part of ${item.text}`];
	});
}

const toUniqueTexts = (items: readonly Item[]): readonly string[] => [
	...new Set(items.map(({text}) => text)),
];

const isInside = ({version, value}: Address, item: Stretch): boolean =>
	version === item.version && value >= item.first && value <= item.last;

const isWithin = (part: Stretch, whole: Stretch): boolean =>
	part.version === whole.version && part.first >= whole.first && part.last <= whole.last;

/** First and last address of each item, without duplicates. */
function collectEnds(items: readonly Stretch[]): readonly Address[] {
	const all = items.flatMap(({version, first, last}) => [
		{version, value: first},
		{version, value: last},
	]);
	return [...new Map(all.map(address => [`${address.version} ${address.value}`, address])).values()];
}

/** Some requests per IP version, one of them unusual. */
const anyRequests = sampleTraffic()
	.slice(0, 2)
	.flatMap(requests => requests.filter(({number}) => number % 7 === 1));
const anyAddresses = anyRequests.flatMap(request => {
	const address = request.field('ip.src');
	return typeof address === 'object' && 'version' in address ? [address] : [];
});

/** Gets the value of a field in one made-up request. */
type Choice = (name: string) => Value;

/**
 * Builds combinations of values for the fields of some expressions, at most `most`; `isCut` if values were
 * dropped. The parts of a URL are chosen together.
 */
function buildChoices(
	trees: readonly Expression[],
	most: number,
): {readonly choices: readonly Choice[]; readonly isCut: boolean} {
	const named = new Map<string, Set<Value>>();
	const add = (name: string, values: readonly Value[]) => {
		const known = named.get(name) ?? new Set();
		for (const value of values) known.add(value);
		named.set(name, known);
	};
	for (const {fields, literals} of trees.flatMap(findConditions))
		for (const name of fields) {
			if (name === 'ip.src') continue;
			const part = urlParts[name.replace(/^raw\./, '')];
			if (part === undefined) add(name, [...literals.flatMap(findNearby), ...getSamples(name)]);
			else
				add(url, [
					...literals.flatMap(literal => buildUrls(part, literal)),
					...getSamples('http.request.uri'),
				]);
			if (part === 'full') add('http.host', [...literals.flatMap(parseHost), ...getSamples('http.host')]);
		}
	const lists = [...named].map(([name, values]) => ({name, values: [...values]}));
	let isCut = false;
	const combinations = () => lists.reduce((product, {values}) => product * values.length, 1);
	while (combinations() > most) {
		isCut = true;
		// Named values come first, so sample values are dropped first.
		lists.toSorted((a, b) => b.values.length - a.values.length)[0]?.values.pop();
	}
	const choices = Array.from({length: combinations()}, (_, number) => {
		const chosen = new Map<string, Value>();
		let rest = number;
		for (const {name, values} of lists) {
			chosen.set(name, values[rest % values.length]);
			rest = Math.floor(rest / values.length);
		}
		return (name: string) => getChosenValue(name, chosen);
	});
	return {choices, isCut};
}

const url = 'url';
const urlParts: Readonly<Record<string, 'path' | 'uri' | 'query' | 'full'>> = {
	'http.request.uri.path': 'path',
	'http.request.uri': 'uri',
	'http.request.uri.query': 'query',
	'http.request.full_uri': 'full',
};

function getChosenValue(name: string, chosen: ReadonlyMap<string, Value>): Value {
	const part = urlParts[name.replace(/^raw\./, '')];
	if (part === undefined) return shapeValue(name, chosen.get(name));
	const uri = String(chosen.get(url) ?? '/');
	const mark = uri.indexOf('?');
	switch (part) {
		case 'path':
			return mark < 0 ? uri : uri.slice(0, mark);
		case 'query':
			return mark < 0 ? '' : uri.slice(mark + 1);
		case 'uri':
			return uri;
		case 'full':
			return `https://${String(chosen.get('http.host') ?? 'host.example')}${uri}`;
	}
}

/** Wraps a value as its field's type requires. */
function shapeValue(name: string, value: Value): Value {
	const type = fieldNamed(name)?.type;
	if (value === undefined || typeof value === 'object') return value;
	if (type?.kind === 'Map') return {byName: new AnyName(type.of.kind === 'Array' ? [value] : value)};
	return type?.kind === 'Array' ? [value] : value;
}

/** A map with the same value under every key, so that it fits whatever key an expression looks up. */
class AnyName extends Map<string, Value> {
	readonly #value: Value;

	constructor(value: Value) {
		super([['any', value]]);
		this.#value = value;
	}

	override get(): Value {
		return this.#value;
	}

	override has(): boolean {
		return true;
	}
}

const getSamples = (name: string): readonly Value[] =>
	fieldNamed(name)?.type?.kind === 'Boolean'
		? [true, false]
		: anyRequests.map(request => request.field(name));

/** A number and its neighbours, for comparisons other than equality. */
const findNearby = (literal: Value): readonly Value[] =>
	typeof literal === 'number' ? [literal, literal - 1, literal + 1] : [literal];

function buildUrls(part: 'path' | 'uri' | 'query' | 'full', literal: Value): readonly string[] {
	if (typeof literal !== 'string') return [];
	const text = literal.replaceAll('*', '');
	const local = part === 'full' ? text.replace(/^[a-z]*:\/\/[^/]*/i, '') : text;
	if (part === 'query') return [`/?${local}`];
	return [local.startsWith('/') ? local : `/${local}`];
}

const parseHost = (literal: Value): readonly string[] => {
	const [, host = ''] = /^[a-z]*:\/\/([^/]*)/i.exec(String(literal)) ?? [];
	return host === '' || host.includes('*') ? [] : [host];
};

/** Fields that are compared, and the literals they are compared with. */
type Condition = {readonly fields: readonly string[]; readonly literals: readonly Value[]};

function findConditions(tree: Expression): readonly Condition[] {
	switch (tree.kind) {
		case 'group':
			return findConditions(tree.inner);
		case 'not':
			return findConditions(tree.operand);
		case 'logical':
			return tree.operands.flatMap(findConditions);
		case 'bare':
			return buildConditions([tree.operand]);
		case 'comparison':
			return buildConditions([tree.left, tree.right]);
	}
}

const buildConditions = (operands: readonly (Operand | RightSide)[]): readonly Condition[] => [
	{fields: operands.flatMap(fieldsOf), literals: operands.flatMap(findLiterals)},
	...operands.flatMap(findNestedConditions),
];

const findNestedConditions = (one: Operand | RightSide): readonly Condition[] =>
	one.kind === 'call'
		? one.arguments.flatMap(argument =>
				argument.kind === 'expression' ? findConditions(argument.expression) : findNestedConditions(argument),
			)
		: [];

function findLiterals(one: Operand | RightSide | Argument): readonly Value[] {
	switch (one.kind) {
		case 'string':
		case 'boolean':
			return [one.value];
		case 'integer':
			return [Number(one.value)];
		case 'set':
			return one.items.flatMap(findLiterals);
		case 'range':
			return [...findLiterals(one.first), ...findLiterals(one.last)];
		case 'call':
			return one.arguments.flatMap(findLiterals);
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
			const isCompared = operator === 'matches' || operator === 'bitwise_and' || right.kind === 'list';
			return isCompared || hasOpaqueCall(left) || fieldsOf(right).length > 0;
		}
	}
}

const plainCalls: ReadonlySet<string> = new Set(['lower', 'upper', 'starts_with', 'ends_with', 'any', 'all']);

const hasOpaqueCall = (one: Operand | Argument): boolean =>
	one.kind === 'call' &&
	(!plainCalls.has(one.name) ||
		one.arguments.some(argument =>
			argument.kind === 'expression' ? isOpaque(argument.expression) : hasOpaqueCall(argument),
		));
