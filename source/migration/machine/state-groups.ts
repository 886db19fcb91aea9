import {type MigrationState, next} from './states.ts';

/** Whether what was reviewed can be sent now, once it is confirmed. */
export const isSendable = (state: MigrationState): boolean =>
	next(state, 'send validation') !== undefined || next(state, 'send deploy') !== undefined;

/** Whether the service works on what it took: that is watched. */
export const isAtWork = (state: MigrationState): boolean =>
	state === 'starting validation' || state === 'finishing';

/** Whether both versions are on, and nothing is under way. */
export const isValidating = (state: MigrationState): boolean =>
	state === 'validating' || state === 'validating unreviewed' || state === 'ready to update';
