// Loads the bundles with the code that V8 made of them in an earlier run. Node's own compile cache keeps what was
// compiled while a file was loaded, which is next to nothing of a bundle whose functions are compiled when they are
// called; here it is what had run by the time it was kept.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const {Script} = require('node:vm');

/** Milliseconds after which code is kept of what goes on, since many a screen ends with its terminal. */
const goesOn = 1000;

/** Bytes behind the code: the bundle it was made of (its first line, which the build writes), and a checksum. */
const stampBytes = 36;
const checksumBytes = 8;

/**
 * Gives the function that loads a bundle by its path. What a bundle asks for with `./` is loaded in the same way. Each
 * `area` of the commands keeps code of its own, since it needs other functions than the others.
 */
exports.loaderOf = function loaderOf(directory, area) {
	const loaded = new Map();
	const unkept = [];

	function keep() {
		for (const one of unkept.splice(0)) write(one);
	}
	process.on('exit', code => {
		if (code === 0) keep();
	});

	return function load(file) {
		if (loaded.has(file)) return loaded.get(file).exports;
		const source = fs.readFileSync(file, 'latin1');
		const name = `${path.basename(file)}-${area}-${process.version}-${process.arch}`;
		const kept = path.join(directory, name);
		const stamp = source.slice(0, stampBytes);
		const cachedData = codeIn(kept, stamp);
		// On the line of the stamp, so that the lines of a trace are those of the file.
		const wrapped = `(function(require,module,exports,__filename,__dirname){${source}\n})`;
		const script = new Script(wrapped, {filename: file, cachedData});
		if (cachedData === undefined || script.cachedDataRejected) {
			unkept.push({script, kept, stamp});
			setTimeout(keep, goesOn).unref();
		}
		const module = {exports: {}};
		loaded.set(file, module);
		const folder = path.dirname(file);
		const ask = asked => (asked.startsWith('./') ? load(path.join(folder, asked)) : require(asked));
		script.runInThisContext()(ask, module, module.exports, file, folder);
		return module.exports;
	};
};

/** The code that was kept of a bundle; nothing where it is of another one, or damaged: V8 would run it as it is. */
function codeIn(kept, stamp) {
	try {
		const all = fs.readFileSync(kept);
		const end = all.length - stampBytes - checksumBytes;
		const code = all.subarray(0, Math.max(0, end));
		return all.latin1Slice(end) === stamp + checksum(code) ? code : undefined;
	} catch (_error) {
		return undefined;
	}
}

function write({script, kept, stamp}) {
	const temporary = `${kept}.${process.pid}`;
	try {
		const code = script.createCachedData();
		const all = Buffer.concat([code, Buffer.from(stamp + checksum(code), 'latin1')]);
		fs.writeFileSync(temporary, all, {mode: 0o600, flag: 'wx'});
		fs.renameSync(temporary, kept);
	} catch (_error) {
		// Without it ledge starts a little slower, and that is all.
		fs.rmSync(temporary, {force: true});
	}
}

/** Of words all over the code: what a loss of power leaves torn or empty is whole blocks of a disk. */
function checksum(code) {
	const step = 4 * Math.ceil(code.length / 4096);
	let sum = code.length;
	for (let at = 0; at + 4 <= code.length; at += step) sum = (Math.imul(sum, 31) + code.readUInt32LE(at)) | 0;
	return (sum >>> 0).toString(16).padStart(checksumBytes, '0');
}
