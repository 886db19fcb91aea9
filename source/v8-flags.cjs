// The flags of V8 that ledge sets while it runs. V8 takes kept code only under the flags that it was made under, so it is
// made and taken under those of the start (load.cjs).
'use strict';

/** How flags are set now, by how they were at the start. */
const set = new Map();

/** Sets a flag; `before` is how it is when nobody sets it. Both as V8 takes them, such as `--no-expose-gc`. */
exports.setFlag = function setFlag(now, before) {
	set.set(before, now);
	require('node:v8').setFlagsFromString(now);
};

/** Does something with the flags as they were at the start. */
exports.withFlagsOfStart = function withFlagsOfStart(work) {
	for (const before of set.keys()) require('node:v8').setFlagsFromString(before);
	try {
		return work();
	} finally {
		for (const now of set.values()) require('node:v8').setFlagsFromString(now);
	}
};
