import type {StateWith} from '../../../store/ledge-store.ts';
import {createPartPredicate} from '../../shell/action.ts';
import type {MigrationStep} from '../state.ts';

/** Returns the step that the screen shows, or `waiting` while an operation is in progress. */
export function getMigrationPart({
	migration: {data: migration},
}: StateWith<'migration'>): MigrationStep | 'waiting' | undefined {
	if (!migration) return undefined;
	return migration.phase.name === 'asking' ? migration.step : 'waiting';
}

/** Creates a predicate for actions that apply only to some steps. */
export const isAtMigrationStep = createPartPredicate(getMigrationPart);
