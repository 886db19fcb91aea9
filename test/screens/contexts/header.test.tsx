import {expect, test} from 'vitest';
import {Header} from '../../../source/components/frame.tsx';
import type {ThemeName} from '../../../source/components/theme.ts';
import {columnsOf} from '../../../source/text/columns.ts';
import {appOf, draw} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

/** The first row of a screen in production, with everything that a header can have. */
async function header(columns: number, theme: ThemeName = 'dark', production = true): Promise<string> {
	const drawn = draw(
		appOf(createTestStore()),
		<Header
			path={['ledge', 'CONFIG', 'a key with a long name', 'review']}
			name="customer-prod"
			color="magenta"
			aside={['enterprise', 'Acme (simulated)', 'green']}
			badges={['REMOTE', 'READ-ONLY']}
			isProduction={production}
			columns={columns}
		/>,
		{columns, rows: 24},
		theme,
	);
	await drawn.until(rows => rows[0]?.includes('REMOTE') === true);
	return drawn.rows()[0] ?? '';
}

test.each([
	[60, /customer-prod · ⟨ REMOTE ⟩ READ-ONLY +PRODUCTION$/],
	[80, /customer-prod · ⟨ REMOTE ⟩ READ-ONLY +PRODUCTION$/],
	[130, /customer-prod · enterprise · ⟨ REMOTE ⟩ READ-ONLY +PRODUCTION$/],
	[
		200,
		/a key with a long name › review +customer-prod · enterprise · Acme \(simulated\) · green · ⟨ REMOTE ⟩ READ-ONLY +PRODUCTION$/,
	],
])('with %i columns the environment goes first, then account and plan; never context, target and PRODUCTION', async (columns, shows) => {
	const row = await header(columns);
	expect(row).toMatch(shows);
	expect(columnsOf(row)).toBeLessThanOrEqual(columns);
});

test('without colours production is still a word, and elsewhere it is not there', async () => {
	expect(await header(80, 'none')).toContain('PRODUCTION');
	expect(await header(80, 'none', false)).not.toContain('PRODUCTION');
});
