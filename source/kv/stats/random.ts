/** Whole numbers from 0 to below `limit`, at most 2^32: the same ones for the same seed. */
export type RandomNumbers = (limit: number) => number;

/** Uniform numbers from a seed of 32 bits (sfc32, its state filled from the seed and then shuffled). */
export function randomNumbers(seed: number): RandomNumbers {
	let [a, b, c, counter] = [seed >>> 0, 0x9e3779b9, 0x243f6a88, 1];
	const next = (): number => {
		const mixed = (a + b + counter) >>> 0;
		counter = (counter + 1) >>> 0;
		a = (b ^ (b >>> 9)) >>> 0;
		b = (c + (c << 3)) >>> 0;
		c = (((c << 21) | (c >>> 11)) + mixed) >>> 0;
		return mixed;
	};
	for (let round = 0; round < 12; round++) next();
	return limit => {
		// What is left over at the end of the range would make small numbers more frequent.
		const most = 2 ** 32 - (2 ** 32 % limit);
		for (;;) {
			const number = next();
			if (number < most) return number % limit;
		}
	};
}
