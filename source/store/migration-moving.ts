import {bufferOf} from '../text/text-buffer.ts';
import {type MigrationState, type MigrationStep, migrationSteps} from './migration-state.ts';

/** The further one of two steps. */
const further = (one: MigrationStep, other: MigrationStep): MigrationStep =>
	migrationSteps.indexOf(one) > migrationSteps.indexOf(other) ? one : other;

/** To another step: its list and its text from the beginning, nothing typed. */
export const toStep = (
	{reached}: Pick<MigrationState, 'reached'>,
	step: MigrationStep,
): Pick<MigrationState, 'step' | 'reached' | 'cursor' | 'top' | 'typed' | 'asks'> => ({
	step,
	reached: further(reached, step),
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
