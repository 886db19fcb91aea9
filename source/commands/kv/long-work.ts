import {describeLongWork, type KeysWork} from '../../kv/long-work.ts';
import type {CommandContext} from '../shell/context.ts';

/** Work on keys that may take long, and a hint on how to shorten it: "Use --prefix for fewer keys". */
type NoticedWork = KeysWork & {readonly hint: string};

/**
 * Returns a function that warns once, on stderr, when the work is known to take long at the service's quota,
 * and says how long. `clear` removes the progress line first.
 */
export function createLongWorkNotice(
	{output}: CommandContext,
	{hint, ...work}: NoticedWork,
	clear: () => void = () => {},
): (done: number, total?: number) => void {
	let isPrinted = false;
	return (done, total) => {
		if (isPrinted) return;
		const text = describeLongWork(work, done, total);
		if (text === undefined) return;
		isPrinted = true;
		clear();
		output.sayIfInteractive(`${text} ${hint}`);
	};
}

/** The hint of commands with `--prefix`. */
export const prefixHint = 'Use --prefix for fewer keys.';
