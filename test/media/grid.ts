/** Measures of a picture, in pixels. A column is 0.6 of the font size, a row 1.2. */
export const cellWidth = 9;
export const cellHeight = 18;
export const fontSize = 15;
/** From the top of a row to its baseline. */
export const baseline = 14;

export const fontFamily =
	"ui-monospace, SFMono-Regular, 'SF Mono', Menlo, 'DejaVu Sans Mono', 'Liberation Mono', Consolas, monospace";

/** A number for an attribute, rounded to what is visible. */
export const formatSvgNumber = (number: number): string => String(Math.round(number * 100) / 100);

export const escapeXml = (text: string): string =>
	text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);
