import {findStringEnd} from './json.ts';

/**
 * Returns the first number of a JSON text that would not survive parsing: with more digits than a double
 * holds (2^53 and beyond), or out of its range (1e400). Undefined if all survive. The text must be valid
 * JSON.
 */
export function findInexactNumber(text: string): string | undefined {
	for (let index = 0; index < text.length; index++) {
		if (text[index] === '"') index = findStringEnd(text, index);
		numberPattern.lastIndex = index;
		const source = numberPattern.exec(text)?.[0];
		if (source === undefined) continue;
		if (!isExact(source, Number(source))) return source.length > 40 ? `${source.slice(0, 40)}…` : source;
		index += source.length - 1;
	}
	return undefined;
}

const numberPattern = /-?\d[\d.eE+-]*/y;

/** Longer numbers count as inexact; keeps the comparison cheap. */
const maxNumberLength = 400;

const isExact = (source: string, value: number): boolean =>
	source === String(value) ||
	(source.length <= maxNumberLength &&
		Number.isFinite(value) &&
		normalizeNumber(source) === normalizeNumber(String(value)));

/** Normalizes a number: "1.50", "15e-1" and "1.5" all become "15e-1". */
function normalizeNumber(source: string): string {
	const {
		sign = '',
		whole = '',
		fraction = '',
		exponent = '0',
	} = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:e(?<exponent>[+-]?\d+))?$/i.exec(source)?.groups ??
	{};
	const digits = `${whole}${fraction}`.replace(/^0+/, '');
	const significantDigits = digits.replace(/0+$/, '');
	const power = Number(exponent) - fraction.length + digits.length - significantDigits.length;
	return significantDigits === '' ? '0' : `${sign}${significantDigits}e${power}`;
}
