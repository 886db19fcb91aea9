import type {MigrationFlow} from '../../migration/flow/flow.ts';
import {isComplete} from '../../migration/machine/states.ts';
import type {EventsBefore} from '../../migration/validation/events.ts';
import {createRuleNameFinder} from '../../migration/validation/names.ts';
import {computeReadingInterval, readVersionEvents} from '../../migration/validation/read.ts';
import {readRise} from '../../migration/validation/rise.ts';
import {
	getCountedSpan,
	getLastConfigurationChange,
	hasKnownBeginning,
	summarizeValidation,
} from '../../migration/validation/shown.ts';
import type {Snapshot} from '../../migration/zone/snapshot.ts';
import type {Client} from '../../service/client.ts';
import type {MigrationEvents} from './state.ts';

type EventReading = {
	readonly client: Client;
	readonly flow: Pick<MigrationFlow, 'zone' | 'record'>;
	/** Contains the names of rules. */
	readonly snapshot: Snapshot | undefined;
	/** Events before validation, from an earlier reading. */
	readonly before: EventsBefore | undefined;
	readonly scope: MigrationEvents['scope'];
};

/** Reads what security events show. Rejects only when interrupted. */
export async function readMigrationEvents(
	reading: EventReading,
	signal: AbortSignal,
): Promise<MigrationEvents> {
	const {client, flow, snapshot, before, scope} = reading;
	const {record, zone} = flow;
	const at = client.clock.now();
	if (isComplete(record.state)) return readEventsAfterMigration(reading, at, signal);
	const span = getCountedSpan(record, at, scope);
	const isBeginningKnown = hasKnownBeginning(record);
	const earlier = isBeginningKnown ? (before ?? 'read it') : 'none';
	const {value, problems} = await readVersionEvents(client, zone.id, span, earlier, signal);
	return {
		at,
		scope,
		interval: await computeReadingInterval(client, zone.id, {since: span.begun, until: at}, signal),
		found:
			value && summarizeValidation(value, createRuleNameFinder(snapshot), getLastConfigurationChange(record)),
		isBeginningKnown,
		problems,
	};
}

/** Reads whether the new rules stop clearly more than validation showed. */
async function readEventsAfterMigration(
	{client, flow: {record, zone}, scope}: EventReading,
	at: number,
	signal: AbortSignal,
): Promise<MigrationEvents> {
	const {value, problems} = await readRise(client, zone.id, record, signal);
	return {
		at,
		scope,
		interval: 60_000,
		isBeginningKnown: true,
		problems,
		rise: value,
	};
}
