import {formatRulesCommand} from '../../firewall/commands.ts';
import {buildConfirmOptions} from '../../firewall/rules/broad-rule.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import {describeConcurrentEdits} from '../../rulesets/change-words.ts';
import {restoreRulesetRules} from '../../rulesets/edit.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import type {RuleType} from '../rulesets/rule-type.ts';
import {type RuleChoice, toReview, toStep} from '../stepped-form/rule-form.ts';
import type {FormResultText} from '../stepped-form/state.ts';
import {buildFormRule, buildRulesetFormRequests} from './draft.ts';
import {createRulesetForm, type RulesetEnding, type RulesetForm, rebaseRulesetForm} from './state.ts';

/** Lists the choices after an ending; the first one is safe: it loses and destroys nothing. */
export function listFormChoices(form: RulesetForm, ending: RulesetEnding): readonly RuleChoice[] {
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
				: [{id: 'make new', label: `Create a new ${form.type.shortNoun} from my input`}, offerLeaving()];
		default:
			return ending satisfies never;
	}
}

type Conflict = Extract<RulesetEnding, {state: 'changed meanwhile'}>;

/** Finds the current version of the changed rule; undefined for a new rule, or if it was deleted. */
function findCurrentRule({purpose}: RulesetForm, {currentRuleset}: Conflict) {
	if (purpose.kind === 'new') return undefined;
	const rule = currentRuleset?.rules.find(({id}) => id === purpose.rule.id);
	return rule && {...rule, id: purpose.rule.id};
}

/** Returns the form after a choice; undefined if the choice does not continue it. */
export function applyFormChoice(
	form: RulesetForm,
	ending: RulesetEnding,
	choiceId: RuleChoice['id'],
): RulesetForm | undefined {
	switch (choiceId) {
		case 'change the expression':
			return toStep(form, 'expression');
		case 'change it':
			return toFormReview(form);
		case 'keep mine': {
			if (ending.state !== 'changed meanwhile') return undefined;
			const rule = findCurrentRule(form, ending);
			return toFormReview(
				rule
					? rebaseRulesetForm(form, rule, ending.currentRuleset)
					: {...form, ruleset: ending.currentRuleset},
			);
		}
		case 'take theirs': {
			const rule = ending.state === 'changed meanwhile' ? findCurrentRule(form, ending) : undefined;
			if (ending.state !== 'changed meanwhile' || !rule) return undefined;
			return createRulesetForm(form.type, form.id, {kind: 'change', rule}, form.zone, ending.currentRuleset);
		}
		case 'make new':
			if (ending.state !== 'changed meanwhile') return undefined;
			return toFormReview({...form, purpose: {kind: 'new'}, ruleset: ending.currentRuleset});
		default:
			return undefined;
	}
}

const toFormReview = (form: RulesetForm): RulesetForm =>
	toReview({buildRequests: buildRulesetFormRequests}, form);

/** Handles esc: back to the review if the current state is certain; undefined otherwise. */
export const stepFormBack = (form: RulesetForm, {state}: RulesetEnding): RulesetForm | undefined =>
	state === 'nothing' || state === 'changed meanwhile' ? toFormReview(form) : undefined;

/** True if the input had no effect, or an unknown one: leaving loses it. */
export const isFormInputUnused = ({state}: RulesetEnding): boolean => state !== 'done';

const getRuleId = (ending: RulesetEnding): string => (ending.state === 'done' ? (ending.rule?.id ?? '') : '');

/** Describes the outcome in a sentence. */
export function describeFormEnding(
	form: Pick<RulesetForm, 'purpose' | 'type'>,
	ending: RulesetEnding,
): string {
	const isNew = form.purpose.kind === 'new';
	switch (ending.state) {
		case 'done':
			return `${form.type.sentenceNoun} ${ending.rule ? formatRuleName(ending.rule) : getRuleId(ending)} ${isNew ? 'created' : 'changed'}.`;
		case 'nothing':
			return ending.failure.message;
		case 'changed meanwhile':
			return `${ending.failure.message} ${ending.failure.details.left ?? ''}`.trim();
		case 'unsure':
			return `It is unknown whether the ${form.type.shortNoun} was ${isNew ? 'created' : 'changed'}.`;
		default:
			return ending satisfies never;
	}
}

/** Says whether something was sent, for the question whether to leave the form. */
export function getFormLeaveWarning(form: RulesetForm): readonly string[] {
	const ending = form.phase.name === 'ended' ? form.phase.ending : undefined;
	return [ending?.state === 'unsure' ? describeFormEnding(form, ending) : 'Nothing was sent.'];
}

/** Returns the message to print after ledge quits: an outcome that is unknown or was not seen. */
export function getFormQuitMessage(form: RulesetForm | undefined, isUnseen: boolean): string | undefined {
	if (!form) return undefined;
	const {type, phase, zone} = form;
	const listHint = `To check: ${formatRulesCommand(zone, ['list', ...type.commandOptions])}`;
	if (phase.name === 'sending')
		return `The ${type.noun} was still being sent: the outcome is unknown. ${listHint}`;
	const ending = phase.name === 'ended' ? phase.ending : undefined;
	if (ending?.state === 'unsure') return `${describeFormEnding(form, ending)} ${listHint}`;
	return ending && isUnseen ? describeFormEnding(form, ending) : undefined;
}

const formatRuleInFull = ({formatAction}: RuleType, rule: RulesetRule): string =>
	[formatAction(rule), ...(rule.enabled === false ? ['paused'] : []), rule.description, rule.expression]
		.filter(Boolean)
		.join('   ');

/** Describes the outcome: a heading, then the rule, or the reason and the next step. */
export function describeFormOutcome(form: RulesetForm, ending: RulesetEnding): FormResultText {
	const {type} = form;
	const heading = describeFormEnding(form, ending);
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
			const zoneNameReasons = type.findZoneNameReasons(form.zone, ruleset.rules, restoredRules);
			const confirmOptions = buildConfirmOptions(form.zone, zoneNameReasons);
			return {
				tone: concurrentEdits ? 'warning' : 'good',
				heading,
				facts: [
					...(rule ? [formatRuleInFull(type, rule)] : []),
					`Position ${position} of ${ruleset.rules.length}.`,
					...(lost ? ['The response was lost; a later check confirmed the change.'] : []),
					...(concurrentEdits
						? describeConcurrentEdits(concurrentEdits).flatMap(({title, changes}) => [title, ...changes])
						: []),
					...(ruleOptions.length > 0 && version !== undefined
						? [
								`To restore it: ${formatRulesCommand(form.zone, ['restore', version], [...type.commandOptions, ...ruleOptions, ...confirmOptions])}`,
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
			const typedRule = buildFormRule(form);
			return {
				tone: 'warning',
				heading,
				facts: currentRule
					? [
							`theirs  ${formatRuleInFull(type, currentRule)}`,
							`mine    ${typedRule ? formatRuleInFull(type, typedRule) : ''}`,
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
