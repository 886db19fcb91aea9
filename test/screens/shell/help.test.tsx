import {expect, test} from 'vitest';
import {getBodyRows} from '../../../source/components/layout.ts';
import {actions} from '../../../source/screens/actions.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {buildHelpRows} from '../../../source/screens/shell/action-lists.ts';
import {Help} from '../../../source/screens/shell/help.tsx';
import {measureColumns} from '../../../source/text/columns.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {openShopFirewall} from '../support/firewall.ts';
import {createTestStore} from '../support/store.ts';

test.each([
	{columns: 40, rows: 10},
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
])('every line of the help is fully readable at $columns×$rows', async size => {
	const testStore = createTestStore();
	await openShopFirewall(testStore);
	testStore.state().navigation.go('firewall');
	const app = createTestApp(testStore);
	testStore.state().navigation.resize(size);
	testStore.state().dialog.open({kind: 'help', query: ''});
	const readRows: string[] = [];
	for (let page = 0; page < 60; page++) {
		const {top} = testStore.state().dialog.text;
		const drawn = draw(app, <Help query="" {...size} rows={getBodyRows(size.rows)} />, size);
		await drawn.until(rows => rows.some(row => row.includes('search shortcuts')));
		const rows = drawn.rows().slice(1);
		for (const row of rows) expect(measureColumns(row)).toBeLessThanOrEqual(size.columns);
		readRows.push(...rows);
		drawn.unmount();
		dispatch(app, {name: 'pagedown', text: '', sequence: 'pagedown'});
		if (testStore.state().dialog.text.top === top) break;
	}
	expect(readRows.join('\n')).not.toContain('…');
	const titles = buildHelpRows(actions, testStore.state(), '').flatMap(row =>
		'title' in row ? [row.title] : [],
	);
	const words = readRows.map(row => row.trim()).join(' ');
	for (const title of titles) for (const word of title.split(' ')) expect(words).toContain(word);
});

test('letters scroll the help, and search it after /', () => {
	const testStore = createTestStore();
	const {state} = testStore;
	const app = createTestApp(testStore);
	const press = (...names: readonly string[]) => {
		for (const name of names) dispatch(app, {name, text: name.length === 1 ? name : '', sequence: name});
	};
	press('?');
	state().dialog.noticeText({lineCount: 50, visibleCount: 20});
	press('j', 'j', 'k');
	expect(state().dialog.text.top).toBe(1);
	press('G');
	expect(state().dialog.text.top).toBe(30);
	press('g');
	expect(state().dialog.text.top).toBe(0);
	press('/', 'j', 'q', 'enter');
	expect(state().dialog.current).toMatchObject({kind: 'help', query: 'jq'});
	press('/', 'esc');
	expect(state().dialog.current).toMatchObject({kind: 'help', query: ''});
	press('q');
	expect(state().dialog.current).toBeUndefined();
});

test('at 80×24, the help of the keys of a namespace shows all their keys without scrolling', async () => {
	const size = {columns: 80, rows: 24} as const;
	const testStore = createTestStore();
	await testStore.openNamespace('CONFIG');
	testStore.state().navigation.go('keys');
	const app = createTestApp(testStore);
	testStore.state().navigation.resize(size);
	testStore.state().dialog.open({kind: 'help', query: ''});
	const drawn = draw(app, <Help query="" {...size} rows={getBodyRows(size.rows)} />, size);
	await drawn.until(rows => rows.some(row => row.includes('Everywhere')));
	drawn.unmount();
});
