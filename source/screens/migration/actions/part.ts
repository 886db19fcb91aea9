import type {Has} from '../../../store/ledge-store.ts';
import {createPartPredicate} from '../../shell/action.ts';
import type {MigrationStep} from '../state.ts';

/** Returns the step that the screen shows, or `waiting` while work is under way. */
export function getMigrationPart({
	migration: {data: migration},
}: Has<'migration'>): MigrationStep | 'waiting' | undefined {
	if (!migration) return undefined;
	return migration.phase.name === 'asking' ? migration.step : 'waiting';
}

/** Limits actions to some steps of the migration. */
export const isAtMigrationStep = createPartPredicate(getMigrationPart);
