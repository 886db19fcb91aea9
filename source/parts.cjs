// Access to the build output: bundles, the WebAssembly of the screens, licences. These are files in the
// folder of this one, or assets in the one-file program.
'use strict';

const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const sea = require('node:sea');

const folder = sea.isSea() ? process.execPath : __dirname;

/** File descriptors by file name; they stay readable after an update replaces the files. */
const descriptors = new Map();

/** Opens all files of this build. Call it in long runs, which may load more of their build later. */
exports.hold = function hold() {
	if (sea.isSea()) return;
	try {
		for (const name of fs.readdirSync(folder))
			if (/\.(cjs|wasm)$/.test(name)) descriptors.set(name, fs.openSync(path.join(folder, name)));
	} catch (_error) {
		// Deleted, or too many open files. Later loading fails if another build has replaced them.
	}
};

/**
 * Returns the contents of a file, read-only: assets are mapped into memory. Throws if the file is missing.
 */
exports.bytesOf = function bytesOf(name) {
	if (sea.isSea()) return Buffer.from(sea.getRawAsset(name));
	const descriptor = descriptors.get(name);
	if (descriptor === undefined) return fs.readFileSync(path.join(folder, name));
	const bytes = Buffer.allocUnsafeSlow(fs.fstatSync(descriptor).size);
	return bytes.subarray(0, fs.readSync(descriptor, bytes, 0, bytes.length, 0));
};

const loaded = new Map();
let build;

/**
 * Returns the exports of a bundle. Compiles it as Node compiles a module, so that Node's compile cache keeps
 * the code. Throws a ReplacedError if its first line names another build: bundles call each other's pieces by
 * number.
 */
exports.load = function load(name) {
	const known = loaded.get(name);
	if (known) return known.exports;
	const text = exports.bytesOf(name).latin1Slice();
	const builtAs = text.slice(0, text.indexOf('\n'));
	build ??= builtAs;
	if (builtAs !== build) {
		const error = new Error('ledge was replaced by another build while it ran.');
		error.name = 'ReplacedError';
		throw error;
	}
	const file = path.join(folder, name);
	const compiled = new Module(file);
	compiled._compile(text, file);
	const module = {exports: {}};
	loaded.set(name, module);
	compiled.exports(requireFromBundle, module, module.exports);
	return module.exports;
};

function requireFromBundle(name) {
	if (name === './parts.cjs') return exports;
	return name.startsWith('./') ? exports.load(name.slice(2)) : require(name);
}
