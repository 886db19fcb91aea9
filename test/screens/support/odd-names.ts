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

/** Values of a project whose keys have these names. */
export const oddValues = Object.fromEntries(oddNames.map(name => [name, 'v']));

/** Expects the second column of a list of keys below its heading, and adds the names to `seenNames`. */
export function expectAlignedAndCollect(screen: Reading, seenNames: Set<string>): void {
	const {rows} = screen.frame();
	const column = screen.line(2).indexOf('EXPIRES');
	for (const [number, line] of screen.lines().entries()) {
		if (number < 3 || number > rows.length - 3 || line.trim() === '') continue;
		const cells = rows[number]?.map(({text}) => text);
		expect(cells?.indexOf('–'), `${line}\n${screen.drawWithBorder()}`).toBe(column);
		seenNames.add(line.slice(3));
	}
	expect(screen.wrapped()).toEqual([]);
}
