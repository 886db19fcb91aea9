import {expect, test} from 'vitest';
import {Palette} from '../../../source/screens/shell/palette.tsx';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

const drawPalette = (query: string): string => {
	const app = createTestApp(createTestStore());
	app.state().dialog.open({kind: 'palette', query, cursor: 0});
	const view = <Palette query={query} cursor={0} columns={80} rows={20} />;
	return draw(app, view, {columns: 80, rows: 24}).rows().join('\n');
};

test('says that no action has the name', () => {
	expect(drawPalette('zzzqqq')).toContain('No action matches.');
	expect(drawPalette('')).not.toContain('No action matches.');
});
