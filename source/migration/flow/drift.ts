import {isFailure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import {computeFingerprint, type ManagedConfiguration} from '../configuration/configuration.ts';
import {type ConfigurationDifference, compareConfigurations} from '../configuration/difference.ts';
import type {Backups} from '../journal/backup.ts';
import type {EntryPointMark, MigrationRecord} from '../journal/record.ts';
import {hasPutFailed} from '../machine/observation.ts';
import {parseManagedEntryPoint, readManagedEntryPoint} from '../zone/entry-point.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';

/** How the managed rules of a zone differ from those reviewed here. */
export type ReviewDrift = {
	/** The current rules; undefined if the zone has no entry point. */
	readonly entryPoint: EntryPointMark | undefined;
	/**
	 * Changes from the reviewed rules to the current ones, or in validation from the rules that were active;
	 * undefined if those are not stored.
	 */
	readonly differences: readonly ConfigurationDifference[] | undefined;
	/** True if the last review in validation was not sent: its changes are not among the differences. */
	readonly hasUnsentReview: boolean;
};

/** Where the configurations of a zone are stored. */
type ConfigurationStore = {
	/** Throws `journal_invalid` if the configuration is not stored. */
	readReviewed(fingerprint: string): ManagedConfiguration | Promise<ManagedConfiguration>;
	listBackups(): Pick<Backups, 'complete'>;
};

/**
 * True if the last review was made in validation and not sent. Others then changed the rules that it is based
 * on, which are still active.
 */
const isReviewUnsent = ({reviewed, put, validatingSince}: MigrationRecord): boolean =>
	validatingSince !== undefined &&
	reviewed !== undefined &&
	(put === undefined || hasPutFailed(put) || put.fingerprint !== reviewed.fingerprint);

/** Returns the fingerprint of the rules to compare with: the reviewed ones, or those that were active. */
const findBaseFingerprint = (record: MigrationRecord): string | undefined => {
	const {reviewed, put} = record;
	return isReviewUnsent(record)
		? reviewed?.entryPoint?.fingerprint
		: (reviewed?.fingerprint ?? put?.fingerprint);
};

/** Reads the current managed rules and compares them with those reviewed here. */
export async function readReviewDrift(
	client: Client,
	zone: MigrationZone,
	record: MigrationRecord,
	store: ConfigurationStore,
	signal: AbortSignal,
): Promise<ReviewDrift> {
	const fingerprint = findBaseFingerprint(record);
	const [current, base] = [
		await readManagedEntryPoint(client, zone.id, signal),
		fingerprint === undefined ? undefined : await findStoredConfiguration(fingerprint, store),
	];
	return {
		entryPoint: current && {version: current.version, fingerprint: computeFingerprint(current.configuration)},
		differences: base && compareConfigurations(base, current?.configuration ?? {rules: []}),
		hasUnsentReview: isReviewUnsent(record),
	};
}

/** Finds a configuration that was reviewed here, or was active when a backup was made. */
async function findStoredConfiguration(
	fingerprint: string,
	{readReviewed, listBackups}: ConfigurationStore,
): Promise<ManagedConfiguration | undefined> {
	try {
		return await readReviewed(fingerprint);
	} catch (error) {
		if (!isFailure(error, 'journal_invalid')) throw error;
		return listBackups()
			.complete.flatMap(({snapshot: {entryPoint}}) =>
				entryPoint ? [parseManagedEntryPoint(entryPoint).configuration] : [],
			)
			.find(one => computeFingerprint(one) === fingerprint);
	}
}
