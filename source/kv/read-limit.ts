import {Failure} from '../failure.ts';

/**
 * Bytes of values that are read together at most; what is larger is read by itself. A dozen such readings may be in
 * memory at a time, where small values are followed by large ones.
 */
export const mostReadBytes = 4_000_000;

/** Fails where the values that were read so far are more than may be read together: fewer of the keys may pass (`isTooMuch`). */
export function refuseTooMuch(bytes: number, keys: readonly string[]): void {
	if (keys.length > 1 && bytes > mostReadBytes)
		throw new Failure('answer_malformed', `${keys.length} values are too large to be read at once.`, {
			why: `Together they have more than ${mostReadBytes} bytes.`,
			tooMuch: true,
		});
}
