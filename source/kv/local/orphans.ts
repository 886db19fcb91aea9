import {existsSync, renameSync, unlinkSync} from 'node:fs';
import {basename, join} from 'node:path';
import {makeFolder} from '../../state/directory.ts';
import type {Orphan} from './check.ts';
import {isAbsentError, toLocalFailure} from './failures.ts';
import {orphanFolderPrefix} from './inventory.ts';
import {getStoresFolder} from './naming.ts';

/**
 * Moves orphans into a new folder beside the namespaces, with one subfolder per namespace, so that they can
 * be put back. Returns the folder and the number moved; skips files that no longer exist. Fails with
 * `file_failed`; files moved before that stay moved.
 */
export function moveOrphansAside(
	root: string,
	orphans: readonly Orphan[],
	now: number = Date.now(),
): {folder: string; moved: number} {
	const folder = findFreeFolder(root, now);
	let moved = 0;
	for (const orphan of orphans) {
		const target = join(folder, orphan.folder);
		const isMoved = actUnlessAbsent(orphan, () => {
			makeFolder(target);
			renameSync(orphan.file, join(target, basename(orphan.file)));
		});
		if (isMoved) moved++;
	}
	return {folder, moved};
}

/**
 * Deletes orphans permanently; returns how many. Skips files that no longer exist. Fails with `file_failed`.
 */
export const removeOrphans = (orphans: readonly Orphan[]): number =>
	orphans.filter(orphan => actUnlessAbsent(orphan, () => unlinkSync(orphan.file))).length;

function findFreeFolder(root: string, now: number): string {
	const stamp = new Date(now).toISOString().replace(/[-:]/g, '').replace(/\..*$/, 'Z');
	for (let number = 1; ; number++) {
		const name = `${orphanFolderPrefix}${stamp}${number === 1 ? '' : `-${number}`}`;
		const folder = join(getStoresFolder(root), name);
		if (!existsSync(folder)) return folder;
	}
}

/** Runs an action on the file of an orphan; returns false if the file no longer exists. */
function actUnlessAbsent(orphan: Orphan, act: () => void): boolean {
	try {
		act();
		return true;
	} catch (error) {
		if (isAbsentError(error)) return false;
		throw toLocalFailure(error, orphan.file, 'written');
	}
}
