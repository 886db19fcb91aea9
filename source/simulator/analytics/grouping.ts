import type {DatasetDefinition} from './datasets.ts';
import {formatDimension, type Sample} from './samples.ts';

/** A row of an answer: strings and numbers, or objects of them. */
export type AnswerRow = Readonly<Record<string, Value | Readonly<Record<string, Value>>>>;
type Value = string | number;

/** Samples with the same values of the requested dimensions. */
type Group = {readonly dimensions: Readonly<Record<string, Value>>; readonly samples: readonly Sample[]};

/** Computes the measures of a group from its samples. */
export type Measure = (samples: readonly Sample[]) => AnswerRow;

/** Groups the samples by the dimensions, and measures each group. */
export const groupSamples = (
	samples: Iterable<Sample>,
	dimensions: readonly string[],
	measure: Measure,
): AnswerRow[] =>
	collectGroups(samples, dimensions).map(group => ({
		dimensions: group.dimensions,
		...measure(group.samples),
	}));

function collectGroups(samples: Iterable<Sample>, dimensions: readonly string[]): readonly Group[] {
	const groups = new Map<string, Group & {readonly samples: Sample[]}>();
	for (const sample of samples) {
		const key = dimensions.map(name => formatDimension(sample, name)).join('\0');
		const group = groups.get(key);
		if (group) group.samples.push(sample);
		else
			groups.set(key, {
				dimensions: Object.fromEntries(dimensions.map(name => [name, formatDimension(sample, name)])),
				samples: [sample],
			});
	}
	return [...groups.values()];
}

/** Sorts rows by keys such as `count_DESC` or `datetime_ASC`; the first key takes precedence. */
export function orderRows(
	rows: readonly AnswerRow[],
	dataset: DatasetDefinition,
	orders: readonly string[],
): readonly AnswerRow[] {
	const keys = orders.map(order => {
		const [, name = '', direction] = /^(.*)_(ASC|DESC)$/.exec(order) ?? [];
		return {name, sign: direction === 'DESC' ? -1 : 1};
	});
	return rows.toSorted((left, right) => {
		for (const {name, sign} of keys) {
			const difference = compareOrderValues(
				getOrderValue(left, dataset, name),
				getOrderValue(right, dataset, name),
			);
			if (difference !== 0) return difference * sign;
		}
		return 0;
	});
}

function getOrderValue(row: AnswerRow, dataset: DatasetDefinition, name: string): Value {
	if (Object.hasOwn(dataset.dimensions, name))
		return toOrderValue(dataset.isGrouped ? getRowPart(row.dimensions, name) : row[name]);
	const [measure = '', part] = name.split('_', 2);
	return toOrderValue(part === undefined ? row[measure] : getRowPart(row[measure], part));
}

const getRowPart = (value: AnswerRow[string] | undefined, name: string): Value | undefined =>
	typeof value === 'object' ? value[name] : undefined;

const toOrderValue = (value: AnswerRow[string] | undefined): Value =>
	typeof value === 'object' ? '' : (value ?? '');

function compareOrderValues(left: Value, right: Value): number {
	if (typeof left === 'number' && typeof right === 'number') return left - right;
	const [first, second] = [String(left), String(right)];
	return first < second ? -1 : first > second ? 1 : 0;
}
