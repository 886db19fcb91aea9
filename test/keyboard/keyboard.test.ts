import {EventEmitter} from 'node:events';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import type {Key} from '../../source/keyboard/key.ts';
import {listenToKeys} from '../../source/keyboard/keyboard.ts';

/** A terminal's stdin that records its calls, and returns what the test types. */
class Stdin extends EventEmitter {
	readonly told: string[] = [];
	setRawMode(isRaw: boolean): this {
		this.told.push(isRaw ? 'raw' : 'cooked');
		return this;
	}
	pause(): this {
		this.told.push('pause');
		return this;
	}
	resume(): this {
		this.told.push('resume');
		return this;
	}
	type(text: string): void {
		this.emit('data', Buffer.from(text));
	}
}

function start() {
	const stdin = new Stdin();
	const seen: string[] = [];
	const keyboard = listenToKeys(stdin as unknown as NodeJS.ReadStream, ({name}) => void seen.push(name));
	return {stdin, seen, keyboard};
}

beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'setImmediate']}));
afterEach(() => void vi.useRealTimers());

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

describe('a keyboard', () => {
	test('is in raw mode and read from the start', () => {
		expect(start().stdin.told).toEqual(['raw', 'resume']);
	});

	test('passes on a key at once, and each key of a burst in a separate turn', async () => {
		const stdin = new Stdin();
		const seen: string[] = [];
		listenToKeys(stdin as unknown as NodeJS.ReadStream, ({name}) => {
			seen.push(name);
			// What React does: a microtask, and behind that work in a turn of the event loop.
			queueMicrotask(() => {
				seen.push('drawn');
				setImmediate(() => seen.push('effects'));
			});
		});
		stdin.type('j\u001b[B');
		expect(seen).toEqual(['j']);
		await pass(1);
		expect(seen).toEqual(['j', 'drawn', 'effects', 'down', 'drawn', 'effects']);
	});

	test('waits 50 ms after Esc for the rest of a sequence', async () => {
		const {stdin, seen} = start();
		stdin.type('\u001b');
		await pass(49);
		stdin.type('[A');
		await pass(1000);
		expect(seen).toEqual(['up']);
		stdin.type('\u001b');
		await pass(49);
		expect(seen).toEqual(['up']);
		await pass(2);
		expect(seen).toEqual(['up', 'esc']);
	});

	test('waits 200 ms inside a sequence, and then drops it', async () => {
		const {stdin, seen} = start();
		stdin.type('\u001b[1;');
		await pass(190);
		stdin.type('5');
		await pass(190);
		stdin.type('C');
		stdin.type('\u001b[1;');
		await pass(210);
		stdin.type('x');
		await pass(1);
		expect(seen).toEqual(['ctrl-right', 'x']);
	});

	test('reads input that arrived during a long frame before its timeout', async () => {
		const {stdin, seen} = start();
		stdin.type('\u001b');
		// The timer is due and its turn comes first; the bytes have been there for a while.
		vi.advanceTimersByTime(50);
		stdin.type('[A');
		await pass(1000);
		expect(seen).toEqual(['up']);
	});

	test('passes on a paste without an end after a second of silence', async () => {
		const {stdin, seen} = start();
		stdin.type('\u001b[200~never');
		await pass(900);
		stdin.type(' ends');
		await pass(900);
		expect(seen).toEqual([]);
		await pass(110);
		stdin.type('q');
		await pass(1);
		expect(seen).toEqual(['paste', 'q']);
	});

	test('releases the terminal and drops pending input when it pauses', async () => {
		const {stdin, seen, keyboard} = start();
		stdin.type('Edd\u001b');
		keyboard.pause();
		stdin.type('for the editor');
		await pass(1000);
		expect(seen).toEqual(['E']);
		expect(stdin.told).toEqual(['raw', 'resume', 'pause', 'cooked']);
		keyboard.resume();
		stdin.type('x');
		await pass(1);
		expect(seen).toEqual(['E', 'x']);
		keyboard.stop();
		keyboard.resume();
		expect(stdin.told.slice(4)).toEqual(['raw', 'resume', 'pause', 'cooked']);
		expect(stdin.listenerCount('data')).toBe(0);
	});

	test('keeps input until the program is ready, and then passes it on key by key', async () => {
		const stdin = new Stdin();
		const seen: string[] = [];
		const {promise, resolve} = Promise.withResolvers<void>();
		const onKey = ({name}: Key) => {
			seen.push(name);
			queueMicrotask(() => seen.push('drawn'));
		};
		listenToKeys(stdin as unknown as NodeJS.ReadStream, onKey, promise);
		stdin.type('jk');
		stdin.type('\u001b');
		await pass(100);
		expect(seen).toEqual([]);
		resolve();
		await pass(1);
		stdin.type('l');
		await pass(1);
		expect(seen).toEqual(['j', 'k', 'esc', 'l'].flatMap(name => [name, 'drawn']));
	});

	test('keeps the order of thousands of keys in a burst', async () => {
		const {stdin, seen} = start();
		const burst = Array.from({length: 3000}, (_, index) => String(index % 10));
		stdin.type(burst.join(''));
		await pass(10);
		await vi.runAllTimersAsync();
		expect(seen).toEqual(burst);
	});
});
