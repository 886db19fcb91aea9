import {describe, expect, test} from 'vitest';
import {
	type Estimate,
	estimateCount,
	estimateMedian,
	estimateSum,
} from '../../../source/kv/stats/estimate.ts';
import {createRandomNumbers} from '../../../source/kv/stats/random.ts';
import {Reservoir} from '../../../source/kv/stats/reservoir.ts';
import {isFull} from '../../support/full.ts';
import {createSeededRandom} from '../../support/seed.ts';

const maxValueBytes = 26_214_400;
const [populationSize, sampleSize] = [100_000, 2000];
const [populationCount, trialCount] = [isFull ? 10 : 3, 20];

type Draw = (uniform: () => number) => number;

const normal: Draw = uniform => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
const logNormal =
	(deviation: number): Draw =>
	uniform =>
		Math.exp(6 + deviation * normal(uniform));
const pareto =
	(exponent: number): Draw =>
	uniform =>
		200 / (1 - uniform()) ** (1 / exponent);

/** Sizes of values as namespaces may have them. */
const distributions: Readonly<Record<string, Draw>> = {
	'all the same': () => 700,
	uniform: uniform => uniform() * 2000,
	exponential: uniform => -1000 * Math.log(1 - uniform()),
	'log-normal': logNormal(1),
	'wide log-normal': logNormal(1.5),
	'very wide log-normal': logNormal(2),
	'heavy tail': pareto(1.5),
	'tail without a mean, up to the limit of a value': pareto(0.8),
	'half small, half large': uniform => (uniform() < 0.5 ? 100 : 100_000),
	'one of a hundred large': uniform => (uniform() < 0.01 ? 1_000_000 : 100),
	'nine of ten empty': uniform => (uniform() < 0.9 ? 0 : uniform() * 5000),
	'all but one of a hundred empty': uniform => (uniform() < 0.99 ? 0 : uniform() * 50_000),
};

function sizesOf(draw: Draw, seed: number): Uint32Array {
	const uniform = createSeededRandom(seed);
	return Uint32Array.from({length: populationSize}, () => Math.min(maxValueBytes, Math.floor(draw(uniform))));
}

function sampleOf(sizes: Uint32Array, seed: number, count = sampleSize): Uint32Array {
	const reservoir = new Reservoir<number>(count, createRandomNumbers(seed));
	for (const size of sizes) reservoir.offer(size);
	return Uint32Array.from(reservoir.listShuffled()).sort();
}

const holds = ({low, high}: Estimate, truth: number) => low <= truth && truth <= high;

describe('a sample of 2,000 of 100,000 keys', () => {
	test.each(Object.entries(distributions))('has the true values in its intervals: %s', (_name, draw) => {
		const hits = {count: 0, median: 0, sum: 0};
		for (let number = 0; number < populationCount; number++) {
			const sizes = sizesOf(draw, number);
			const sorted = sizes.toSorted();
			const sum = sizes.reduce((before, size) => before + size, 0);
			for (let trial = 0; trial < trialCount; trial++) {
				const sample = sampleOf(sizes, number * trialCount + trial);
				const bound = sizes[trial] ?? 0;
				const trueBelow = sorted.findIndex(size => size >= bound);
				const sampledBelow = sample.findIndex(size => size >= bound);
				const belowEstimate = estimateCount(
					sampledBelow < 0 ? sampleSize : sampledBelow,
					sampleSize,
					populationSize,
				);
				if (holds(belowEstimate, trueBelow)) hits.count++;
				if (holds(estimateMedian(sample, populationSize, maxValueBytes), sorted[populationSize / 2] ?? 0))
					hits.median++;
				if (holds(estimateSum(sample, populationSize, maxValueBytes), sum)) hits.sum++;
			}
		}
		for (const [figure, count] of Object.entries(hits))
			expect(count / (populationCount * trialCount), figure).toBeGreaterThanOrEqual(0.93);
	});

	test.each([10, 100, 499])('of only %i also has the sum of all sizes in its interval', count => {
		for (const [name, draw] of Object.entries(distributions)) {
			const sizes = sizesOf(draw, count);
			const sum = sizes.reduce((before, size) => before + size, 0);
			let hits = 0;
			for (let trial = 0; trial < trialCount; trial++)
				if (holds(estimateSum(sampleOf(sizes, trial, count), populationSize, maxValueBytes), sum)) hits++;
			expect(hits / trialCount, name).toBeGreaterThanOrEqual(0.9);
		}
	});

	test('gives narrow intervals for similar sizes, and wide ones if few large values dominate the sum', () => {
		const widthOf = (name: string) => {
			const sample = sampleOf(sizesOf(distributions[name] ?? normal, 3), 4);
			const {low, high, value} = estimateSum(sample, populationSize, maxValueBytes);
			return (high - low) / value;
		};
		expect(widthOf('uniform')).toBeLessThan(0.06);
		expect(widthOf('log-normal')).toBeLessThan(0.15);
		expect(widthOf('heavy tail')).toBeGreaterThan(0.4);
		expect(widthOf('tail without a mean, up to the limit of a value')).toBeGreaterThan(1.5);
	});
});

describe('an estimate', () => {
	test('is exact if everything was measured', () => {
		const sizes = Uint32Array.of(1, 2, 3, 10);
		const exactly = (value: number) => ({value, low: value, high: value});
		expect(estimateCount(3, 4, 4)).toEqual(exactly(3));
		expect(estimateSum(sizes, 4, maxValueBytes)).toEqual(exactly(16));
		expect(estimateMedian(sizes, 4, maxValueBytes)).toEqual(exactly(3));
	});

	test('never contradicts the measured values, whatever the rest is', () => {
		const random = createRandomNumbers(11);
		for (let round = 0; round < 2000; round++) {
			const measuredCount = 1 + random(40);
			const totalCount = measuredCount + random(60);
			const sample = Uint32Array.from({length: measuredCount}, () => random(1000)).sort();
			const measuredSum = sample.reduce((sum, one) => sum + one, 0);
			const sum = estimateSum(sample, totalCount, 1000);
			expect(sum.low).toBeGreaterThanOrEqual(measuredSum);
			expect(sum.high).toBeLessThanOrEqual(measuredSum + (totalCount - measuredCount) * 1000);
			const hits = random(measuredCount + 1);
			const count = estimateCount(hits, measuredCount, totalCount);
			expect(count.low).toBeGreaterThanOrEqual(hits);
			expect(count.high).toBeLessThanOrEqual(totalCount - (measuredCount - hits));
			for (const {low, value, high} of [sum, count, estimateMedian(sample, totalCount, 1000)]) {
				expect(low).toBeLessThanOrEqual(value);
				expect(value).toBeLessThanOrEqual(high);
			}
		}
	});

	test('allows any value if nothing was measured', () => {
		expect(estimateCount(0, 0, 50)).toMatchObject({low: 0, high: 50});
		expect(estimateSum(new Uint32Array(), 50, 10)).toMatchObject({low: 0, high: 500});
		expect(estimateMedian(new Uint32Array(), 50, 10)).toMatchObject({low: 0, high: 10});
	});
});

describe('a sample', () => {
	test('contains every item equally often, and begins with each equally often', () => {
		const [drawnCounts, firstDrawnCounts] = [new Uint32Array(50), new Uint32Array(50)];
		for (let seed = 0; seed < 20_000; seed++) {
			const reservoir = new Reservoir<number>(10, createRandomNumbers(seed));
			for (let item = 0; item < 50; item++) reservoir.offer(item);
			const drawn = reservoir.listShuffled();
			expect(new Set(drawn).size).toBe(10);
			for (const item of drawn) drawnCounts[item] = (drawnCounts[item] ?? 0) + 1;
			firstDrawnCounts[drawn[0] ?? 0] = (firstDrawnCounts[drawn[0] ?? 0] ?? 0) + 1;
		}
		for (const count of drawnCounts) expect(Math.abs(count - 4000)).toBeLessThan(300);
		for (const count of firstDrawnCounts) expect(Math.abs(count - 400)).toBeLessThan(100);
	});

	test('is the same for the same seed', () => {
		const drawSample = (seed: number) => {
			const reservoir = new Reservoir<number>(5, createRandomNumbers(seed));
			for (let item = 0; item < 1000; item++) reservoir.offer(item);
			return reservoir.listShuffled();
		};
		expect(drawSample(7)).toEqual(drawSample(7));
		expect(drawSample(7)).not.toEqual(drawSample(8));
	});
});
