import {stripVTControlCharacters} from 'node:util';

/** Milliseconds without a change before a frame is read, so that flicker is not. */
const quietMs = 80;

/** Maximum milliseconds before a changing frame is read. */
const maxDelayMs = 2000;

/** A stream for Ink's whole frames (`debug`), which prints only what is new. */
type SpokenFrames = {
	readonly stream: NodeJS.WriteStream;
	/** Prints what is pending. */
	flush(): void;
};

/**
 * Prints frames line by line for a screen reader: no styles, no cursor movement, nothing twice. `findNews`
 * returns the lines to print of a frame after the previous one, both without control sequences. The stream
 * reports `size` instead of the terminal's.
 */
export function createSpokenFrames(
	stdout: NodeJS.WriteStream,
	size: {readonly columns: number; readonly rows: number},
	findNews: (before: string, after: string) => readonly string[],
): SpokenFrames {
	let printedFrame = '';
	let drawnFrame = '';
	let quietTimer: NodeJS.Timeout | undefined;
	let changedSince: number | undefined;

	function flush(): void {
		clearTimeout(quietTimer);
		changedSince = undefined;
		if (drawnFrame === printedFrame) return;
		const lines = findNews(printedFrame, drawnFrame);
		printedFrame = drawnFrame;
		if (lines.length > 0) stdout.write(`${lines.join('\n')}\n`);
	}

	const stream = Object.create(stdout, {
		columns: {value: size.columns},
		rows: {value: size.rows},
		write: {
			value(chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean {
				const onWritten = rest.at(-1);
				// Ink waits for its last write before it ends.
				if (typeof onWritten === 'function') queueMicrotask(() => onWritten());
				const frame = stripVTControlCharacters(String(chunk));
				// Cursor movement and mode changes are not read.
				if (frame.trim() === '') return true;
				drawnFrame = frame;
				const now = performance.now();
				changedSince ??= now;
				clearTimeout(quietTimer);
				quietTimer = setTimeout(flush, Math.max(0, Math.min(quietMs, changedSince + maxDelayMs - now)));
				return true;
			},
		},
	}) as NodeJS.WriteStream;
	return {stream, flush};
}
