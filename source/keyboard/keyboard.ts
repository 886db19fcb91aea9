import type {Key} from './key.ts';
import {withPastedEnds} from './pasted.ts';
import {createSplitter} from './split.ts';

export type Keyboard = {
	/**
	 * Leaves the terminal to another program: raw mode off, nothing is read after this turn of the event
	 * loop. Keys typed ahead are dropped, since they were not meant for what follows.
	 */
	pause(): void;
	/** Reads again in raw mode. */
	resume(): void;
	/** Stops for good. */
	stop(): void;
};

/**
 * Reads keys in raw mode and delivers each in its own turn of the event loop: a key and React's work for it
 * are done before the next one, however many arrived at once. Keys wait until the program is `ready` (the
 * first frame is drawn).
 */
export function listen(
	stdin: NodeJS.ReadStream,
	onKey: (key: Key) => void,
	ready?: Promise<unknown>,
): Keyboard {
	const splitter = createSplitter();
	let keys: Key[] = [];
	let handedOn = 0;
	let state: 'reading' | 'paused' | 'stopped' = 'paused';
	// // Until the program is ready, this acts as if a key were being delivered.
	let isHandingOn = ready !== undefined;
	let silence: NodeJS.Timeout | undefined;
	let chunks = 0;

	function read(chunk: Buffer) {
		chunks++;
		handOn(withPastedEnds(splitter.push(chunk)));
		waitForMore();
	}

	function waitForMore() {
		clearTimeout(silence);
		const milliseconds = splitter.patience();
		if (milliseconds === undefined) return;
		const seen = chunks;
		silence = setTimeout(() => {
			// // After a long frame timers run before pending input: read that first.
			setImmediate(() => {
				if (state === 'reading' && chunks === seen) handOn(splitter.flush());
			});
		}, milliseconds);
	}

	function handOn(more: readonly Key[]) {
		for (const key of more) keys.push(key);
		if (!isHandingOn) next();
	}

	function next() {
		const key = keys[handedOn++];
		isHandingOn = key !== undefined;
		if (key === undefined) return forget();
		// // React works in a microtask after this one and then in an immediate; the next key follows both.
		queueMicrotask(() => queueMicrotask(() => setImmediate(next)));
		onKey(key);
	}

	function forget() {
		keys = [];
		handedOn = 0;
	}

	function pause() {
		if (state !== 'reading') return;
		state = 'paused';
		clearTimeout(silence);
		forget();
		splitter.flush();
		stdin.off('data', read);
		stdin.pause();
		stdin.setRawMode(false);
	}

	function resume() {
		if (state !== 'paused') return;
		state = 'reading';
		stdin.setRawMode(true);
		stdin.on('data', read);
		stdin.resume();
	}

	void ready?.then(next);
	resume();
	return {
		pause,
		resume,
		stop() {
			pause();
			state = 'stopped';
		},
	};
}
