import {expect, test} from 'vitest';
import {buildTextLine} from '../../../source/screens/key/lines.ts';
import {Key} from '../../../source/screens/key/view.tsx';
import {TextLines} from '../../../source/text/byte-lines.ts';
import {measureColumns} from '../../../source/text/columns.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

const sizes = [
	[60, 15],
	[80, 24],
	[200, 60],
] as const;

/** The highlighted parts of each row. */
const listMatchParts = (text: string, query: string, columns: number) => {
	const lines = new TextLines(Buffer.from(text), columns);
	return Array.from({length: lines.count}, (_, row) =>
		buildTextLine(lines, row, query, 1)
			.pieces.filter(({isMatch}) => isMatch)
			.map(({text: part}) => part),
	);
};

test('a match is also highlighted if a row ends within it', () => {
	expect(listMatchParts('xxxneedlexxneedle', 'needle', 5)).toEqual([['ne'], ['edle'], ['need'], ['le']]);
	expect(listMatchParts('xx\nneedle', 'needle', 10)).toEqual([[], ['needle']]);
	expect(listMatchParts('xne\nedle', 'needle', 10)).toEqual([[], []]);
	expect(listMatchParts('名前名前名前', '前名', 6)).toEqual([['前名'], ['前名']]);
	expect(listMatchParts('名前名前名前', '名前名前', 6)).toEqual([['名前名'], ['前']]);
});

test.each(sizes)('a long line is drawn in full within %i columns and %i rows', async (columns, rows) => {
	const store = createTestStore({simulate: true});
	await store.openNamespace('assets');
	const words = Array.from({length: 40}, (_, at) => `word${at}`).join(' ');
	await store.state().keys.data?.opened.store.put('it', Buffer.from(words), {}, store.signal);
	await store.state().key.open('it', store.signal);
	store.state().navigation.resize({columns, rows});
	store.state().key.wrapText(true);
	const seen = draw(createTestApp(store), <Key />, {columns, rows}).rows();
	for (const row of seen) expect(measureColumns(row)).toBeLessThanOrEqual(columns);
	const value = seen.slice(1).map(row => row.replace(/^ (▸| ) [ 1] /, ''));
	expect(value.join('').replaceAll(' ', '')).toContain(words.replaceAll(' ', ''));
});
