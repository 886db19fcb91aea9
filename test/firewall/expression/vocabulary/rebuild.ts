import type {Phase} from '../../../../source/firewall/expression/expressions.ts';
import type {Domain} from '../../../../source/firewall/expression/vocabulary/entries.ts';
import type {FieldRow, FieldTable} from '../../../../source/firewall/expression/vocabulary/fields.ts';
import {type ZonePlan, zonePlans} from '../../../../source/service/plan.ts';

/** A field as in the lists of the documentation, without what ledge does not use. */
export type ListedField = {
	readonly name: string;
	readonly type: string;
	readonly plan?: string;
	readonly scope?: string;
	readonly deprecated?: boolean;
	readonly replacement?: string;
	readonly phases?: readonly string[];
	readonly phases_exclusive?: boolean;
	readonly values?: readonly string[];
	readonly mark?: string;
};

/**
 * Builds the table of fields from two lists, the second of which changes and adds to the first. Descriptions,
 * domains and the order are kept from the previous table; a new field goes after those with the most similar
 * names. A field that neither list has is dropped. `undescribedNames`: fields that have no description yet.
 */
export function rebuild(
	previous: FieldTable,
	listed: readonly ListedField[],
	changes: readonly ListedField[],
	date: string,
): {
	readonly table: FieldTable;
	readonly undescribedNames: readonly string[];
	readonly dropped: readonly string[];
} {
	const listedByName = new Map(listed.map(one => [one.name, one]));
	for (const change of changes) listedByName.set(change.name, {...listedByName.get(change.name), ...change});
	const previousByName = new Map(previous.fields.map(row => [row.name, row]));
	const names = previous.fields.map(({name}) => name).filter(name => listedByName.has(name));
	for (const name of listedByName.keys())
		if (!previousByName.has(name)) names.splice(findInsertionIndex(name, names), 0, name);
	const fields = names.flatMap(name => {
		const one = listedByName.get(name);
		return one ? [buildRow(one, listedByName, previousByName.get(name))] : [];
	});
	return {
		table: {date, fields},
		undescribedNames: fields.filter(({about}) => about === '').map(({name}) => name),
		dropped: [...previousByName.keys()].filter(name => !listedByName.has(name)),
	};
}

/** The index after the last name that has the most leading parts in common with a new one. */
function findInsertionIndex(name: string, names: readonly string[]): number {
	for (let parts = name.split('.'); parts.length > 1; ) {
		parts = parts.slice(0, -1);
		const beginning = parts.join('.');
		const last = names.findLastIndex(other => other === beginning || other.startsWith(`${beginning}.`));
		if (last >= 0) return last + 1;
	}
	return names.length;
}

function buildRow(
	one: ListedField,
	all: ReadonlyMap<string, ListedField>,
	previousRow: FieldRow | undefined,
): FieldRow {
	const {name, type, scope, phases, values, replacement} = one;
	// The documentation may give the plan only for the current name of a field.
	const replacementField =
		one.deprecated && one.mark !== '?' && replacement ? all.get(replacement) : undefined;
	const planText = one.plan ?? replacementField?.plan;
	const domain: Domain = {...previousRow?.domain, ...(values && {enum: values})};
	return {
		name,
		...(type !== 'unknown' && {type}),
		about: previousRow?.about ?? '',
		...parsePlan(name, planText),
		...(scope !== undefined && {scope: parseScope(scope)}),
		...(phases && {phases: phases as readonly Phase[]}),
		...(phases && one.phases_exclusive && {exclusive: true as const}),
		...(one.deprecated && replacement !== undefined && {replacement}),
		...(one.mark === '?' && {unclear: true as const}),
		...(Object.keys(domain).length > 0 && {domain}),
	};
}

/** Parses the beginning of a scope: the rest of "account rulesets and the listed rules" is in `phases`. */
function parseScope(scope: string): NonNullable<FieldRow['scope']> {
	const known = (['response', 'transform', 'account rulesets'] as const).find(one => scope.startsWith(one));
	if (!known) throw new RangeError(`There is a scope that ledge does not know: ${scope}`);
	return known;
}

function parsePlan(
	name: string,
	planText: string | undefined,
): Pick<FieldRow, 'plan' | 'addOn' | 'earlyAccess'> {
	if (planText === undefined) return {};
	if (planText === 'early access') return {earlyAccess: true};
	const plan = zonePlans.find(one => one === planText || `${one} add-on` === planText);
	if (!plan) throw new RangeError(`${name} has a plan that ledge does not know: ${planText}`);
	return {plan: plan satisfies ZonePlan, ...(plan !== planText && {addOn: true})};
}

/** Formats the table as in its file: one field per line. */
export const formatFieldTable = ({date, fields}: FieldTable): string =>
	`{"date": ${JSON.stringify(date)}, "fields": [\n${fields.map(row => JSON.stringify(row)).join(',\n')}\n]}\n`;
