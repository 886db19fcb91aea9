import {sameCustomRule, sameRuleWarning} from '../../firewall/rules/custom-rule-settings.ts';
import {answerOf, doing} from '../../firewall/rules/custom-rule-words.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import type {AnyRuleKind} from '../stepped-form/rule-form.ts';
import {describeQuota} from '../stepped-form/words.ts';
import {neighboursOf, ruleOf, rulesThere} from './draft.ts';
import type {CustomForm} from './state.ts';

/** Builds the text of the review, apart from findings and requests. */
export function describeReview(form: CustomForm): ReturnType<AnyRuleKind['review']> {
	const {purpose} = form;
	const rule = ruleOf(form);
	const same = purpose.kind === 'new' && rule ? sameCustomRule(rule, rulesThere(form)) : undefined;
	return {
		summary: rule && purpose.kind === 'new' ? [`${doing(rule)}, ${inForce(rule)}: ${rule.expression}`] : [],
		changes: rule && purpose.kind === 'change' ? changes(purpose.rule, rule) : [],
		warnings: same ? [sameRuleWarning(same)] : [],
		concerns: concerns(form),
	};
}

const inForce = ({enabled}: RulesetRule): string => (enabled === false ? 'paused' : 'in force');

/** Lists the changes, one line each with its name. Raw text. */
function changes(before: RulesetRule, after: RulesetRule): readonly string[] {
	const line = (name: string, was: string | undefined, is: string | undefined) =>
		was === is ? [] : [`${name.padEnd(13)}from ${was || 'none'} to ${is || 'none'}`];
	return [
		...(before.expression === after.expression
			? []
			: [`now          ${before.expression}`, `then         ${after.expression}`]),
		...line('action', doing(before), doing(after)),
		...line('answer', answerOf(before), answerOf(after)),
		...line('state', inForce(before), inForce(after)),
		...line('logged', logged(before), logged(after)),
		...line('description', before.description, after.description),
	];
}

const logged = ({action, logging}: RulesetRule): string | undefined =>
	action === 'skip' ? ((logging?.enabled ?? true) ? 'yes' : 'no') : undefined;

/** Describes the place in the order, and the quota. */
function concerns(form: CustomForm): readonly string[] {
	const {purpose, zone} = form;
	const {place, of} = neighboursOf(form);
	const quota = purpose.kind === 'new' && describeQuota(zone, of, 'custom rules');
	return [[`It will be evaluated as number ${place} of ${of}.`, quota].filter(Boolean).join(' ')];
}
