import type {MigrationFlow} from '../../migration/flow/flow.ts';
import {isComplete} from '../../migration/machine/states.ts';
import type {EventsBefore} from '../../migration/validation/events.ts';
import {ruleNamesIn} from '../../migration/validation/names.ts';
import {readingInterval, readVersionEvents} from '../../migration/validation/read.ts';
import {readRise} from '../../migration/validation/rise.ts';
import {changedAt, countedSince, isBegunHere, validationSeen} from '../../migration/validation/shown.ts';
import type {Snapshot} from '../../migration/zone/snapshot.ts';
import type {Client} from '../../service/client.ts';
import type {MigrationEvents} from './state.ts';

type Reading = {
	readonly client: Client;
	readonly flow: Pick<MigrationFlow, 'zone' | 'record'>;
	/** Contains the names of rules. */
	readonly snapshot: Snapshot | undefined;
	/** Events before validation, from an earlier reading. */
	readonly before: EventsBefore | undefined;
	readonly of: MigrationEvents['of'];
};

/** Reads what security events show. Rejects only when interrupted. */
export async function readMigrationEvents(reading: Reading, signal: AbortSignal): Promise<MigrationEvents> {
	const {client, flow, snapshot, before, of} = reading;
	const {record, zone} = flow;
	const at = client.clock.now();
	if (isComplete(record.state)) return afterwards(reading, at, signal);
	const span = countedSince(record, at, of);
	const isBegunKnown = isBegunHere(record);
	const earlier = isBegunKnown ? (before ?? 'read it') : 'none';
	const {value, problems} = await readVersionEvents(client, zone.id, span, earlier, signal);
	return {
		at,
		of,
		interval: await readingInterval(client, zone.id, {since: span.begun, until: at}, signal),
		found: value && validationSeen(value, ruleNamesIn(snapshot), changedAt(record)),
		isBegunKnown,
		problems,
	};
}

/** Reads whether the new rules stop clearly more than validation showed. */
async function afterwards(
	{client, flow: {record, zone}, of}: Reading,
	at: number,
	signal: AbortSignal,
): Promise<MigrationEvents> {
	const {value, problems} = await readRise(client, zone.id, record, signal);
	return {
		at,
		of,
		interval: 60_000,
		isBegunKnown: true,
		problems,
		rise: value,
	};
}
