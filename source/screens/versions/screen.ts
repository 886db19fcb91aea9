import type {App} from '../shell/app.ts';
import {type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {visibleVersions} from './slice.ts';

/** Goes to the versions of a ruleset, and reads them. */
export function readVersions({state}: App): void {
	void state().work.run('reading the versions', 'read', signal => state().versions.load(signal));
}

export const versionsScreen: ScreenDefinition = {
	group: 'Versions',
	called: 'the versions',
	path: before => [...before, 'versions'],
	reload: readVersions,
	move: (state, by) => state.versions.move(by),
	filter: {
		text: ({versions: {data: versions}}) => versions?.filter ?? '',
		narrow: (state, text) => state.versions.filter(text),
		counts: ({versions: {data: versions}}) =>
			versions ? shownOf(visibleVersions(versions), versions.rows) : '',
	},
};
