import {randomFrom, seedOf} from './seed.ts';

/** How often tests kill a process at a random moment: a few times, and fifty times in `npm run test:full`. */
export const randomKills = Number(process.env.TEST_KILLS ?? 4);

/** Draws the moments at which they do, each a share of some time: from 0 up to 1. */
export const randomShare = randomFrom(seedOf());
