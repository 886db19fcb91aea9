import {type KeysWork, longWorkText} from '../../kv/long-work.ts';
import type {CommandContext} from '../shell/context.ts';

/** Work on keys that may take long, and what takes less time: "--prefix takes a part of them". */
type Noticed = KeysWork & {readonly shorter: string};

/**
 * Prints once for a person how long work on keys takes at the quota of the service, as soon as it is known to be long.
 * `clear` takes a line of progress away first.
 */
export function longWorkNotice(
	{output}: CommandContext,
	{shorter, ...work}: Noticed,
	clear: () => void = () => {},
): (done: number, total?: number) => void {
	let isPrinted = false;
	return (done, total) => {
		if (isPrinted) return;
		const text = longWorkText(work, done, total);
		if (text === undefined) return;
		isPrinted = true;
		clear();
		output.mention(`${text} ${shorter}`);
	};
}

/** What takes less time, where the command has the option. */
export const takesAPart = '--prefix takes a part of them.';
