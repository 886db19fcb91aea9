/** A parsed integer, or why the text is not one. */
type ParsedInteger =
	| {readonly ok: true; readonly value: bigint; readonly form: 'decimal' | 'hex' | 'octal'}
	| {
			readonly ok: false;
			readonly sentence: string;
			readonly engineMessage: string;
			readonly correction?: string | undefined;
	  };

const minInteger = -(2n ** 63n);
const maxInteger = 2n ** 63n - 1n;

/** True if a word looks like an integer, valid or not. */
export const looksLikeInteger = (text: string): boolean =>
	/^-?(?:0[xX])?[0-9][0-9a-fA-F_]*(?:\.\.-?(?:0[xX])?[0-9][0-9a-fA-F_]*)?$/.test(text);

/** Parses a 64-bit integer: decimal, `0x` hex, or octal if it starts with 0. */
export function readInteger(text: string): ParsedInteger {
	if (/^0x[0-9a-fA-F]+$/.test(text)) return checkBounds(text, BigInt(text), 'hex');
	if (/^0[0-7]+$/.test(text)) return checkBounds(text, BigInt(`0o${text}`), 'octal');
	if (/^-?(?:0|[1-9][0-9]*)$/.test(text) || /^-[0-9]+$/.test(text))
		return checkBounds(text, parseDecimal(text), 'decimal');
	if (/^0[0-9]+$/.test(text))
		return {
			ok: false,
			sentence: 'A number that starts with 0 is octal and can only contain the digits 0 to 7: remove the 0.',
			engineMessage: 'invalid digit found in string while parsing with radix 8',
			correction: text.replace(/^0+/, '') || '0',
		};
	if (/^[0-9][0-9_]*$/.test(text))
		return {
			ok: false,
			sentence: 'An integer can only contain digits.',
			engineMessage: 'unrecognised input',
			correction: text.replaceAll('_', '').replace(/^0+(?=[0-9])/, ''),
		};
	if (/^0X[0-9a-fA-F]+$/.test(text))
		return {
			ok: false,
			sentence: 'A hex number starts with a lower-case 0x.',
			engineMessage: 'unrecognised input',
			correction: `0x${text.slice(2)}`,
		};
	if (/^-0[xX][0-9a-fA-F]+$/.test(text))
		return {
			ok: false,
			sentence: "A hex number can't have a minus sign: write negative numbers in decimal.",
			engineMessage: 'unrecognised input',
			correction: String(-BigInt(`0x${text.slice(3)}`)),
		};
	return {
		ok: false,
		sentence: 'Invalid integer: use digits, or 0x and hex digits.',
		engineMessage: 'expected digit',
		correction: extractAsNumber(text),
	};
}

/** Extracts the number from the name of an autonomous system: `AS64500`. */
export const extractAsNumber = (text: string): string | undefined =>
	/^asn?([1-9][0-9]{0,9})$/i.exec(text)?.[1];

const parseDecimal = (text: string): bigint => (text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text));

function checkBounds(text: string, value: bigint, form: 'decimal' | 'hex' | 'octal'): ParsedInteger {
	if (value >= minInteger && value <= maxInteger) return {ok: true, value, form};
	const radix = {decimal: 10, hex: 16, octal: 8}[form];
	return {
		ok: false,
		sentence: `Integers range from ${minInteger} to ${maxInteger}.`,
		engineMessage: `number too ${text.startsWith('-') ? 'small' : 'large'} to fit in target type while parsing with radix ${radix}`,
	};
}
