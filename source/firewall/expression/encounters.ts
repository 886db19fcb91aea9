import {inspect} from 'node:util';
import {holds, literalValue} from './evaluate.ts';
import {readNetwork} from './grammar/addresses.ts';
import type {ComparisonOperator, Expression, Index, Literal, Operand} from './grammar/tree.ts';
import {withoutConstants} from './reach.ts';
import {type SampleRequest, sampleTraffic, type Value} from './sample-requests.ts';

/** A request, as far as some expressions tell it from others. */
type Encounter = {
	/** The expressions that hold for it. */
	readonly matched: ReadonlySet<string>;
	/** The part of ordinary traffic that it is a sample of; `undefined` where it was made up for one of the expressions. */
	readonly traffic: string | undefined;
};

/**
 * Samples of ordinary traffic of a zone, and for each expression requests that it is written for. An expression that holds for
 * all of them, or for none, gets one more for which it is taken to do the opposite, unless it is a constant.
 */
export function findEncounters(
	expressions: readonly string[],
	zone: string | undefined,
): readonly Encounter[] {
	const trees = new Map([...new Set(expressions)].map(text => [text, withoutConstants(text)]));
	const meet = (request: SampleRequest, traffic?: string): Encounter => ({
		matched: new Set([...trees].flatMap(([text, tree]) => (tree && holds(tree, request) ? [text] : []))),
		traffic,
	});
	const met = [
		...sampleTraffic(zone).flatMap((requests, site) =>
			requests.map(request => meet(request, `site ${site}`)),
		),
		...madeFor(
			[...trees.values()].filter(tree => tree !== undefined),
			zone,
		).map(request => meet(request)),
	];
	const [first] = met;
	return [
		...met,
		...[...trees.keys()].flatMap((text): readonly Encounter[] => {
			if (isConstant(text) || !first) return [];
			const held = met.filter(({matched}) => matched.has(text)).length;
			if (held > 0 && held < met.length) return [];
			const others = [...first.matched].filter(one => one !== text);
			return [{matched: new Set(held > 0 ? others : [...others, text]), traffic: undefined}];
		}),
	];
}

const isConstant = (text: string): boolean => /^[\s(]*(?:true|false)[\s)]*$/.test(text);

/** Fields of a request that have the values which expressions name. */
type Fields = ReadonlyMap<string, Value>;

/** The most requests that are made up, before only some combinations of values are tried. */
const mostMade = 4096;

/** Requests with every combination of the values that expressions name; where these are too many, with those of each expression. */
function madeFor(trees: readonly Expression[], zone: string | undefined): readonly SampleRequest[] {
	const named = trees.map(valuesIn);
	// Of each version of the protocol an unusual request and an ordinary one.
	const bases = sampleTraffic(zone)
		.slice(0, 2)
		.flatMap(requests => [...requests.slice(0, 1), ...requests.slice(-1)]);
	const combined = combinations(named.flat(), mostMade / bases.length);
	return (
		combined ?? named.flatMap(values => [fieldsOf(values), ...values.map(value => new Map([value]))])
	).flatMap(fields =>
		bases.map(base => ({
			...base,
			field: (name: string) => (fields.has(name) ? fields.get(name) : base.field(name)),
		})),
	);
}

/** Of each field one of its values or none, in all ways; `undefined` where these are more than `most`. */
function combinations(named: readonly NamedValue[], most: number): readonly Fields[] | undefined {
	const values = Map.groupBy(named, ([field]) => field);
	let all: readonly Fields[] = [new Map()];
	for (const some of values.values()) {
		const different = new Map(some.map(one => [inspect(one), one])).values().toArray();
		if (all.length * (different.length + 1) > most) return undefined;
		all = [...all, ...all.flatMap(fields => different.map((one): Fields => new Map([...fields, one])))];
	}
	return all;
}

/** What an expression names first of a field counts. */
const fieldsOf = (values: readonly NamedValue[]): Fields => new Map(values.toReversed());

type NamedValue = readonly [field: string, value: Value];

/** The values that the comparisons of an expression name, as requests have them. */
function valuesIn(tree: Expression): readonly NamedValue[] {
	switch (tree.kind) {
		case 'group':
			return valuesIn(tree.inner);
		case 'not':
			return valuesIn(tree.operand);
		case 'logical':
			return tree.operands.flatMap(valuesIn);
		case 'bare':
			return valuesOfBare(tree.operand);
		case 'comparison': {
			const {left, right} = tree;
			const literals = right.kind === 'set' ? right.items : [right];
			return literals
				.flatMap(one => valuesNear(literalOf(one), tree.operator))
				.flatMap(one => named(left, one));
		}
		default:
			return tree satisfies never;
	}
}

/** Values for which a comparison with a literal turns out one way and the other. */
function valuesNear(value: Value, operator: ComparisonOperator): readonly Value[] {
	switch (operator) {
		case 'gt':
		case 'ge':
		case 'lt':
		case 'le':
			return typeof value === 'number' ? [value - 1, value, value + 1] : [value];
		case 'contains':
			return typeof value === 'string' ? [value, `${value}0`, `0${value}`] : [value];
		case 'wildcard':
		case 'strict wildcard':
			return typeof value === 'string' ? [value.replaceAll('*', ''), value.replaceAll('*', '0')] : [value];
		default:
			return [value];
	}
}

function valuesOfBare(operand: Operand): readonly NamedValue[] {
	if (operand.kind !== 'call') return named(operand, true);
	const [subject, other] = operand.arguments;
	if (subject?.kind === 'expression') return valuesIn(subject.expression);
	if (!subject || !other || other.kind === 'expression') return [];
	return valuesNear(literalOf(other), 'contains').flatMap(value => named(subject, value));
}

/** The value under the field that an operand begins with, in the shape that its indexes ask for. */
function named(operand: Operand, value: Value): readonly NamedValue[] {
	if (operand.kind === 'call') {
		const [subject] = operand.arguments;
		return subject && subject.kind !== 'expression' ? named(subject, value) : [];
	}
	if (operand.kind !== 'field' || value === undefined) return [];
	return [[operand.name, operand.indexes.reduceRight<Value>(indexedValue, value)]];
}

function indexedValue(value: Value, index: Index): Value {
	switch (index.kind) {
		case 'key':
			return {byName: new Map([[String(literalValue(index.key)), value]])};
		case 'each':
			return [value];
		case 'position':
			return Array.from({length: Math.min(index.position, 9) + 1}, () => value);
		default:
			return index satisfies never;
	}
}

function literalOf(right: Operand | Literal | {readonly kind: 'set' | 'list'} | undefined): Value {
	if (right === undefined) return undefined;
	switch (right.kind) {
		case 'set':
		case 'list':
		case 'field':
		case 'call':
			return undefined;
		case 'network': {
			const read = readNetwork(right.text);
			return read.ok ? {version: read.version, value: read.value} : undefined;
		}
		case 'range':
			return literalOf(right.first);
		default:
			return literalValue(right);
	}
}
