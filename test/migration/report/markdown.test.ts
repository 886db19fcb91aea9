import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	escapeMarkdown,
	formatCodeBlock,
	formatMarkdownTable,
} from '../../../source/migration/report/markdown.ts';
import {escapeText} from '../../../source/text/safe-text.ts';

const text = fc.oneof(
	fc.string({unit: 'binary', maxLength: 20}),
	fc.string({unit: fc.constantFrom(...'`*_[]()<>#+-=!|&\\~$@:/.1w \n{}'), maxLength: 16}),
);

/** The text that Markdown shows: escapes and character references are undone. */
const renderMarkdown = (markdown: string): string =>
	markdown.replace(/&#(\d+);|\\([!-/:-@[-`{-~])/g, (_all, code: string | undefined, sign: string) =>
		code === undefined ? sign : String.fromCodePoint(Number(code)),
	);

test('any text is shown literally, without active Markdown', () => {
	fc.assert(
		fc.property(text, originalText => {
			const written = escapeMarkdown(originalText);
			expect(renderMarkdown(written)).toBe(escapeText(originalText));
			expect(written.replace(/\\[!-/:-@[-`{-~]|&#\d+;/g, 'x')).not.toMatch(
				/[`*[\]<>|@~$!&\\]|:\/\/|^[ #+=-]|^\d+[.)]/,
			);
		}),
	);
});

test('a table keeps its columns, whatever its cells contain', () => {
	fc.assert(
		fc.property(fc.array(fc.tuple(text, text), {minLength: 1, maxLength: 3}), rows => {
			for (const line of formatMarkdownTable(['one', 'two'], rows).split('\n'))
				expect(line.split('|')).toHaveLength(4);
		}),
	);
});

test('no content can end a code block', () => {
	fc.assert(
		fc.property(text, originalText => {
			const [first = '', ...rest] = formatCodeBlock(originalText).split('\n');
			expect(rest.indexOf(first)).toBe(rest.length - 1);
			expect(rest.slice(0, -1).some(line => line.trim().startsWith(first))).toBe(false);
		}),
	);
});
