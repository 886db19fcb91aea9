import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {isJsonObject} from '../../text/json.ts';
import {listSkippedNames} from './skip.ts';

/** Formats the action of a custom rule: `skip remaining,waf`, `block 429`, or the action alone. */
export function formatCustomRuleAction(rule: Pick<RulesetRule, 'action' | 'action_parameters'>): string {
	const {action, action_parameters: parameters} = rule;
	const skippedNames = action === 'skip' ? listSkippedNames(rule) : [];
	const response = parameters?.response;
	const status = isJsonObject(response) ? response.status_code : undefined;
	return [action, skippedNames.join(','), status === undefined ? '' : String(status)]
		.filter(Boolean)
		.join(' ');
}

/** Formats the custom response of a block: `404 text/plain: Not found`. */
export function formatCustomRuleResponse({action_parameters: parameters}: RulesetRule): string | undefined {
	const response = parameters?.response;
	if (!isJsonObject(response)) return undefined;
	return `${response.status_code} ${response.content_type}: ${response.content}`;
}
