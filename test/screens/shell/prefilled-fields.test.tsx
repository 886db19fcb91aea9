import {render} from 'ink-testing-library';
import {describe, expect, test} from 'vitest';
import {InputField} from '../../../source/components/field.tsx';
import {spokenTheme, toSpokenLines} from '../../../source/components/spoken.ts';
import {getTheme, type Theme, ThemeContext} from '../../../source/components/theme.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {
	createBuffer,
	createSelectedLine,
	getBufferText,
	type TextBuffer,
} from '../../../source/text/buffer/buffer.ts';
import {createTestApp} from '../support/drawn.tsx';
import {openShopFirewall} from '../support/firewall.ts';
import {atManaged} from '../support/managed.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const buildKey = (name: string) => ({name, text: [...name].length === 1 ? name : '', sequence: name});

const createPress =
	(testStore: TestStore) =>
	(...names: readonly string[]) => {
		for (const name of names) dispatch(createTestApp(testStore), buildKey(name));
	};

/** The text of the field in front. */
function getFieldText({state}: Pick<TestStore, 'state'>): string {
	const dialog = state().dialog.current;
	if (dialog?.kind !== 'field') throw new Error(`There is no field, but ${dialog?.kind}.`);
	return getBufferText(dialog.buffer);
}

const drawField = (line: TextBuffer, theme: Theme, columns = 60): string => {
	const {lastFrame} = render(
		<ThemeContext value={theme}>
			<InputField buffer={line} columns={columns} />
		</ThemeContext>,
	);
	return lastFrame() ?? '';
};

describe('the initial text of a dialog', () => {
	const openField = (value: string) => {
		const testStore = createTestStore();
		testStore.state().dialog.openField({title: 'Name', lines: [], value, actionLabel: 'rename', submit() {}});
		return {space: testStore, press: createPress(testStore)};
	};

	test('is replaced by typing', () => {
		const {space: testStore, press} = openField('old');
		press('n', 'e', 'w');
		expect(getFieldText(testStore)).toBe('new');
	});

	test('is cleared by backspace, and edited after an arrow key', () => {
		const cleared = openField('old');
		cleared.press('backspace');
		expect(getFieldText(cleared.space)).toBe('');
		const edited = openField('old');
		edited.press('right', 'e', 'r');
		expect(getFieldText(edited.space)).toBe('older');
		const prefixed = openField('old');
		prefixed.press('home', 'b');
		expect(getFieldText(prefixed.space)).toBe('bold');
	});

	test('is inverse, or called selected without colours and for screen readers', () => {
		const line = createSelectedLine('old');
		for (const theme of [getTheme('dark', true), getTheme('none', false)])
			expect(drawField(line, theme)).toBe('old   selected: typing replaces it');
		expect(toSpokenLines(drawField(line, spokenTheme, 1200)).map(({text}) => text)).toEqual([
			'old, selected: typing replaces it',
		]);
		expect(drawField(createBuffer('old', {singleLine: true}), getTheme('none', true))).not.toContain(
			'selected',
		);
	});

	test('has the note "selected" only if that leaves room for it', () => {
		const name = 'a-long-name-of-a-namespace';
		for (const columns of [12, 24, 40, 60]) {
			const [row = ''] = drawField(createSelectedLine(name), getTheme('none', true), columns).split('\n');
			expect(row.length).toBeLessThanOrEqual(columns);
			expect(row.split('   ')[0]?.length).toBeGreaterThanOrEqual(10);
		}
		expect(drawField(createSelectedLine(name), getTheme('none', true), 24)).not.toContain('selected');
		expect(drawField(createSelectedLine(name), getTheme('none', true), 60)).toContain('selected');
	});
});

describe('a number', () => {
	test('typed for the priority of a rule is that number, in the list and in the form', async () => {
		const testStore = createTestStore();
		await openShopFirewall(testStore);
		await testStore.state().connection.loadConnection();
		testStore.state().navigation.go('firewall');
		const press = createPress(testStore);
		press('O');
		expect(getFieldText(testStore)).toBe('10');
		press('9');
		expect(getFieldText(testStore)).toBe('9');
		press('esc', 'e', 'enter');
		const aboutText = (row: 'order' | 'description') => {
			const wizard = testStore.state().wizard.data;
			return wizard && getBufferText(wizard.aboutFields[row]);
		};
		const action = testStore.state().wizard.data?.action ?? '';
		testStore.state().wizard.chooseAction(action);
		press('9');
		expect(aboutText('order')).toBe('9');
		press('down', 'up', '7');
		expect(aboutText('order')).toBe('7');
		press('down', 'x');
		expect(aboutText('description')).toBe('x');
	});

	test('for the score threshold is chosen by name, or typed', async () => {
		const person = await atManaged();
		person.press('T');
		person.answer('score');
		const dialog = person.state().dialog.current;
		expect(dialog).toMatchObject({kind: 'choice'});
		expect(dialog?.kind === 'choice' && dialog.choices.map(({label}) => label)).toEqual([
			'Low, 60 or higher',
			'Medium, 40 or higher (current)',
			'High, 25 or higher',
			'other…',
		]);
		person.answer('60');
		expect(person.managed().edits.map(({edit}) => edit)).toEqual([{kind: 'score threshold', points: 60}]);
		person.press('T');
		person.answer('score');
		person.answer('other');
		expect(getFieldText(person)).toBe('60');
		person.press('5', '0', 'enter');
		expect(person.managed().edits.at(-1)?.edit).toEqual({kind: 'score threshold', points: 50});
	});
});

test('the filter of a list is replaced when typed again', async () => {
	const testStore = createTestStore();
	await openShopFirewall(testStore);
	await testStore.state().connection.loadConnection();
	testStore.state().navigation.go('firewall');
	const press = createPress(testStore);
	press('/', 'o', 'n', 'e', 'enter', '/', 't');
	expect(testStore.state().dialog.getFilterText()).toBe('t');
});
