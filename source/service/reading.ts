import {Failure} from '../failure.ts';
import {advice, ledge} from '../text/advice.ts';
import {isRecord} from './envelope.ts';

/** Fails because an answer lacks what the contract says it has. */
export const malformed = (what: string): Failure =>
	new Failure('answer_malformed', `The service's answer has no usable ${what}.`, {
		next: advice`Check the base URL (\`${ledge('config')}\` shows it): it may not be the service ledge knows.`,
	});

/** The `result` as a list of objects, each read by `read`; anything but a list is malformed. `what` is one of them: "a key". */
export function readList<T>(
	result: unknown,
	what: string,
	read: (item: Readonly<Record<string, unknown>>) => T,
): T[] {
	const noun = what.replace(/^an? /, '');
	if (!Array.isArray(result)) throw malformed(`list of ${noun}s`);
	return result.map(item => {
		if (!isRecord(item)) throw malformed(noun);
		return read(item);
	});
}

/** A text that must be there. */
export function text(item: Readonly<Record<string, unknown>>, name: string, what: string): string {
	const value = item[name];
	if (typeof value !== 'string') throw malformed(`${name} of ${what}`);
	return value;
}

/** A number that may be left out, or be `null`. */
export function optionalNumber(
	item: Readonly<Record<string, unknown>>,
	name: string,
	what: string,
): number | undefined {
	const value = item[name];
	if (value === undefined || value === null) return undefined;
	if (typeof value !== 'number') throw malformed(`${name} of ${what}`);
	return value;
}

export const optionalText = (item: Readonly<Record<string, unknown>>, name: string): string | undefined =>
	typeof item[name] === 'string' ? item[name] : undefined;
