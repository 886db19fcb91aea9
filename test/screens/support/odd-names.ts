import {expect} from 'vitest';
import type {Reading} from '../../terminal/screen/reading.ts';

export const oddNames = [
	'plain',
	'名前/設定',
	'이름:값',
	'👍 yes',
	'👩‍👩‍👧‍👦 family',
	'👍🏽 skin',
	'🇩🇪 flag',
	'e\u0301 combined',
	'שלום/עולם',
	'مرحبا',
	'क्षि',
	'ก็ำ',
	`long-${'あ'.repeat(169)}`,
	`long-${'x'.repeat(507)}`,
	'tab\tnul\u0000esc\u001b[31m',
	'zero\u200bwidth\u202eturned',
];

/** A project whose local data has them for its keys. */
export const oddValues = Object.fromEntries(oddNames.map(name => [name, 'v']));

/** Expects the rows of a list of keys to have their second column below its heading, and takes down which they are. */
export function expectAligned(shown: Reading, seen: Set<string>): void {
	const {rows} = shown.frame();
	const column = shown.line(2).indexOf('EXPIRES');
	for (const [number, line] of shown.lines().entries()) {
		if (number < 3 || number > rows.length - 3 || line.trim() === '') continue;
		const cells = rows[number]?.map(({text}) => text);
		expect(cells?.indexOf('–'), `${line}\n${shown.framed()}`).toBe(column);
		seen.add(line.slice(3));
	}
	expect(shown.wrapped()).toEqual([]);
}
