import type {Marks} from '../../../components/theme.ts';
import {formatDeletedOverrides} from '../../../migration/journal/deleted-overrides.ts';
import type {MigrationRecord} from '../../../migration/journal/record.ts';
import {mayHaveCompletedMigration, wasPutAccepted} from '../../../migration/machine/observation.ts';
import {
	isComplete,
	isFinishing,
	isUnread,
	isValidating,
	isValidatingUnreviewed,
} from '../../../migration/machine/states.ts';
import type {StateWith} from '../../../store/ledge-store.ts';
import {measureColumns} from '../../../text/columns.ts';
import {formatQuantity} from '../../../text/figures.ts';
import type {MigrationState} from '../state.ts';
import {formatAgo} from './rows.ts';

/**
 * Formats the status line: what was sent, whether it can be undone, and the newest backup, in as many words
 * as fit.
 */
export function formatMigrationStatus(
	migration: MigrationState,
	{columns, marks, now}: {readonly columns: number; readonly marks: Marks; readonly now: number},
): string {
	const {backup, phase} = migration;
	if (phase.name === 'sending') return 'sending: cannot be cancelled';
	const backupTexts = backup
		? [
				`backup of ${formatQuantity(backup.objects, 'object')} written ${formatAgo(backup.at, now)}`,
				`backup ${formatAgo(backup.at, now)}`,
			]
		: ['no backup yet'];
	const sendText = describeSendState(migration, now);
	const candidates = backupTexts.map(backupText => `${sendText} ${marks.dot} ${backupText}`);
	// One column is free on each side.
	return candidates.find(line => measureColumns(line) <= columns - 2) ?? sendText;
}

/** Describes what was sent, in words that fit the narrowest screen. */
function describeSendState({record}: MigrationState, now: number): string {
	const {put, state} = record;
	if (isComplete(state)) return 'complete: it cannot be undone';
	if (isFinishing(state) && !mayHaveCompletedMigration(record))
		return 'not sent from here: it cannot be undone';
	if (!put) {
		const deletionText = formatDeletedOverrides(record);
		if (deletionText !== undefined) return `${deletionText}, nothing else sent`;
		// Someone else may have sent something before.
		return isUnread(state) || isValidating(state) ? 'nothing sent from here' : 'nothing has been sent';
	}
	const age = formatAgo(put.at, now);
	const outcome = hasArrived(record) ? 'accepted' : put.came;
	switch (outcome) {
		case 'refused':
			return `rejected ${age}: nothing changed`;
		case 'given up':
			return `sent ${age}, had no effect`;
		case 'accepted':
			return put.mode === 'validation'
				? `validating, sent ${age}: previous version still on`
				: `sent ${age}: it cannot be undone`;
		case 'lost':
			return `response lost, sent ${age}: outcome unknown`;
		case undefined:
			return `sent ${age}: outcome unknown`;
		default:
			return outcome satisfies never;
	}
}

/** True if the last PUT is known to have arrived, even if its response was lost. */
const hasArrived = (record: MigrationRecord): boolean =>
	wasPutAccepted(record) || (isValidatingUnreviewed(record.state) && record.put?.came === 'lost');

export const formatMigrationStatusLine = (
	{
		migration: {data: migration},
		navigation: {
			viewport: {columns},
		},
	}: StateWith<'migration'> & StateWith<'navigation', 'viewport'>,
	marks: Marks,
	now: number,
): string => (migration ? formatMigrationStatus(migration, {columns, marks, now}) : '');
