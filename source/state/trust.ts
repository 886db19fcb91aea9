import {lstatSync, readlinkSync, type Stats} from 'node:fs';
import {isAbsolute, join, parse, sep} from 'node:path';
import {Failure} from '../failure.ts';
import type {Environment} from './directory.ts';

/** Owner and mode of a file, a folder or a link. */
export type PathStatus = Pick<Stats, 'uid' | 'gid' | 'mode'> & {
	/** Target of a symbolic link. */
	readonly target?: string;
};

/** Users and groups whose files are trusted, and how to read the status of a path; see `getTrustBasis`. */
export type TrustBasis = {
	/** Trusted user ids besides root, this user's first; undefined on systems without them (Windows). */
	readonly userIds: readonly number[] | undefined;
	/** Ids of groups that are assumed to have no other members. */
	readonly groupIds: readonly number[];
	/** `lstat`; throws the system's error. */
	readonly readStatus: (path: string) => PathStatus;
};

/** A file, folder or link that someone else controls, and why, as a sentence. */
type UntrustedPath = {readonly path: string; readonly why: string};

type PathEntry = {readonly path: string; readonly status: PathStatus};

/**
 * A step on the way to a file, with the folder that contains it. The root of the file system contains itself.
 */
type Step = PathEntry & {readonly folder: PathEntry};

/** Maximum number of symbolic links to follow before a path counts as a loop, as on Linux. */
const maxLinks = 40;

const rootUid = 0;
const groupWriteBit = 0o020;
const othersWriteBit = 0o002;
const stickyBit = 0o1000;

/**
 * Finds the first step on the way to a program, following symbolic links, where someone else could replace
 * it: one that does not belong to a trusted user or root, or that others can write to. Folders with the
 * sticky bit (`/tmp`) pass: others can write there, but cannot replace what is not theirs. Same rule as
 * `findCacheFolder` in source/cache-folder.cjs, except that the user's own group may have write permission
 * (umask 002).
 */
export function findUntrustedStep(path: string, trustBasis: TrustBasis): UntrustedPath | undefined {
	if (trustBasis.userIds === undefined) return undefined;
	for (const {path: step, status} of walkPath(path, trustBasis)) {
		if (!isTrustedOwner(status, trustBasis))
			return {
				path: step,
				why: `${step} belongs to user ${status.uid}, and ledge runs as user ${trustBasis.userIds[0]}.`,
			};
		const isSticky = (status.mode & stickyBit) !== 0;
		if (status.target === undefined && !isSticky && canOthersWrite(status, trustBasis))
			return {path: step, why: `${step} is writable by others: its mode is ${formatMode(status)}.`};
	}
	return undefined;
}

/**
 * Finds a step between a folder and a file in it that someone else may have planted: it does not belong to a
 * trusted user or root, and others can write to the folder that contains it. Another user's project that only
 * they can write to passes: root works in such folders in containers. `name`: the file's path relative to the
 * folder.
 */
export function findPlantedStep(
	folder: string,
	name: string,
	trustBasis: TrustBasis,
): UntrustedPath | undefined {
	if (trustBasis.userIds === undefined) return undefined;
	let start = getRoot(folder, trustBasis);
	for (const step of walkPath(folder, trustBasis, start)) if (step.status.target === undefined) start = step;
	for (const {path, status, folder: container} of walkPath(name, trustBasis, start)) {
		if (!isTrustedOwner(status, trustBasis) && canOthersWrite(container.status, trustBasis))
			return {
				path,
				why: `${path} belongs to user ${status.uid}, and others can write to ${container.path}: its mode is ${formatMode(container.status)}.`,
			};
	}
	return undefined;
}

const isTrustedOwner = ({uid}: PathStatus, {userIds = []}: TrustBasis): boolean =>
	uid === rootUid || userIds.includes(uid);

/**
 * True if anyone but the owner can write to it. A group with the owner's id counts as the owner's private
 * group.
 */
const canOthersWrite = ({uid, gid, mode}: PathStatus, {groupIds}: TrustBasis): boolean =>
	(mode & othersWriteBit) !== 0 || ((mode & groupWriteBit) !== 0 && gid !== uid && !groupIds.includes(gid));

const formatMode = ({mode}: PathStatus): string => (mode & 0o7777).toString(8).padStart(4, '0');

/**
 * Yields each step of a path, following symbolic links. Relative paths begin at `start`. Fails with
 * `file_failed` on a loop.
 */
function* walkPath(path: string, trustBasis: TrustBasis, start = getRoot(path, trustBasis)): Generator<Step> {
	const remainingNames = path.split(sep).filter(Boolean);
	let folder = start;
	if (isAbsolute(path)) yield {...start, folder: start};
	for (let links = 0; links <= maxLinks; ) {
		const name = remainingNames.shift();
		if (name === undefined) return;
		const nextPath = join(folder.path, name);
		const step = {path: nextPath, status: trustBasis.readStatus(nextPath)};
		yield {...step, folder};
		const {target} = step.status;
		if (target === undefined) {
			folder = step;
			continue;
		}
		links++;
		remainingNames.unshift(...target.split(sep).filter(Boolean));
		if (isAbsolute(target)) folder = getRoot(target, trustBasis);
	}
	throw new Failure('file_failed', `Too many symbolic links lead to ${path}.`);
}

function getRoot(path: string, {readStatus}: TrustBasis): PathEntry {
	const {root: top} = parse(path);
	return {path: top, status: readStatus(top)};
}

/** Trusts the user of this process and, under `sudo`, the user who called it, with their groups. */
export function getTrustBasis({SUDO_UID, SUDO_GID}: Environment): TrustBasis {
	const ownUid = process.getuid?.();
	return {
		userIds: ownUid === undefined ? undefined : [ownUid, ...parseId(SUDO_UID)],
		groupIds: [...parseId(SUDO_GID), ...(process.getgid ? [process.getgid()] : [])],
		readStatus(path) {
			const stats = lstatSync(path);
			return stats.isSymbolicLink() ? {...pickStatus(stats), target: readlinkSync(path)} : pickStatus(stats);
		},
	};
}

const parseId = (value: string | undefined): readonly number[] =>
	/^\d+$/.test(value ?? '') ? [Number(value)] : [];

const pickStatus = ({uid, gid, mode}: Stats): PathStatus => ({uid, gid, mode});
