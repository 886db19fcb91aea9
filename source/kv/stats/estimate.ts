/** A figure with its 95 % confidence interval; all three are equal if it is exact. */
export type Estimate = {readonly value: number; readonly low: number; readonly high: number};

export const toExactEstimate = (value: number): Estimate => ({value, low: value, high: value});

/** 95 % of a normal distribution lies within this many standard deviations. */
const z = 1.959964;

/**
 * Estimates how many of a population match, if `hits` of `sampleSize` items drawn without replacement match
 * (Wilson).
 */
export function estimateCount(hits: number, sampleSize: number, population: number): Estimate {
	if (sampleSize === 0) return {value: 0, low: 0, high: population};
	if (sampleSize >= population) return toExactEstimate(hits);
	const share = hits / sampleSize;
	// A large share of a finite population is worth a larger sample of an infinite one.
	const size = (sampleSize * (population - 1)) / (population - sampleSize);
	const centre = (share + (z * z) / (2 * size)) / (1 + (z * z) / size);
	const margin =
		(z * Math.sqrt((share * (1 - share)) / size + (z * z) / (4 * size * size))) / (1 + (z * z) / size);
	const missCount = sampleSize - hits;
	return {
		value: Math.round(share * population),
		low: hits === 0 ? 0 : Math.max(hits, Math.floor((centre - margin) * population)),
		high:
			missCount === 0
				? population
				: Math.min(population - missCount, Math.ceil((centre + margin) * population)),
	};
}

/**
 * Estimates the median from a sorted sample. The bounds are sample values, or 0 and `maxValue` if the sample
 * is too small.
 */
export function estimateMedian(sorted: Uint32Array, population: number, maxValue: number): Estimate {
	const sampleSize = sorted.length;
	if (sampleSize === 0) return {value: 0, low: 0, high: maxValue};
	const value = computeMedian(sorted);
	if (sampleSize >= population) return toExactEstimate(value);
	const margin = (z / 2) * Math.sqrt(sampleSize * computeRemainingVariance(sampleSize, population));
	const low = Math.floor((sampleSize - 1) / 2 - margin) - 1;
	const high = Math.ceil((sampleSize - 1) / 2 + margin) + 1;
	return {value, low: sorted[low] ?? 0, high: sorted[high] ?? maxValue};
}

function computeMedian(sorted: Uint32Array): number {
	const upper = sorted.length >>> 1;
	const above = sorted[upper] ?? 0;
	return sorted.length % 2 === 1 ? above : Math.round(((sorted[upper - 1] ?? 0) + above) / 2);
}

/** Share of the variance that remains after sampling from a finite population. */
const computeRemainingVariance = (sampleSize: number, population: number): number =>
	(population - sampleSize) / (population - 1);

/** With fewer measured values, a few huge ones are too easily missed to say anything about the largest. */
export const reliableSampleSize = 500;

/**
 * Estimates the sum from a sorted sample. No value exceeds `maxValue`. The interval is the widest of three:
 * the normal interval, the same corrected for skewness (Hall), and, upwards, one that continues the largest
 * values as a Pareto distribution up to `maxValue`, because a sample may miss a few huge values. With fewer
 * than `reliableSampleSize` values, the keys that the sample may have missed are assumed to have `maxValue`.
 */
export function estimateSum(sorted: Uint32Array, population: number, maxValue: number): Estimate {
	const sampleSize = sorted.length;
	if (sampleSize === 0) return {value: 0, low: 0, high: population * maxValue};
	const sum = sorted.reduce((partialSum, value) => partialSum + value, 0);
	if (sampleSize >= population) return toExactEstimate(sum);
	const unseenCount = population - sampleSize;
	const mean = sum / sampleSize;
	const missedCount = sampleSize < reliableSampleSize ? estimateCount(0, sampleSize, population).high : 0;
	const margins = computeMeanMargins(sorted, mean, computeRemainingVariance(sampleSize, population));
	const high =
		missedCount * maxValue +
		Math.max(population * (mean + margins.up), sum + unseenCount * computeTailMean(sorted, sum, maxValue));
	return {
		value: Math.round(mean * population),
		low: Math.max(sum, Math.floor(population * (mean - margins.down))),
		high: Math.min(sum + unseenCount * maxValue, Math.ceil(high)),
	};
}

/** Returns how far the population mean may be below and above the sample mean through chance alone. */
function computeMeanMargins(
	sorted: Uint32Array,
	mean: number,
	varianceShare: number,
): {readonly down: number; readonly up: number} {
	const sampleSize = sorted.length;
	let [squares, cubes] = [0, 0];
	for (const value of sorted) {
		const distance = value - mean;
		squares += distance * distance;
		cubes += distance * distance * distance;
	}
	const deviation = Math.sqrt(squares / Math.max(1, sampleSize - 1));
	if (deviation === 0) return {down: 0, up: 0};
	const standardError = deviation * Math.sqrt(varianceShare / sampleSize);
	const skewness = cubes / sampleSize / deviation ** 3;
	// Coefficients of Hall's transformation, which is inverted below.
	const [a, b] = [skewness / (3 * Math.sqrt(sampleSize)), skewness / (6 * Math.sqrt(sampleSize))];
	const correctForSkewness = (quantile: number): number =>
		Math.abs(a) < 1e-9 ? quantile : (Math.cbrt(1 + 3 * a * (quantile - b)) - 1) / a;
	return {
		down: standardError * Math.max(z, correctForSkewness(z)),
		up: standardError * Math.max(z, -correctForSkewness(-z)),
	};
}

/** Returns the highest plausible mean if the largest values begin a tail that reaches up to `maxValue`. */
function computeTailMean(sorted: Uint32Array, sum: number, maxValue: number): number {
	const sampleSize = sorted.length;
	const tailSize = Math.min(sampleSize - 1, Math.ceil(Math.sqrt(sampleSize)));
	const threshold = sorted[sampleSize - tailSize - 1] ?? 0;
	if (tailSize < 1 || threshold === 0 || threshold >= maxValue) return 0;
	let [logarithms, tailSum] = [0, 0];
	for (const value of sorted.subarray(sampleSize - tailSize)) {
		logarithms += Math.log(value / threshold);
		tailSum += value;
	}
	// Hill's tail estimate, at the upper end of its interval.
	const heaviness = Math.min(2, (logarithms / tailSize) * (1 + z / Math.sqrt(tailSize)));
	if (heaviness === 0) return 0;
	return (sum - tailSum + tailSize * computeParetoMean(threshold, 1 / heaviness, maxValue)) / sampleSize;
}

/** Returns the mean of a Pareto distribution between `minValue` and `maxValue`. */
function computeParetoMean(minValue: number, exponent: number, maxValue: number): number {
	const range = maxValue / minValue;
	if (Math.abs(exponent - 1) < 1e-6) return minValue * (1 + Math.log(range));
	return minValue * (1 + (1 - range ** (1 - exponent)) / (exponent - 1));
}
