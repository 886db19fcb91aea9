import type {ScreenDefinition} from '../shell/screen.ts';
import {leaveKey, reloadKey} from './actions.ts';
import {matchText} from './status.ts';

export const keyScreen: ScreenDefinition = {
	group: 'Value',
	called: 'the value',
	path: (before, {key}) => [...before, key?.name ?? ''],
	reload: reloadKey,
	move: (state, by) => state.moveInKey(by),
	filter: {
		text: ({key}) => key?.search?.query ?? '',
		narrow: (state, text) => state.searchInKey(text),
		counts: ({key, viewport}) => (key ? matchText(key, viewport.columns) : ''),
	},
	takeBack: (app, stopped) => !leaveKey(app, stopped),
};
