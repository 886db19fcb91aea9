import {expect, test} from 'vitest';
import {createTextKey} from '../../../source/keyboard/key.ts';
import {actions} from '../../../source/screens/actions.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {getSelectedNamespace} from '../../../source/screens/namespaces/slice.ts';
import {formatNamespaceStatus} from '../../../source/screens/namespaces/view.tsx';
import {buildHelpRows} from '../../../source/screens/shell/action-lists.ts';
import {createTestApp} from '../support/drawn.tsx';
import {listPaletteActions} from '../support/palette.ts';
import {createTestStore} from '../support/store.ts';

/** Opens the list of the sample namespaces. */
async function openNamespaceList() {
	const testStore = createTestStore();
	await testStore.state().namespaces.load('remote', testStore.signal);
	testStore.state().navigation.go('namespaces');
	const app = createTestApp(testStore);
	return {...testStore, app, press: (key: string) => dispatch(app, createTextKey(key))};
}

test('Y copies the title of the namespace under the cursor, y its id', async () => {
	const {app, press, state} = await openNamespaceList();
	state().namespaces.move(1);
	const namespace = getSelectedNamespace(state().namespaces.data);
	expect(namespace?.title).not.toBe(namespace?.id);
	press('Y');
	press('y');
	expect(app.copied).toEqual([namespace?.title, namespace?.id]);
});

test('Y copies nothing if no namespace matches the filter', async () => {
	const {app, press, state} = await openNamespaceList();
	state().namespaces.filter('no such namespace');
	press('Y');
	expect(app.copied).toEqual([]);
	expect(state().messages.latest?.text).toContain('no namespace selected');
});

test('the palette finds the copy of the title, and the help lists it', async () => {
	const {state} = await openNamespaceList();
	for (const query of ['copy title', 'copy namespace title', 'namespace title', 'copy namespace name'])
		expect(listPaletteActions(actions, state(), query)[0]?.action.id).toBe('namespaces.copy-title');
	expect(buildHelpRows(actions, state(), '')).toContainEqual(
		expect.objectContaining({
			action: expect.objectContaining({id: 'namespaces.copy-title'}),
			keys: ['Y'],
		}),
	);
});

test('a new namespace is kept where tab says, and the list shows it', async () => {
	const {app, press, state, until} = await openNamespaceList();
	const listTitles = () => state().namespaces.data.rows.map(({title}) => title);
	press('a');
	const field = state().dialog.current;
	expect(field).toMatchObject({
		title: 'New namespace',
		modes: {
			labels: [
				'stored anywhere',
				'stored in the EU',
				'stored in the US',
				'stored in the FedRAMP jurisdiction',
			],
			selectedIndex: 0,
		},
	});
	expect(field && 'lines' in field && field.lines.join(' ')).toContain('cannot be changed later');
	state().dialog.setText('acme-eu');
	for (const name of ['tab', 'tab', 'shift-tab']) dispatch(app, {name, text: '', sequence: ''});
	state().dialog.submit();
	await until(() => listTitles().includes('acme-eu'));
	expect(getSelectedNamespace(state().namespaces.data)).toMatchObject({jurisdiction: 'eu'});
	await until(({messages}) => messages.latest?.text.includes(', kept in the EU.') === true);
	expect(formatNamespaceStatus(state())).toContain('kept in the EU');
	press('R');
	const rename = state().dialog.current;
	expect(rename && 'lines' in rename && rename.lines.join(' ')).toContain('It stays in the EU.');
	state().dialog.close();

	press('a');
	state().dialog.setText('acme-any');
	state().dialog.submit();
	await until(() => listTitles().includes('acme-any'));
	expect(getSelectedNamespace(state().namespaces.data)?.jurisdiction).toBeUndefined();
	expect(formatNamespaceStatus(state())).not.toContain('kept');
});

test('a title that exists is refused while it can still be corrected', async () => {
	const {press, state, app} = await openNamespaceList();
	press('a');
	for (const letter of 'CONFIG') press(letter);
	dispatch(app, {name: 'enter', text: '', sequence: ''});
	expect(state().dialog.current).toMatchObject({
		kind: 'field',
		problem: 'A namespace with this title already exists.',
	});
});

test.each([
	true,
	false,
])('after the export before a deletion, the deletion is asked about, or the message says that it is still to do (stays: %s)', async stays => {
	const {press, state, until} = await openNamespaceList();
	const title = getSelectedNamespace(state().namespaces.data)?.title ?? '';
	press('d');
	const question = state().dialog.current;
	state().dialog.close();
	if (question?.kind === 'choice') question.choose('export');
	const field = state().dialog.current;
	expect(field?.kind === 'field' && field.describe?.('out')).toBe(
		`writes ${state().paths.formatInputPath('out')}`,
	);
	state().dialog.submit();
	if (stays) {
		await until(({dialog}) => dialog.current !== undefined);
		expect(state().dialog.current).toMatchObject({title: `Delete "${title}"?`});
		return;
	}
	state().navigation.go('jobs');
	await until(({messages}) => messages.latest?.text.includes('is not deleted') === true);
	expect(state().messages.latest?.text).toContain(`Exported "${title}" to `);
	expect(state().dialog.current).toBeUndefined();
});
