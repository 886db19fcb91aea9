import {expect, test} from 'vitest';
import {Palette} from '../../../source/screens/shell/palette.tsx';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

const drawPalette = (query: string, rows = 20): string => {
	const app = createTestApp(createTestStore());
	app.state().dialog.open({kind: 'palette', query, cursor: 0});
	const view = <Palette query={query} cursor={0} columns={76} rows={rows} />;
	return draw(app, view, {columns: 80, rows: rows + 4})
		.rows()
		.join('\n');
};

test('no two actions look the same with 80 columns', () => {
	const names = drawPalette('', 600)
		.split('\n')
		.filter(row => row.includes(': '));
	expect(names.length).toBeGreaterThan(400);
	expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('where an action is possible is not cut with 80 columns', () => {
	expect(drawPalette('scroll the review')).toMatch(/\(only on the [^…]*\)/);
});

test('says that no action has the name', () => {
	expect(drawPalette('zzzqqq')).toContain('No action matches.');
	expect(drawPalette('')).not.toContain('No action matches.');
});

test('a long title ends after a clause, and keys give way to a title', () => {
	const [row = ''] = drawPalette('emergency')
		.split('\n')
		.filter(one => one.includes('block an address'));
	expect(row).toMatch(/everywhere: block an address or a path now \(emergency\) +!$/);
	expect(drawPalette('open the selection')).toMatch(/move: move through the menu and open the selection +⏎/);
});
