import {expect, test} from 'vitest';
import {createSplitter} from '../../source/keyboard/splitter.ts';
import {markPastedEnters} from '../../source/keyboard/unmarked-paste.ts';

/** What the enters of one read say of themselves. */
const enters = (read: string) =>
	markPastedEnters(createSplitter().push(Buffer.from(read)))
		.filter(({name}) => name === 'enter')
		.map(({pasted}) => pasted);

test.each([
	['behind a text, an enter ends a paste', 'http.host eq "a"\r', ['at the end']],
	['between texts it is inside of one', '(ssl)\r\tor\r\t(ssl)\r', ['inside', 'inside', 'at the end']],
	['several behind a text all end it', 'ssl\r\r', ['at the end', 'at the end']],
	['alone it is a key', '\r', [undefined]],
	['behind a character or two it is a key that was typed quickly', 'a1\r', [undefined]],
	['before a text it is a key', '\rssl', [undefined]],
	['behind another key it is a key', 'http\u001b[A\r', [undefined]],
	['behind a paste with marks it is a key', '\u001b[200~http.host\u001b[201~\r', [undefined]],
])('%s', (_name, read, said) => {
	expect(enters(read)).toEqual(said);
});
