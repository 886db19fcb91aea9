import type {MigrationFlow} from '../../migration/flow/flow.ts';
import {getLastConfigurationChange} from '../../migration/machine/observation.ts';
import {isComplete} from '../../migration/machine/states.ts';
import type {EarlierEvents} from '../../migration/validation/events.ts';
import {computeReadingInterval, readVersionEvents} from '../../migration/validation/read.ts';
import {readRise} from '../../migration/validation/rise.ts';
import {createManagedRuleFinder} from '../../migration/validation/rule-finder.ts';
import {getCountedSpan, hasKnownBeginning, summarizeValidation} from '../../migration/validation/summary.ts';
import type {Snapshot} from '../../migration/zone/snapshot.ts';
import type {Client} from '../../service/client.ts';
import type {MigrationEvents} from './state.ts';

type EventReadingOptions = {
	readonly client: Client;
	readonly flow: Pick<MigrationFlow, 'zone' | 'record'>;
	/** The source of the names of rules. */
	readonly snapshot: Snapshot | undefined;
	/** The events before validation, from an earlier reading. */
	readonly earlierEvents: EarlierEvents | undefined;
	readonly scope: MigrationEvents['scope'];
};

/** Reads what security events show. Rejects only when interrupted. */
export async function readMigrationEvents(
	options: EventReadingOptions,
	signal: AbortSignal,
): Promise<MigrationEvents> {
	const {client, flow, snapshot, earlierEvents: knownEarlierEvents, scope} = options;
	const {record, zone} = flow;
	const readAt = client.clock.now();
	if (isComplete(record.state)) return readEventsAfterMigration(options, readAt, signal);
	const span = getCountedSpan(record, readAt, scope);
	const isBeginningKnown = hasKnownBeginning(record);
	const earlierEvents = isBeginningKnown ? (knownEarlierEvents ?? 'read it') : 'none';
	const {value, problems} = await readVersionEvents(client, zone.id, span, earlierEvents, signal);
	return {
		readAt,
		scope,
		refreshIntervalMs: await computeReadingInterval(
			client,
			zone.id,
			{since: span.validationStart, until: readAt},
			signal,
		),
		reading:
			value &&
			summarizeValidation(value, createManagedRuleFinder(snapshot), getLastConfigurationChange(record)),
		isBeginningKnown,
		problems,
	};
}

/** Reads whether the new rules now stop clearly more requests than validation showed. */
async function readEventsAfterMigration(
	{client, flow: {record, zone}, scope}: EventReadingOptions,
	readAt: number,
	signal: AbortSignal,
): Promise<MigrationEvents> {
	const {value, problems} = await readRise(client, zone.id, record, signal);
	return {
		readAt,
		scope,
		refreshIntervalMs: 60_000,
		isBeginningKnown: true,
		problems,
		rise: value,
	};
}
