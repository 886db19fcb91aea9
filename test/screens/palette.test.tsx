import {expect, test} from 'vitest';
import {Palette} from '../../source/screens/palette.tsx';
import {createTestStore} from '../store/support/store.ts';
import {appOf, draw} from './support/drawn.tsx';

const drawn = (query: string): string => {
	const app = appOf(createTestStore());
	app.state().open({kind: 'palette', query, cursor: 0});
	const view = <Palette query={query} cursor={0} columns={80} rows={20} />;
	return draw(app, view, {columns: 80, rows: 24}).rows().join('\n');
};

test('where nothing is called so, that is told', () => {
	expect(drawn('zzzqqq')).toContain('No action is called that.');
	expect(drawn('')).not.toContain('No action is called that.');
});
