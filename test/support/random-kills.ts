import {createSeededRandom, getTestSeed} from './seed.ts';

/** How often tests kill a process at a random moment: a few times, and fifty times in `npm run test:full`. */
export const randomKillCount = Number(process.env.TEST_KILLS ?? 4);

/** Draws the moment of such a kill, as a share of the time that the process runs: from 0 up to 1. */
export const drawRandomShare = createSeededRandom(getTestSeed());
