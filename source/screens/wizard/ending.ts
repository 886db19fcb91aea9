import {formatRuleName} from '../../firewall/rules/users.ts';
import type {Place} from '../firewall/state.ts';
import type {Ending, Wizard} from './state.ts';

/** What becomes of the wizard when what it sent has ended: which filter has no rule yet, and which came of it. */
export function endedWith(wizard: Wizard, ending: Ending): Pick<Wizard, 'phase' | 'left' | 'own' | 'filter'> {
	const {left, own, filter} = wizard;
	const stays = {phase: {name: 'ended', ending, cursor: 0}, left, own, filter} as const;
	switch (ending.state) {
		case 'created':
			return {...stays, left: left === ending.rule.filter.id ? undefined : left};
		case 'filter only': {
			const {id} = ending.filter;
			if (filter === undefined) return {...stays, left: id, own: {id, made: ending.made}};
			return {...stays, left: own?.id === id ? id : left};
		}
		case 'filter deleted':
			return {...stays, left: undefined, own: undefined, filter: undefined};
		case 'nothing':
			return {...stays, left: isFilterGone(wizard, ending) && left === filter?.id ? undefined : left};
		default:
			return stays;
	}
}

/** Whether the filter that was chosen for the rule no longer exists. */
export const isFilterGone = (
	{purpose, filter}: Pick<Wizard, 'purpose' | 'filter'>,
	{isFilterGone: isGone}: Extract<Ending, {state: 'nothing'}>,
): boolean => purpose.kind === 'new rule' && filter !== undefined && isGone === true;

/** Whether what was typed has come to nothing, or nobody knows: then leaving loses it. */
export function isUnused(ending: Ending): boolean {
	switch (ending.state) {
		case 'nothing':
		case 'duplicate':
		case 'unsure':
		case 'unsure of the change':
		case 'changed meanwhile':
		case 'filter only':
			return true;
		case 'created':
		case 'filter made':
		case 'changed':
		case 'filter deleted':
			return false;
		default:
			return ending satisfies never;
	}
}

/** What of the lists it is about, for the cursor: what was made or changed. */
export function madeBy(ending: Ending): Place | undefined {
	switch (ending.state) {
		case 'created':
			return {kind: 'rule', id: ending.rule.id};
		case 'filter made':
		case 'filter only':
			return {kind: 'filter', id: ending.filter.id};
		case 'changed':
			return {kind: ending.what, id: ending.id};
		case 'duplicate':
			return {kind: 'filter', id: ending.filterId};
		default:
			return undefined;
	}
}

/** The current state, in a sentence. */
export function sentenceOf(ending: Ending): string {
	switch (ending.state) {
		case 'created':
			return `Rule ${formatRuleName(ending.rule)} created, on filter ${ending.rule.filter.id}.`;
		case 'filter made':
			return `Filter ${ending.filter.id} created.`;
		case 'changed':
			return `${ending.what === 'rule' ? 'Rule' : 'Filter'} ${ending.id} changed.`;
		case 'filter deleted':
			return `Filter ${ending.id} deleted; nothing is left.`;
		case 'duplicate':
			return `Nothing was created: filter ${ending.filterId} has this expression already.`;
		case 'filter only':
			return `Filter ${ending.filter.id} was created, the rule was not.`;
		case 'nothing':
			return ending.failure.message;
		case 'changed meanwhile':
			return `${ending.failure.message} ${ending.failure.details.left ?? ''}`.trim();
		case 'unsure':
			return `Whether the ${ending.what} was created is unknown.`;
		case 'unsure of the change':
			return `Whether the ${ending.what} ${ending.id} was changed is unknown.`;
		default:
			return ending satisfies never;
	}
}
