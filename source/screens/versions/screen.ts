import type {App} from '../shell/action.ts';
import {type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {visibleVersions} from './slice.ts';

/** Goes to the versions of a ruleset, and reads them. */
export function readVersions({state}: App): void {
	void state().run('reading the versions', 'read', signal => state().loadVersions(signal));
}

export const versionsScreen: ScreenDefinition = {
	group: 'Versions',
	called: 'the versions',
	path: before => [...before, 'versions'],
	reload: readVersions,
	move: (state, by) => state.moveInVersions(by),
	filter: {
		text: ({versions}) => versions?.filter ?? '',
		narrow: (state, text) => state.filterVersions(text),
		counts: ({versions}) => (versions ? shownOf(visibleVersions(versions), versions.rows) : ''),
	},
};
