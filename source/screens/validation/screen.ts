import {createZoneTarget, type ScreenDefinition} from '../shell/screen.ts';
import {refreshValidation} from './actions.ts';

export const validationScreen: ScreenDefinition = {
	group: 'Validation',
	label: 'the events of validation',
	buildPath: before => [...before, 'events'],
	getTarget: (_before, {migration: {data: migration}}) => createZoneTarget(migration?.zone),
	getZone: ({migration: {data: migration}}) => migration?.zone,
	reload: refreshValidation,
	move: (state, distance) => state.validation.move(distance),
};
