import type {Has} from '../../../store/ledge-store.ts';
import {belongingTo} from '../../shell/action.ts';
import type {MigrationStep} from '../state.ts';

/** What the screen of the migration shows: a step, or that it waits. */
export function partOf({
	migration: {data: migration},
}: Has<'migration'>): MigrationStep | 'waiting' | undefined {
	if (!migration) return undefined;
	return migration.phase.name === 'asking' ? migration.step : 'waiting';
}

/** For what belongs to some steps of the migration only. */
export const isAt = belongingTo(partOf);
