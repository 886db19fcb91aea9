import {getBodyRows} from '../../components/layout.ts';
import {getTheme} from '../../components/theme.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import type {ScreenDefinition} from '../shell/screen.ts';
import {leaveStats, refreshStats} from './actions.ts';
import {buildCostRows} from './rows.ts';

const {marks} = getTheme('none', true);

/** Returns how far the text on the cost can be scrolled, in rows; undefined if results are shown. */
function countCostTops({
	stats: {data: stats},
	navigation: {viewport},
}: StateWith<'stats'> & StateWith<'navigation', 'viewport'>): number | undefined {
	if (stats?.phase.name !== 'asking') return undefined;
	const height = getBodyRows(viewport.rows);
	const {length} = buildCostRows(stats, {columns: viewport.columns, marks}, height);
	return Math.max(0, length - height) + 1;
}

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
	move: (state, by) => state.stats.move(by, countCostTops(state)),
	handleEscape: leaveStats,
};
