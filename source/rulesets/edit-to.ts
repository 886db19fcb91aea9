import {changesBetween} from './difference.ts';
import type {RulesetEdit} from './edit.ts';
import type {Position} from './position.ts';
import type {RulesetRule} from './ruleset.ts';

/**
 * The edit that makes these rules of those that exist: a call for the one rule that differs, else all of them in one
 * call. `undefined` where nothing differs.
 */
export function editTo(
	there: readonly RulesetRule[],
	wanted: readonly RulesetRule[],
): RulesetEdit | undefined {
	const changes = changesBetween(there, wanted);
	const [change, ...more] = changes;
	if (!change) return undefined;
	const {rule} = change;
	if (more.length > 0 || (rule.id === undefined && change.kind !== 'added'))
		return {kind: 'replace', rules: wanted};
	const id = rule.id ?? '';
	switch (change.kind) {
		case 'added':
			return {kind: 'add', rule, ...positionAt(wanted, change.place)};
		case 'removed':
			return {kind: 'delete', id};
		case 'changed':
			return {kind: 'change', id, rule};
		case 'moved':
			return moveTo(wanted, id);
	}
}

/** The call that puts this rule where it is among the rules that are wanted. */
export function moveTo(wanted: readonly RulesetRule[], id: string): RulesetEdit {
	const place = wanted.findIndex(rule => rule.id === id) + 1;
	const before = wanted[place - 2]?.id;
	return {kind: 'move', id, position: before === undefined ? {index: place} : {after: before}};
}

/** Behind the rule that is before it; none at the end, where rules go by themselves. */
function positionAt(wanted: readonly RulesetRule[], place: number): {readonly position?: Position} {
	if (place === wanted.length) return {};
	const before = wanted[place - 2]?.id;
	return {position: place === 1 || before === undefined ? {index: place} : {after: before}};
}

/**
 * The rules as they were in an earlier state, or only those of these ids. A rule that still exists keeps its id; a deleted
 * rule comes back as a new one, behind the rule that was before it.
 */
export function restored(
	now: readonly RulesetRule[],
	then: readonly RulesetRule[],
	only?: ReadonlySet<string>,
): readonly RulesetRule[] {
	const there = new Set(now.map(({id}) => id));
	const asNew = (rule: RulesetRule): RulesetRule => {
		if (there.has(rule.id)) return rule;
		const {id, ref, ...rest} = rule;
		return ref === undefined || ref === id ? rest : {...rest, ref};
	};
	if (!only) return then.map(asNew);
	const isMeant = (id: string | undefined) => id !== undefined && only.has(id);
	const earlier = new Map(then.map(rule => [rule.id, rule]));
	/** Rules that were deleted, by the id of the last one before them that still exists. */
	const back = new Map<string | undefined, RulesetRule[]>();
	let before: string | undefined;
	for (const rule of then) {
		if (there.has(rule.id)) before = rule.id;
		else if (isMeant(rule.id)) back.set(before, [...(back.get(before) ?? []), asNew(rule)]);
	}
	const kept = now.flatMap(rule => {
		const was = isMeant(rule.id) ? earlier.get(rule.id) : rule;
		return [...(was ? [was] : []), ...(back.get(rule.id) ?? [])];
	});
	return [...(back.get(undefined) ?? []), ...kept];
}
