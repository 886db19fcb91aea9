// The parts of ledge that the build makes: the bundles, the WebAssembly of the screens, the licences. They are files beside
// this one, or, in the one-file program, assets inside the program.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const sea = require('node:sea');

const folder = sea.isSea() ? process.execPath : __dirname;

/** The path of a part as a trace shows it. In the one-file program it is below the program, where no file is. */
exports.placeOf = name => path.join(folder, name);

/** The bytes of a part, which must not be changed; those of an asset are mapped and not copied. Fails where it is missing. */
exports.bytesOf = name =>
	sea.isSea() ? Buffer.from(sea.getRawAsset(name)) : fs.readFileSync(path.join(folder, name));
