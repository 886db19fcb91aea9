import type {App} from '../shell/app.ts';
import {onZone, type ScreenDefinition} from '../shell/screen.ts';
import {moveInMerge, readMerge} from './actions.ts';

/** Goes from a review back to the rules. */
function takeBack({state}: App): boolean {
	if (state().merge.data?.step === 'rules' || !state().merge.data) return false;
	state().merge.show({step: 'rules', top: 0});
	return true;
}

export const mergeScreen: ScreenDefinition = {
	group: 'Custom rules from firewall rules',
	called: 'the custom rules from firewall rules',
	path: before => [...before, 'from firewall rules'],
	actsOn: (_before, {merge: {data: merge}}) => onZone(merge?.zone),
	reload: readMerge,
	move: moveInMerge,
	takeBack,
};
