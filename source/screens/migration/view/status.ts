import type {Marks} from '../../../components/theme.ts';
import {formatDeletedOverrides} from '../../../migration/journal/deleted-overrides.ts';
import type {MigrationRecord} from '../../../migration/journal/record.ts';
import {mayHaveFinished, wasPutAccepted} from '../../../migration/machine/observation.ts';
import {isComplete, isFinishing, isValidatingUnreviewed} from '../../../migration/machine/states.ts';
import type {Has} from '../../../store/ledge-store.ts';
import {measureColumns} from '../../../text/columns.ts';
import {formatQuantity} from '../../../text/figures.ts';
import type {MigrationState} from '../state.ts';
import {formatAgo} from './rows.ts';

/**
 * Formats the status line: what was sent, what can be undone, and the newest backup, in as many words as fit.
 */
export function formatMigrationStatus(
	migration: MigrationState,
	{columns, marks, now}: {readonly columns: number; readonly marks: Marks; readonly now: number},
): string {
	const {backup, phase} = migration;
	if (phase.name === 'sending') return 'being sent: cannot be cancelled';
	const backupTexts = backup
		? [
				`backup of ${formatQuantity(backup.objects, 'object')} written ${formatAgo(backup.at, now)}`,
				`backup ${formatAgo(backup.at, now)}`,
			]
		: ['no backup yet'];
	const sent = describeSendState(migration, now);
	const lines = backupTexts.map(words => `${sent} ${marks.dot} ${words}`);
	// One column is free on each side.
	return lines.find(line => measureColumns(line) <= columns - 2) ?? sent;
}

/** Describes what was sent; fits the narrowest screen. */
function describeSendState({record}: MigrationState, now: number): string {
	const {put, state} = record;
	if (isComplete(state)) return 'complete: it cannot be undone';
	if (isFinishing(state) && !mayHaveFinished(record)) return 'not sent from here: it cannot be undone';
	if (!put) {
		const deleted = formatDeletedOverrides(record);
		return deleted === undefined ? 'nothing has been sent' : `${deleted}, nothing else sent`;
	}
	const when = formatAgo(put.at, now);
	const came = hasArrived(record) ? 'accepted' : put.came;
	switch (came) {
		case 'refused':
			return `refused ${when}: nothing changed`;
		case 'given up':
			return `sent ${when}, had no effect`;
		case 'accepted':
			return put.mode === 'validation'
				? `validating, sent ${when}: the previous version is on`
				: `sent ${when}: it cannot be undone`;
		case 'lost':
			return `answer lost, sent ${when}: outcome unknown`;
		case undefined:
			return `sent ${when}: outcome unknown`;
		default:
			return came satisfies never;
	}
}

/** True if the last PUT is known to have arrived, even if its answer was lost. */
const hasArrived = (record: MigrationRecord): boolean =>
	wasPutAccepted(record) || (isValidatingUnreviewed(record.state) && record.put?.came === 'lost');

export const formatStatusOfState = (
	{
		migration: {data: migration},
		navigation: {
			viewport: {columns},
		},
	}: Has<'migration'> & Has<'navigation', 'viewport'>,
	marks: Marks,
	now: number,
): string => (migration ? formatMigrationStatus(migration, {columns, marks, now}) : '');
