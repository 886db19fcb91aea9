import {isFilterGone} from './ending.ts';
import {isRetired} from './leaving.ts';
import type {Wizard} from './state.ts';
import {emergencyActions} from './words.ts';

/** What can be chosen once something was sent. */
export type WizardChoice = {
	readonly does:
		| 'leave'
		| 'use the filter'
		| 'change the expression'
		| 'change the action'
		| 'change it'
		| 'try again'
		| 'delete the filter'
		| 'look again'
		| 'take theirs'
		| 'rule on it'
		/** What was typed, on what someone else has written meanwhile. */
		| 'keep mine'
		/** What was typed, as something new, since what was to be changed is gone. */
		| 'make new'
		/** In place of a filter that is gone. */
		| 'new filter'
		| 'emergency';
	readonly label: string;
};

/** The ways on from how it ended; the first one loses nothing and destroys nothing. */
export function choicesOf(wizard: Wizard): readonly WizardChoice[] {
	const {phase, purpose, own} = wizard;
	if (phase.name !== 'ended') return [];
	const {ending} = phase;
	const leave = (label = 'Leave'): WizardChoice => ({does: 'leave', label});
	const back: WizardChoice = {does: 'change it', label: 'Back to the review'};
	const emergency: readonly WizardChoice[] = isForEmergency(wizard)
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
				// A second filter of one expression is refused; a second rule is not.
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

/** Whether the emergency screen can make it, too. */
const isForEmergency = ({purpose, action}: Wizard): boolean =>
	purpose.kind === 'new rule' && (emergencyActions as readonly (string | undefined)[]).includes(action);
