/** `JSON.parse` with the source text in the reviver, which TypeScript's types lack. */
const parseWithSource = JSON.parse as (
	text: string,
	reviver: (name: string, value: unknown, context: {readonly source?: string} | undefined) => unknown,
) => unknown;

/**
 * Returns the first number of a JSON text that would not survive parsing: with more digits than a double
 * holds (2^53 and beyond), or out of its range (1e400). Undefined if all survive. The text must be valid
 * JSON.
 */
export function findInexactNumber(text: string): string | undefined {
	if (!inexactCandidatePattern.test(text)) return undefined;
	let inexactNumber: string | undefined;
	parseWithSource(text, (_name, value, context) => {
		if (typeof value === 'number' && context?.source !== undefined && !isExact(context.source, value))
			inexactNumber ??= context.source.length > 40 ? `${context.source.slice(0, 40)}…` : context.source;
		return value;
	});
	return inexactNumber;
}

/**
 * Matches where a value may start with sixteen digits or more, a fraction or an exponent; without a match all
 * numbers are exact. A match inside a string only causes the full check.
 */
const inexactCandidatePattern = /(?:^|"\s*:|[,[])\s*-?(?:\d{16}|\d+[.eE])/;

/** Longer numbers count as inexact; keeps the comparison cheap. */
const maxNumberLength = 400;

const isExact = (source: string, value: number): boolean =>
	source.length <= maxNumberLength &&
	Number.isFinite(value) &&
	normalizeNumber(source) === normalizeNumber(String(value));

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
