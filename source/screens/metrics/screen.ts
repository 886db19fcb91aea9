import type {ScreenDefinition} from '../shell/screen.ts';
import {reloadMetrics} from './actions.ts';

export const metricsScreen: ScreenDefinition = {
	group: 'Metrics',
	called: 'the metrics',
	path(before, {metrics: {data: metrics}}) {
		if (!metrics?.of) return [...before, 'metrics of all'];
		const {title} = metrics.of;
		return [...before, ...(before.at(-1) === title ? [] : [title]), 'metrics'];
	},
	reload: reloadMetrics,
	move: (state, by) => state.metrics.move(by),
};
