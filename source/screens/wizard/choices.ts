import type {Filter} from '../../firewall/rules/filter.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {getTypedExpression} from '../expression-editor/editing.ts';
import {type RuleChoice, rebaseForm, toReview, toStep} from '../stepped-form/rule-form.ts';
import {hasRetiredFailure, isChosenFilterMissing} from './ending.ts';
import {buildWizardRequests} from './requests.ts';
import {createWizard, isAction, type Wizard, type WizardEnding, type WizardPurpose} from './state.ts';

/** Lists the choices after an ending; the first one is safe: it loses and destroys nothing. */
export function listWizardChoices(wizard: Wizard, ending: WizardEnding): readonly RuleChoice[] {
	const {purpose, ownFilter} = wizard;
	const offerLeaving = (label = 'Close'): RuleChoice => ({id: 'leave', label});
	const backChoice: RuleChoice = {id: 'change it', label: 'Back to the review'};
	const customRuleChoices: readonly RuleChoice[] =
		wizard.purpose.kind === 'new rule' ? [{id: 'as custom rule', label: 'Continue as a custom rule'}] : [];
	switch (ending.state) {
		case 'created':
		case 'changed':
			return [offerLeaving('Done')];
		case 'filter deleted':
			return [offerLeaving('Done'), backChoice];
		case 'filter made':
			return [offerLeaving('Done'), {id: 'rule on it', label: 'Create a rule on this filter'}];
		case 'duplicate':
			return [
				...(purpose.kind === 'change filter'
					? []
					: [{id: 'use the filter', label: formatUseLabel(purpose.kind, ending.filterId)} as const]),
				{id: 'change the expression', label: 'Change the expression'},
				offerLeaving(),
			];
		case 'filter only': {
			if (hasRetiredFailure(wizard))
				return [
					...customRuleChoices,
					offerLeaving(`Close; ${nameKey('wizard.copy', 'y')} copies the command`),
				];
			const isOwnFilter =
				ending.wasFilterCreated || (ownFilter?.made === true && ownFilter.id === ending.filter.id);
			return [
				{id: 'try again', label: 'Retry the rule on this filter'},
				{id: 'change the action', label: 'Change the action'},
				...(isOwnFilter ? [{id: 'delete the filter', label: 'Delete the filter'} as const] : []),
				offerLeaving(`Close; ${nameKey('wizard.copy', 'y')} copies the command`),
			];
		}
		case 'nothing':
			return [
				...(hasRetiredFailure(wizard) ? customRuleChoices : []),
				...(isChosenFilterMissing(wizard, ending)
					? [{id: 'new filter', label: 'Create it with a new filter'} as const]
					: []),
				...(hasTypedExpression(wizard)
					? [{id: 'change the expression', label: 'Back to the expression'} as const]
					: []),
				backChoice,
				offerLeaving(),
			];
		case 'unsure':
			return [
				{id: 'look again', label: 'Check again'},
				// The service refuses a second filter with the same expression, but not a second rule.
				...(ending.what === 'filter' ? [backChoice] : []),
				offerLeaving(),
			];
		case 'unsure of the change':
			return [{id: 'look again', label: 'Check again'}, offerLeaving()];
		case 'changed meanwhile':
			return ending.current
				? [
						{id: 'keep mine', label: 'Keep mine: review my changes against the current version'},
						{id: 'take theirs', label: 'Start over from the current version'},
						offerLeaving(),
					]
				: [{id: 'make new', label: `Create a new ${ending.what} from my input`}, offerLeaving()];
		default:
			return ending satisfies never;
	}
}

const formatUseLabel = (kind: Wizard['purpose']['kind'], id: string): string =>
	kind === 'new rule' ? `Use filter ${id} for the rule` : `Create a rule on filter ${id}`;

const hasTypedExpression = ({purpose, filter}: Wizard): boolean =>
	purpose.kind !== 'change rule' && filter === undefined;

const toWizardReview = (wizard: Wizard): Wizard => toReview({buildRequests: buildWizardRequests}, wizard);

/** Returns the wizard after a choice; undefined if the choice does not continue it. */
export function applyWizardChoice(
	wizard: Wizard,
	ending: WizardEnding,
	choiceId: RuleChoice['id'],
): Wizard | undefined {
	const {purpose} = wizard;
	switch (choiceId) {
		case 'change the expression':
			return toStep({...wizard, filter: undefined}, 'expression');
		case 'change it':
			return toWizardReview(wizard);
		case 'try again':
		case 'change the action': {
			if (ending.state !== 'filter only') return undefined;
			const nextWizard = {...wizard, filter: resolveFilter(wizard, ending.filter)};
			return choiceId === 'try again' ? toWizardReview(nextWizard) : toStep(nextWizard, 'action');
		}
		case 'use the filter':
		case 'rule on it': {
			const filter =
				ending.state === 'duplicate'
					? resolveFilter(wizard, {id: ending.filterId})
					: ending.state === 'filter made'
						? ending.filter
						: undefined;
			if (!filter) return undefined;
			const nextWizard: Wizard = {...wizard, filter, purpose: {kind: 'new rule'}};
			if (purpose.kind === 'new rule') return toWizardReview(nextWizard);
			return toStep({...nextWizard, aboutFields: {...wizard.aboutFields, cursorRow: 'order'}}, 'action');
		}
		case 'new filter':
			return toNewPurpose({...wizard, filter: undefined}, {kind: 'new rule'});
		case 'keep mine':
			return ending.state === 'changed meanwhile' && ending.current
				? rebaseWizard(wizard, ending.current)
				: undefined;
		case 'take theirs': {
			const rebasedPurpose =
				ending.state === 'changed meanwhile' && ending.current
					? rebasePurpose(wizard, ending.current)
					: undefined;
			return rebasedPurpose && createWizard(wizard.id, rebasedPurpose, wizard.zone, wizard);
		}
		case 'make new': {
			if (purpose.kind !== 'change rule') return toNewPurpose(wizard, {kind: 'new filter'});
			const filter = 'deleted' in purpose.rule.filter ? undefined : wizard.filter;
			return toNewPurpose({...wizard, filter}, {kind: 'new rule'});
		}
		default:
			return undefined;
	}
}

/** Handles esc: back to the review if the current state is certain; undefined otherwise. */
export function stepWizardBack(wizard: Wizard, ending: WizardEnding): Wizard | undefined {
	switch (ending.state) {
		case 'nothing':
		case 'duplicate':
		case 'changed meanwhile':
			return toWizardReview(wizard);
		case 'filter only':
			return applyWizardChoice(wizard, ending, 'try again');
		default:
			return undefined;
	}
}

/** Turns the input for an object that no longer exists into a new object. */
function toNewPurpose(wizard: Wizard, purpose: WizardPurpose): Wizard {
	const nextWizard = {...wizard, purpose};
	const isExpressionMissing =
		nextWizard.filter === undefined && getTypedExpression(nextWizard.editing).trim() === '';
	if (isExpressionMissing) return toStep(nextWizard, 'expression');
	return purpose.kind === 'new rule' && !isAction(nextWizard.action)
		? toStep(nextWizard, 'action')
		: toWizardReview(nextWizard);
}

/** Rebases the wizard on someone else's version: own input stays, everything else comes from that version. */
function rebaseWizard(wizard: Wizard, currentVersion: Rule | Filter): Wizard | undefined {
	const purpose = rebasePurpose(wizard, currentVersion);
	if (!purpose) return undefined;
	const baseline = createWizard(wizard.id, wizard.purpose, wizard.zone, wizard);
	return toWizardReview(rebaseForm(wizard, baseline, createWizard(wizard.id, purpose, wizard.zone, wizard)));
}

/** Returns the same purpose for the current version; undefined if a rule became a filter or vice versa. */
function rebasePurpose({purpose}: Wizard, currentVersion: Rule | Filter): WizardPurpose | undefined {
	if (purpose.kind === 'change rule' && 'action' in currentVersion) return {...purpose, rule: currentVersion};
	if (purpose.kind === 'change filter' && 'expression' in currentVersion)
		return {...purpose, filter: currentVersion};
	return undefined;
}

/** Completes an existing filter; if its expression is unknown, uses the typed one. */
const resolveFilter = (
	{editing, filters}: Wizard,
	{id, expression}: {readonly id: string; readonly expression?: string | undefined},
) => ({
	id,
	expression: expression ?? filters.find(one => one.id === id)?.expression ?? editing.analysis.text,
});
