import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import type {Dataset} from './datasets.ts';
import {problem} from './problems.ts';
import {isMoment, type Sample, unitOf} from './samples.ts';

/** Milliseconds since the epoch; `to` is exclusive. */
export type Range = {readonly from: number; readonly to: number};

type Fits = (sample: Sample) => boolean;

/** Builds a predicate from a filter of a query; all its conditions must hold. */
export function filterOf(dataset: Dataset, given: JsonObject): Fits {
	const parts = Object.entries(given)
		.filter(([, value]) => value !== null)
		.map(([name, value]): Fits => {
			if (name === 'AND' || name === 'OR') {
				const inner = listOf(value)
					.filter(isJsonObject)
					.map(one => filterOf(dataset, one));
				return name === 'AND'
					? sample => inner.every(fits => fits(sample))
					: sample => inner.some(fits => fits(sample));
			}
			const {dimension, operator} = conditionOf(name);
			return comparison(dimension, operator, value);
		});
	return sample => parts.every(fits => fits(sample));
}

/** Splits the name of a condition into its dimension and its operator. */
function conditionOf(name: string): {readonly dimension: string; readonly operator: string} {
	const [, dimension = name, operator = 'eq'] = /^(.*)_([a-z]+)$/.exec(name) ?? [];
	return {dimension, operator};
}

function comparison(dimension: string, operator: string, value: JsonValue): Fits {
	const wanted = listOf(value).map(one => comparable(dimension, one));
	const [first = ''] = wanted;
	const of = (sample: Sample): string | number => {
		const found = sample[dimension] ?? '';
		if (!isMoment(dimension)) return found;
		const unit = unitOf(dimension);
		return Math.floor(Number(sample.at) / unit) * unit;
	};
	switch (operator) {
		case 'eq':
		case 'in':
			return sample => wanted.includes(of(sample));
		case 'neq':
		case 'notin':
			return sample => !wanted.includes(of(sample));
		case 'gt':
			return sample => of(sample) > first;
		case 'geq':
			return sample => of(sample) >= first;
		case 'lt':
			return sample => of(sample) < first;
		case 'leq':
			return sample => of(sample) <= first;
		default: {
			const pattern = likeness(String(first));
			return sample => pattern.test(String(of(sample))) === (operator === 'like');
		}
	}
}

/** Converts a time to milliseconds; returns other values unchanged. Throws on a malformed time. */
function comparable(dimension: string, value: JsonValue): string | number {
	if (!isMoment(dimension)) return typeof value === 'number' ? value : String(value);
	const wellFormed =
		dimension === 'date'
			? /^\d{4}-\d{2}-\d{2}$/
			: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;
	const milliseconds = wellFormed.test(String(value)) ? Date.parse(String(value)) : Number.NaN;
	if (Number.isNaN(milliseconds))
		throw problem('arguments', `${dimension} is not a ${dimension === 'date' ? 'date' : 'time'}`);
	return milliseconds;
}

/** Converts a LIKE pattern: `%` is any text, `_` any character. */
const likeness = (pattern: string): RegExp =>
	new RegExp(
		`^${pattern
			.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
			.replace(/%/g, '[^]*')
			.replace(/_/g, '[^]')}$`,
	);

const listOf = (value: JsonValue): readonly JsonValue[] =>
	Array.isArray(value) ? (value as readonly JsonValue[]) : [value];

/**
 * Returns the time range of a filter: `defaultMs` milliseconds if it has no start, until now if it has no
 * end.
 */
export function rangeOf(given: JsonObject, now: number, usual: number): Range {
	let from = Number.NEGATIVE_INFINITY;
	let to = Number.POSITIVE_INFINITY;
	for (const [name, value] of boundsIn(given)) {
		const {dimension, operator} = conditionOf(name);
		if (!isMoment(dimension)) continue;
		const moment = Number(comparable(dimension, value));
		// Times within the last unit belong to it.
		const behind = moment + unitOf(dimension);
		if (operator === 'geq' || operator === 'eq') from = Math.max(from, moment);
		if (operator === 'gt') from = Math.max(from, behind);
		if (operator === 'lt') to = Math.min(to, moment);
		if (operator === 'leq' || operator === 'eq') to = Math.min(to, behind);
	}
	const end = Math.min(to, now);
	return {from: from === Number.NEGATIVE_INFINITY ? end - usual : from, to: Math.max(end, from)};
}

/** The conditions that must all hold: those at the top and below AND. */
function boundsIn(given: JsonObject): readonly (readonly [string, JsonValue])[] {
	return Object.entries(given).flatMap(([name, value]) => {
		if (name !== 'AND') return value === null || Array.isArray(value) ? [] : [[name, value] as const];
		return listOf(value).filter(isJsonObject).flatMap(boundsIn);
	});
}
