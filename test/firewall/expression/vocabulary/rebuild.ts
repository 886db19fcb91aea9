import type {Phase} from '../../../../source/firewall/expression/expressions.ts';
import type {Domain} from '../../../../source/firewall/expression/vocabulary/entries.ts';
import type {FieldRow, FieldTable} from '../../../../source/firewall/expression/vocabulary/fields.ts';
import {type ZonePlan, zonePlans} from '../../../../source/service/plan.ts';

/** A field as the lists of the documents have it; what ledge does not use is left out. */
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
 * The table of fields made of two lists, the second of which changes and adds to the first. Sentences, domains and
 * the order are kept from the previous table; a new field goes behind those that are nearest by name. A field that
 * neither list has is dropped. `silent`: those that have no sentence yet.
 */
export function rebuild(
	previous: FieldTable,
	listed: readonly ListedField[],
	changes: readonly ListedField[],
	date: string,
): {readonly table: FieldTable; readonly silent: readonly string[]; readonly dropped: readonly string[]} {
	const all = new Map(listed.map(one => [one.name, one]));
	for (const change of changes) all.set(change.name, {...all.get(change.name), ...change});
	const kept = new Map(previous.fields.map(row => [row.name, row]));
	const names = previous.fields.map(({name}) => name).filter(name => all.has(name));
	for (const name of all.keys()) if (!kept.has(name)) names.splice(placeFor(name, names), 0, name);
	const fields = names.flatMap(name => {
		const one = all.get(name);
		return one ? [rowOf(one, all, kept.get(name))] : [];
	});
	return {
		table: {date, fields},
		silent: fields.filter(({about}) => about === '').map(({name}) => name),
		dropped: [...kept.keys()].filter(name => !all.has(name)),
	};
}

/** Behind the last name that has the most parts in common with a new one. */
function placeFor(name: string, names: readonly string[]): number {
	for (let parts = name.split('.'); parts.length > 1; ) {
		parts = parts.slice(0, -1);
		const beginning = parts.join('.');
		const last = names.findLastIndex(other => other === beginning || other.startsWith(`${beginning}.`));
		if (last >= 0) return last + 1;
	}
	return names.length;
}

function rowOf(
	one: ListedField,
	all: ReadonlyMap<string, ListedField>,
	before: FieldRow | undefined,
): FieldRow {
	const {name, type, scope, phases, values, replacement} = one;
	// Documents that show no plan for a former name show it for the present one.
	const twin = one.deprecated && one.mark !== '?' && replacement ? all.get(replacement) : undefined;
	const written = one.plan ?? twin?.plan;
	const domain: Domain = {...before?.domain, ...(values && {enum: values})};
	return {
		name,
		...(type !== 'unknown' && {type}),
		about: before?.about ?? '',
		...planOf(name, written),
		...(scope !== undefined && {scope: scopeOf(scope)}),
		...(phases && {phases: phases as readonly Phase[]}),
		...(phases && one.phases_exclusive && {exclusive: true as const}),
		...(one.deprecated && replacement !== undefined && {replacement}),
		...(one.mark === '?' && {unclear: true as const}),
		...(Object.keys(domain).length > 0 && {domain}),
	};
}

/** The scope by its beginning: "account rulesets and the listed rules" says no more than the phases beside it. */
function scopeOf(scope: string): NonNullable<FieldRow['scope']> {
	const known = (['response', 'transform', 'account rulesets'] as const).find(one => scope.startsWith(one));
	if (!known) throw new RangeError(`There is a scope that ledge does not know: ${scope}`);
	return known;
}

function planOf(name: string, written: string | undefined): Pick<FieldRow, 'plan' | 'addOn' | 'earlyAccess'> {
	if (written === undefined) return {};
	if (written === 'early access') return {earlyAccess: true};
	const plan = zonePlans.find(one => one === written || `${one} add-on` === written);
	if (!plan) throw new RangeError(`${name} has a plan that ledge does not know: ${written}`);
	return {plan: plan satisfies ZonePlan, ...(plan !== written && {addOn: true})};
}

/** The table as its file has it: a field on each line. */
export const written = ({date, fields}: FieldTable): string =>
	`{"date": ${JSON.stringify(date)}, "fields": [\n${fields.map(row => JSON.stringify(row)).join(',\n')}\n]}\n`;
