import type {WritingRequest} from '../firewall/rules/writing.ts';
import type {JsonObject} from '../text/json.ts';
import {changesBetween} from './difference.ts';
import {entryPointPath, rulesetsPath} from './paths.ts';
import type {Phase, Ruleset, RulesetRule} from './ruleset.ts';

/** Where a rule goes in its ruleset; `index` counts from 1, and an empty id is the beginning or the end. */
export type Position = {readonly index: number} | {readonly before: string} | {readonly after: string};

/** The rules with one more at a position; at the end where the position names a rule that is not among them. */
export function inPlace<Rule extends {readonly id?: string | undefined}>(
	others: readonly Rule[],
	rule: Rule,
	position: Position,
): readonly Rule[] {
	return others.toSpliced(slot(others, position), 0, rule);
}

function slot(others: readonly {readonly id?: string | undefined}[], position: Position): number {
	if ('index' in position) return Math.min(Math.max(1, position.index), others.length + 1) - 1;
	const [named, behind] = 'before' in position ? [position.before, 0] : [position.after, 1];
	if (named === '') return behind * others.length;
	const at = others.findIndex(({id}) => id === named);
	return at < 0 ? others.length : at + behind;
}

/** A change of a ruleset, as one call makes it. */
export type RulesetEdit =
	/** At the end where no position is given. */
	| {readonly kind: 'add'; readonly rule: RulesetRule; readonly position?: Position | undefined}
	/** The whole rule, as it is to be. */
	| {readonly kind: 'change'; readonly id: string; readonly rule: RulesetRule}
	| {readonly kind: 'move'; readonly id: string; readonly position: Position}
	| {readonly kind: 'delete'; readonly id: string}
	/** All rules: a new order, or several changes at once. A rule that keeps its id stays itself. */
	| {readonly kind: 'replace'; readonly rules: readonly RulesetRule[]};

/** The rules of a ruleset after an edit. What the edit names and the ruleset does not have changes nothing. */
export function edited(rules: readonly RulesetRule[], edit: RulesetEdit): readonly RulesetRule[] {
	switch (edit.kind) {
		case 'add':
			return inPlace(rules, edit.rule, edit.position ?? {after: ''});
		case 'change':
			return rules.map(rule => (rule.id === edit.id ? {...edit.rule, id: edit.id} : rule));
		case 'delete':
			return rules.filter(({id}) => id !== edit.id);
		case 'replace':
			return edit.rules;
		case 'move': {
			const moved = rules.find(({id}) => id === edit.id);
			const others = rules.filter(({id}) => id !== edit.id);
			return moved ? inPlace(others, moved, edit.position) : rules;
		}
	}
}

/** A rule as it is sent: without a reference that is only its id. */
function sentRule({id, ref, ...rule}: RulesetRule): JsonObject {
	return {
		...(id !== undefined && {id}),
		...(ref !== undefined && ref !== id && {ref}),
		...rule,
	};
}

/** Exactly what an edit sends; `there` is the entry point as it was read, `undefined` where the zone has none. */
export function editRequest(
	zone: string,
	phase: Phase,
	there: Ruleset | undefined,
	edit: RulesetEdit,
): WritingRequest {
	if (edit.kind === 'replace')
		return {method: 'PUT', path: entryPointPath(zone, phase), body: {rules: edit.rules.map(sentRule)}};
	if (!there)
		return {
			method: 'POST',
			path: rulesetsPath(zone),
			body: {
				name: 'default',
				kind: 'zone',
				phase,
				rules: edited([], edit).map(sentRule),
			},
		};
	switch (edit.kind) {
		case 'add':
			return {
				method: 'POST',
				path: rulesetsPath(zone, there.id, 'rules'),
				body: {...sentRule(edit.rule), ...(edit.position && {position: edit.position})},
			};
		case 'change':
			return {
				method: 'PATCH',
				path: rulesetsPath(zone, there.id, 'rules', edit.id),
				body: sentRule({...edit.rule, id: edit.id}),
			};
		case 'move':
			return {
				method: 'PATCH',
				path: rulesetsPath(zone, there.id, 'rules', edit.id),
				body: {position: edit.position},
			};
		case 'delete':
			return {method: 'DELETE', path: rulesetsPath(zone, there.id, 'rules', edit.id)};
	}
}

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
