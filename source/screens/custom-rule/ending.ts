import {formatRulesCommand} from '../../firewall/commands.ts';
import {buildConfirmOptions} from '../../firewall/rules/broad-rule.ts';
import {formatCustomRuleAction} from '../../firewall/rules/custom-rule-words.ts';
import {findCustomRuleZoneNameReasons} from '../../firewall/rules/name-reasons.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import {describeConcurrentEdits} from '../../rulesets/change-words.ts';
import {restoreRulesetRules} from '../../rulesets/edit.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {type RuleChoice, toReview, toStep} from '../stepped-form/rule-form.ts';
import type {FormResultText} from '../stepped-form/state.ts';
import {buildCustomRule, buildCustomRuleRequests} from './draft.ts';
import {type CustomEnding, type CustomForm, createCustomForm, rebaseCustomForm} from './state.ts';

/** Lists the choices after an ending; the first one is safe: it loses and destroys nothing. */
export function listCustomRuleChoices(form: CustomForm, ending: CustomEnding): readonly RuleChoice[] {
	const {purpose} = form;
	const offerLeaving = (label = 'Close'): RuleChoice => ({id: 'leave', label});
	switch (ending.state) {
		case 'done':
			return [offerLeaving('Done')];
		case 'nothing':
			return [
				{id: 'change the expression', label: 'Back to the expression'},
				{id: 'change it', label: 'Back to the review'},
				offerLeaving(),
			];
		case 'unsure':
			return [{id: 'look again', label: 'Check again'}, offerLeaving()];
		case 'changed meanwhile':
			if (purpose.kind === 'new')
				return [{id: 'keep mine', label: 'Review it against the current rules'}, offerLeaving()];
			return findCurrentRule(form, ending)
				? [
						{id: 'keep mine', label: 'Keep mine: review my changes against the current version'},
						{id: 'take theirs', label: 'Start over from the current version'},
						offerLeaving(),
					]
				: [{id: 'make new', label: 'Create a new rule from my input'}, offerLeaving()];
		default:
			return ending satisfies never;
	}
}

type Conflict = Extract<CustomEnding, {state: 'changed meanwhile'}>;

/** Finds the current version of the changed rule; undefined for a new rule, or if it was deleted. */
function findCurrentRule({purpose}: CustomForm, {currentRuleset}: Conflict) {
	if (purpose.kind === 'new') return undefined;
	const rule = currentRuleset?.rules.find(({id}) => id === purpose.rule.id);
	return rule && {...rule, id: purpose.rule.id};
}

/** Returns the form after a choice; undefined if the choice does not continue it. */
export function applyCustomRuleChoice(
	form: CustomForm,
	ending: CustomEnding,
	choiceId: RuleChoice['id'],
): CustomForm | undefined {
	switch (choiceId) {
		case 'change the expression':
			return toStep(form, 'expression');
		case 'change it':
			return toCustomRuleReview(form);
		case 'keep mine': {
			if (ending.state !== 'changed meanwhile') return undefined;
			const rule = findCurrentRule(form, ending);
			return toCustomRuleReview(
				rule
					? rebaseCustomForm(form, rule, ending.currentRuleset)
					: {...form, ruleset: ending.currentRuleset},
			);
		}
		case 'take theirs': {
			const rule = ending.state === 'changed meanwhile' ? findCurrentRule(form, ending) : undefined;
			if (ending.state !== 'changed meanwhile' || !rule) return undefined;
			return createCustomForm(form.id, {kind: 'change', rule}, form.zone, ending.currentRuleset);
		}
		case 'make new':
			if (ending.state !== 'changed meanwhile') return undefined;
			return toCustomRuleReview({...form, purpose: {kind: 'new'}, ruleset: ending.currentRuleset});
		default:
			return undefined;
	}
}

const toCustomRuleReview = (form: CustomForm): CustomForm =>
	toReview({buildRequests: buildCustomRuleRequests}, form);

/** Handles esc: back to the review if the current state is certain; undefined otherwise. */
export const stepCustomRuleBack = (form: CustomForm, {state}: CustomEnding): CustomForm | undefined =>
	state === 'nothing' || state === 'changed meanwhile' ? toCustomRuleReview(form) : undefined;

/** True if the input had no effect, or an unknown one: leaving loses it. */
export const isCustomRuleInputUnused = ({state}: CustomEnding): boolean => state !== 'done';

const getRuleId = (ending: CustomEnding): string => (ending.state === 'done' ? (ending.rule?.id ?? '') : '');

/** Describes the outcome in a sentence. */
export function describeCustomRuleEnding(form: Pick<CustomForm, 'purpose'>, ending: CustomEnding): string {
	const isNew = form.purpose.kind === 'new';
	switch (ending.state) {
		case 'done':
			return `Custom rule ${ending.rule ? formatRuleName(ending.rule) : getRuleId(ending)} ${isNew ? 'created' : 'changed'}.`;
		case 'nothing':
			return ending.failure.message;
		case 'changed meanwhile':
			return `${ending.failure.message} ${ending.failure.details.left ?? ''}`.trim();
		case 'unsure':
			return `It is unknown whether the rule was ${isNew ? 'created' : 'changed'}.`;
		default:
			return ending satisfies never;
	}
}

/** Says whether something was sent, for the question whether to leave the form. */
export function getCustomRuleLeaveWarning(form: CustomForm): readonly string[] {
	const ending = form.phase.name === 'ended' ? form.phase.ending : undefined;
	return [ending?.state === 'unsure' ? describeCustomRuleEnding(form, ending) : 'Nothing was sent.'];
}

/** Returns the message to print after ledge quits: an outcome that is unknown or was not seen. */
export function getCustomRuleQuitMessage(
	form: CustomForm | undefined,
	isUnseen: boolean,
): string | undefined {
	if (!form) return undefined;
	const {phase, zone} = form;
	const listHint = `To check: ${formatRulesCommand(zone, ['list'])}`;
	if (phase.name === 'sending')
		return `The custom rule was still being sent: the outcome is unknown. ${listHint}`;
	const ending = phase.name === 'ended' ? phase.ending : undefined;
	if (ending?.state === 'unsure') return `${describeCustomRuleEnding(form, ending)} ${listHint}`;
	return ending && isUnseen ? describeCustomRuleEnding(form, ending) : undefined;
}

const formatRuleInFull = (rule: RulesetRule): string =>
	[
		formatCustomRuleAction(rule),
		...(rule.enabled === false ? ['paused'] : []),
		rule.description,
		rule.expression,
	]
		.filter(Boolean)
		.join('   ');

/** Describes the outcome: a heading, then the rule, or the reason and the next step. */
export function describeCustomRuleOutcome(form: CustomForm, ending: CustomEnding): FormResultText {
	const heading = describeCustomRuleEnding(form, ending);
	switch (ending.state) {
		case 'done': {
			const {rule, ruleset, lost, concurrentEdits} = ending;
			const position = ruleset.rules.findIndex(({id}) => id === rule?.id) + 1;
			const version = concurrentEdits?.version;
			const overwrittenIds = concurrentEdits?.overwritten.flatMap(({rule: one}) => one.id ?? []) ?? [];
			const ruleOptions = overwrittenIds.flatMap(id => ['--rule', id]);
			const restoredRules = concurrentEdits
				? restoreRulesetRules(ruleset.rules, concurrentEdits.rulesBefore, new Set(overwrittenIds))
				: ruleset.rules;
			const zoneNameReasons = findCustomRuleZoneNameReasons(form.zone, ruleset.rules, restoredRules);
			const confirmOptions = buildConfirmOptions(form.zone, zoneNameReasons);
			return {
				tone: concurrentEdits ? 'warning' : 'good',
				heading,
				facts: [
					...(rule ? [formatRuleInFull(rule)] : []),
					`Position ${position} of ${ruleset.rules.length}.`,
					...(lost ? ['The response was lost; a later check confirmed the change.'] : []),
					...(concurrentEdits
						? describeConcurrentEdits(concurrentEdits).flatMap(({title, changes}) => [title, ...changes])
						: []),
					...(ruleOptions.length > 0 && version !== undefined
						? [
								`To restore it: ${formatRulesCommand(form.zone, ['restore', version], [...ruleOptions, ...confirmOptions])}`,
							]
						: []),
				],
			};
		}
		case 'nothing': {
			const {next, details} = ending.failure;
			return {
				tone: 'failed',
				heading,
				facts: [details.left, next, details.why].filter(text => text !== undefined),
			};
		}
		case 'changed meanwhile': {
			const currentRule = findCurrentRule(form, ending);
			const typedRule = buildCustomRule(form);
			return {
				tone: 'warning',
				heading,
				facts: currentRule
					? [
							`theirs  ${formatRuleInFull(currentRule)}`,
							`mine    ${typedRule ? formatRuleInFull(typedRule) : ''}`,
						]
					: [ending.failure.details.why].filter(text => text !== undefined),
			};
		}
		case 'unsure': {
			const {message, next, details} = ending.failure;
			return {
				tone: 'warning',
				heading,
				facts: [message, details.left, next, details.why].filter(text => text !== undefined),
			};
		}
		default:
			return ending satisfies never;
	}
}
