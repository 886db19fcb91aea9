import type {LedgeState} from '../../store/ledge-store.ts';
import type {MigrationState} from '../../store/migration-state.ts';
import {counted} from '../../text/figures.ts';
import {ago} from './rows.ts';

/** The line below: what was sent, what can still be undone, and what there is to fall back on. ASCII, but for the zone. */
export function statusOfMigration(migration: MigrationState, now: number): string {
	const {backup, phase} = migration;
	if (phase.name === 'sending') return 'being sent: it cannot be called back';
	const kept = backup
		? `backup of ${counted(backup.objects, 'object')} written ${ago(backup.at, now)}`
		: 'no backup yet';
	return `${sentSoFar(migration, now)}, ${kept}`;
}

function sentSoFar({record}: MigrationState, now: number): string {
	const {put, state} = record;
	if (state === 'complete') return 'complete: it cannot be undone';
	if (!put) return 'nothing has been sent';
	const when = ago(put.at, now);
	switch (put.came) {
		case 'refused':
			return `refused ${when}: nothing changed`;
		case 'given up':
			return `sent ${when} and not there: nothing changed`;
		case 'accepted':
			return put.mode === 'validation'
				? `validation sent ${when}: the previous version is still on`
				: `sent ${when}: it cannot be undone`;
		case 'lost':
		case undefined:
			return `sent ${when}, not known whether it was taken`;
		default:
			return put.came satisfies never;
	}
}

export const statusOfState = ({migration}: Pick<LedgeState, 'migration'>, now: number): string =>
	migration ? statusOfMigration(migration, now) : '';
