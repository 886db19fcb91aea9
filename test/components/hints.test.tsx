import {expect, test} from 'vitest';
import {Hints} from '../../source/components/frame.tsx';
import {createTestApp, draw} from '../screens/support/drawn.tsx';
import {createTestStore} from '../screens/support/store.ts';

const hints = ['⏎ open', 'e edit', 'd delete', '? help'].map((text, index) => {
	const [keys = '', label = ''] = text.split(' ');
	return {keys, label, target: {kind: 'path', index}} as const;
});

/** One blank before the hints, three between them, and one column free at the end. */
const exactColumns = 1 + '⏎ open   e edit   d delete   ? help'.length + 1;

test.each([
	[exactColumns, ' ⏎ open   e edit   d delete   ? help'],
	[exactColumns - 1, ' ⏎ open   e edit   ? help'],
	[5, ' ? help'.slice(0, 4)],
])('on %i columns, as many hints as fit are shown, and the last one always', async (columns, line) => {
	const drawn = draw(createTestApp(createTestStore()), <Hints hints={hints} columns={columns} />, {
		columns,
		rows: 3,
	});
	await drawn.until(rows => rows.join('').trim() !== '');
	expect(drawn.rows()[0]).toMatch(line);
});
