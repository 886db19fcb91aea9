/** The measures of a picture, in pixels. A column is 0.6 of the size of the text, a row 1.2 of it. */
export const cellWidth = 9;
export const cellHeight = 18;
export const fontSize = 15;
/** From the top of a row to the foot of its letters. */
export const baseline = 14;

export const fontFamily =
	"ui-monospace, SFMono-Regular, 'SF Mono', Menlo, 'DejaVu Sans Mono', 'Liberation Mono', Consolas, monospace";

/** A number for an attribute: no more digits than anyone sees. */
export const figure = (number: number): string => String(Math.round(number * 100) / 100);

export const escaped = (text: string): string =>
	text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);
