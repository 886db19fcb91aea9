import type {WritingRequest} from '../firewall/rules/writing.ts';
import type {JsonObject} from '../text/json.ts';
import {listRuleChanges} from './difference.ts';
import {getOwnRef, matchEarlierRules} from './match.ts';
import {getEntryPointPath, getRulesetsPath} from './paths.ts';
import type {Ruleset, RulesetPhase, RulesetRule} from './ruleset.ts';

/**
 * Position of a rule in its ruleset. `index` counts from 1; an empty id means the beginning (`before`) or the
 * end (`after`).
 */
export type RulePosition = {readonly index: number} | {readonly before: string} | {readonly after: string};

/** The position after all other rules. */
export const endPosition: RulePosition = {after: ''};

/** Inserts a rule at a position; at the end if the position names a missing rule. */
export function insertAtPosition<Rule extends {readonly id?: string | undefined}>(
	otherRules: readonly Rule[],
	rule: Rule,
	position: RulePosition,
): readonly Rule[] {
	return otherRules.toSpliced(findInsertIndex(otherRules, position), 0, rule);
}

function findInsertIndex(
	otherRules: readonly {readonly id?: string | undefined}[],
	position: RulePosition,
): number {
	if ('index' in position) return Math.min(Math.max(1, position.index), otherRules.length + 1) - 1;
	const [anchorId, offset] = 'before' in position ? [position.before, 0] : [position.after, 1];
	if (anchorId === '') return offset * otherRules.length;
	const anchorIndex = otherRules.findIndex(({id}) => id === anchorId);
	return anchorIndex < 0 ? otherRules.length : anchorIndex + offset;
}

/** A change of a ruleset that one call makes. */
export type RulesetEdit =
	/** Added at the end if no position is given. */
	| {readonly kind: 'add'; readonly rule: RulesetRule; readonly position?: RulePosition | undefined}
	/** `rule` is the whole new rule. */
	| {readonly kind: 'change'; readonly id: string; readonly rule: RulesetRule}
	| {readonly kind: 'move'; readonly id: string; readonly position: RulePosition}
	| {readonly kind: 'delete'; readonly id: string}
	/** All rules: a new order or several changes at once. Rules keep their identity by id. */
	| {readonly kind: 'replace'; readonly rules: readonly RulesetRule[]};

/** Applies an edit to rules. An id that none of the rules has changes nothing. */
export function applyRulesetEdit(rules: readonly RulesetRule[], edit: RulesetEdit): readonly RulesetRule[] {
	switch (edit.kind) {
		case 'add':
			return insertAtPosition(rules, edit.rule, edit.position ?? endPosition);
		case 'change':
			return rules.map(rule => (rule.id === edit.id ? {...edit.rule, id: edit.id} : rule));
		case 'delete':
			return rules.filter(({id}) => id !== edit.id);
		case 'replace':
			return edit.rules;
		case 'move': {
			const movedRule = rules.find(({id}) => id === edit.id);
			const otherRules = rules.filter(({id}) => id !== edit.id);
			return movedRule ? insertAtPosition(otherRules, movedRule, edit.position) : rules;
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
 * Builds exactly the request that makes an edit. `entryPoint` is the one that was read; undefined if the zone
 * has none.
 */
export function buildEditRequest(
	zoneId: string,
	phase: RulesetPhase,
	entryPoint: Ruleset | undefined,
	edit: RulesetEdit,
): WritingRequest {
	if (edit.kind === 'replace')
		return {method: 'PUT', path: getEntryPointPath(zoneId, phase), body: {rules: edit.rules.map(toSentRule)}};
	if (!entryPoint)
		return {
			method: 'POST',
			path: getRulesetsPath(zoneId),
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
				path: getRulesetsPath(zoneId, entryPoint.id, 'rules'),
				body: {...toSentRule(edit.rule), ...(edit.position && {position: edit.position})},
			};
		case 'change':
			return {
				method: 'PATCH',
				path: getRulesetsPath(zoneId, entryPoint.id, 'rules', edit.id),
				body: toSentRule({...edit.rule, id: edit.id}),
			};
		case 'move':
			return {
				method: 'PATCH',
				path: getRulesetsPath(zoneId, entryPoint.id, 'rules', edit.id),
				body: {position: edit.position},
			};
		case 'delete':
			return {method: 'DELETE', path: getRulesetsPath(zoneId, entryPoint.id, 'rules', edit.id)};
	}
}

/**
 * Computes the edit that turns `currentRules` into `targetRules`: an edit of one rule if only one differs,
 * else a replacement of all. Undefined if nothing differs.
 */
export function computeRulesetEdit(
	currentRules: readonly RulesetRule[],
	targetRules: readonly RulesetRule[],
): RulesetEdit | undefined {
	const changes = listRuleChanges(currentRules, targetRules);
	const [change, ...otherChanges] = changes;
	if (!change) return undefined;
	const {rule} = change;
	if (otherChanges.length > 0 || (rule.id === undefined && change.kind !== 'added'))
		return {kind: 'replace', rules: targetRules};
	const id = rule.id ?? '';
	switch (change.kind) {
		case 'added':
			return {kind: 'add', rule, ...buildPosition(targetRules, change.position)};
		case 'removed':
			return {kind: 'delete', id};
		case 'changed':
			return {kind: 'change', id, rule};
		case 'moved':
			return buildMoveEdit(targetRules, id);
	}
}

/** Builds the edit that moves a rule to its position in `targetRules`. */
export function buildMoveEdit(targetRules: readonly RulesetRule[], id: string): RulesetEdit {
	const targetPosition = targetRules.findIndex(rule => rule.id === id) + 1;
	const predecessorId = targetRules[targetPosition - 2]?.id;
	return {
		kind: 'move',
		id,
		position: predecessorId === undefined ? {index: targetPosition} : {after: predecessorId},
	};
}

/**
 * Returns the position after the rule's predecessor; omitted at the end, which is the default.
 * `targetPosition` counts from 1.
 */
function buildPosition(
	targetRules: readonly RulesetRule[],
	targetPosition: number,
): {readonly position?: RulePosition} {
	if (targetPosition === targetRules.length) return {};
	const predecessorId = targetRules[targetPosition - 2]?.id;
	return {
		position:
			targetPosition === 1 || predecessorId === undefined ? {index: targetPosition} : {after: predecessorId},
	};
}

/**
 * Returns an earlier rule with the id of the rule that it is now (`match`), and with its reference unless the
 * earlier one has its own; without an id if there is none.
 */
function adoptId(rule: RulesetRule, match: RulesetRule | undefined): RulesetRule {
	if (match && match.id === rule.id) return rule;
	const {id, ref, ...fields} = rule;
	const newRef = getOwnRef(rule) ?? match?.ref;
	return {
		...fields,
		...(match?.id !== undefined && {id: match.id}),
		...(newRef !== undefined && {ref: newRef}),
	};
}

/**
 * Restores all rules of an earlier state, or only those with the selected ids. Existing rules keep their ids,
 * also if they had other ones in the earlier state; a deleted rule returns as a new one, after its former
 * predecessor.
 */
export function restoreRulesetRules(
	currentRules: readonly RulesetRule[],
	earlierRules: readonly RulesetRule[],
	selectedIds?: ReadonlySet<string>,
): readonly RulesetRule[] {
	if (!selectedIds) {
		const matches = matchEarlierRules(earlierRules, currentRules);
		return earlierRules.map((rule, index) => adoptId(rule, matches[index]));
	}
	const currentIds = new Set(currentRules.map(({id}) => id));
	const isSelected = (id: string | undefined) => id !== undefined && selectedIds.has(id);
	const earlierById = new Map(earlierRules.map(rule => [rule.id, rule]));
	/** Deleted rules by the id of the last rule before them that still exists. */
	const deletedByPredecessor = new Map<string | undefined, RulesetRule[]>();
	let predecessorId: string | undefined;
	for (const rule of earlierRules) {
		if (currentIds.has(rule.id)) predecessorId = rule.id;
		else if (isSelected(rule.id))
			deletedByPredecessor.set(predecessorId, [
				...(deletedByPredecessor.get(predecessorId) ?? []),
				adoptId(rule, undefined),
			]);
	}
	const restoredRules = currentRules.flatMap(rule => {
		const restored = isSelected(rule.id) ? earlierById.get(rule.id) : rule;
		return [...(restored ? [restored] : []), ...(deletedByPredecessor.get(rule.id) ?? [])];
	});
	return [...(deletedByPredecessor.get(undefined) ?? []), ...restoredRules];
}
