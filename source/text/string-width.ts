import {stripVTControlCharacters} from 'node:util';
import {columnsOf, isPlain} from './columns.ts';

/**
 * Display columns of text that may hold colours: what Ink lays out by. It takes the place of the package of this name
 * in the bundle of the screens, which holds five copies of it, each with patterns that take as long to make as the
 * rest of the first frame. For drawable text both give the same (test/text/string-width.test.ts).
 */
export default function stringWidth(text: string): number {
	if (isPlain(text)) return text.length;
	const shown = stripVTControlCharacters(text).replace(/\p{Cc}/gu, '');
	return columnsOf(shown);
}
