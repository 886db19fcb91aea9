import {stripVTControlCharacters} from 'node:util';
import {isPlain, measureColumns} from './columns.ts';

/**
 * Measures text that may contain colors, in display columns, for Ink's layout. Replaces the package of this
 * name in the bundle of the screens, which has five copies of it, each with patterns that take as long to
 * compile as the rest of the first frame. Both agree for drawable text (test/text/string-width.test.ts).
 */
export default function stringWidth(text: string): number {
	if (isPlain(text)) return text.length;
	const shown = stripVTControlCharacters(text).replace(/\p{Cc}/gu, '');
	return measureColumns(shown);
}
