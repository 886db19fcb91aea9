import {stripVTControlCharacters} from 'node:util';

/** A frame is read once nothing has changed for so long (milliseconds): what flickers is not worth a word. */
const quietTime = 80;

/** A frame that goes on changing is read at the latest after so long (milliseconds). */
const latest = 2000;

/** A stream that Ink draws whole frames to (`debug`), of which only what is new is printed. */
type SpokenFrames = {
	readonly stream: NodeJS.WriteStream;
	/** Prints what has not been printed yet. */
	flush(): void;
};

/**
 * Prints frames line by line for a screen reader: no styles, no movement of the cursor, nothing twice. `news` returns the
 * lines to print of a frame after the one before, neither of them with control sequences. The stream has the size `size`,
 * whatever the terminal has.
 */
export function spokenFrames(
	stdout: NodeJS.WriteStream,
	size: {readonly columns: number; readonly rows: number},
	news: (before: string, after: string) => readonly string[],
): SpokenFrames {
	let printed = '';
	let drawn = '';
	let quiet: NodeJS.Timeout | undefined;
	let since: number | undefined;

	function flush(): void {
		clearTimeout(quiet);
		since = undefined;
		if (drawn === printed) return;
		const lines = news(printed, drawn);
		printed = drawn;
		if (lines.length > 0) stdout.write(`${lines.join('\n')}\n`);
	}

	const stream = Object.create(stdout, {
		columns: {value: size.columns},
		rows: {value: size.rows},
		write: {
			value(chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean {
				const done = rest.at(-1);
				// Ink waits for its last write before it ends.
				if (typeof done === 'function') queueMicrotask(() => done());
				const frame = stripVTControlCharacters(String(chunk));
				// What only moves the cursor or changes modes is nothing to read.
				if (frame.trim() === '') return true;
				drawn = frame;
				const now = performance.now();
				since ??= now;
				clearTimeout(quiet);
				quiet = setTimeout(flush, Math.max(0, Math.min(quietTime, since + latest - now)));
				return true;
			},
		},
	}) as NodeJS.WriteStream;
	return {stream, flush};
}
