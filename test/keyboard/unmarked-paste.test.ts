import {expect, test} from 'vitest';
import {createSplitter} from '../../source/keyboard/splitter.ts';
import {markPastedEnters} from '../../source/keyboard/unmarked-paste.ts';

/** How each Enter in the input of one read is marked. */
const getEnterMarks = (input: string) =>
	markPastedEnters(createSplitter().push(Buffer.from(input)))
		.filter(({name}) => name === 'enter')
		.map(({pasted}) => pasted);

test.each([
	['an Enter after text ends a paste', 'http.host eq "a"\r', ['at the end']],
	['an Enter between texts is in a paste', '(ssl)\r\tor\r\t(ssl)\r', ['inside', 'inside', 'at the end']],
	['several Enters after text all end the paste', 'ssl\r\r', ['at the end', 'at the end']],
	['a lone Enter is a key', '\r', [undefined]],
	['an Enter after one or two characters is a key that was typed quickly', 'a1\r', [undefined]],
	['an Enter before text is a key', '\rssl', [undefined]],
	['an Enter after another key is a key', 'http\u001b[A\r', [undefined]],
	['an Enter after a marked paste is a key', '\u001b[200~http.host\u001b[201~\r', [undefined]],
])('%s', (_name, input, expectedMarks) => {
	expect(getEnterMarks(input)).toEqual(expectedMarks);
});
