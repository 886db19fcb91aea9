import {execFileSync} from 'node:child_process';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {parseBashLine, quoteForBash} from '../../source/completion/bash-line.ts';

const breaks = ' \t\n"\'><=;|&(:';

describe('a bash command line', () => {
	test.each([
		['ledge kv ', ['ledge', 'kv', ''], '', ''],
		['ledge a\\ b "c d', ['ledge', 'a b', 'c d'], '', '"'],
		["ledge 'it''s", ['ledge', 'its'], 'it', "'"],
		['ledge --binding=CO', ['ledge', '--binding=CO'], '--binding=', ''],
		['ledge remote:"my: t', ['ledge', 'remote:my: t'], 'remote:', '"'],
		['ledge "my: t"x', ['ledge', 'my: tx'], '', ''],
		['ledge my:\\ t', ['ledge', 'my: t'], 'my:', ''],
		['ledge "a\\"b\\c" ', ['ledge', 'a"b\\c', ''], '', ''],
		['ledge $(touch X) ', ['ledge', '$(touch', 'X)', ''], '', ''],
	])('%j', (line, words, keptPrefix, quote) => {
		expect(parseBashLine(line, breaks)).toEqual({words, keptPrefix, quote});
	});

	test('keeps the inserted text unchanged within any open quotes', () => {
		const text = fc.string({unit: 'grapheme', minLength: 1}).filter(one => !/[\p{Cc}\p{Cs}]/u.test(one));
		fc.assert(
			fc.property(text, fc.constantFrom('', '"', "'"), (title, quote) => {
				const inserted = quoteForBash(title, quote as '' | '"' | "'");
				// bash adds the closing quote unless the inserted text already ends with it.
				const closed = `${quote}${inserted}${quote !== '' && !inserted.endsWith(quote) ? quote : ''}`;
				expect(parseBashLine(`ledge ${closed} `, breaks).words).toEqual(['ledge', title, '']);
			}),
		);
	});

	test('passes inserted text to bash literally, without running commands in it', () => {
		const titles = [
			'my: "title"',
			"it's",
			'$(exit 3)`exit 3`',
			'*?[a]{b,c}',
			'~',
			'#no',
			'a;b&c|d>e\\',
			'wow!now',
		];
		for (const title of titles)
			for (const quote of ['', '"', "'"] as const) {
				const inserted = quoteForBash(title, quote);
				const closed = `${quote}${inserted}${quote !== '' && !inserted.endsWith(quote) ? quote : ''}`;
				expect(execFileSync('bash', ['-c', `printf %s ${closed}`], {encoding: 'utf8'})).toBe(title);
			}
	});
});
