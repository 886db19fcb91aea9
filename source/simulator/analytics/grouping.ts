import type {Dataset} from './datasets.ts';
import {type Sample, shown} from './samples.ts';

/** A row of an answer: strings and numbers, or objects of them. */
export type Row = Readonly<Record<string, Value | Readonly<Record<string, Value>>>>;
type Value = string | number;

/** Samples with the same values of the requested dimensions. */
type Group = {readonly dimensions: Readonly<Record<string, Value>>; readonly samples: readonly Sample[]};

/** Computes the measures of a group from its samples. */
export type Measure = (samples: readonly Sample[]) => Row;

/** Groups the samples by the dimensions, and measures each group. */
export const groupedRows = (
	samples: Iterable<Sample>,
	dimensions: readonly string[],
	measure: Measure,
): Row[] =>
	groupsOf(samples, dimensions).map(group => ({dimensions: group.dimensions, ...measure(group.samples)}));

function groupsOf(samples: Iterable<Sample>, dimensions: readonly string[]): readonly Group[] {
	const groups = new Map<string, Group & {readonly samples: Sample[]}>();
	for (const sample of samples) {
		const key = dimensions.map(name => shown(sample, name)).join('\0');
		const group = groups.get(key);
		if (group) group.samples.push(sample);
		else
			groups.set(key, {
				dimensions: Object.fromEntries(dimensions.map(name => [name, shown(sample, name)])),
				samples: [sample],
			});
	}
	return [...groups.values()];
}

/** Sorts rows by keys such as `count_DESC` or `datetime_ASC`; the first key takes precedence. */
export function ordered(rows: readonly Row[], dataset: Dataset, orders: readonly string[]): readonly Row[] {
	const by = orders.map(order => {
		const [, name = '', direction] = /^(.*)_(ASC|DESC)$/.exec(order) ?? [];
		return {name, sign: direction === 'DESC' ? -1 : 1};
	});
	return rows.toSorted((one, other) => {
		for (const {name, sign} of by) {
			const difference = compared(orderedBy(one, dataset, name), orderedBy(other, dataset, name));
			if (difference !== 0) return difference * sign;
		}
		return 0;
	});
}

function orderedBy(row: Row, dataset: Dataset, name: string): Value {
	if (Object.hasOwn(dataset.dimensions, name))
		return plain(dataset.isGrouped ? partOf(row.dimensions, name) : row[name]);
	const [measure = '', part] = name.split('_', 2);
	return plain(part === undefined ? row[measure] : partOf(row[measure], part));
}

const partOf = (value: Row[string] | undefined, name: string): Value | undefined =>
	typeof value === 'object' ? value[name] : undefined;

const plain = (value: Row[string] | undefined): Value => (typeof value === 'object' ? '' : (value ?? ''));

function compared(one: Value, other: Value): number {
	if (typeof one === 'number' && typeof other === 'number') return one - other;
	const [first, second] = [String(one), String(other)];
	return first < second ? -1 : first > second ? 1 : 0;
}
