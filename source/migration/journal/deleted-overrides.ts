import {formatQuantity} from '../../text/figures.ts';
import type {JsonObject} from '../../text/json.ts';
import {isSameOverride, parseWafOverride} from '../zone/override.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import type {Backups} from './backup.ts';
import type {MigrationRecord} from './record.ts';

/**
 * Finds overrides that exist only in the backups of a zone: they were deleted, and their effect must be
 * recreated manually. A restored override has a new id and the same content. If the zone's overrides could
 * not be read (see `findUnreadReason`), returns all overrides in the backups, because it is unknown which of
 * them were deleted.
 */
export function findDeletedOverrides(
	{overrides}: Pick<Snapshot, 'overrides'>,
	{complete: completeBackups}: Pick<Backups, 'complete'>,
): readonly JsonObject[] {
	const presentOverrides = overrides.map(parseWafOverride);
	const backupOverrides = new Map(
		completeBackups.flatMap(({snapshot}) => snapshot.overrides.map(raw => [raw.id, raw] as const)),
	);
	return [...backupOverrides.values()].filter(raw => {
		const override = parseWafOverride(raw);
		return !presentOverrides.some(other => other.id === override.id || isSameOverride(other, override));
	});
}

type Deletions = Pick<MigrationRecord, 'deletedOverrides'>;

export const withDeletedOverride = ({deletedOverrides: knownIds = []}: Deletions, id: string): Deletions => ({
	deletedOverrides: [...knownIds.filter(one => one !== id), id],
});

export const withRestoredOverrides = (
	{deletedOverrides: knownIds = []}: Deletions,
	ids: readonly string[],
): Deletions => ({deletedOverrides: knownIds.filter(id => !ids.includes(id))});

/** Formats the number of deleted overrides: "3 overrides deleted". Undefined if none exist. */
export const formatDeletedOverrides = ({deletedOverrides: ids = []}: Deletions): string | undefined =>
	ids.length === 0 ? undefined : `${formatQuantity(ids.length, 'override')} deleted`;
