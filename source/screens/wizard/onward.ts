import type {Filter} from '../../firewall/rules/filter.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import {type RuleChoice, rebaseForm, toReview, toStep} from '../stepped-form/rule-form.ts';
import {emergencyActions} from '../stepped-form/words.ts';
import {isFilterGone, isRetired} from './ending.ts';
import {requestsOf} from './requests.ts';
import {beginningOf, type Ending, isAction, type Wizard, type WizardPurpose} from './state.ts';

/** Lists the choices after an ending; the first one is safe: it loses and destroys nothing. */
export function choicesOf(wizard: Wizard, ending: Ending): readonly RuleChoice[] {
	const {purpose, own} = wizard;
	const leave = (label = 'Leave'): RuleChoice => ({does: 'leave', label});
	const back: RuleChoice = {does: 'change it', label: 'Back to the review'};
	const emergency: readonly RuleChoice[] = isForEmergency(wizard)
		? [{does: 'emergency', label: 'Emergency: put it in force as a custom rule'}]
		: [];
	switch (ending.state) {
		case 'created':
		case 'changed':
			return [leave('Done')];
		case 'filter deleted':
			return [leave('Done'), back];
		case 'filter made':
			return [leave('Done'), {does: 'rule on it', label: 'Make a rule on this filter'}];
		case 'duplicate':
			return [
				...(purpose.kind === 'change filter'
					? []
					: [{does: 'use the filter', label: labelOfUse(purpose.kind, ending.filterId)} as const]),
				{does: 'change the expression', label: 'Change the expression'},
				leave(),
			];
		case 'filter only': {
			if (isRetired(wizard)) return [...emergency, leave('Leave it; y copies the command')];
			const isMine = ending.made || (own?.made === true && own.id === ending.filter.id);
			return [
				{does: 'try again', label: 'Try the rule again, on this filter'},
				{does: 'change the action', label: 'Change the action'},
				...(isMine ? [{does: 'delete the filter', label: 'Delete the filter again'} as const] : []),
				leave('Leave it; y copies the command'),
			];
		}
		case 'nothing':
			return [
				...(isRetired(wizard) ? emergency : []),
				...(isFilterGone(wizard, ending)
					? [{does: 'new filter', label: 'Make it with a new filter'} as const]
					: []),
				...(hasExpression(wizard)
					? [{does: 'change the expression', label: 'Back to the expression'} as const]
					: []),
				back,
				leave(),
			];
		case 'unsure':
			return [
				{does: 'look again', label: 'Check again'},
				// The service refuses a second filter with the same expression, but not a second rule.
				...(ending.what === 'filter' ? [back] : []),
				leave(),
			];
		case 'unsure of the change':
			return [{does: 'look again', label: 'Check again'}, leave()];
		case 'changed meanwhile':
			return ending.now
				? [
						{does: 'keep mine', label: 'Keep mine: review it against the current version'},
						{does: 'take theirs', label: 'Start over from the current version'},
						leave(),
					]
				: [{does: 'make new', label: `Make a new ${ending.what} of what I typed`}, leave()];
		default:
			return ending satisfies never;
	}
}

const labelOfUse = (kind: Wizard['purpose']['kind'], id: string): string =>
	kind === 'new rule' ? `Use that filter, ${id}, for the rule` : `Make a rule on that filter, ${id}`;

const hasExpression = ({purpose, filter}: Wizard): boolean =>
	purpose.kind !== 'change rule' && filter === undefined;

/** True if the emergency screen can create the same rule. */
const isForEmergency = ({purpose, action}: Wizard): boolean =>
	purpose.kind === 'new rule' && (emergencyActions as readonly (string | undefined)[]).includes(action);

const review = (wizard: Wizard): Wizard => toReview({requests: requestsOf}, wizard);

/** Returns the wizard after a choice; undefined if the choice does not continue it. */
export function onward(wizard: Wizard, ending: Ending, does: RuleChoice['does']): Wizard | undefined {
	const {purpose} = wizard;
	switch (does) {
		case 'change the expression':
			return toStep({...wizard, filter: undefined}, 'expression');
		case 'change it':
			return review(wizard);
		case 'try again':
		case 'change the action': {
			if (ending.state !== 'filter only') return undefined;
			const on = {...wizard, filter: filterThere(wizard, ending.filter)};
			return does === 'try again' ? review(on) : toStep(on, 'action');
		}
		case 'use the filter':
		case 'rule on it': {
			const filter =
				ending.state === 'duplicate'
					? filterThere(wizard, {id: ending.filterId})
					: ending.state === 'filter made'
						? ending.filter
						: undefined;
			if (!filter) return undefined;
			const on: Wizard = {...wizard, filter, purpose: {kind: 'new rule'}};
			if (purpose.kind === 'new rule') return review(on);
			return toStep({...on, about: {...wizard.about, row: 'order'}}, 'action');
		}
		case 'new filter':
			return asNew({...wizard, filter: undefined}, {kind: 'new rule'});
		case 'keep mine':
			return ending.state === 'changed meanwhile' && ending.now ? kept(wizard, ending.now) : undefined;
		case 'take theirs': {
			const purpose =
				ending.state === 'changed meanwhile' && ending.now ? purposeOn(wizard, ending.now) : undefined;
			return purpose && beginningOf(wizard.id, purpose, wizard.zone, wizard);
		}
		case 'make new': {
			if (purpose.kind !== 'change rule') return asNew(wizard, {kind: 'new filter'});
			const filter = 'deleted' in purpose.rule.filter ? undefined : wizard.filter;
			return asNew({...wizard, filter}, {kind: 'new rule'});
		}
		default:
			return undefined;
	}
}

/** Handles esc: back to the review if the current state is certain; undefined otherwise. */
export function backFrom(wizard: Wizard, ending: Ending): Wizard | undefined {
	switch (ending.state) {
		case 'nothing':
		case 'duplicate':
		case 'changed meanwhile':
			return review(wizard);
		case 'filter only':
			return onward(wizard, ending, 'try again');
		default:
			return undefined;
	}
}

/** Turns the input for an object that no longer exists into a new object. */
function asNew(wizard: Wizard, purpose: WizardPurpose): Wizard {
	const on = {...wizard, purpose};
	const isMissing = on.filter === undefined && expressionOf(on.editing).trim() === '';
	if (isMissing) return toStep(on, 'expression');
	return purpose.kind === 'new rule' && !isAction(on.action) ? toStep(on, 'action') : review(on);
}

/** Rebases the wizard on someone else's version: own input stays, everything else comes from that version. */
function kept(wizard: Wizard, there: Rule | Filter): Wizard | undefined {
	const purpose = purposeOn(wizard, there);
	if (!purpose) return undefined;
	const before = beginningOf(wizard.id, wizard.purpose, wizard.zone, wizard);
	return review(rebaseForm(wizard, before, beginningOf(wizard.id, purpose, wizard.zone, wizard)));
}

/** Returns the same purpose for the current version; undefined if it is of another kind. */
function purposeOn({purpose}: Wizard, there: Rule | Filter): WizardPurpose | undefined {
	if (purpose.kind === 'change rule' && 'action' in there) return {...purpose, rule: there};
	if (purpose.kind === 'change filter' && 'expression' in there) return {...purpose, filter: there};
	return undefined;
}

/** Completes an existing filter; if its expression is unknown, uses the typed one. */
const filterThere = (
	{editing, filters}: Wizard,
	{id, expression}: {readonly id: string; readonly expression?: string | undefined},
) => ({
	id,
	expression: expression ?? filters.find(one => one.id === id)?.expression ?? editing.analysis.text,
});
