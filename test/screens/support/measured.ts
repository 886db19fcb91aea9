import {onTestFinished} from 'vitest';
import {Emulator} from '../../terminal/screen/emulator.ts';
import {Reading} from '../../terminal/screen/reading.ts';
import type {DrawnScreen} from './screen.tsx';

/** Frames drawn in this process, loaded into the terminal emulator, which knows the width of each cell. */
class EmulatedFrames extends Reading {
	readonly #frames: string;

	constructor({columns, rows}: DrawnScreen, frames: string) {
		super(new Emulator({columns, rows, widths: 'graphemes'}));
		this.#frames = frames;
		onTestFinished(() => this.emulator.dispose());
	}

	received(): string {
		return this.#frames;
	}

	async load(): Promise<this> {
		await this.emulator.write(Buffer.from(this.#frames.replaceAll('\n', '\r\n')));
		return this;
	}
}

/** Loads the last frame of a screen into an emulated terminal of its size. */
export const readLastFrame = (screen: DrawnScreen): Promise<Reading> =>
	new EmulatedFrames(
		screen,
		screen.received().split('\n').slice(0, -1).slice(-screen.lines().length).join('\n'),
	).load();

/** Loads all frames that a screen has drawn, in order. */
export const readAllFrames = (screen: DrawnScreen): Promise<Reading> =>
	new EmulatedFrames(screen, screen.received()).load();
