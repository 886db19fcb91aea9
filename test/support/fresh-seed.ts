import {getTestSeed, seedVariable} from './seed.ts';

/** Draws the seed of a run with fresh ones, once for all its processes, and prints how to have the same run again. */
export function setup(): void {
	if (process.env[seedVariable] !== 'fresh') return;
	process.env[seedVariable] = `${getTestSeed()}`;
	process.stderr.write(`${seedVariable}=${process.env[seedVariable]} draws the same again.\n`);
}
