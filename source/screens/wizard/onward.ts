import type {Filter} from '../../firewall/rules/filter.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {textOf} from '../../text/buffer/buffer.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import type {WizardChoice} from './choices.ts';
import {reviewing} from './requests.ts';
import {beginningOf, type Ending, isAction, type Wizard, type WizardPurpose} from './state.ts';

const asking = {phase: {name: 'asking'}} as const;

/** The review of a wizard as it stands now. */
const toReview = (wizard: Wizard): Wizard => ({...wizard, ...asking, ...reviewing(wizard)});

const toAction = (wizard: Wizard): Wizard => ({...wizard, ...asking, step: 'action', product: undefined});

/** What the wizard asks on a way that was chosen; `undefined` where that way asks nothing of it. */
export function onward(wizard: Wizard, ending: Ending, does: WizardChoice['does']): Wizard | undefined {
	const {purpose} = wizard;
	switch (does) {
		case 'change the expression':
			return {...wizard, ...asking, step: 'expression', filter: undefined};
		case 'change it':
			return toReview(wizard);
		case 'try again':
		case 'change the action': {
			if (ending.state !== 'filter only') return undefined;
			const on = {...wizard, filter: filterThere(wizard, ending.filter)};
			return does === 'try again' ? toReview(on) : toAction(on);
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
			if (purpose.kind === 'new rule') return toReview(on);
			return toAction({...on, about: {...wizard.about, row: 'priority'}});
		}
		case 'new filter':
			return asNew({...wizard, filter: undefined}, {kind: 'new rule'});
		case 'keep mine':
			return ending.state === 'changed meanwhile' && ending.now ? kept(wizard, ending.now) : undefined;
		case 'make new': {
			if (purpose.kind !== 'change rule') return asNew(wizard, {kind: 'new filter'});
			const filter = 'deleted' in purpose.rule.filter ? undefined : wizard.filter;
			return asNew({...wizard, filter}, {kind: 'new rule'});
		}
		default:
			return undefined;
	}
}

/** Esc: back to the review, where the current state is certain; elsewhere it is refreshed first. */
export function backFrom(wizard: Wizard, ending: Ending): Wizard | undefined {
	switch (ending.state) {
		case 'nothing':
		case 'duplicate':
		case 'changed meanwhile':
			return toReview(wizard);
		case 'filter only':
			return onward(wizard, ending, 'try again');
		default:
			return undefined;
	}
}

/** What was typed for something that no longer exists, as something new. */
function asNew(wizard: Wizard, purpose: WizardPurpose): Wizard {
	const on = {...wizard, ...asking, purpose};
	const isMissing = on.filter === undefined && expressionOf(on.editing).trim() === '';
	if (isMissing) return {...on, step: 'expression'};
	return purpose.kind === 'new rule' && !isAction(on.action) ? toAction(on) : toReview(on);
}

/** The wizard on what another one has written: what was changed in it stays changed, the rest is as it is there. */
function kept(wizard: Wizard, there: Rule | Filter): Wizard | undefined {
	const purpose = purposeOn(wizard, there);
	if (!purpose) return undefined;
	const begun = (on: WizardPurpose) => beginningOf(wizard.id, on, wizard.zone, wizard);
	const [before, theirs] = [begun(wizard.purpose), begun(purpose)];
	const mine = <T>(of: (one: Wizard) => T, inWords: (part: T) => string): T =>
		of(inWords(of(wizard)) === inWords(of(before)) ? theirs : wizard);
	return toReview({
		...theirs,
		editing: mine(({editing}) => editing, expressionOf),
		...mine(({action, products}) => ({action, products}), JSON.stringify),
		about: {
			row: wizard.about.row,
			priority: mine(({about}) => about.priority, textOf),
			description: mine(({about}) => about.description, textOf),
			paused: mine(({about}) => about.paused, String),
		},
	});
}

/** The same purpose for the current version. */
export function purposeOn({purpose}: Wizard, there: Rule | Filter): WizardPurpose | undefined {
	if (purpose.kind === 'change rule' && 'action' in there) return {...purpose, rule: there};
	if (purpose.kind === 'change filter' && 'expression' in there) return {...purpose, filter: there};
	return undefined;
}

/** The filter that is there, with the expression that was typed where nothing else is known of it. */
const filterThere = (
	{editing, filters}: Wizard,
	{id, expression}: {readonly id: string; readonly expression?: string | undefined},
) => ({
	id,
	expression: expression ?? filters.find(one => one.id === id)?.expression ?? editing.analysis.text,
});
