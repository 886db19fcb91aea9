/** Creates a generator of pseudo-random numbers from 0 to below 1; the same seed gives the same series. */
export function createRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** Hashes words and numbers to an unsigned 32-bit integer. */
export function computeSeed(...parts: readonly (string | number)[]): number {
	let hash = 0x811c9dc5;
	for (const part of parts) {
		if (typeof part === 'number') {
			hash = Math.imul(hash ^ (part | 0), 0x01000193);
			hash = Math.imul(hash ^ ((part / 4_294_967_296) | 0), 0x01000193);
		} else
			for (let index = 0; index < part.length; index++)
				hash = Math.imul(hash ^ part.charCodeAt(index), 0x01000193);
		hash ^= hash >>> 13;
	}
	return hash >>> 0;
}

/** How busy an hour of the day is, from 0.2 at night to 1 in the afternoon (UTC). */
export const computeDailyLoad = (milliseconds: number): number => {
	const hour = (milliseconds / 3_600_000) % 24;
	return 0.6 - 0.4 * Math.cos(((hour - 3) / 12) * Math.PI);
};
