import {resolve} from 'node:path';
import type {Screen} from '../terminal/screen/screen.ts';
import type {Camera} from './camera.ts';

/** A picture: how the program is started, which keys are pressed, and which screens are held. */
export type Scene = {
	/** Name of the files: media/NAME-dark.svg and media/NAME-light.svg. */
	readonly name: string;
	/** Title bar of the window. */
	readonly title: string;
	readonly columns: number;
	readonly rows: number;
	readonly words: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
	/** Files in the folder where the program starts, by name. */
	readonly files?: Readonly<Record<string, string>>;
	/**
	 * Drives the program. What the camera held becomes the picture, which is animated if that is more than one screen.
	 * Without a hold it is the last screen.
	 */
	play(screen: Screen, camera: Camera): Promise<void>;
};

const preloaded = ['../terminal/support/moved-clock.cjs', 'same-ids.cjs'].map(
	name => `--require ${resolve(import.meta.dirname, name)}`,
);

/** The first screen of `npm start`, at nine in the morning for as long as it runs: figures, dates and ids are the same each time. */
export const simulatedScene = {
	title: 'ledge --simulate',
	words: ['--simulate'],
	files: {'../clock': String(Date.UTC(2027, 2, 10, 9))},
	env: {
		NODE_OPTIONS: preloaded.join(' '),
		LEDGE_MOVED_CLOCK: '../clock',
		LEDGE_CLOCK_STANDS: '1',
	},
} as const;
