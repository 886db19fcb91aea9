import {getUnitStep, type Unit} from '../figures.ts';

/** The values of an axis: from zero to `top`, with a tick every `tick`. */
export type Scale = {readonly top: number; readonly tick: number};

/** Tick sizes whose multiples are exact in short figures. */
const ticks: Readonly<Record<Unit, readonly number[]>> = {
	count: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000],
	bytes: [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 256, 512, 1024, 2048],
	milliseconds: [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000],
};

/** The smallest tick of each unit: smaller values do not occur. */
const minTick: Readonly<Record<Unit, number>> = {count: 1, bytes: 1, milliseconds: 0.1};

const decimals: readonly number[] = [0.1, 0.2, 0.5];

/**
 * Chooses an axis for values up to `highestValue` on `rows` rows. It has zero and one to four ticks, which
 * are at least two rows apart.
 */
export function chooseScale(highestValue: number, unit: Unit, rows: number): Scale {
	const highest = highestValue > 0 ? highestValue : 1;
	const maxTicks = Math.max(1, Math.min(4, Math.floor((rows - 1) / 2)));
	const stepSize = getUnitStep(highest, unit);
	const unitTicks = unit === 'count' && stepSize > 1 ? [...decimals, ...ticks.count] : ticks[unit];
	const allowedTicks = unitTicks.map(tick => tick * stepSize).filter(tick => tick >= minTick[unit]);
	const tick =
		allowedTicks.find(candidate => countIntervals(highest, candidate) <= maxTicks) ??
		roundTick(highest / maxTicks);
	return {tick, top: tick * Math.max(1, countIntervals(highest, tick))};
}

const countIntervals = (highest: number, tick: number): number => Math.ceil(highest / tick - 1e-9);

/** Returns a round tick for figures beyond the largest step of their unit. */
function roundTick(minTickSize: number): number {
	const power = 10 ** Math.floor(Math.log10(minTickSize));
	return power * ([1, 2, 5].find(factor => factor * power >= minTickSize) ?? 10);
}
