import type {Screen} from '../terminal/screen/screen.ts';
import type {Camera} from './camera.ts';

/** A picture: the real program, the keys that lead to what is shown, and what of it is held. */
export type Scene = {
	/** Of the files: media/NAME-dark.svg and media/NAME-light.svg. */
	readonly name: string;
	/** Stands in the bar of the window. */
	readonly title: string;
	readonly columns: number;
	readonly rows: number;
	readonly words: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
	/** Files of the folder that the program is started in, by their names. */
	readonly files?: Readonly<Record<string, string>>;
	/**
	 * Drives the program. What the camera held becomes the picture, which moves if that was more than one thing;
	 * without a hold it is the last screen.
	 */
	play(screen: Screen, camera: Camera): Promise<void>;
};

export const scenes: readonly Scene[] = [];
