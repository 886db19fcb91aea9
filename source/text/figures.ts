/** A whole number for a person, in groups of three: `1,389`. */
export const grouped = (figure: number): string => String(figure).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** So many of something: `1 byte`, `1,389 bytes`. */
export const counted = (figure: number, one: string, many = `${one}s`): string =>
	`${grouped(figure)} ${figure === 1 ? one : many}`;
