import type {Key} from './key.ts';
import {createSplitter} from './splitter.ts';
import {markPastedEnters} from './unmarked-paste.ts';

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
export function listenToKeys(
	stdin: NodeJS.ReadStream,
	onKey: (key: Key) => void,
	ready?: Promise<unknown>,
): Keyboard {
	const splitter = createSplitter();
	let keys: Key[] = [];
	let nextIndex = 0;
	let state: 'reading' | 'paused' | 'stopped' = 'paused';
	// True while a call of deliverNext is pending: at first until the program is ready, so that keys wait.
	let isDeliveryScheduled = ready !== undefined;
	let silenceTimer: NodeJS.Timeout | undefined;
	let chunkCount = 0;

	function readChunk(chunk: Buffer) {
		chunkCount++;
		enqueueKeys(markPastedEnters(splitter.push(chunk)));
		waitForMore();
	}

	function waitForMore() {
		clearTimeout(silenceTimer);
		const milliseconds = splitter.getPatience();
		if (milliseconds === undefined) return;
		const chunksSeen = chunkCount;
		silenceTimer = setTimeout(() => {
			// After a long frame timers run before pending input: read that first.
			setImmediate(() => {
				if (state === 'reading' && chunkCount === chunksSeen) enqueueKeys(splitter.flush());
			});
		}, milliseconds);
	}

	function enqueueKeys(newKeys: readonly Key[]) {
		for (const key of newKeys) keys.push(key);
		if (!isDeliveryScheduled) deliverNext();
	}

	function deliverNext() {
		const key = keys[nextIndex++];
		isDeliveryScheduled = key !== undefined;
		if (key === undefined) return clearQueue();
		// React works in a microtask after this one and then in an immediate; the next key follows both.
		queueMicrotask(() => queueMicrotask(() => setImmediate(deliverNext)));
		onKey(key);
	}

	function clearQueue() {
		keys = [];
		nextIndex = 0;
	}

	function pause() {
		if (state !== 'reading') return;
		state = 'paused';
		clearTimeout(silenceTimer);
		clearQueue();
		splitter.flush();
		stdin.off('data', readChunk);
		stdin.pause();
		stdin.setRawMode(false);
	}

	function resume() {
		if (state !== 'paused') return;
		state = 'reading';
		stdin.setRawMode(true);
		stdin.on('data', readChunk);
		stdin.resume();
	}

	void ready?.then(deliverNext);
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
