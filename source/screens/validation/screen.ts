import {createZoneTarget, type ScreenDefinition} from '../shell/screen.ts';
import {readValidation} from './actions.ts';

export const validationScreen: ScreenDefinition = {
	group: 'Validation',
	label: 'the events of validation',
	buildPath: before => [...before, 'events'],
	getTarget: (_before, {migration: {data: migration}}) => createZoneTarget(migration?.zone),
	reload: readValidation,
	move: (state, by) => state.validation.move(by),
};
