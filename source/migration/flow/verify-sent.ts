import type {Client} from '../../service/client.ts';
import type {Configuration} from '../configuration/configuration.ts';
import {wasTaken} from '../machine/observation.ts';
import type {MigrationFlow} from './flow.ts';
import {type Verification, verify} from './verification.ts';

/** What is deployed, read, and what it was compared with. */
export type VerifiedSent = {
	/** What was reviewed and sent; none where ledge sent nothing of it. */
	readonly configuration: Configuration | undefined;
	readonly verification: Verification;
};

/**
 * Reads what is deployed, never assumes it, and compares it with what was reviewed, sent and taken. What
 * someone else put there, or was reviewed since and not sent, is compared with nothing.
 */
export async function verifySent(
	flow: Pick<MigrationFlow, 'zone' | 'record' | 'reviewed'>,
	client: Client,
	signal: AbortSignal,
): Promise<VerifiedSent> {
	const {zone, record} = flow;
	const {put, reviewed} = record;
	const isSent = wasTaken(record) && put?.fingerprint === reviewed?.fingerprint;
	const configuration = isSent ? await flow.reviewed() : undefined;
	return {configuration, verification: await verify(client, zone, record, configuration, signal)};
}
