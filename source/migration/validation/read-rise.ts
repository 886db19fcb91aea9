import type {Read} from '../../analytics/problem.ts';
import type {Client} from '../../service/client.ts';
import type {MigrationRecord} from '../journal/record.ts';
import {readStopped} from './read.ts';
import {hourToCompare, type Rise, riseOf} from './rise.ts';

/** Milliseconds after the end of a migration in which a rise is looked for. */
const watchedFor = 7 * 86_400_000;

/**
 * Whether the new rules stop clearly more now than validation showed. Nothing is read before 10 minutes and after a week
 * from the end of the migration, nor where it is not known what validation showed. Rejects only when it is interrupted.
 */
export async function readRise(
	client: Client,
	zone: string,
	{completed, validation}: Pick<MigrationRecord, 'completed' | 'validation'>,
	signal: AbortSignal,
): Promise<Read<Rise>> {
	const now = client.clock.now();
	const isWatched = completed !== undefined && validation !== undefined && now - completed <= watchedFor;
	const hour = isWatched ? hourToCompare(completed, now) : undefined;
	if (!hour || !validation) return {value: undefined, problems: []};
	const {value, problems} = await readStopped(client, zone, hour, signal);
	return {value: value && riseOf(validation, value), problems};
}
