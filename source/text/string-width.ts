import {stripVTControlCharacters} from 'node:util';
import {isPlainAscii, measureColumns} from './columns.ts';

/**
 * Measures text that may contain colors, in display columns, for Ink's layout. Replaces the package
 * `string-width` in the bundle of the screens: Ink brings five copies of it, and the patterns of each take as
 * long to compile as the rest of the first frame. Both agree for drawable text
 * (test/text/string-width.test.ts).
 */
export default function stringWidth(text: string): number {
	if (isPlainAscii(text)) return text.length;
	const visibleText = stripVTControlCharacters(text).replace(/\p{Cc}/gu, '');
	return measureColumns(visibleText);
}
