import type {WritingRequest} from '../firewall/rules/writing.ts';
import type {JsonObject} from '../text/json.ts';
import {listRuleChanges} from './difference.ts';
import {getEntryPointPath, getRulesetsPath} from './paths.ts';
import type {Phase, Ruleset, RulesetRule} from './ruleset.ts';

/**
 * Position of a rule in its ruleset. `index` counts from 1; an empty id means the beginning (`before`) or the
 * end (`after`).
 */
export type Position = {readonly index: number} | {readonly before: string} | {readonly after: string};

/** Inserts a rule at a position; at the end if the position names a missing rule. */
export function insertAtPosition<Rule extends {readonly id?: string | undefined}>(
	others: readonly Rule[],
	rule: Rule,
	position: Position,
): readonly Rule[] {
	return others.toSpliced(findInsertIndex(others, position), 0, rule);
}

function findInsertIndex(others: readonly {readonly id?: string | undefined}[], position: Position): number {
	if ('index' in position) return Math.min(Math.max(1, position.index), others.length + 1) - 1;
	const [named, behind] = 'before' in position ? [position.before, 0] : [position.after, 1];
	if (named === '') return behind * others.length;
	const at = others.findIndex(({id}) => id === named);
	return at < 0 ? others.length : at + behind;
}

/** A change of a ruleset that one call makes. */
export type RulesetEdit =
	/** At the end without a position. */
	| {readonly kind: 'add'; readonly rule: RulesetRule; readonly position?: Position | undefined}
	/** The whole new rule. */
	| {readonly kind: 'change'; readonly id: string; readonly rule: RulesetRule}
	| {readonly kind: 'move'; readonly id: string; readonly position: Position}
	| {readonly kind: 'delete'; readonly id: string}
	/** All rules: a new order or several changes at once. Rules keep their identity by id. */
	| {readonly kind: 'replace'; readonly rules: readonly RulesetRule[]};

/** Applies an edit to rules. Ids that the rules lack change nothing. */
export function applyRulesetEdit(rules: readonly RulesetRule[], edit: RulesetEdit): readonly RulesetRule[] {
	switch (edit.kind) {
		case 'add':
			return insertAtPosition(rules, edit.rule, edit.position ?? {after: ''});
		case 'change':
			return rules.map(rule => (rule.id === edit.id ? {...edit.rule, id: edit.id} : rule));
		case 'delete':
			return rules.filter(({id}) => id !== edit.id);
		case 'replace':
			return edit.rules;
		case 'move': {
			const moved = rules.find(({id}) => id === edit.id);
			const others = rules.filter(({id}) => id !== edit.id);
			return moved ? insertAtPosition(others, moved, edit.position) : rules;
		}
	}
}

/** Converts a rule for sending: omits a reference that only repeats the id. */
function toSentRule({id, ref, ...rule}: RulesetRule): JsonObject {
	return {
		...(id !== undefined && {id}),
		...(ref !== undefined && ref !== id && {ref}),
		...rule,
	};
}

/**
 * Builds exactly the request of an edit. `there` is the entry point as read, undefined if the zone has none.
 */
export function buildEditRequest(
	zone: string,
	phase: Phase,
	there: Ruleset | undefined,
	edit: RulesetEdit,
): WritingRequest {
	if (edit.kind === 'replace')
		return {method: 'PUT', path: getEntryPointPath(zone, phase), body: {rules: edit.rules.map(toSentRule)}};
	if (!there)
		return {
			method: 'POST',
			path: getRulesetsPath(zone),
			body: {
				name: 'default',
				kind: 'zone',
				phase,
				rules: applyRulesetEdit([], edit).map(toSentRule),
			},
		};
	switch (edit.kind) {
		case 'add':
			return {
				method: 'POST',
				path: getRulesetsPath(zone, there.id, 'rules'),
				body: {...toSentRule(edit.rule), ...(edit.position && {position: edit.position})},
			};
		case 'change':
			return {
				method: 'PATCH',
				path: getRulesetsPath(zone, there.id, 'rules', edit.id),
				body: toSentRule({...edit.rule, id: edit.id}),
			};
		case 'move':
			return {
				method: 'PATCH',
				path: getRulesetsPath(zone, there.id, 'rules', edit.id),
				body: {position: edit.position},
			};
		case 'delete':
			return {method: 'DELETE', path: getRulesetsPath(zone, there.id, 'rules', edit.id)};
	}
}

/**
 * Computes the edit from `there` to `wanted`: one rule if only one differs, else a replacement of all.
 * Undefined if nothing differs.
 */
export function computeRulesetEdit(
	there: readonly RulesetRule[],
	wanted: readonly RulesetRule[],
): RulesetEdit | undefined {
	const changes = listRuleChanges(there, wanted);
	const [change, ...more] = changes;
	if (!change) return undefined;
	const {rule} = change;
	if (more.length > 0 || (rule.id === undefined && change.kind !== 'added'))
		return {kind: 'replace', rules: wanted};
	const id = rule.id ?? '';
	switch (change.kind) {
		case 'added':
			return {kind: 'add', rule, ...buildPosition(wanted, change.place)};
		case 'removed':
			return {kind: 'delete', id};
		case 'changed':
			return {kind: 'change', id, rule};
		case 'moved':
			return buildMoveEdit(wanted, id);
	}
}

/** Builds the edit that moves a rule to its place in `wanted`. */
export function buildMoveEdit(wanted: readonly RulesetRule[], id: string): RulesetEdit {
	const place = wanted.findIndex(rule => rule.id === id) + 1;
	const before = wanted[place - 2]?.id;
	return {kind: 'move', id, position: before === undefined ? {index: place} : {after: before}};
}

/** Positions a rule after its predecessor; none at the end, the default. */
function buildPosition(wanted: readonly RulesetRule[], place: number): {readonly position?: Position} {
	if (place === wanted.length) return {};
	const before = wanted[place - 2]?.id;
	return {position: place === 1 || before === undefined ? {index: place} : {after: before}};
}

/**
 * Restores the rules of an earlier state, or only those with the given ids. Existing rules keep their ids; a
 * deleted rule returns as a new one, after its former predecessor.
 */
export function restoreRulesetRules(
	now: readonly RulesetRule[],
	then: readonly RulesetRule[],
	only?: ReadonlySet<string>,
): readonly RulesetRule[] {
	const there = new Set(now.map(({id}) => id));
	const toNewRule = (rule: RulesetRule): RulesetRule => {
		if (there.has(rule.id)) return rule;
		const {id, ref, ...rest} = rule;
		return ref === undefined || ref === id ? rest : {...rest, ref};
	};
	if (!only) return then.map(toNewRule);
	const isSelected = (id: string | undefined) => id !== undefined && only.has(id);
	const earlier = new Map(then.map(rule => [rule.id, rule]));
	/** Deleted rules by the id of the last rule before them that still exists. */
	const back = new Map<string | undefined, RulesetRule[]>();
	let before: string | undefined;
	for (const rule of then) {
		if (there.has(rule.id)) before = rule.id;
		else if (isSelected(rule.id)) back.set(before, [...(back.get(before) ?? []), toNewRule(rule)]);
	}
	const kept = now.flatMap(rule => {
		const was = isSelected(rule.id) ? earlier.get(rule.id) : rule;
		return [...(was ? [was] : []), ...(back.get(rule.id) ?? [])];
	});
	return [...(back.get(undefined) ?? []), ...kept];
}
