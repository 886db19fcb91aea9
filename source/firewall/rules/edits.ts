import {findEnd, formatEndTime, removeEnd} from './end-time.ts';
import type {Filter} from './filter.ts';
import type {Rule} from './rule.ts';

/** A rule or filter before and after a write; undefined where it does not exist. */
type Edit<Kind extends 'rule' | 'filter', Item extends Rule | Filter> = {readonly kind: Kind} & (
	| {readonly before: Item; readonly after: Item | undefined}
	| {readonly before: undefined; readonly after: Item}
);

/** One write to a rule or filter of a zone. A rule that changes only its settings keeps its filter. */
export type FirewallEdit = Edit<'rule', Rule> | Edit<'filter', Filter>;

/** Returns the edit that leads back from `after` to `before`. */
const invertEdit = ({kind, before, after}: FirewallEdit): FirewallEdit =>
	({kind, before: after, after: before}) as FirewallEdit;

/** Returns the rule or filter of an edit, as it is afterwards; as it was if the edit deletes it. */
export const getEditItem = ({before, after}: FirewallEdit): Rule | Filter =>
	(after ?? before) as Rule | Filter;

/**
 * Returns the edits that lead back, in the order to write them: filters are created before the rules that use
 * them, and deleted after them; rules keep their order, which decides among equal priorities.
 */
export const buildUndoEdits = (edits: readonly FirewallEdit[]): readonly FirewallEdit[] =>
	edits.map(invertEdit).toSorted((one, other) => getWriteRank(one) - getWriteRank(other));

const getWriteRank = ({kind, before}: FirewallEdit): number => (kind === 'rule' ? 1 : before ? 2 : 0);

/** Returns an edit with the ids of recreated rules and filters; `newIds` maps old ids to new ones. */
export function renameEditIds(edit: FirewallEdit, newIds: ReadonlyMap<string, string>): FirewallEdit {
	const rename = <Item extends {readonly id: string}>(item: Item): Item => ({
		...item,
		id: newIds.get(item.id) ?? item.id,
	});
	const renameItem = (item: Rule | Filter | undefined) =>
		item && ('filter' in item ? {...rename(item), filter: rename(item.filter)} : rename(item));
	return {kind: edit.kind, before: renameItem(edit.before), after: renameItem(edit.after)} as FirewallEdit;
}

/**
 * Returns the rules of a zone before and after edits, to compare their protection. A created rule is in both,
 * before as a paused one: to requests it is as if it had been paused.
 */
export function previewEdits(
	rules: readonly Rule[],
	edits: readonly FirewallEdit[],
): {readonly before: readonly Rule[]; readonly after: readonly Rule[]} {
	const created = edits.flatMap(edit => (edit.kind === 'rule' && !edit.before ? [edit.after] : []));
	const before = [...rules, ...created.map(rule => ({...rule, paused: true}))];
	const after = edits.reduce<readonly Rule[]>(applyToRules, before);
	return {before, after};
}

/** Returns the rules after one edit. */
function applyToRules(rules: readonly Rule[], edit: FirewallEdit): readonly Rule[] {
	const {id} = getEditItem(edit);
	if (edit.kind === 'rule') return rules.flatMap(rule => (rule.id === id ? (edit.after ?? []) : [rule]));
	const {after: filter} = edit;
	return filter ? rules.map(rule => (rule.filter.id === id ? {...rule, filter} : rule)) : rules;
}

/** Lists in lines what differs between two states of a rule or filter: `priority: 20 → 10`. Raw text. */
export function listEditDifferences(from: Rule | Filter, to: Rule | Filter): readonly string[] {
	const [oldFacts, newFacts] = [listFacts(from), listFacts(to)];
	return Object.entries(newFacts).flatMap(([name, value]) =>
		oldFacts[name] === value ? [] : [`${name}: ${formatDifference(oldFacts[name] ?? 'none', value)}`],
	);
}

/** Characters of a common start or end that are kept beside a difference. */
const contextLength = 24;

/** Formats two values without most of their common start and end, so that the difference stays visible. */
function formatDifference(from: string, to: string): string {
	const length = Math.min(from.length, to.length);
	let start = 0;
	while (start < length && from[start] === to[start]) start++;
	let end = 0;
	while (end < length - start && from.at(-1 - end) === to.at(-1 - end)) end++;
	const first = start > 2 * contextLength ? start - contextLength : 0;
	const cutEnd = end > 2 * contextLength ? end - contextLength : 0;
	const pick = (text: string) =>
		`${first > 0 ? '…' : ''}${text.slice(first, text.length - cutEnd)}${cutEnd > 0 ? '…' : ''}`;
	return `${pick(from)} → ${pick(to)}`;
}

const listFacts = (item: Rule | Filter): Readonly<Record<string, string>> =>
	'filter' in item
		? {
				state: formatState(item),
				action: item.action,
				priority: item.priority === null ? 'none' : String(item.priority),
				products: item.products?.toSorted().join(', ') || 'none',
				description: item.description || 'none',
				reference: item.ref || 'none',
				filter: item.filter.id,
				...('deleted' in item.filter
					? {'filter state': 'deleted'}
					: {
							'filter state': formatState(item.filter),
							...listExpressionFacts(item.filter.expression),
							'filter description': item.filter.description || 'none',
							'filter reference': item.filter.ref || 'none',
						}),
			}
		: {
				state: formatState(item),
				...listExpressionFacts(item.expression),
				description: item.description || 'none',
				reference: item.ref || 'none',
			};

/** The end of a rule is a part of its expression, which a person reads as a time. */
function listExpressionFacts(expression: string): Readonly<Record<string, string>> {
	const end = findEnd(expression);
	return {ends: end === undefined ? 'never' : formatEndTime(end), expression: removeEnd(expression)};
}

const formatState = ({paused}: {readonly paused: boolean}): string => (paused ? 'paused' : 'active');
