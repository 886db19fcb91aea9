/** `JSON.parse`, whose reviver is told how a number is written; the types of the language do not know it yet. */
const parse = JSON.parse as (
	text: string,
	reviver: (name: string, value: unknown, context: {readonly source?: string} | undefined) => unknown,
) => unknown;

/**
 * The first number of a JSON text that would not be written again as it is there: one of more digits than a double
 * holds (2^53 and beyond), or out of its range (1e400). `undefined` where there is none. The text has to be JSON.
 */
export function inexactNumber(text: string): string | undefined {
	if (!maybeInexact.test(text)) return undefined;
	let found: string | undefined;
	parse(text, (_name, value, context) => {
		if (typeof value === 'number' && context?.source !== undefined && !isKept(context.source, value))
			found ??= context.source.length > 40 ? `${context.source.slice(0, 40)}…` : context.source;
		return value;
	});
	return found;
}

/**
 * Where a value may begin, a number of sixteen digits or more, or with a fraction or exponent: without one all numbers
 * are kept. In strings it may find what is none, and then every number is looked at.
 */
const maybeInexact = /(?:^|"\s*:|[,[])\s*-?(?:\d{16}|\d+[.eE])/;

/** No number that anybody needs is written longer, and taking one apart stays cheap. */
const longest = 400;

const isKept = (written: string, value: number): boolean =>
	written.length <= longest && Number.isFinite(value) && decimal(written) === decimal(String(value));

/** A number in one form, however it was written: "1.50", "15e-1" and "1.5" are all "15e-1". */
function decimal(written: string): string {
	const {
		sign = '',
		whole = '',
		fraction = '',
		exponent = '0',
	} = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:e(?<exponent>[+-]?\d+))?$/i.exec(written)?.groups ??
	{};
	const digits = `${whole}${fraction}`.replace(/^0+/, '');
	const significant = digits.replace(/0+$/, '');
	const power = Number(exponent) - fraction.length + digits.length - significant.length;
	return significant === '' ? '0' : `${sign}${significant}e${power}`;
}
