import type {ScreenDefinition} from '../shell/screen.ts';
import {leaveKey, reloadKey} from './actions.ts';
import {matchText} from './status.ts';

export const keyScreen: ScreenDefinition = {
	group: 'Value',
	called: 'the value',
	path: (before, {key: {data: key}}) => [...before, key?.name ?? ''],
	reload: reloadKey,
	move: (state, by) => state.key.move(by),
	filter: {
		text: ({key: {data: key}}) => key?.search?.query ?? '',
		narrow: (state, text) => state.key.search(text),
		counts: ({key: {data: key}, navigation: {viewport}}) => (key ? matchText(key, viewport.columns) : ''),
	},
	takeBack: (app, stopped) => !leaveKey(app, stopped),
};
