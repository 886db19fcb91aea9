import {counted} from '../../text/figures.ts';
import type {JsonObject} from '../../text/json.ts';
import {isSameOverride, readOverride} from '../zone/override.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import type {Backups} from './backup.ts';
import type {MigrationRecord} from './record.ts';

/**
 * Overrides that only the backups of a zone hold: they were deleted, and what they did has to be recreated by hand. One
 * that was restored has another id and the same content. If the overrides of the zone could not be read (see
 * `reasonUnread`), these are all that the backups hold, and it is unknown which of them were deleted.
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

/** What is recorded once overrides were deleted here. */
export const withDeleted = ({deletedOverrides: known = []}: Deletions, id: string): Deletions => ({
	deletedOverrides: [...known.filter(one => one !== id), id],
});

/** The same once some were restored. */
export const withRestored = (
	{deletedOverrides: known = []}: Deletions,
	ids: readonly string[],
): Deletions => ({deletedOverrides: known.filter(id => !ids.includes(id))});

/** "3 overrides deleted"; nothing where none was. */
export const deletedInWords = ({deletedOverrides: ids = []}: Deletions): string | undefined =>
	ids.length === 0 ? undefined : `${counted(ids.length, 'override')} deleted`;
