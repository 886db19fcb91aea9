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
 * Chooses an axis for values up to `highestValue` on `rows` rows: zero, and one to four ticks, at least two
 * rows apart.
 */
export function chooseScale(highestValue: number, unit: Unit, rows: number): Scale {
	const highest = highestValue > 0 ? highestValue : 1;
	const room = Math.max(1, Math.min(4, Math.floor((rows - 1) / 2)));
	const size = getUnitStep(highest, unit);
	const all = unit === 'count' && size > 1 ? [...decimals, ...ticks.count] : ticks[unit];
	const possible = all.map(tick => tick * size).filter(tick => tick >= minTick[unit]);
	const tick = possible.find(one => countIntervals(highest, one) <= room) ?? roundTick(highest / room);
	return {tick, top: tick * Math.max(1, countIntervals(highest, tick))};
}

const countIntervals = (highest: number, tick: number): number => Math.ceil(highest / tick - 1e-9);

/** Returns a round tick for figures beyond the largest step of their unit. */
function roundTick(atLeast: number): number {
	const power = 10 ** Math.floor(Math.log10(atLeast));
	return power * ([1, 2, 5].find(times => times * power >= atLeast) ?? 10);
}
