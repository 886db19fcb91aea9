import type {RuleChange} from '../../rulesets/difference.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {isJsonObject} from '../../text/json.ts';
import type {Acting, ActingChange} from './broad-rule.ts';
import {skippedBy} from './skip.ts';

/** `skip remaining,waf`, `block 429`, or the action alone. */
export function doing(rule: Pick<RulesetRule, 'action' | 'action_parameters'>): string {
	const {action, action_parameters: given} = rule;
	const skipped = action === 'skip' ? skippedBy(rule) : [];
	const response = given?.response;
	const status = isJsonObject(response) ? response.status_code : undefined;
	return [action, skipped.join(','), status === undefined ? '' : String(status)].filter(Boolean).join(' ');
}

/** The answer of its own that a block has: `404 text/plain: Not found`. */
export function answerOf({action_parameters: given}: RulesetRule): string | undefined {
	const response = given?.response;
	if (!isJsonObject(response)) return undefined;
	return `${response.status_code} ${response.content_type}: ${response.content}`;
}

/** A custom rule as far as it matters for what acts on nearly all traffic. */
export const actingOf = ({action, enabled, expression}: RulesetRule): Acting => ({
	action,
	paused: enabled === false,
	filter: {expression},
});

/** What changes of custom rules put in force, each as it is then and as it was before. */
export const actingChanges = (changes: readonly RuleChange[]): readonly ActingChange[] =>
	changes.flatMap((change): ActingChange[] => {
		switch (change.kind) {
			case 'added':
				return [{after: actingOf(change.rule), before: undefined}];
			case 'changed':
				return [{after: actingOf(change.rule), before: actingOf(change.before)}];
			default:
				return [];
		}
	});
