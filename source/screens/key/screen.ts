import type {ScreenDefinition} from '../shell/screen.ts';
import {leaveKey, reloadKey} from './actions.ts';
import {formatMatchCount} from './status.ts';

export const keyScreen: ScreenDefinition = {
	group: 'Value',
	label: 'the value',
	buildPath: (before, {key: {data: key}}) => [...before, key?.name ?? ''],
	reload: reloadKey,
	move: (state, by) => state.key.move(by),
	filter: {
		getText: ({key: {data: key}}) => key?.search?.query ?? '',
		setText: (state, text) => state.key.search(text),
		formatCounts: ({key: {data: key}, navigation: {viewport}}) =>
			key ? formatMatchCount(key, viewport.columns) : '',
	},
	handleEscape: (app, hasStoppedReads) => !leaveKey(app, hasStoppedReads),
};
