/** Formats an integer in groups of three: `1,389`. */
export const formatInteger = (figure: number): string => String(figure).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** Formats a quantity: `1 byte`, `1,389 bytes`. */
export const formatQuantity = (figure: number, singular: string, plural = `${singular}s`): string =>
	`${formatInteger(figure)} ${figure === 1 ? singular : plural}`;

/** Formats a quantity in plain digits, for limits and measured sizes: `1 byte`, `1389 bytes`. */
export const formatPlainQuantity = (figure: number, singular: string, plural = `${singular}s`): string =>
	`${figure} ${figure === 1 ? singular : plural}`;

export const chooseIsOrAre = (figure: number): 'is' | 'are' => (figure === 1 ? 'is' : 'are');

/** Parses an integer in plain digits, or in groups of three like `formatInteger`. */
export function parseFigure(text: string): number | undefined {
	const digits = text.trim();
	if (!/^(\d+|\d{1,3}(,\d{3})+)$/.test(digits)) return undefined;
	const figure = Number(digits.replaceAll(',', ''));
	return Number.isSafeInteger(figure) ? figure : undefined;
}

/** Returns the percentage, rounded down: 100 only if all are done. */
export const computePercent = (doneCount: number, total: number): number =>
	total === 0 ? 100 : Math.floor((doneCount * 100) / total);

export type Unit = 'count' | 'bytes' | 'milliseconds';

const steps: Readonly<Record<Unit, {readonly base: number; readonly names: readonly string[]}>> = {
	count: {base: 1000, names: ['', 'k', 'M', 'G', 'T']},
	bytes: {base: 1024, names: [' B', ' KB', ' MB', ' GB', ' TB']},
	milliseconds: {base: 1000, names: [' ms', ' s']},
};

/** Returns the largest step of a unit that a rounded figure reaches: its name and its size. */
function findStep(figure: number, unit: Unit): {readonly size: number; readonly name: string} {
	const {base, names} = steps[unit];
	let size = 1;
	let stepIndex = 0;
	for (; stepIndex < names.length - 1 && figure / size >= base * 0.9995; stepIndex++) size *= base;
	return {size, name: names[stepIndex] ?? ''};
}

/** Returns the size of the step that shortens a figure: 1, 1,000 or 1,024, or a power of these. */
export const getUnitStep = (figure: number, unit: Unit): number => findStep(figure, unit).size;

/**
 * Formats a figure in a few columns, with at least two digits: `950`, `1.2k`, `3.4M`; `140 B`, `1.2 KB`; `12
 * ms`, `1.5 s`.
 */
export function formatShortFigure(figure: number, unit: Unit): string {
	const {size, name} = findStep(figure, unit);
	const scaled = figure / size;
	const rounded = scaled < 9.95 ? scaled.toFixed(1).replace('.0', '') : scaled.toFixed(0);
	return `${rounded}${name}`;
}

/** Formats bytes in a few columns, rounded from 1,024: `140 B`, `1.2 KB`, `3 MB`. */
export const formatShortSize = (bytes: number): string => formatShortFigure(bytes, 'bytes');

/**
 * True if the typed confirmation is this number: digits with or without the commas that ledge shows, and
 * optional white space around it.
 */
export function isTypedNumber(input: string, number: number): boolean {
	const text = input.trim();
	return text === String(number) || text === formatInteger(number);
}
