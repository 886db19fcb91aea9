import {EventEmitter} from 'node:events';
import type {Key} from './key.ts';

/** What Ink is given to read instead of the terminal: only the keys that the screen hands on to a field of Ink. */
type InkStdin = {
	/** For the option `stdin` of Ink's `render`. Its raw mode is remembered and changes nothing. */
	readonly stream: NodeJS.ReadStream;
	/**
	 * Hands a key on. Keys with ctrl or alt and function keys are not: the fields would take them for letters. A paste
	 * goes as one line.
	 */
	send(key: Key): void;
};

/** The keys of ink-select-input and ink-text-input as Ink knows them, whatever the terminal sent. */
const sequences: Readonly<Record<string, string>> = {
	enter: '\r',
	tab: '\t',
	'shift-tab': '\u001b[Z',
	backspace: '\u007f',
	delete: '\u001b[3~',
	// Complete in itself, where a lone ESC would be taken together with the next key.
	esc: '\u001b[27u',
	up: '\u001b[A',
	down: '\u001b[B',
	right: '\u001b[C',
	left: '\u001b[D',
	home: '\u001b[H',
	end: '\u001b[F',
	pageup: '\u001b[5~',
	pagedown: '\u001b[6~',
};

/** How many turns of the event loop a key waits for a field that is just coming up. */
const turns = 3;

/**
 * A stream for Ink that returns one key at a read, each in a microtask behind the work that React queued for the one
 * before: several at once, and the fields of Ink lose letters and choose the wrong row.
 */
export function createInkStdin(): InkStdin {
	const stream = new KeyStream();
	return {
		stream: stream as unknown as NodeJS.ReadStream,
		send({name, text}) {
			const input = sequences[name] ?? oneLine(text);
			if (input !== '') stream.add(input);
		},
	};
}

/** Text as one line, without anything that Ink could take for a key; line ends behind it are left out. */
const oneLine = (text: string): string => text.replace(/[\r\n]+$/, '').replace(/\p{Cc}+/gu, ' ');

class KeyStream extends EventEmitter {
	readonly isTTY = true;
	isRaw = false;
	#waiting: string[] = [];
	#readable: string | undefined;
	#isDelivering = false;

	add(input: string): void {
		this.#waiting.push(input);
		if (this.#isDelivering) return;
		this.#isDelivering = true;
		queueMicrotask(() => this.#deliver(turns));
	}

	#deliver(turnsLeft: number): void {
		if (this.listenerCount('readable') === 0) {
			if (turnsLeft > 0) return void setImmediate(() => this.#deliver(turnsLeft - 1));
			// Nobody came to take them: the next field must not be filled with what was typed for another.
			this.#waiting = [];
		}
		this.#readable = this.#waiting.shift();
		this.#isDelivering = this.#readable !== undefined;
		if (!this.#isDelivering) return;
		this.emit('readable');
		queueMicrotask(() => this.#deliver(turns));
	}

	read(): string | null {
		const input = this.#readable ?? null;
		this.#readable = undefined;
		return input;
	}

	setRawMode(isRaw: boolean): this {
		this.isRaw = isRaw;
		return this;
	}

	setEncoding(): this {
		return this;
	}

	ref(): this {
		return this;
	}

	unref(): this {
		return this;
	}

	resume(): this {
		return this;
	}

	pause(): this {
		return this;
	}
}
