import {afterEach} from 'vitest';
import {createScratchFolder, createUnconfiguredEnvironment, program} from '../../support/ledge.ts';
import type {Widths} from './emulator.ts';
import {closeScreens, Screen} from './screen.ts';

export type {Condition, Screen} from './screen.ts';

export type OpenOptions = {
	readonly columns?: number;
	readonly rows?: number;
	readonly cwd?: string;
	readonly home?: string;
	readonly env?: Readonly<Record<string, string>>;
	readonly widths?: Widths;
	readonly bytesPerSecond?: number;
};

// Also closes what a failed test has left open.
afterEach(closeScreens);

/** Starts the built program in a terminal of its own, for one test. */
export const openScreen = (words: readonly string[], options?: OpenOptions): Promise<Screen> =>
	openProgram([process.execPath, program, ...words], options);

/** Starts any program in the same way: a shell around ledge, for one. */
export async function openProgram(command: readonly string[], options: OpenOptions = {}): Promise<Screen> {
	const {cwd = createScratchFolder(), home = cwd, env = {}, ...size} = options;
	return new Screen({command, cwd, env: createUnconfiguredEnvironment(home, env), ...size});
}
