import type {LedgeState} from '../../store/ledge-store.ts';
import {counted} from '../../text/figures.ts';
import {onZone, type ScreenDefinition} from '../shell/screen.ts';
import {extentOf} from './body.ts';
import {readManaged} from './opening.ts';
import {isManagedTouched, type ManagedState} from './state.ts';

/** Through the rules, or through the review. */
function move(state: LedgeState, by: number): void {
	if (state.managed?.step === 'review') state.scrollManaged(by, extentOf(state).last);
	else state.moveInManaged(by);
}

const notSent = ({edits, zone}: ManagedState): string =>
	`${counted(edits.length, 'change')} of the managed rules of ${zone.name}: not sent.`;

export const managedScreen: ScreenDefinition = {
	group: 'Managed rules in force',
	called: 'the managed rules',
	path: (_before, {managed}) => [
		'ledge',
		'managed rules',
		managed?.zone.name ?? '',
		...(managed?.step === 'review' ? ['review'] : []),
	],
	actsOn: (_before, {managed}) => onZone(managed?.zone),
	reload: readManaged,
	move,
	takeBack({state}) {
		const {managed} = state();
		if (!managed) return false;
		if (managed.step === 'review') {
			state().toManagedStep('rules');
			return true;
		}
		if (!isManagedTouched(managed)) return false;
		state().open({
			kind: 'confirm',
			title: 'Leave the managed rules?',
			lines: [notSent(managed), state().whenClosed()],
			does: 'leave them',
			confirm: () => state().leaveManaged('keep'),
			other: {does: 'discard the changes', act: () => state().leaveManaged('discard')},
		});
		return true;
	},
	openForm: ({managed}) =>
		managed && isManagedTouched(managed) ? `managed rules of ${managed.zone.name}` : undefined,
	unsaved: ({managed}) =>
		managed && isManagedTouched(managed) ? {lines: [notSent(managed)], isDraft: true} : undefined,
};
