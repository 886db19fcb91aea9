import {expect, test} from 'vitest';
import {Home} from '../../../source/screens/home/view.tsx';
import type {Connection} from '../../../source/screens/shell/connection-slice.ts';
import {measureColumns} from '../../../source/text/columns.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createEditingPerson} from '../support/editing.ts';
import {createTestStore} from '../support/store.ts';

/** A connection to a service that is not simulated. Its address is too long for one row of a small screen. */
const connection: Connection = {
	simulated: false,
	readOnly: false,
	target: 'remote',
	address: {value: 'http://127.0.0.1:33845/client/v4', from: 'CLOUDFLARE_API_BASE_URL'},
	configuration: undefined,
	credential: {kind: 'token', what: 'API token', from: 'CLOUDFLARE_API_TOKEN'},
	localData: {shownAs: '.wrangler/state/v3', state: 'none'},
	account: {state: 'known', label: 'Acme (simulated)'},
};

/** Draws Home with this connection, and with one unsaved edit if `edits` is `one`. */
async function drawHome(columns: number, rows: number, edits: 'none' | 'one' = 'none') {
	const testStore = createTestStore();
	if (edits === 'one') {
		await testStore.openNamespace('assets');
		const person = createEditingPerson(testStore);
		person.create('newone');
		person.paste('text');
	}
	testStore.store.setState({connection: {...testStore.store.getState().connection, data: connection}});
	const drawn = draw(createTestApp(testStore), <Home />, {columns, rows});
	await drawn.until(shown => shown.some(row => row.includes('Activity')));
	return drawn.rows();
}

test.each([
	['none', /^ +by CLOUDFLARE_API_BASE_URL$/],
	['one', /^ {3}Service +http:.*…$/],
] as const)('at 60×15, with unsaved edits: %s, the account is shown in the active configuration', async (edits, service) => {
	const rows = await drawHome(60, 15, edits);
	expect(rows).toContainEqual(expect.stringMatching(/^ {3}Account +Acme \(simulated\)$/));
	expect(rows).toContainEqual(expect.stringMatching(service));
	expect(rows).toContainEqual(expect.stringMatching(/^ {3}… \d more lines$/));
	expect(rows.length).toBeLessThanOrEqual(11);
	for (const row of rows) expect(measureColumns(row)).toBeLessThanOrEqual(60);
});

test('at 60×15, the description of each area is not cut', async () => {
	const rows = await drawHome(60, 15);
	const entries = rows.slice(0, rows.findIndex(row => row.includes('Activity')) + 1);
	expect(entries).toHaveLength(6);
	expect(entries.filter(row => row.includes('…'))).toEqual([]);
});

test('at 80×24, all active settings are shown, with a blank row above', async () => {
	const rows = await drawHome(80, 24);
	expect(rows[0]).toBe('');
	expect(rows).toContainEqual(expect.stringMatching(/^ {3}Local data +none yet in \.wrangler/));
	expect(rows.filter(row => row.includes('more lines'))).toEqual([]);
});

test('the active wrangler profile is named, and no other login is used', async () => {
	const testStore = createTestStore({}, {variables: {CLOUDFLARE_AUTH_PROFILE: 'work'}});
	await testStore.state().connection.loadConnection();
	expect(testStore.state().connection.data?.credential).toBeUndefined();
	const drawn = draw(createTestApp(testStore), <Home />, {columns: 80, rows: 24});
	await drawn.until(shown => shown.some(row => row.includes('Activity')));
	const text = drawn.rows().join(' ').replace(/\s+/g, ' ');
	expect(text).toContain('There is no wrangler login for the profile "work".');
	expect(text).toContain('CLOUDFLARE_AUTH_PROFILE names it.');
	expect(text).toContain('no usable credential');
	expect(text).not.toContain('\\n');
});
