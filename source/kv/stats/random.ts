/** Returns whole numbers from 0 to below `limit` (at most 2^32), the same for the same seed. */
export type RandomNumbers = (limit: number) => number;

/**
 * Creates a uniform generator from a 32-bit seed (sfc32; the state is filled from the seed, then shuffled).
 */
export function createRandomNumbers(seed: number): RandomNumbers {
	let [a, b, c, counter] = [seed >>> 0, 0x9e3779b9, 0x243f6a88, 1];
	const nextUint32 = (): number => {
		const mixed = (a + b + counter) >>> 0;
		counter = (counter + 1) >>> 0;
		a = (b ^ (b >>> 9)) >>> 0;
		b = (c + (c << 3)) >>> 0;
		c = (((c << 21) | (c >>> 11)) + mixed) >>> 0;
		return mixed;
	};
	for (let round = 0; round < 12; round++) nextUint32();
	return limit => {
		// Numbers from here on would favor small results, so they are drawn again.
		const unbiasedLimit = 2 ** 32 - (2 ** 32 % limit);
		for (;;) {
			const number = nextUint32();
			if (number < unbiasedLimit) return number % limit;
		}
	};
}
