// The parts of ledge that the build makes: the bundles, the WebAssembly of the screens, the licences. They are files beside
// this one, or, in the one-file program, assets inside the program.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const sea = require('node:sea');

const folder = sea.isSea() ? process.execPath : __dirname;

/** The path of a part as a trace shows it. In the one-file program it is below the program, where no file is. */
exports.placeOf = name => path.join(folder, name);

/** Open files, by their names. */
const held = new Map();

/**
 * Keeps the parts open, so that a run that goes on has its own to its end, whatever an installation puts in their place
 * meanwhile. Those of the one-file program are open anyway.
 */
exports.hold = function hold() {
	if (sea.isSea()) return;
	for (const name of fs.readdirSync(folder))
		if (/\.(cjs|wasm)$/.test(name) && !held.has(name)) held.set(name, fs.openSync(path.join(folder, name)));
};

/** The bytes of a part, which must not be changed; those of an asset are mapped and not copied. Fails where it is missing. */
exports.bytesOf = function bytesOf(name) {
	if (sea.isSea()) return Buffer.from(sea.getRawAsset(name));
	const descriptor = held.get(name);
	if (descriptor === undefined) return fs.readFileSync(path.join(folder, name));
	const bytes = Buffer.allocUnsafeSlow(fs.fstatSync(descriptor).size);
	const length = fs.readSync(descriptor, bytes, 0, bytes.length, 0);
	return bytes.subarray(0, length);
};
