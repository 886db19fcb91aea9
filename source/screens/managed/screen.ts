import {formatManagedCommand} from '../../firewall/commands.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatQuantity} from '../../text/figures.ts';
import {askToClose} from '../shell/form-actions.ts';
import {createZoneTarget, type ScreenDefinition} from '../shell/screen.ts';
import {getManagedExtent} from './body.ts';
import {readManaged} from './opening.ts';
import {hasUnsentEdits, type ManagedState} from './state.ts';

/** Moves in the rules, or scrolls the review. */
function move(
	state: StateWith<'managed', 'data' | 'move' | 'scroll'> &
		StateWith<'navigation', 'viewport'> &
		StateWith<'connection'>,
	distance: number,
): void {
	if (state.managed.data?.step === 'review') state.managed.scroll(distance, getManagedExtent(state).lastTop);
	else state.managed.move(distance);
}

const describeUnsentEdits = ({edits, zone}: ManagedState): string =>
	`${formatQuantity(edits.length, 'change')} to the managed rules of ${zone.name} not sent.`;

export const managedScreen: ScreenDefinition = {
	group: 'Active managed rules',
	label: 'the managed rules',
	buildPath: (_before, {managed: {data: managed}}) => [
		'ledge',
		'managed rules',
		managed?.zone.name ?? '',
		...(managed?.step === 'review' ? ['review'] : []),
	],
	getTarget: (_before, {managed: {data: managed}}) => createZoneTarget(managed?.zone),
	getZone: ({managed: {data: managed}}) => managed?.zone,
	reload: readManaged,
	move,
	handleEscape({state}) {
		const managed = state().managed.data;
		// The write under way shows its outcome in this state, and the edits stay if it fails.
		const isWriting = state().work.list.some(({subject}) => subject?.kind === 'managed rules');
		if (!managed || isWriting) return false;
		if (managed.step === 'review') {
			state().managed.toStep('rules');
			if (managed.reviewOrigin) state().navigation.go(managed.reviewOrigin);
			return true;
		}
		if (!hasUnsentEdits(managed)) return false;
		askToClose(state(), {
			noun: 'managed rules',
			lines: [describeUnsentEdits(managed)],
			leave: () => state().managed.leave('keep'),
			discard: () => state().managed.leave('discard'),
		});
		return true;
	},
	listUndoable: state =>
		state.managed.listUndoableZones().map(({zone, count}) => ({
			count,
			subject: `the managed rules of ${zone.name}`,
			command: formatManagedCommand(zone, ['versions']),
		})),
	getOpenForm: ({managed: {data: managed}}) =>
		managed && hasUnsentEdits(managed) ? `managed rules of ${managed.zone.name}` : undefined,
	getUnsaved: ({managed: {data: managed}}) =>
		managed && hasUnsentEdits(managed) ? {lines: [describeUnsentEdits(managed)], isDraft: true} : undefined,
};
