import type {ScreenDefinition} from '../shell/screen.ts';
import {leaveStats, refreshStats} from './actions.ts';

export const statsScreen: ScreenDefinition = {
	group: 'Statistics',
	label: 'the statistics',
	buildPath: (_before, {stats: {data: stats}}) => [
		'ledge',
		...(stats ? [stats.request.namespace.title] : []),
		'statistics',
		...(stats?.request.prefix === undefined ? [] : [stats.request.prefix]),
	],
	getTarget(before, {stats: {data: stats}}) {
		const row = stats?.request.namespace;
		return row
			? {isLocal: row.where === 'local', isPreview: row.bindings.some(({preview}) => preview)}
			: before;
	},
	reload: refreshStats,
	move: (state, by) => state.stats.move(by),
	handleEscape: leaveStats,
};
