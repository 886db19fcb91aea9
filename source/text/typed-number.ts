import {formatInteger} from './figures.ts';

/**
 * True if the typed confirmation is this number: digits with or without the commas that ledge shows, and
 * optional white space around it.
 */
export function isTypedNumber(input: string, number: number): boolean {
	const text = input.trim();
	return text === String(number) || text === formatInteger(number);
}
