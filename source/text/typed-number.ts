import {grouped} from './figures.ts';

/**
 * Whether a number was typed that had to be typed to confirm something: as digits alone or with the commas that ledge
 * shows it with, and nothing else but white space around it.
 */
export function isTypedNumber(typed: string, number: number): boolean {
	const text = typed.trim();
	return text === String(number) || text === grouped(number);
}
