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
