import {EventEmitter} from 'node:events';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import type {Key} from '../../source/keyboard/key.ts';
import {listenToKeys} from '../../source/keyboard/keyboard.ts';

/** A terminal's stdin that records the calls on it, and emits what the test types. */
class Stdin extends EventEmitter {
	readonly calls: string[] = [];
	setRawMode(isRaw: boolean): this {
		this.calls.push(isRaw ? 'raw' : 'cooked');
		return this;
	}
	pause(): this {
		this.calls.push('pause');
		return this;
	}
	resume(): this {
		this.calls.push('resume');
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

const advanceTime = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

describe('a keyboard', () => {
	test('is in raw mode and read from the start', () => {
		expect(start().stdin.calls).toEqual(['raw', 'resume']);
	});

	test('passes on a key at once, and each key of a burst in a separate turn', async () => {
		const stdin = new Stdin();
		const seen: string[] = [];
		listenToKeys(stdin as unknown as NodeJS.ReadStream, ({name}) => {
			seen.push(name);
			// As React does: draws in a microtask, and runs effects in a later turn of the event loop.
			queueMicrotask(() => {
				seen.push('drawn');
				setImmediate(() => seen.push('effects'));
			});
		});
		stdin.type('j\u001b[B');
		expect(seen).toEqual(['j']);
		await advanceTime(1);
		expect(seen).toEqual(['j', 'drawn', 'effects', 'down', 'drawn', 'effects']);
	});

	test('waits 50 ms after Esc for the rest of a sequence', async () => {
		const {stdin, seen} = start();
		stdin.type('\u001b');
		await advanceTime(49);
		stdin.type('[A');
		await advanceTime(1000);
		expect(seen).toEqual(['up']);
		stdin.type('\u001b');
		await advanceTime(49);
		expect(seen).toEqual(['up']);
		await advanceTime(2);
		expect(seen).toEqual(['up', 'esc']);
	});

	test('waits 200 ms inside a sequence, and then drops it', async () => {
		const {stdin, seen} = start();
		stdin.type('\u001b[1;');
		await advanceTime(190);
		stdin.type('5');
		await advanceTime(190);
		stdin.type('C');
		stdin.type('\u001b[1;');
		await advanceTime(210);
		stdin.type('x');
		await advanceTime(1);
		expect(seen).toEqual(['ctrl-right', 'x']);
	});

	test('reads input that arrived during a long frame before it acts on a timeout', async () => {
		const {stdin, seen} = start();
		stdin.type('\u001b');
		// The timer fires before the pending bytes are read.
		vi.advanceTimersByTime(50);
		stdin.type('[A');
		await advanceTime(1000);
		expect(seen).toEqual(['up']);
	});

	test('passes on a paste without an end after a second of silence', async () => {
		const {stdin, seen} = start();
		stdin.type('\u001b[200~never');
		await advanceTime(900);
		stdin.type(' ends');
		await advanceTime(900);
		expect(seen).toEqual([]);
		await advanceTime(110);
		stdin.type('q');
		await advanceTime(1);
		expect(seen).toEqual(['paste', 'q']);
	});

	test('releases the terminal and drops pending input when it pauses', async () => {
		const {stdin, seen, keyboard} = start();
		stdin.type('Edd\u001b');
		keyboard.pause();
		stdin.type('for the editor');
		await advanceTime(1000);
		expect(seen).toEqual(['E']);
		expect(stdin.calls).toEqual(['raw', 'resume', 'pause', 'cooked']);
		keyboard.resume();
		stdin.type('x');
		await advanceTime(1);
		expect(seen).toEqual(['E', 'x']);
		keyboard.stop();
		keyboard.resume();
		expect(stdin.calls.slice(4)).toEqual(['raw', 'resume', 'pause', 'cooked']);
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
		await advanceTime(100);
		expect(seen).toEqual([]);
		resolve();
		await advanceTime(1);
		stdin.type('l');
		await advanceTime(1);
		expect(seen).toEqual(['j', 'k', 'esc', 'l'].flatMap(name => [name, 'drawn']));
	});

	test('keeps the order of thousands of keys in a burst', async () => {
		const {stdin, seen} = start();
		const burst = Array.from({length: 3000}, (_, index) => String(index % 10));
		stdin.type(burst.join(''));
		await advanceTime(10);
		await vi.runAllTimersAsync();
		expect(seen).toEqual(burst);
	});
});
