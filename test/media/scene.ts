import {resolve} from 'node:path';
import type {palettes} from '../../source/components/palettes.ts';
import type {Screen} from '../terminal/screen/screen.ts';
import type {Camera} from './camera.ts';

/** A picture: how the program is started, which keys are pressed, and which screens are recorded. */
export type Scene = {
	/** Name of the files: media/NAME-dark.svg and media/NAME-light.svg. */
	readonly name: string;
	/** Title bar of the window. */
	readonly title: string;
	readonly columns: number;
	readonly rows: number;
	readonly programArguments: readonly string[];
	/** A theme with colours of its own, if the program uses one; its background is drawn. */
	readonly palette?: keyof typeof palettes;
	readonly env?: Readonly<Record<string, string>>;
	/** Files to write before the start; their paths are relative to the folder where the program starts. */
	readonly files?: Readonly<Record<string, string>>;
	/**
	 * Drives the program. The screens recorded by the camera (`hold`, `press`, `type`) become the picture,
	 * animated if there are several. Without any, it is the last screen.
	 */
	play(screen: Screen, camera: Camera): Promise<void>;
};

const preloaded = ['../terminal/support/moved-clock.cjs', 'same-ids.cjs'].map(
	name => `--require ${resolve(import.meta.dirname, name)}`,
);

/**
 * How most scenes start the program: simulated, at nine in the morning with a clock that stands still, so
 * that figures, dates and ids are the same each time.
 */
export const simulatedStart = {
	title: 'ledge --simulate',
	programArguments: ['--simulate'],
	// Outside that folder, so that the program does not list it.
	files: {'../clock': String(Date.UTC(2027, 2, 10, 9))},
	env: {
		NODE_OPTIONS: preloaded.join(' '),
		LEDGE_MOVED_CLOCK: '../clock',
		LEDGE_CLOCK_STANDS: '1',
	},
} as const;
