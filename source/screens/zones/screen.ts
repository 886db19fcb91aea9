import {type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {readZones} from './actions.ts';
import {visibleZones} from './slice.ts';

export const zonesScreen: ScreenDefinition = {
	group: 'Zones',
	called: 'the zones',
	path: () => ['ledge', 'zones'],
	actsOn: () => ({isLocal: false}),
	reload: readZones,
	move: (state, by) => state.moveInZones(by),
	filter: {
		text: ({zones}) => zones.filter,
		narrow: (state, text) => state.filterZones(text),
		counts: ({zones}) => shownOf(visibleZones(zones), zones.rows),
	},
};
