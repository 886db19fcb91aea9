// Finds the folder for Node's compile cache.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

/** Symbolic links followed before a path counts as a loop, as on Linux. */
const maxLinks = 40;

const groupOrOthersWrite = 0o022;
const sticky = 0o1000;

/**
 * Returns the real path of `$XDG_CACHE_HOME/ledge`, or `~/.cache/ledge`, and creates it with mode 0700.
 * Returns undefined if another user could put files there, since Node runs the code it finds: the folder must
 * belong to this user and be writable only by them, and each parent must belong to them or root. A parent
 * that others can write must have the sticky bit, like `/tmp`, where users cannot replace each other's files.
 */
exports.findCacheFolder = function findCacheFolder(env) {
	const base = env.XDG_CACHE_HOME || (env.HOME && path.join(env.HOME, '.cache'));
	if (!process.getuid || !base || !path.isAbsolute(base)) return undefined;
	try {
		const folder = followSafely(path.join(base, 'ledge'), maxLinks);
		const status = folder && fs.lstatSync(folder);
		return status && status.uid === process.getuid() && !(status.mode & groupOrOthersWrite)
			? folder
			: undefined;
	} catch (_error) {
		// Without the folder, ledge starts more slowly but works.
		return undefined;
	}
};

/**
 * Returns the real path of a folder, created if missing; undefined if others could replace it or a parent.
 */
function followSafely(folder, linksLeft) {
	const isRoot = folder === path.dirname(folder);
	const parent = isRoot ? folder : followSafely(path.dirname(folder), linksLeft);
	if (parent === undefined || linksLeft < 0) return undefined;
	const current = path.join(parent, path.basename(folder));
	const status = fs.lstatSync(current, {throwIfNoEntry: false}) ?? createFolder(current);
	if (status.uid !== process.getuid() && status.uid !== 0) return undefined;
	if (status.isSymbolicLink())
		return followSafely(path.resolve(parent, fs.readlinkSync(current)), linksLeft - 1);
	const canBeReplaced = status.mode & groupOrOthersWrite && !(status.mode & sticky);
	return status.isDirectory() && !canBeReplaced ? current : undefined;
}

/**
 * Creates a folder, unless another ledge just did. `recursive` is not used: it never returns below `/proc`.
 */
function createFolder(folder) {
	try {
		fs.mkdirSync(folder, {mode: 0o700});
	} catch (error) {
		if (error.code !== 'EEXIST') throw error;
	}
	return fs.lstatSync(folder);
}
