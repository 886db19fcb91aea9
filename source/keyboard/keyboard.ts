import type {Key} from './key.ts';
import {withPastedEnds} from './pasted.ts';
import {createSplitter} from './split.ts';

/** The keyboard of the terminal, while ledge reads it. */
export type Keyboard = {
	/**
	 * Leaves the terminal to someone else: raw mode off, nothing more is read once this turn of the event loop
	 * is over. What was typed ahead is dropped, because it was not meant for what comes after.
	 */
	pause(): void;
	/** Reads again, in raw mode. */
	resume(): void;
	/** Ends it for good. */
	stop(): void;
};

/**
 * Reads keys in raw mode from now on, and hands each one on in a turn of the event loop of its own: what a key does,
 * and what React makes of it, is done before the next one comes, however many arrived at once. Keys that come before
 * the program is `ready` for them (the first frame is drawn) wait until then.
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
	// Not before the program is ready: until then it counts as handing on a key that is not done.
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
			// After a long frame timers come before input that has been there for a while: look at that first.
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
		// React works in a microtask behind this one and then in an immediate, and the next key comes behind both.
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
