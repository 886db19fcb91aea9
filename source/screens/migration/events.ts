import {asFailure, isFailure} from '../../failure.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import {isComplete, isValidating} from '../../migration/machine/states.ts';
import type {MigrationController} from './controller.ts';
import type {MigrationEvents, MigrationState} from './state.ts';

/** Maximum time of validation that the journal may lack, in milliseconds. */
const keptEvery = 15 * 60_000;

/** True if security events of the migration can be shown. */
export const hasEvents = ({record}: Pick<MigrationState, 'record'>): boolean =>
	isValidating(record.state) || (isComplete(record.state) && record.validation !== undefined);

/**
 * Reads what both versions do during validation, or whether the new rules stop more after it. Nothing waits
 * for it, and failures are reported as problems. `due`: only if the interval has passed.
 */
export async function readEvents(
	controller: MigrationController,
	how: 'now' | 'due',
	of = controller.get().migration.data?.events?.of ?? 'changed',
): Promise<void> {
	const {get, change, opened, ports} = controller;
	const open = opened();
	const migration = get().migration.data;
	if (!open || migration?.id !== open.id || !hasEvents({record: open.flow.record})) return;
	const {id, flow, client, stopped} = open;
	const {events: known, zone} = migration;
	if (how === 'due' && known && ports.now() - known.at < known.interval) return;
	await get().work.run(`reading security events of ${zone.name}`, 'background', async stop => {
		const signal = AbortSignal.any([stop, stopped.signal]);
		const {readMigrationEvents} = await import('./read-events.ts');
		const snapshot = migration.snapshot ?? flow.journal.snapshot();
		const events = await readMigrationEvents(
			{client, flow, snapshot, before: known?.found?.events.before, of},
			signal,
		);
		change(id, {events, record: flow.record});
		await keep(flow, events);
		change(id, {record: flow.record});
	});
}

/** Keeps a summary for the report; ignores failures to write it. */
async function keep(flow: MigrationFlow, {found}: MigrationEvents): Promise<void> {
	const {validation, validatingSince, state} = flow.record;
	if (!found?.comparison.by || validatingSince === undefined || !isValidating(state)) return;
	const {shown} = found;
	const isSame =
		validation !== undefined &&
		Math.abs(shown.since - validation.since) < keptEvery &&
		validation.candidates.length === shown.candidates.length &&
		shown.until - validation.until < keptEvery;
	if (isSame) return;
	try {
		await flow.validationShown(shown);
	} catch (error) {
		if (!isFailure(asFailure(error), 'file_failed')) throw error;
	}
}
