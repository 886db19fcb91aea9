import type {App} from '../shell/app.ts';
import {createZoneTarget, type ScreenDefinition} from '../shell/screen.ts';
import {moveOrScrollMerge, readMergeRules} from './actions.ts';

/** Goes from a review back to the rules. */
function returnToRules({state}: App): boolean {
	if (state().merge.data?.step === 'rules' || !state().merge.data) return false;
	state().merge.show({step: 'rules', top: 0});
	return true;
}

export const mergeScreen: ScreenDefinition = {
	group: 'Custom rules from firewall rules',
	label: 'the custom rules from firewall rules',
	buildPath: parentPath => [...parentPath, 'from firewall rules'],
	getTarget: (_before, {merge: {data: merge}}) => createZoneTarget(merge?.zone),
	getZone: ({merge: {data: merge}}) => merge?.zone,
	reload: readMergeRules,
	move: moveOrScrollMerge,
	handleEscape: returnToRules,
};
