import type {App} from '../shell/action.ts';
import {onZone, type ScreenDefinition} from '../shell/screen.ts';
import {moveInMerge, readMerge} from './actions.ts';

/** From a review back to the rules. */
function takeBack({state}: App): boolean {
	if (state().merge?.step === 'rules' || !state().merge) return false;
	state().showMerge({step: 'rules', top: 0});
	return true;
}

export const mergeScreen: ScreenDefinition = {
	group: 'Custom rules from firewall rules',
	called: 'the custom rules from firewall rules',
	path: before => [...before, 'from firewall rules'],
	actsOn: (_before, {merge}) => onZone(merge?.zone),
	reload: readMerge,
	move: moveInMerge,
	takeBack,
};
