/** A whole number for a person, in groups of three: `1,389`. */
export const grouped = (figure: number): string => String(figure).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** So many of something: `1 byte`, `1,389 bytes`. */
export const counted = (figure: number, one: string, many = `${one}s`): string =>
	`${grouped(figure)} ${figure === 1 ? one : many}`;

/** The same in plain digits, as limits and measured sizes are printed: `1 byte`, `1389 bytes`. */
export const quantity = (figure: number, one: string, many = `${one}s`): string =>
	`${figure} ${figure === 1 ? one : many}`;

/** The verb that goes with so many of something. */
export const isOrAre = (figure: number): 'is' | 'are' => (figure === 1 ? 'is' : 'are');

/** A whole number as a person types it: in plain digits, or in groups of three as `grouped` prints them. */
export function parseFigure(text: string): number | undefined {
	const digits = text.trim();
	if (!/^(\d+|\d{1,3}(,\d{3})+)$/.test(digits)) return undefined;
	const figure = Number(digits.replaceAll(',', ''));
	return Number.isSafeInteger(figure) ? figure : undefined;
}

/** Of so many, rounded down: 100 only when all are done. */
export const percent = (done: number, total: number): number =>
	total === 0 ? 100 : Math.floor((done * 100) / total);

/** What figures measure. */
export type Unit = 'count' | 'bytes' | 'milliseconds';

const steps: Readonly<Record<Unit, {readonly base: number; readonly names: readonly string[]}>> = {
	count: {base: 1000, names: ['', 'k', 'M', 'G', 'T']},
	bytes: {base: 1024, names: [' B', ' KB', ' MB', ' GB', ' TB']},
	milliseconds: {base: 1000, names: [' ms', ' s']},
};

/** The largest step of a unit that a figure reaches when it is rounded: its name, and how many units it has. */
function stepOf(figure: number, unit: Unit): {readonly size: number; readonly name: string} {
	const {base, names} = steps[unit];
	let size = 1;
	let at = 0;
	for (; at < names.length - 1 && figure / size >= base * 0.9995; at++) size *= base;
	return {size, name: names[at] ?? ''};
}

/** How many units the step has in which a figure is shortened: 1, 1,000 or 1,024, and their powers. */
export const unitStep = (figure: number, unit: Unit): number => stepOf(figure, unit).size;

/** A figure in a few columns, with two digits or more: `950`, `1.2k`, `3.4M`; `140 B`, `1.2 KB`; `12 ms`, `1.5 s`. */
export function shortFigure(figure: number, unit: Unit): string {
	const {size, name} = stepOf(figure, unit);
	const scaled = figure / size;
	const rounded = scaled < 9.95 ? scaled.toFixed(1).replace('.0', '') : scaled.toFixed(0);
	return `${rounded}${name}`;
}

/** Bytes in a few columns, rounded from 1,024 on: `140 B`, `1.2 KB`, `3 MB`. */
export const shortSize = (bytes: number): string => shortFigure(bytes, 'bytes');
