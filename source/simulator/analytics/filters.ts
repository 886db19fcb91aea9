import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import type {DatasetDefinition} from './datasets.ts';
import {createQueryProblem} from './problems.ts';
import {getTimeUnit, isTimeDimension, type Sample} from './samples.ts';

/** Milliseconds since the epoch; `to` is exclusive. */
export type TimeRange = {readonly from: number; readonly to: number};

type SamplePredicate = (sample: Sample) => boolean;

/** Builds a predicate from a filter of a query; all its conditions must hold. */
export function buildSampleFilter(dataset: DatasetDefinition, filter: JsonObject): SamplePredicate {
	const predicates = Object.entries(filter)
		.filter(([, value]) => value !== null)
		.map(([name, value]): SamplePredicate => {
			if (name === 'AND' || name === 'OR') {
				const innerPredicates = toList(value)
					.filter(isJsonObject)
					.map(innerFilter => buildSampleFilter(dataset, innerFilter));
				return name === 'AND'
					? sample => innerPredicates.every(matches => matches(sample))
					: sample => innerPredicates.some(matches => matches(sample));
			}
			const {dimension, operator} = parseCondition(name);
			return buildComparison(dimension, operator, value);
		});
	return sample => predicates.every(matches => matches(sample));
}

/** Splits the name of a condition into its dimension and its operator. */
function parseCondition(name: string): {readonly dimension: string; readonly operator: string} {
	const [, dimension = name, operator = 'eq'] = /^(.*)_([a-z]+)$/.exec(name) ?? [];
	return {dimension, operator};
}

function buildComparison(dimension: string, operator: string, value: JsonValue): SamplePredicate {
	const values = toList(value).map(item => parseComparable(dimension, item));
	const [operand = ''] = values;
	const getComparable = (sample: Sample): string | number => {
		const sampleValue = sample[dimension] ?? '';
		if (!isTimeDimension(dimension)) return sampleValue;
		const unit = getTimeUnit(dimension);
		return Math.floor(Number(sample.at) / unit) * unit;
	};
	switch (operator) {
		case 'eq':
		case 'in':
			return sample => values.includes(getComparable(sample));
		case 'neq':
		case 'notin':
			return sample => !values.includes(getComparable(sample));
		case 'gt':
			return sample => getComparable(sample) > operand;
		case 'geq':
			return sample => getComparable(sample) >= operand;
		case 'lt':
			return sample => getComparable(sample) < operand;
		case 'leq':
			return sample => getComparable(sample) <= operand;
		default: {
			const pattern = buildLikePattern(String(operand));
			return sample => pattern.test(String(getComparable(sample))) === (operator === 'like');
		}
	}
}

/** Converts a time to milliseconds; returns other values unchanged. Throws on a malformed time. */
function parseComparable(dimension: string, value: JsonValue): string | number {
	if (!isTimeDimension(dimension)) return typeof value === 'number' ? value : String(value);
	const wellFormedPattern =
		dimension === 'date'
			? /^\d{4}-\d{2}-\d{2}$/
			: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;
	const milliseconds = wellFormedPattern.test(String(value)) ? Date.parse(String(value)) : Number.NaN;
	if (Number.isNaN(milliseconds))
		throw createQueryProblem('arguments', `${dimension} is not a ${dimension === 'date' ? 'date' : 'time'}`);
	return milliseconds;
}

/** Converts a LIKE pattern: `%` is any text, `_` any character. */
const buildLikePattern = (pattern: string): RegExp =>
	new RegExp(
		`^${pattern
			.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
			.replace(/%/g, '[^]*')
			.replace(/_/g, '[^]')}$`,
	);

const toList = (value: JsonValue): readonly JsonValue[] =>
	Array.isArray(value) ? (value as readonly JsonValue[]) : [value];

/**
 * Returns the time range of a filter. Without a start it is `defaultMs` milliseconds long; without an end it
 * ends now.
 */
export function parseQueryRange(filter: JsonObject, now: number, defaultMs: number): TimeRange {
	let from = Number.NEGATIVE_INFINITY;
	let to = Number.POSITIVE_INFINITY;
	for (const [name, value] of collectConditions(filter)) {
		const {dimension, operator} = parseCondition(name);
		if (!isTimeDimension(dimension)) continue;
		const time = Number(parseComparable(dimension, value));
		// A condition on minutes or days applies to all of that minute or day.
		const unitEnd = time + getTimeUnit(dimension);
		if (operator === 'geq' || operator === 'eq') from = Math.max(from, time);
		if (operator === 'gt') from = Math.max(from, unitEnd);
		if (operator === 'lt') to = Math.min(to, time);
		if (operator === 'leq' || operator === 'eq') to = Math.min(to, unitEnd);
	}
	const end = Math.min(to, now);
	return {from: from === Number.NEGATIVE_INFINITY ? end - defaultMs : from, to: Math.max(end, from)};
}

/** Collects the conditions that must all hold: those at the top level, and those in `AND`. */
function collectConditions(filter: JsonObject): readonly (readonly [string, JsonValue])[] {
	return Object.entries(filter).flatMap(([name, value]) => {
		if (name !== 'AND') return value === null || Array.isArray(value) ? [] : [[name, value] as const];
		return toList(value).filter(isJsonObject).flatMap(collectConditions);
	});
}
