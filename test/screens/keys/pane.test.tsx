import stringWidth from 'string-width';
import {expect, test, vi} from 'vitest';
import * as lines from '../../../source/screens/key/lines.ts';
import {computePaneColumns} from '../../../source/screens/keys/pane.tsx';
import {Keys} from '../../../source/screens/keys/view.tsx';
import type {LedgeState} from '../../../source/store/ledge-store.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

vi.mock('../../../source/screens/key/lines.ts', async importOriginal => {
	const originalModule = await importOriginal<typeof lines>();
	return {...originalModule, buildJsonLine: vi.fn(originalModule.buildJsonLine)};
});

const wide = {columns: 200, rows: 60};
const isListed = ({keys: {data: keys}}: LedgeState) =>
	keys?.listing.state === 'complete' && keys.rows.advance(0);

/** Opens a namespace as a plain list, with the cursor on the key `name`. */
async function openAtKey(title: string, name: string, faults = '') {
	const store = createTestStore({simulate: true}, {faults});
	await store.openNamespace(title);
	store.state().keys.arrange('flat');
	await store.until(isListed);
	const keys = store.state().keys.data;
	store.state().keys.move((keys?.index.find(name).position ?? 0) - (keys?.cursor ?? 0));
	return store;
}

/** The rows of the pane, right of the line. */
const getPaneRows = (rows: readonly string[]) =>
	rows.map(row => row.slice(computePaneColumns(200).listColumns + 1).trim());

test('the pane shows the key that the cursor rests on', async () => {
	const store = await openAtKey('CONFIG', 'site');
	const drawn = draw(createTestApp(store), <Keys />, wide);
	await drawn.until(rows => getPaneRows(rows).some(row => row.includes('"Acme Shop"')));
	const rows = getPaneRows(drawn.rows());
	expect(rows[0]).toBe('site');
	expect(rows[1]).toMatch(/^JSON · 250 bytes · never expires · metadata \{"version":14/);
	for (const row of drawn.rows()) expect(stringWidth(row)).toBeLessThanOrEqual(200);
});

test('moving the cursor does not redraw the pane, which stays until the next key is read', async () => {
	const store = await openAtKey('CONFIG', 'redirects');
	const drawn = draw(createTestApp(store), <Keys />, wide);
	await drawn.until(rows => getPaneRows(rows)[0] === 'redirects');
	vi.mocked(lines.buildJsonLine).mockClear();
	const frames = drawn.countFrames();
	store.state().keys.move(1);
	store.state().keys.move(-1);
	store.state().keys.move(1);
	await drawn.until(() => drawn.countFrames() > frames);
	expect(lines.buildJsonLine).not.toHaveBeenCalled();
	expect(getPaneRows(drawn.rows())[0]).toBe('redirects');
	await drawn.until(rows => getPaneRows(rows)[0] === 'robots.txt');
});

test('an unreadable key is reported in the pane, and the list goes on', async () => {
	const store = await openAtKey('CONFIG', 'site', 'status=403 path=/values/site');
	const drawn = draw(createTestApp(store), <Keys />, wide);
	await drawn.until(rows => getPaneRows(rows).some(row => row.startsWith('×')));
	expect(store.state().messages.latest).toBeUndefined();
	store.state().keys.move(-1);
	await drawn.until(rows => getPaneRows(rows).some(row => row.includes('"days": 90')));
});

test('below 140 columns there is no pane', async () => {
	const store = await openAtKey('CONFIG', 'site');
	const drawn = draw(createTestApp(store), <Keys />, {columns: 139, rows: 40});
	expect(drawn.rows().some(row => row.includes('site'))).toBe(true);
	expect(computePaneColumns(139)).toEqual({listColumns: 139, paneColumns: 0});
	expect(computePaneColumns(140)).toEqual({listColumns: 70, paneColumns: 70});
});

test('hostile names and values stay in their pane', async () => {
	const store = await openAtKey('odd names', '\u001b[31mred\u001b[0m');
	const drawn = draw(createTestApp(store), <Keys />, {columns: 140, rows: 30});
	await drawn.until(rows => rows.some(row => row.slice(70).includes('An escape sequence')));
	for (const row of drawn.rows()) {
		expect(stringWidth(row)).toBeLessThanOrEqual(140);
		expect(row).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
	}
});
