import {isFailure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import {computeFingerprint, type ManagedConfiguration} from '../configuration/configuration.ts';
import {type ConfigurationDifference, compareConfigurations} from '../configuration/difference.ts';
import type {EntryPointMark, MigrationRecord} from '../journal/record.ts';
import {readManagedEntryPoint} from '../zone/entry-point.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';

/** How the managed rules of a zone differ from those reviewed here. */
export type ReviewDrift = {
	/** The current rules; undefined if the zone has no entry point. */
	readonly entryPoint: EntryPointMark | undefined;
	/** Changes from the reviewed rules to the current ones; undefined if no review is stored. */
	readonly differences: readonly ConfigurationDifference[] | undefined;
};

/** Returns the fingerprint of the rules last reviewed here, which may have been sent since. */
const findReviewedFingerprint = ({reviewed, put}: MigrationRecord): string | undefined =>
	reviewed?.fingerprint ?? put?.fingerprint;

/**
 * Reads the current managed rules and compares them with those reviewed here. `readReviewed` is called with
 * their fingerprint.
 */
export async function readReviewDrift(
	client: Client,
	zone: MigrationZone,
	record: MigrationRecord,
	readReviewed: (fingerprint: string) => ManagedConfiguration | Promise<ManagedConfiguration>,
	signal: AbortSignal,
): Promise<ReviewDrift> {
	const fingerprint = findReviewedFingerprint(record);
	const [current, reviewed] = [
		await readManagedEntryPoint(client, zone.id, signal),
		fingerprint === undefined ? undefined : await readIfStored(fingerprint, readReviewed),
	];
	return {
		entryPoint: current && {version: current.version, fingerprint: computeFingerprint(current.configuration)},
		differences: reviewed && compareConfigurations(reviewed, current?.configuration ?? {rules: []}),
	};
}

async function readIfStored(
	fingerprint: string,
	readReviewed: (fingerprint: string) => ManagedConfiguration | Promise<ManagedConfiguration>,
): Promise<ManagedConfiguration | undefined> {
	try {
		return await readReviewed(fingerprint);
	} catch (error) {
		if (isFailure(error, 'journal_invalid')) return undefined;
		throw error;
	}
}
