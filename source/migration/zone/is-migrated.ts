import type {Client} from '../../service/client.ts';
import {stageOf} from '../machine/stage-of.ts';
import {status} from './calls.ts';

/** Milliseconds that asking for the stage of a zone may take: what depends on it is only a warning. */
const longestAsk = 3_000;

const asked = new WeakMap<Client, Map<string, Promise<boolean>>>();

/**
 * Whether a zone has the new managed rules only, as its migration status says; `false` where nobody says so. Asked
 * once for each client and zone, and never fails.
 */
export function isMigrated(client: Client, zone: string): Promise<boolean> {
	const answers = asked.get(client) ?? new Map<string, Promise<boolean>>();
	asked.set(client, answers);
	const known = answers.get(zone) ?? askedNow(client, zone);
	answers.set(zone, known);
	return known;
}

async function askedNow(client: Client, zone: string): Promise<boolean> {
	try {
		const stated = await status(client, zone, AbortSignal.timeout(longestAsk));
		return stageOf({compatible: false, state: undefined}, stated) === 'complete';
	} catch {
		return false;
	}
}
