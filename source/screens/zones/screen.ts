import type {ScreenDefinition} from '../shell/screen.ts';
import {readZones} from './actions.ts';

export const zonesScreen: ScreenDefinition = {
	group: 'Zones',
	called: 'the zones',
	path: () => ['ledge', 'zones'],
	actsOn: () => ({isLocal: false}),
	reload: readZones,
	move: (state, by) => state.moveInZones(by),
	filter: {text: ({zones}) => zones.filter, narrow: (state, text) => state.filterZones(text)},
};
