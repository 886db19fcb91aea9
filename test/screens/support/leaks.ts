import {expect} from 'vitest';
import type {Reading} from '../../terminal/screen/reading.ts';

/** What ledge itself sends: Ink's cursor and screen, colours and styles, bracketed paste, the mouse, synchronized output. */
const ledgeSequences =
	/\u001b\[(?:\?(?:1000|1006|1049|2004|2026|25|1004)[hl]|[0-9;]*[mABCDEFGHJKf]|\??u|[<>=]\d*u)/g;

/** Expects no control characters in the output, besides what ledge itself sends. */
export function expectNothingLeaked(screen: Pick<Reading, 'received' | 'title' | 'copied'>): void {
	const otherOutput = screen
		.received()
		.replace(ledgeSequences, '')
		.replace(/[\r\n]/g, '');
	// C0, DEL, C1, and what turns the direction of text.
	expect(otherOutput).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
	expect(screen.title).toBe('');
	expect(screen.copied).toEqual([]);
}
