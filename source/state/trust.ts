import {lstatSync, readlinkSync, type Stats} from 'node:fs';
import {isAbsolute, join, parse, sep} from 'node:path';
import {Failure} from '../failure.ts';
import type {Environment} from './directory.ts';

/** What the rules need to know of a file, a folder or a link. */
export type PathStatus = Pick<Stats, 'uid' | 'gid' | 'mode'> & {
	/** Where it leads to, if it is a symbolic link. */
	readonly target?: string;
};

/** The user whose files are trusted, and the file system; those of the process unless given. */
export type TrustBasis = {
	/** Users who are trusted beside root; undefined where the system has no such users (Windows). */
	readonly users: readonly number[] | undefined;
	/** Groups that nobody else is in. */
	readonly groups: readonly number[];
	/** Throws the error of the system. */
	readonly status: (path: string) => PathStatus;
};

/** A file, folder or link that someone else controls, and why, as a sentence. */
type Untrusted = {readonly path: string; readonly why: string};

type Place = {readonly path: string; readonly status: PathStatus};

/** A step on the way to a file, and the folder that holds it; the root of the file system holds itself. */
type Step = Place & {readonly folder: Place};

/** Symbolic links on the way to a file: more are a circle, as for Linux. */
const maxLinks = 40;

const root = 0;
const groupWrites = 0o020;
const othersWrite = 0o002;
const sticky = 0o1000;

/**
 * Finds the first place on the way to a program, symbolic links resolved, where someone else could put another one.
 * Everything on the way belongs to this user, to root, or to the user behind `sudo`, and nobody else can write to it.
 * Others can write in a folder with the sticky bit (`/tmp`), but cannot replace what is not theirs.
 * The rule of `safePath` in source/load.cjs, and group-writable for the user's own group, as with umask 002.
 */
export function findUntrusted(path: string, basis: TrustBasis): Untrusted | undefined {
	if (basis.users === undefined) return undefined;
	for (const {path: step, status} of stepsTo(path, basis)) {
		if (!isTrustedOwner(status, basis))
			return {
				path: step,
				why: `${step} belongs to user ${status.uid}, and ledge runs as user ${basis.users[0]}.`,
			};
		const isSticky = (status.mode & sticky) !== 0;
		if (status.target === undefined && !isSticky && canOthersWrite(status, basis))
			return {path: step, why: `${step} can be written by others: its mode is ${modeOf(status)}.`};
	}
	return undefined;
}

/**
 * Finds what someone else may have planted on the way from a folder to a file in it: something that belongs neither to this user
 * nor to root, in a folder that others can write to. A project of another user that only this other user can write to passes:
 * a person chose to work there, as root does in a container. `name`: the file's path in the folder.
 */
export function findPlanted(folder: string, name: string, basis: TrustBasis): Untrusted | undefined {
	if (basis.users === undefined) return undefined;
	let start = rootOf(folder, basis);
	for (const step of stepsTo(folder, basis, start)) if (step.status.target === undefined) start = step;
	for (const {path, status, folder: holder} of stepsTo(name, basis, start)) {
		if (!isTrustedOwner(status, basis) && canOthersWrite(holder.status, basis))
			return {
				path,
				why: `${path} belongs to user ${status.uid}, and others can write to ${holder.path}: its mode is ${modeOf(holder.status)}.`,
			};
	}
	return undefined;
}

const isTrustedOwner = ({uid}: PathStatus, {users = []}: TrustBasis): boolean =>
	uid === root || users.includes(uid);

/** True if others than the owner can write to it. A group counts as the owner's private one if it has the owner's number. */
const canOthersWrite = ({uid, gid, mode}: PathStatus, {groups}: TrustBasis): boolean =>
	(mode & othersWrite) !== 0 || ((mode & groupWrites) !== 0 && gid !== uid && !groups.includes(gid));

const modeOf = ({mode}: PathStatus): string => (mode & 0o7777).toString(8).padStart(4, '0');

/** Follows a path step by step, symbolic links too; an absolute one from the root of the file system on. */
function* stepsTo(path: string, basis: TrustBasis, start = rootOf(path, basis)): Generator<Step> {
	const left = path.split(sep).filter(Boolean);
	let folder = start;
	if (isAbsolute(path)) yield {...start, folder: start};
	for (let links = 0; links <= maxLinks; ) {
		const name = left.shift();
		if (name === undefined) return;
		const next = join(folder.path, name);
		const step = {path: next, status: basis.status(next)};
		yield {...step, folder};
		const {target} = step.status;
		if (target === undefined) {
			folder = step;
			continue;
		}
		links++;
		left.unshift(...target.split(sep).filter(Boolean));
		if (isAbsolute(target)) folder = rootOf(target, basis);
	}
	throw new Failure('file_failed', `Too many symbolic links lead to ${path}.`);
}

function rootOf(path: string, {status}: TrustBasis): Place {
	const {root: top} = parse(path);
	return {path: top, status: status(top)};
}

/** The user of this process and, where `sudo` started it, the user who called that, with their groups. */
export function processBasis({SUDO_UID, SUDO_GID}: Environment): TrustBasis {
	const own = process.getuid?.();
	return {
		users: own === undefined ? undefined : [own, ...idIn(SUDO_UID)],
		groups: [...idIn(SUDO_GID), ...(process.getgid ? [process.getgid()] : [])],
		status(path) {
			const found = lstatSync(path);
			return found.isSymbolicLink() ? {...pick(found), target: readlinkSync(path)} : pick(found);
		},
	};
}

const idIn = (value: string | undefined): readonly number[] =>
	/^\d+$/.test(value ?? '') ? [Number(value)] : [];

const pick = ({uid, gid, mode}: Stats): PathStatus => ({uid, gid, mode});
