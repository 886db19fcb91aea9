import {onTestFinished} from 'vitest';
import {Emulator} from '../../terminal/screen/emulator.ts';
import {Reading} from '../../terminal/screen/reading.ts';
import type {DrawnScreen} from './screen.tsx';

/** What the terminal emulator makes of frames that were drawn in this process: its cells, and how wide they are. */
class Measured extends Reading {
	readonly #frames: string;

	constructor({columns, rows}: DrawnScreen, frames: string) {
		super(new Emulator({columns, rows, widths: 'graphemes'}));
		this.#frames = frames;
		onTestFinished(() => this.emulator.dispose());
	}

	received(): string {
		return this.#frames;
	}

	async taken(): Promise<this> {
		await this.emulator.write(Buffer.from(this.#frames.replaceAll('\n', '\r\n')));
		return this;
	}
}

/** Gives the last frame of a screen, all of its rows, to a terminal of its size. */
export const measured = (screen: DrawnScreen): Promise<Reading> =>
	new Measured(
		screen,
		screen.received().split('\n').slice(0, -1).slice(-screen.lines().length).join('\n'),
	).taken();

/** The same with every frame that it has drawn, one after the other. */
export const measuredAll = (screen: DrawnScreen): Promise<Reading> =>
	new Measured(screen, screen.received()).taken();
