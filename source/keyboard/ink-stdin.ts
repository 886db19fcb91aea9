import {EventEmitter} from 'node:events';
import type {Key} from './key.ts';

/** Input stream for Ink in place of the terminal: only keys that a screen forwards to an Ink field. */
type InkStdin = {
	/** For Ink's `render` option `stdin`. Its raw mode is recorded and has no effect. */
	readonly stream: NodeJS.ReadStream;
	/**
	 * Forwards a key. Ctrl, alt and function keys are dropped: the fields would take them for letters. A
	 * paste becomes one line.
	 */
	send(key: Key): void;
};

/** Sequences that ink-select-input and ink-text-input expect, whatever the terminal sent. */
const sequences: Readonly<Record<string, string>> = {
	enter: '\r',
	tab: '\t',
	'shift-tab': '\u001b[Z',
	backspace: '\u007f',
	delete: '\u001b[3~',
	// Complete in itself: a lone ESC would be joined with the next key.
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

/** Event-loop turns to wait for a mounting field. */
const maxTurns = 3;

/**
 * Creates a stream for Ink that returns one key per read, each in a microtask after React's work for the
 * previous one: with several at once Ink's fields lose letters and choose the wrong row.
 */
export function createInkStdin(): InkStdin {
	const stream = new KeyStream();
	return {
		stream: stream as unknown as NodeJS.ReadStream,
		send({name, text}) {
			const input = sequences[name] ?? toOneLine(text);
			if (input !== '') stream.add(input);
		},
	};
}

/**
 * Joins text to one line without characters that Ink could take for a key; trailing line ends are dropped.
 */
const toOneLine = (text: string): string => text.replace(/[\r\n]+$/, '').replace(/\p{Cc}+/gu, ' ');

class KeyStream extends EventEmitter {
	readonly isTTY = true;
	isRaw = false;
	#queue: string[] = [];
	#nextInput: string | undefined;
	#isDelivering = false;

	add(input: string): void {
		this.#queue.push(input);
		if (this.#isDelivering) return;
		this.#isDelivering = true;
		queueMicrotask(() => this.#deliver(maxTurns));
	}

	#deliver(remainingTurns: number): void {
		if (this.listenerCount('readable') === 0) {
			if (remainingTurns > 0) return void setImmediate(() => this.#deliver(remainingTurns - 1));
			// No field took them: the next one must not get input meant for another.
			this.#queue = [];
		}
		this.#nextInput = this.#queue.shift();
		this.#isDelivering = this.#nextInput !== undefined;
		if (!this.#isDelivering) return;
		this.emit('readable');
		queueMicrotask(() => this.#deliver(maxTurns));
	}

	read(): string | null {
		const input = this.#nextInput ?? null;
		this.#nextInput = undefined;
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
