/** The variable that chooses what random tests draw: a number, or `fresh` for another one in each run. */
export const seedVariable = 'TEST_SEED';

/** Fixed, so that a failing test fails for everybody, including whoever fixes it. */
const defaultSeed = 20_261_122;

/**
 * The seed of this run. For `fresh` it is drawn here; fresh-seed.ts does so once, and keeps it for all
 * processes.
 */
export function getTestSeed(env: Readonly<Record<string, string | undefined>> = process.env): number {
	const setting = env[seedVariable];
	if (!setting) return defaultSeed;
	if (setting === 'fresh') return Math.floor(Math.random() * 2 ** 31);
	const seed = Number(setting);
	if (!Number.isInteger(seed) || Math.abs(seed) >= 2 ** 31)
		throw new RangeError(`${seedVariable} is "fresh" or a whole number of 32 bits, not ${setting}.`);
	return seed;
}

/** Numbers from 0 up to 1 that are the same in every run with the same seed (mulberry32). */
export function createSeededRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
