import type {Client} from '../../service/client.ts';
import {carryOut, orThrow} from './settle.ts';

/** What a look at the state found: what was to be there, or what is there instead, in a sentence. */
export type Look<T> = {readonly found: T} | {readonly instead: string};

/**
 * A change that has no parts, and whose object nobody else can make: returns what exists when it is what was asked
 * for; else fails, with the current state in `left`.
 */
export async function settled<T>(
	client: Client,
	write: () => Promise<T>,
	{look, where}: {look(signal: AbortSignal): Promise<Look<T>>; readonly where: string},
	signal: AbortSignal,
): Promise<T> {
	const outcome = await carryOut<T, never, never>(
		client,
		{
			send: write,
			async look(_client, looking) {
				const seen = await look(looking);
				return 'found' in seen
					? {shows: 'done', value: seen.found}
					: {shows: 'not done', sentence: seen.instead};
			},
			where,
		},
		{signal},
	);
	return orThrow(outcome);
}
