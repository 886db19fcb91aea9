import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {showCountdown} from '../../source/terminal/progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Creates a terminal of this width that keeps its line as a person sees it. */
function createTerminal(columns: number) {
	const lines: string[] = [];
	const write = (text: string) => {
		expect(text.startsWith('\r\u001b[K')).toBe(true);
		lines.push(text.slice('\r\u001b[K'.length));
		return true;
	};
	return {stream: {columns, write} as unknown as NodeJS.WriteStream, lines, shown: () => lines.at(-1)};
}

const refusal = `The service rejected GET /accounts/${'0'.repeat(32)}/storage/kv/namespaces with status 429`;

test('the seconds stay readable on a narrow terminal, and the text is cut', () => {
	for (const columns of [80, 40, 20]) {
		const {stream, shown} = createTerminal(columns);
		showCountdown(stream, refusal, 3000);
		expect(shown()).toMatch(/^waiting 3 s · .*…$/);
		expect(shown()?.length).toBe(columns - 1);
		vi.advanceTimersByTime(1000);
		expect(shown()).toMatch(/^waiting 2 s · /);
		vi.advanceTimersByTime(2000);
		expect(shown()).toBe('');
	}
});

test('an aborted wait removes its line and leaves no timer', () => {
	const {stream, shown, lines} = createTerminal(80);
	const stop = new AbortController();
	showCountdown(stream, 'why', 60_000, stop.signal);
	stop.abort();
	expect(shown()).toBe('');
	expect(vi.getTimerCount()).toBe(0);
	const lineCount = lines.length;
	vi.advanceTimersByTime(120_000);
	expect(lines).toHaveLength(lineCount);
	showCountdown(stream, 'why', 1000, stop.signal);
	expect(lines).toHaveLength(lineCount);
});

test('concurrent waits share one line, which shows the longest and ends with the last', () => {
	const {stream, shown} = createTerminal(80);
	showCountdown(stream, 'short', 2000);
	showCountdown(stream, 'long', 5000);
	expect(shown()).toBe('waiting 5 s (2 calls) · long');
	vi.advanceTimersByTime(2500);
	expect(shown()).toBe('waiting 3 s · long');
	vi.advanceTimersByTime(2500);
	expect(shown()).toBe('');
	expect(vi.getTimerCount()).toBe(0);
});

test('the action after the wait is named before the seconds', () => {
	const {stream, shown} = createTerminal(80);
	showCountdown(stream, 'why', 2000, undefined, 'retrying (2 of 5) in');
	expect(shown()).toBe('retrying (2 of 5) in 2 s · why');
});

test('a wide terminal shows the whole text', () => {
	const {stream, shown} = createTerminal(200);
	showCountdown(stream, refusal, 90_000);
	expect(shown()).toBe(`waiting 2 min · ${refusal}`);
});
