// The flags of V8 that ledge sets while it runs. V8 takes kept code only under the flags that it was made under, so it is
// made and taken under those of the start (load.cjs).
'use strict';

/** How these flags are where nobody sets them. */
const atStart = {
	'--expose-gc': '--no-expose-gc',
	'--max-inlined-bytecode-size-cumulative': '--max-inlined-bytecode-size-cumulative=920',
	'--semi-space-growth-factor': '--semi-space-growth-factor=2',
};

/** The flags that were set, by their names. */
const set = new Map();

/** Sets one of these flags, to a number where it takes one. */
exports.setFlag = function setFlag(name, value) {
	set.set(name, value === undefined ? name : `${name}=${value}`);
	give(set.get(name));
};

/** Does something with the flags as they were at the start. */
exports.withFlagsOfStart = function withFlagsOfStart(work) {
	for (const name of set.keys()) give(atStart[name]);
	try {
		return work();
	} finally {
		for (const flag of set.values()) give(flag);
	}
};

function give(flag) {
	require('node:v8').setFlagsFromString(flag);
}
