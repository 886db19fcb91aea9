import type {Frame} from '../terminal/screen/cells.ts';
import type {Screen} from '../terminal/screen/screen.ts';
import type {Shot} from './animated.ts';

/** Seconds that a typed letter is shown. */
const typingSeconds = 0.09;

/**
 * Milliseconds without output after which a screen is complete; what it shows before depends on the machine.
 */
const quiet = 150;

/** Records what a screen shows. Times are those of the picture, not those that the program took. */
export class Camera {
	readonly shots: Shot[] = [];
	readonly #screen: Screen;

	constructor(screen: Screen) {
		this.#screen = screen;
	}

	/** Shows the current screen for `seconds`. */
	async hold(seconds: number): Promise<void> {
		await this.#screen.settled(undefined, {quiet});
		this.shots.push({frame: this.#screen.frame(), seconds});
	}

	/** Presses keys one after the other and shows the screen after each. */
	async press(keys: readonly string[], seconds: number): Promise<void> {
		for (const key of keys) {
			await this.#screen.pressAndAwaitFrame(key);
			await this.hold(seconds);
		}
	}

	/** Types a text as a person does. */
	async type(text: string): Promise<void> {
		await this.press(
			Array.from(new Intl.Segmenter().segment(text), ({segment}) => segment),
			typingSeconds,
		);
	}

	/** What was recorded, or the current screen if nothing was held. */
	async getTakenShots(): Promise<readonly [Shot, ...Shot[]]> {
		if (this.shots.length === 0) await this.hold(1);
		const [first, ...others] = this.shots;
		if (!first) throw new Error('a camera that held something has a shot');
		return [first, ...others];
	}
}

export const textOf = (frame: Frame): string =>
	frame.rows.map(row => row.map(cell => cell.text).join('')).join('\n');
