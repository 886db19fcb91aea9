import {isFailure, toFailure} from '../../failure.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import {isComplete, isValidating} from '../../migration/machine/states.ts';
import type {MigrationController} from './controller.ts';
import type {MigrationEvents, MigrationState} from './state.ts';

/** Maximum duration of validation that may be missing in the journal, in milliseconds. */
const maxUnsavedMs = 15 * 60_000;

/** True if security events of the migration can be shown. */
export const hasEvents = ({record}: Pick<MigrationState, 'record'>): boolean =>
	isValidating(record.state) || (isComplete(record.state) && record.validation !== undefined);

/**
 * Reads what both versions do during validation, or whether the new rules stop more requests after it. No
 * operation waits for it, and failures are reported as problems. `due`: reads only if the interval has
 * passed.
 */
export async function refreshMigrationEvents(
	controller: MigrationController,
	timing: 'now' | 'due',
	scope = controller.get().migration.data?.events?.scope ?? 'changed',
): Promise<void> {
	const {get, change, getOpenMigration, ports} = controller;
	const open = getOpenMigration();
	const migration = get().migration.data;
	if (!open || migration?.id !== open.id || !hasEvents({record: open.flow.record})) return;
	const {id, flow, client, abortController} = open;
	const {events: previousEvents, zone} = migration;
	if (
		timing === 'due' &&
		previousEvents &&
		ports.now() - previousEvents.readAt < previousEvents.refreshIntervalMs
	)
		return;
	await get().work.run(`loading security events of ${zone.name}`, 'background', async workSignal => {
		const signal = AbortSignal.any([workSignal, abortController.signal]);
		const {readMigrationEvents} = await import('./read-events.ts');
		const snapshot = migration.snapshot ?? flow.journal.loadBackup();
		const events = await readMigrationEvents(
			{client, flow, snapshot, earlierEvents: previousEvents?.reading?.events.earlierEvents, scope},
			signal,
		);
		change(id, {events, record: flow.record});
		await saveEvents(flow, events);
		change(id, {record: flow.record});
	});
}

/** Saves a summary for the report. Ignores failures to write it. */
async function saveEvents(flow: MigrationFlow, {reading}: MigrationEvents): Promise<void> {
	const {validation, validatingSince, state} = flow.record;
	if (!reading?.comparison.method || validatingSince === undefined || !isValidating(state)) return;
	const {summary} = reading;
	const isUnchanged =
		validation !== undefined &&
		Math.abs(summary.since - validation.since) < maxUnsavedMs &&
		validation.candidates.length === summary.candidates.length &&
		summary.until - validation.until < maxUnsavedMs;
	if (isUnchanged) return;
	try {
		await flow.recordValidation(summary);
	} catch (error) {
		if (!isFailure(toFailure(error), 'file_failed')) throw error;
	}
}
