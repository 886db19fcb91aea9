import type {LedgeState} from '../../store/ledge-store.ts';
import type {MigrationStep} from '../../store/migration-state.ts';
import {belongingTo} from './parts.ts';

/** What the screen of the migration shows: a step, or that it waits. */
export function partOf({migration}: LedgeState): MigrationStep | 'waiting' | undefined {
	if (!migration) return undefined;
	return migration.phase.name === 'asking' ? migration.step : 'waiting';
}

/** For what belongs to some steps of the migration only. */
export const isAt = belongingTo(partOf);
