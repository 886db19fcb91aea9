import type {Has} from '../../store/ledge-store.ts';
import {counted} from '../../text/figures.ts';
import {onZone, type ScreenDefinition} from '../shell/screen.ts';
import {extentOf} from './body.ts';
import {readManaged} from './opening.ts';
import {isManagedTouched, type ManagedState} from './state.ts';

/** Moves in the rules, or scrolls the review. */
function move(
	state: Has<'managed', 'data' | 'move' | 'scroll'> & Has<'navigation', 'viewport'> & Has<'connection'>,
	by: number,
): void {
	if (state.managed.data?.step === 'review') state.managed.scroll(by, extentOf(state).last);
	else state.managed.move(by);
}

const notSent = ({edits, zone}: ManagedState): string =>
	`${counted(edits.length, 'change')} of the managed rules of ${zone.name}: not sent.`;

export const managedScreen: ScreenDefinition = {
	group: 'Managed rules in force',
	called: 'the managed rules',
	path: (_before, {managed: {data: managed}}) => [
		'ledge',
		'managed rules',
		managed?.zone.name ?? '',
		...(managed?.step === 'review' ? ['review'] : []),
	],
	actsOn: (_before, {managed: {data: managed}}) => onZone(managed?.zone),
	reload: readManaged,
	move,
	takeBack({state}) {
		const managed = state().managed.data;
		if (!managed) return false;
		if (managed.step === 'review') {
			state().managed.toStep('rules');
			return true;
		}
		if (!isManagedTouched(managed)) return false;
		state().dialog.open({
			kind: 'confirm',
			title: 'Leave the managed rules?',
			lines: [notSent(managed), state().drafts.whenClosed()],
			does: 'leave them',
			confirm: () => state().managed.leave('keep'),
			other: {does: 'discard the changes', act: () => state().managed.leave('discard')},
		});
		return true;
	},
	openForm: ({managed: {data: managed}}) =>
		managed && isManagedTouched(managed) ? `managed rules of ${managed.zone.name}` : undefined,
	unsaved: ({managed: {data: managed}}) =>
		managed && isManagedTouched(managed) ? {lines: [notSent(managed)], isDraft: true} : undefined,
};
