// Loads the bundles with the code that V8 made of them in an earlier run. Node's own compile cache keeps what was
// compiled while a file was loaded, which is next to nothing of a bundle whose functions are compiled when they are
// called; here it is what had run by the time it was kept.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const {Script} = require('node:vm');
const parts = require('./parts.cjs');
const flags = require('./v8-flags.cjs');

/** Milliseconds after which a run goes on: then code is kept, since many a screen ends with its terminal, and bundles are held. */
const goesOn = 1000;

/**
 * Bytes behind the code: the bundle it was made of (its first line, which the build writes). Code and stamp are in the file
 * twice, and are compared: what Node has for checksums takes 4 ms to load.
 */
const stampBytes = 36;

/** The largest file that is read as kept code. That of the largest bundle has less than a tenth of it. */
const largestFile = 64 * 1024 * 1024;

/** Symbolic links on the way to a folder: more are a circle, as for Linux. */
const mostLinks = 40;

const groupOrOthersWrite = 0o022;
const sticky = 0o1000;

/**
 * The folder for kept code, `$XDG_CACHE_HOME/ledge` or `~/.cache/ledge`, as a path without symbolic links; `undefined`
 * where there is no safe one. What is in it is run, so nobody but this user and root may be able to put a file there: the
 * folder and every folder and link on the way to it belong to them, and nobody else may write in one. The exception are
 * folders with the sticky bit (`/tmp`), in which others can neither rename nor replace what does not belong to them.
 * Missing folders are made, but only below safe ones.
 */
exports.safeFolder = function safeFolder(env) {
	const base = env.XDG_CACHE_HOME || (env.HOME && path.join(env.HOME, '.cache'));
	if (env.NODE_DISABLE_COMPILE_CACHE || !process.getuid || !base || !path.isAbsolute(base)) return undefined;
	try {
		return safePath(path.join(base, 'ledge'), process.getuid());
	} catch (_error) {
		// Without a folder ledge starts a little slower, and that is all.
		return undefined;
	}
};

/** Follows a path step by step, links too. A folder that is swapped between two steps belongs to this user or root. */
function safePath(directory, user) {
	const left = directory.split(path.sep).filter(Boolean);
	let folder = path.parse(directory).root;
	let status = fs.lstatSync(folder);
	for (let links = 0; isSafeFolder(status, user); ) {
		const name = left.shift();
		// The last folder is this user's alone, and has no sticky bit to rely on.
		if (name === undefined)
			return status.uid === user && !(status.mode & groupOrOthersWrite) ? folder : undefined;
		const next = path.join(folder, name);
		const found = fs.lstatSync(next, {throwIfNoEntry: false}) ?? made(next);
		if (found.isSymbolicLink()) {
			if (found.uid !== user && found.uid !== 0) return undefined;
			if (++links > mostLinks) return undefined;
			const target = fs.readlinkSync(next);
			left.unshift(...target.split(path.sep).filter(Boolean));
			if (!path.isAbsolute(target)) continue;
			folder = path.parse(target).root;
		} else {
			folder = next;
		}
		status = fs.lstatSync(folder);
	}
	return undefined;
}

const isSafeFolder = (status, user) =>
	status.isDirectory() &&
	(status.uid === user || status.uid === 0) &&
	(!(status.mode & groupOrOthersWrite) || (status.mode & sticky) !== 0);

/**
 * Makes a folder whose parent exists; another ledge may do so at the same moment. Never with `recursive`, which repeats for
 * ever below `/proc`.
 */
function made(folder) {
	try {
		fs.mkdirSync(folder, {mode: 0o700});
	} catch (error) {
		if (error.code !== 'EEXIST') throw error;
	}
	return fs.lstatSync(folder);
}

/**
 * Returns the function that loads a bundle by its name: a text that is a function, below a line that bundles of one build
 * share, and no others are loaded. What a bundle asks for with `./` is loaded in the same way. Each `area` of the commands
 * keeps code of its own, since it needs other functions than the others. Without a `directory` no code is read or kept.
 */
exports.loaderOf = function loaderOf(directory, area) {
	const loaded = new Map();
	const unkept = [];
	let build;

	function keep() {
		for (const one of unkept.splice(0)) write(one);
	}
	function hold() {
		try {
			parts.hold();
		} catch (_error) {
			// They have gone, or too many files are open: what is needed late then fails where another build is in its place.
		}
	}
	process.on('exit', code => {
		if (code === 0) keep();
	});
	setTimeout(hold, goesOn).unref();

	/** `require` of a bundle. */
	function ask(asked) {
		if (asked === './parts.cjs') return parts;
		if (asked === './v8-flags.cjs') return flags;
		return asked.startsWith('./') ? load(asked.slice(2)) : require(asked);
	}

	function load(name) {
		if (loaded.has(name)) return loaded.get(name).exports;
		const source = parts.bytesOf(name);
		const file = parts.placeOf(name);
		const kept = directory && path.join(directory, `${name}-${area}-${process.version}-${process.arch}`);
		const stamp = source.latin1Slice(0, stampBytes);
		build ??= stamp;
		if (stamp !== build) throw replaced();
		const cachedData = kept && codeIn(kept, stamp);
		const options = {filename: file, cachedData};
		const script = flags.withFlagsOfStart(() => new Script(source.latin1Slice(), options));
		if (kept && (cachedData === undefined || script.cachedDataRejected)) {
			unkept.push({script, kept, stamp});
			setTimeout(keep, goesOn).unref();
		}
		const module = {exports: {}};
		loaded.set(name, module);
		script.runInThisContext()(ask, module, module.exports, file, path.dirname(file));
		return module.exports;
	}
	return load;
};

/** Why a bundle that is needed late cannot be loaded; `asFailure` (failure.ts) knows it by its name. */
function replaced() {
	const error = new Error('ledge was replaced by another build while it ran.');
	error.name = 'ReplacedError';
	return error;
}

/**
 * The code that was kept of a bundle; `undefined` where it is of another bundle, is damaged, or is in a file that is not this
 * user's alone. V8 runs code as it is: one changed byte can crash the process. The file is checked after it was opened,
 * so what is checked is what is read, whatever takes its place meanwhile; opening neither follows a link nor waits
 * for the other end of a pipe.
 */
function codeIn(kept, stamp) {
	const {O_RDONLY, O_NOFOLLOW, O_NONBLOCK} = fs.constants;
	let descriptor;
	try {
		descriptor = fs.openSync(kept, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
		const status = fs.fstatSync(descriptor);
		const half = status.size / 2;
		const end = half - stampBytes;
		if (!isOwnFile(status) || !Number.isInteger(half) || end <= 0 || status.size > largestFile)
			return undefined;
		const code = Buffer.allocUnsafeSlow(half);
		if (!fill(descriptor, code)) return undefined;
		const piece = Buffer.allocUnsafeSlow(Math.min(half, 65_536));
		for (let at = 0; at < half; at += piece.length) {
			const same = piece.subarray(0, Math.min(piece.length, half - at));
			if (!fill(descriptor, same) || !same.equals(code.subarray(at, at + same.length))) return undefined;
		}
		return code.latin1Slice(end) === stamp ? code.subarray(0, end) : undefined;
	} catch (_error) {
		return undefined;
	} finally {
		if (descriptor !== undefined) fs.closeSync(descriptor);
	}
}
exports.codeIn = codeIn;

/** Reads on until the bytes are full; false where the file ends before. */
function fill(descriptor, bytes) {
	for (let at = 0; at < bytes.length; ) {
		const read = fs.readSync(descriptor, bytes, at, bytes.length - at, null);
		if (read === 0) return false;
		at += read;
	}
	return true;
}

const isOwnFile = status =>
	status.isFile() &&
	(!process.getuid || status.uid === process.getuid()) &&
	(status.mode & groupOrOthersWrite) === 0;

function write({script, kept, stamp}) {
	const temporary = `${kept}.${process.pid}`;
	try {
		const code = flags.withFlagsOfStart(() => script.createCachedData());
		const stamped = Buffer.concat([code, Buffer.from(stamp, 'latin1')]);
		fs.writeFileSync(temporary, Buffer.concat([stamped, stamped]), {mode: 0o600, flag: 'wx'});
		fs.renameSync(temporary, kept);
	} catch (_error) {
		// Without it ledge starts a little slower, and that is all.
		try {
			fs.unlinkSync(temporary);
		} catch (_gone) {
			// It was never made, or its folder has gone.
		}
	}
}
