import type {Wizard} from './wizard-state.ts';

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
		| 'rule on it';
	readonly label: string;
};

/** The ways on from how it ended; the first one loses nothing and destroys nothing. */
export function choicesOf(wizard: Wizard): readonly WizardChoice[] {
	const {phase, purpose, left} = wizard;
	if (phase.name !== 'ended') return [];
	const {ending} = phase;
	const leave = (label = 'Leave'): WizardChoice => ({does: 'leave', label});
	switch (ending.state) {
		case 'created':
		case 'changed':
		case 'filter deleted':
			return [leave('Done')];
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
			const mine = ending.made || left === ending.filter.id;
			return [
				{does: 'try again', label: 'Try the rule again, on this filter'},
				{does: 'change the action', label: 'Change the action'},
				...(mine ? [{does: 'delete the filter', label: 'Delete the filter again'} as const] : []),
				leave('Leave it as it is, and go on later with the command (y copies it)'),
			];
		}
		case 'nothing':
			return [
				...(hasExpression(wizard)
					? [{does: 'change the expression', label: 'Back to the expression'} as const]
					: []),
				{does: 'change it', label: 'Back to the review'},
				leave(),
			];
		case 'unsure':
		case 'unsure of the change':
			return [{does: 'look again', label: 'Look again at what is there'}, leave()];
		case 'changed meanwhile':
			return ending.now
				? [{does: 'take theirs', label: 'Begin anew from what stands there now'}, leave()]
				: [leave()];
		default:
			return ending satisfies never;
	}
}

const labelOfUse = (kind: Wizard['purpose']['kind'], id: string): string =>
	kind === 'new rule' ? `Use that filter, ${id}, for the rule` : `Make a rule on that filter, ${id}`;

const hasExpression = ({purpose, filter}: Wizard): boolean =>
	purpose.kind !== 'change rule' && filter === undefined;
