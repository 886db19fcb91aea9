/** A figure with the interval that the true one is in with a confidence of 95 %; all three are the same where it is exact. */
export type Estimate = {readonly value: number; readonly low: number; readonly high: number};

export const exactly = (value: number): Estimate => ({value, low: value, high: value});

/** Of a normal distribution, 95 % is within so many standard deviations. */
const z = 1.959964;

/** How many of a population something is true of, when it is of `hits` out of `sampled`, drawn without replacement (Wilson). */
export function countEstimate(hits: number, sampled: number, population: number): Estimate {
	if (sampled === 0) return {value: 0, low: 0, high: population};
	if (sampled >= population) return exactly(hits);
	const share = hits / sampled;
	// A sample that is a good part of the population tells as much as a larger one of an endless population.
	const size = (sampled * (population - 1)) / (population - sampled);
	const centre = (share + (z * z) / (2 * size)) / (1 + (z * z) / size);
	const reach =
		(z * Math.sqrt((share * (1 - share)) / size + (z * z) / (4 * size * size))) / (1 + (z * z) / size);
	const left = sampled - hits;
	return {
		value: Math.round(share * population),
		low: hits === 0 ? 0 : Math.max(hits, Math.floor((centre - reach) * population)),
		high: left === 0 ? population : Math.min(population - left, Math.ceil((centre + reach) * population)),
	};
}

/**
 * The median of a population by a sample of it, sorted: between two values of the sample, or between 0 and `most` where the
 * sample is too small for that.
 */
export function medianEstimate(sorted: Uint32Array, population: number, most: number): Estimate {
	const sampled = sorted.length;
	if (sampled === 0) return {value: 0, low: 0, high: most};
	const value = middleOf(sorted);
	if (sampled >= population) return exactly(value);
	const reach = (z / 2) * Math.sqrt(sampled * remainder(sampled, population));
	const low = Math.floor((sampled - 1) / 2 - reach) - 1;
	const high = Math.ceil((sampled - 1) / 2 + reach) + 1;
	return {value, low: sorted[low] ?? 0, high: sorted[high] ?? most};
}

function middleOf(sorted: Uint32Array): number {
	const upper = sorted.length >>> 1;
	const above = sorted[upper] ?? 0;
	return sorted.length % 2 === 1 ? above : Math.round(((sorted[upper - 1] ?? 0) + above) / 2);
}

/** The part of the variance that is left when so many of a population are known. */
const remainder = (sampled: number, population: number): number => (population - sampled) / (population - 1);

/** Measured values below which a few huge ones are too easily missed for any statement about the largest. */
export const enoughMeasured = 500;

/**
 * The sum of a population by a sample of it, sorted; no value is larger than `most`. The interval is the widest of three:
 * the usual interval, the same corrected for the skewness of the sample (Hall), and, upwards, the interval in which the largest
 * values of the sample continue as a Pareto distribution up to `most`: of a few huge values a sample may have seen none. With fewer than `enoughMeasured` values as many keys as the sample may
 * have missed are taken to have `most`.
 */
export function sumEstimate(sorted: Uint32Array, population: number, most: number): Estimate {
	const sampled = sorted.length;
	if (sampled === 0) return {value: 0, low: 0, high: population * most};
	const sum = sorted.reduce((before, value) => before + value, 0);
	if (sampled >= population) return exactly(sum);
	const unseen = population - sampled;
	const mean = sum / sampled;
	const missed = sampled < enoughMeasured ? countEstimate(0, sampled, population).high : 0;
	const reaches = meanReaches(sorted, mean, remainder(sampled, population));
	const high =
		missed * most + Math.max(population * (mean + reaches.up), sum + unseen * tailedMean(sorted, sum, most));
	return {
		value: Math.round(mean * population),
		low: Math.max(sum, Math.floor(population * (mean - reaches.down))),
		high: Math.min(sum + unseen * most, Math.ceil(high)),
	};
}

/** How far the mean of a population may be below and above that of the sample, for the chance of the draw alone. */
function meanReaches(
	sorted: Uint32Array,
	mean: number,
	left: number,
): {readonly down: number; readonly up: number} {
	const sampled = sorted.length;
	let [squares, cubes] = [0, 0];
	for (const value of sorted) {
		const distance = value - mean;
		squares += distance * distance;
		cubes += distance * distance * distance;
	}
	const deviation = Math.sqrt(squares / Math.max(1, sampled - 1));
	if (deviation === 0) return {down: 0, up: 0};
	const error = deviation * Math.sqrt(left / sampled);
	const skewness = cubes / sampled / deviation ** 3;
	const [a, b] = [skewness / (3 * Math.sqrt(sampled)), skewness / (6 * Math.sqrt(sampled))];
	const corrected = (at: number): number =>
		Math.abs(a) < 1e-9 ? at : (Math.cbrt(1 + 3 * a * (at - b)) - 1) / a;
	return {
		down: error * Math.max(z, corrected(z)),
		up: error * Math.max(z, -corrected(-z)),
	};
}

/** The highest mean that fits a sample whose largest values are taken for the beginning of a tail that reaches up to `most`. */
function tailedMean(sorted: Uint32Array, sum: number, most: number): number {
	const sampled = sorted.length;
	const tail = Math.min(sampled - 1, Math.ceil(Math.sqrt(sampled)));
	const threshold = sorted[sampled - tail - 1] ?? 0;
	if (tail < 1 || threshold === 0 || threshold >= most) return 0;
	let [logarithms, ofTail] = [0, 0];
	for (const value of sorted.subarray(sampled - tail)) {
		logarithms += Math.log(value / threshold);
		ofTail += value;
	}
	// Hill's estimate of the tail, at the upper end of its own interval.
	const heaviness = Math.min(2, (logarithms / tail) * (1 + z / Math.sqrt(tail)));
	if (heaviness === 0) return 0;
	return (sum - ofTail + tail * paretoMean(threshold, 1 / heaviness, most)) / sampled;
}

/** The mean of a Pareto distribution from `least` on whose values are cut at `most`. */
function paretoMean(least: number, exponent: number, most: number): number {
	const range = most / least;
	if (Math.abs(exponent - 1) < 1e-6) return least * (1 + Math.log(range));
	return least * (1 + (1 - range ** (1 - exponent)) / (exponent - 1));
}
