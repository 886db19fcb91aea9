import {type Acting, becomesBroad, broadSentence} from '../../firewall/rules/broad-rule.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import {draftOf} from '../wizard/draft.ts';
import {changedFilter, changedRule} from '../wizard/requests.ts';
import type {Wizard} from '../wizard/state.ts';
import type {OpenedZone} from './slice.ts';

/** A rule as a write leaves it, and as it was before. */
export type ActingChange = {readonly after: Acting; readonly before?: Acting | undefined};

/**
 * Continues at once, or after the zone's name was typed where a rule comes to act on all or nearly all of its traffic.
 * `lines` is what else has to be known then.
 */
export function afterZoneName(
	state: LedgeState,
	zone: Pick<OpenedZone, 'name'>,
	changes: readonly ActingChange[],
	{does, lines = []}: {readonly does: string; readonly lines?: readonly string[]},
	go: () => void,
): void {
	const broad = changes.find(({after, before}) => becomesBroad(after, before));
	if (!broad) {
		go();
		return;
	}
	state.openField({
		title: `All traffic of ${zone.name}?`,
		lines: [broadSentence(broad.after, zone), ...lines],
		typed: zone.name,
		value: '',
		does,
		submit: go,
	});
}

/** The rules that a wizard changes, as they act before and after. */
export function actingIn(wizard: Wizard): readonly ActingChange[] {
	const {purpose} = wizard;
	switch (purpose.kind) {
		case 'new rule': {
			const draft = draftOf(wizard);
			if (!draft) return [];
			const {filter} = wizard;
			const known = filter && wizard.filters.find(({id}) => id === filter.id);
			return [{after: {...draft, filter: known ?? filter ?? {expression: expressionOf(wizard.editing)}}}];
		}
		case 'change rule':
			return [{before: purpose.rule, after: changedRule(wizard, purpose.rule)}];
		case 'new filter':
			return [];
		case 'change filter': {
			const {filter: before, users} = purpose;
			const filter = changedFilter(wizard, before);
			return users.map(rule => ({before: {...rule, filter: before}, after: {...rule, filter}}));
		}
		default:
			return purpose satisfies never;
	}
}
