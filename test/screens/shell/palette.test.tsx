import {expect, test} from 'vitest';
import {Palette} from '../../../source/screens/shell/palette.tsx';
import {appOf, draw} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

const drawn = (query: string): string => {
	const app = appOf(createTestStore());
	app.state().dialog.open({kind: 'palette', query, cursor: 0});
	const view = <Palette query={query} cursor={0} columns={80} rows={20} />;
	return draw(app, view, {columns: 80, rows: 24}).rows().join('\n');
};

test('says that no action has the name', () => {
	expect(drawn('zzzqqq')).toContain('No action matches.');
	expect(drawn('')).not.toContain('No action matches.');
});
