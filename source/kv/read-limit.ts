import {Failure} from '../failure.ts';

/**
 * Maximum bytes of values in one read; a larger value is read alone. About a dozen such reads may be in
 * memory at once, if small values are followed by large ones.
 */
export const maxReadBytes = 4_000_000;

/**
 * Fails with a failure that `isRequestTooLarge` recognizes if several values together exceed `maxReadBytes`,
 * so that fewer keys are read at a time.
 */
export function checkReadSize(bytes: number, keys: readonly string[]): void {
	if (keys.length > 1 && bytes > maxReadBytes)
		throw new Failure('answer_malformed', `${keys.length} values are too large to be read at once.`, {
			why: `Together they have more than ${maxReadBytes} bytes.`,
			tooMuch: true,
		});
}
