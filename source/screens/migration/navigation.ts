import {bufferOf} from '../../text/buffer/buffer.ts';
import type {MigrationState, MigrationStep} from './state.ts';

/** To another step: its list and its text from the beginning, nothing typed. */
export const toStep = (
	step: MigrationStep,
): Pick<MigrationState, 'step' | 'cursor' | 'top' | 'typed' | 'asks'> => ({
	step,
	cursor: 0,
	top: 0,
	...nothingTyped(),
});

export const nothingTyped = (): Pick<MigrationState, 'typed' | 'asks'> => ({
	typed: bufferOf('', {singleLine: true}),
	asks: 'name of the zone',
});

/** Of a configuration that nobody has looked at. */
export const unseen: MigrationState['seen'] = {comparison: 0, json: 0};
