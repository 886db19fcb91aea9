import {inspect} from 'node:util';
import {getLiteralValue, matchesRequest} from './evaluate.ts';
import type {FieldValue} from './field-value.ts';
import {parseNetwork} from './grammar/addresses.ts';
import type {ComparisonOperator, Expression, Index, Literal, Operand} from './grammar/tree.ts';
import {getSampleTraffic, type SampleRequest} from './sample-requests.ts';
import {parseAllowingConstants} from './traffic-share.ts';

/** The expressions that match a sample request. */
type Encounter = {
	readonly matchedExpressions: ReadonlySet<string>;
	/** Part of ordinary traffic that the request samples; undefined if it was made up for an expression. */
	readonly traffic: string | undefined;
};

/**
 * Evaluates expressions for sample traffic of a zone, and for requests made from the values that they name.
 * For an expression that matches all or none of these, adds an encounter with the opposite result, unless it
 * is a constant.
 */
export function findEncounters(
	expressions: readonly string[],
	zone: string | undefined,
): readonly Encounter[] {
	const trees = new Map([...new Set(expressions)].map(text => [text, parseAllowingConstants(text)]));
	const evaluateRequest = (request: SampleRequest, traffic?: string): Encounter => ({
		matchedExpressions: new Set(
			[...trees].flatMap(([text, tree]) => (tree && matchesRequest(tree, request) ? [text] : [])),
		),
		traffic,
	});
	const encounters = [
		...getSampleTraffic(zone).flatMap((requests, site) =>
			requests.map(request => evaluateRequest(request, `site ${site}`)),
		),
		...makeRequests(
			[...trees.values()].filter(tree => tree !== undefined),
			zone,
		).map(request => evaluateRequest(request)),
	];
	const [firstEncounter] = encounters;
	return [
		...encounters,
		...[...trees.keys()].flatMap((text): readonly Encounter[] => {
			if (isConstant(text) || !firstEncounter) return [];
			const matchCount = encounters.filter(({matchedExpressions}) => matchedExpressions.has(text)).length;
			if (matchCount > 0 && matchCount < encounters.length) return [];
			const otherMatches = [...firstEncounter.matchedExpressions].filter(one => one !== text);
			return [
				{
					matchedExpressions: new Set(matchCount > 0 ? otherMatches : [...otherMatches, text]),
					traffic: undefined,
				},
			];
		}),
	];
}

const isConstant = (text: string): boolean => /^[\s(]*(?:true|false)[\s)]*$/.test(text);

/** Field values that override those of a sample request. */
type FieldOverrides = ReadonlyMap<string, FieldValue>;

/** Maximum number of generated requests; beyond it, only some combinations of values are tried. */
const maxRequests = 4096;

/**
 * Builds requests with every combination of the named values; if there are too many, only those within each
 * expression.
 */
function makeRequests(trees: readonly Expression[], zone: string | undefined): readonly SampleRequest[] {
	const namedValues = trees.map(collectValues);
	// One unusual and one ordinary request per IP version.
	const baseRequests = getSampleTraffic(zone)
		.slice(0, 2)
		.flatMap(requests => [...requests.slice(0, 1), ...requests.slice(-1)]);
	const combinations = combineValues(namedValues.flat(), maxRequests / baseRequests.length);
	return (
		combinations ??
		namedValues.flatMap(values => [toFieldOverrides(values), ...values.map(value => new Map([value]))])
	).flatMap(fields =>
		baseRequests.map(baseRequest => ({
			...baseRequest,
			field: (name: string) => (fields.has(name) ? fields.get(name) : baseRequest.field(name)),
		})),
	);
}

/**
 * Returns all combinations of one value, or none, per field; undefined if there are more than
 * `maxCombinations`.
 */
function combineValues(
	namedValues: readonly NamedValue[],
	maxCombinations: number,
): readonly FieldOverrides[] | undefined {
	const values = Map.groupBy(namedValues, ([field]) => field);
	let combinations: readonly FieldOverrides[] = [new Map()];
	for (const fieldValues of values.values()) {
		const distinctValues = new Map(fieldValues.map(one => [inspect(one), one])).values().toArray();
		if (combinations.length * (distinctValues.length + 1) > maxCombinations) return undefined;
		combinations = [
			...combinations,
			...combinations.flatMap(fields =>
				distinctValues.map((one): FieldOverrides => new Map([...fields, one])),
			),
		];
	}
	return combinations;
}

/** The first value named for a field wins. */
const toFieldOverrides = (values: readonly NamedValue[]): FieldOverrides => new Map(values.toReversed());

type NamedValue = readonly [field: string, value: FieldValue];

/** Collects the field values that the comparisons of an expression name. */
function collectValues(tree: Expression): readonly NamedValue[] {
	switch (tree.kind) {
		case 'group':
			return collectValues(tree.inner);
		case 'not':
			return collectValues(tree.operand);
		case 'logical':
			return tree.operands.flatMap(collectValues);
		case 'bare':
			return collectBareValues(tree.operand);
		case 'comparison': {
			const {left, right} = tree;
			const literals = right.kind === 'set' ? right.items : [right];
			return literals
				.flatMap(one => listNearbyValues(getRightValue(one), tree.operator))
				.flatMap(one => assignValue(left, one));
		}
		default:
			return tree satisfies never;
	}
}

/** Returns values for which a comparison with a literal is true, and some for which it is false. */
function listNearbyValues(value: FieldValue, operator: ComparisonOperator): readonly FieldValue[] {
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

function collectBareValues(operand: Operand): readonly NamedValue[] {
	if (operand.kind !== 'call') return assignValue(operand, true);
	const [subject, secondArgument] = operand.arguments;
	if (subject?.kind === 'expression') return collectValues(subject.expression);
	if (!subject || !secondArgument || secondArgument.kind === 'expression') return [];
	return listNearbyValues(getRightValue(secondArgument), 'contains').flatMap(value =>
		assignValue(subject, value),
	);
}

/** Assigns a value to the field of an operand, wrapped for its indexes. */
function assignValue(operand: Operand, value: FieldValue): readonly NamedValue[] {
	if (operand.kind === 'call') {
		const [subject] = operand.arguments;
		return subject && subject.kind !== 'expression' ? assignValue(subject, value) : [];
	}
	if (operand.kind !== 'field' || value === undefined) return [];
	return [[operand.name, operand.indexes.reduceRight<FieldValue>(applyIndex, value)]];
}

function applyIndex(value: FieldValue, index: Index): FieldValue {
	switch (index.kind) {
		case 'key':
			return {byName: new Map([[String(getLiteralValue(index.key)), value]])};
		case 'each':
			return [value];
		case 'position':
			return Array.from({length: Math.min(index.position, 9) + 1}, () => value);
		default:
			return index satisfies never;
	}
}

/** Returns the value of a literal, or the first one of a network or range; undefined for other sides. */
function getRightValue(right: Operand | Literal | {readonly kind: 'set' | 'list'} | undefined): FieldValue {
	if (right === undefined) return undefined;
	switch (right.kind) {
		case 'set':
		case 'list':
		case 'field':
		case 'call':
			return undefined;
		case 'network': {
			const network = parseNetwork(right.text);
			return network.ok ? {version: network.version, value: network.value} : undefined;
		}
		case 'range':
			return getRightValue(right.first);
		default:
			return getLiteralValue(right);
	}
}
