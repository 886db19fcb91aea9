import type {WritingRequest} from '../firewall/rules/writing.ts';
import type {JsonObject} from '../text/json.ts';
import {entryPointPath, rulesetsPath} from './paths.ts';
import {inPlace, type Position} from './position.ts';
import type {Phase, Ruleset, RulesetRule} from './ruleset.ts';

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

/** A rule as it is sent: with the fields that ledge does not know, and without a reference that is only its id. */
function sentRule({id, ref, more, ...rule}: RulesetRule): JsonObject {
	return {
		...(id !== undefined && {id}),
		...(ref !== undefined && ref !== id && {ref}),
		...(rule as JsonObject),
		...more,
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
