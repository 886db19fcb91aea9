import {counted} from '../../text/figures.ts';
import type {JsonObject} from '../../text/json.ts';
import {isSameOverride, readOverride} from '../zone/override.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import type {Backups} from './backup.ts';
import type {MigrationRecord} from './record.ts';

/**
 * Finds overrides that exist only in the backups of a zone: they were deleted, and their effect must be
 * recreated manually. A restored override has a new id and the same content. If the zone's overrides could
 * not be read (see `findUnreadReason`), returns all overrides in the backups; which of them were deleted is
 * unknown then.
 */
export function deletedOverrides(
	{overrides}: Pick<Snapshot, 'overrides'>,
	{whole}: Pick<Backups, 'whole'>,
): readonly JsonObject[] {
	const present = overrides.map(readOverride);
	const kept = new Map(whole.flatMap(({snapshot}) => snapshot.overrides.map(raw => [raw.id, raw] as const)));
	return [...kept.values()].filter(raw => {
		const one = readOverride(raw);
		return !present.some(other => other.id === one.id || isSameOverride(other, one));
	});
}

type Deletions = Pick<MigrationRecord, 'deletedOverrides'>;

export const withDeleted = ({deletedOverrides: known = []}: Deletions, id: string): Deletions => ({
	deletedOverrides: [...known.filter(one => one !== id), id],
});

export const withRestored = (
	{deletedOverrides: known = []}: Deletions,
	ids: readonly string[],
): Deletions => ({deletedOverrides: known.filter(id => !ids.includes(id))});

/** Formats the number of deleted overrides: "3 overrides deleted". Undefined if none exist. */
export const deletedInWords = ({deletedOverrides: ids = []}: Deletions): string | undefined =>
	ids.length === 0 ? undefined : `${counted(ids.length, 'override')} deleted`;
