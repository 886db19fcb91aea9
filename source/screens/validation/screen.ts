import {onZone, type ScreenDefinition} from '../shell/screen.ts';
import {readValidation} from './actions.ts';

export const validationScreen: ScreenDefinition = {
	group: 'Validation',
	called: 'the events of validation',
	path: before => [...before, 'events'],
	actsOn: (_before, {migration: {data: migration}}) => onZone(migration?.zone),
	reload: readValidation,
	move: (state, by) => state.validation.move(by),
};
