import {drawable} from '../text/columns.ts';
import {wrap} from '../text/wrap.ts';

/** Paragraphs of data or sentences as lines that fit: made safe, broken between words. Line feeds begin new ones. */
export const linesOf = (texts: readonly (string | undefined)[], columns: number, hang = 0): string[] =>
	texts.flatMap(text => (text ? text.split('\n').flatMap(line => wrap(drawable(line), columns, hang)) : []));
