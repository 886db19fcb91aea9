/** The variable that chooses what random tests draw: a number, or `fresh` for another one in each run. */
export const seedVariable = 'TEST_SEED';

/** A test that fails, fails for everybody, and for whoever mends it. */
const usual = 20_261_122;

/** The seed of this run. `fresh` is drawn here, to be printed by whoever asks first and kept for all others. */
export function seedOf(env: Readonly<Record<string, string | undefined>> = process.env): number {
	const asked = env[seedVariable];
	if (!asked) return usual;
	if (asked === 'fresh') return Math.floor(Math.random() * 2 ** 31);
	const seed = Number(asked);
	if (!Number.isInteger(seed) || Math.abs(seed) >= 2 ** 31)
		throw new RangeError(`${seedVariable} is "fresh" or a whole number of 32 bits, not ${asked}.`);
	return seed;
}

/** Numbers from 0 up to 1 that are the same in every run with the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
