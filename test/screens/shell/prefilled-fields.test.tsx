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
import {appOf} from '../support/drawn.tsx';
import {openedShop} from '../support/firewall.ts';
import {atManaged} from '../support/managed.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const key = (name: string) => ({name, text: [...name].length === 1 ? name : '', sequence: name});

const pressing =
	(space: TestStore) =>
	(...names: readonly string[]) => {
		for (const name of names) dispatch(appOf(space), key(name));
	};

/** The text of the field in front. */
function fieldText({state}: Pick<TestStore, 'state'>): string {
	const dialog = state().dialog.current;
	if (dialog?.kind !== 'field') throw new Error(`There is no field, but ${dialog?.kind}.`);
	return getBufferText(dialog.buffer);
}

const drawn = (line: TextBuffer, theme: Theme, columns = 60): string => {
	const {lastFrame} = render(
		<ThemeContext value={theme}>
			<InputField buffer={line} columns={columns} />
		</ThemeContext>,
	);
	return lastFrame() ?? '';
};

describe('the initial text of a dialog', () => {
	const opened = (value: string) => {
		const space = createTestStore();
		space.state().dialog.openField({title: 'Name', lines: [], value, actionLabel: 'rename', submit() {}});
		return {space, press: pressing(space)};
	};

	test('is replaced by typing', () => {
		const {space, press} = opened('old');
		press('n', 'e', 'w');
		expect(fieldText(space)).toBe('new');
	});

	test('is cleared by backspace, and edited after an arrow key', () => {
		const cleared = opened('old');
		cleared.press('backspace');
		expect(fieldText(cleared.space)).toBe('');
		const edited = opened('old');
		edited.press('right', 'e', 'r');
		expect(fieldText(edited.space)).toBe('older');
		const begun = opened('old');
		begun.press('home', 'b');
		expect(fieldText(begun.space)).toBe('bold');
	});

	test('is inverse, or called selected without colours and for screen readers', () => {
		const line = createSelectedLine('old');
		for (const theme of [getTheme('dark', true), getTheme('none', false)])
			expect(drawn(line, theme)).toBe('old   selected: typing replaces it');
		expect(toSpokenLines(drawn(line, spokenTheme, 1200)).map(({text}) => text)).toEqual([
			'old, selected: typing replaces it',
		]);
		expect(drawn(createBuffer('old', {singleLine: true}), getTheme('none', true))).not.toContain('selected');
	});

	test('has its note only if that hides none of it', () => {
		const name = 'a-long-name-of-a-namespace';
		for (const columns of [12, 24, 40, 60]) {
			const [row = ''] = drawn(createSelectedLine(name), getTheme('none', true), columns).split('\n');
			expect(row.length).toBeLessThanOrEqual(columns);
			expect(row.split('   ')[0]?.length).toBeGreaterThanOrEqual(10);
		}
		expect(drawn(createSelectedLine(name), getTheme('none', true), 24)).not.toContain('selected');
		expect(drawn(createSelectedLine(name), getTheme('none', true), 60)).toContain('selected');
	});
});

describe('a number', () => {
	test('typed for the priority of a rule is that number, in the list and in the form', async () => {
		const space = createTestStore();
		await openedShop(space);
		await space.state().connection.loadConnection();
		space.state().navigation.go('firewall');
		const press = pressing(space);
		press('o');
		expect(fieldText(space)).toBe('10');
		press('9');
		expect(fieldText(space)).toBe('9');
		press('esc', 'e');
		const aboutText = (row: 'order' | 'description') => {
			const wizard = space.state().wizard.data;
			return wizard && getBufferText(wizard.aboutFields[row]);
		};
		const action = space.state().wizard.data?.action ?? '';
		space.state().wizard.chooseAction(action);
		press('9');
		expect(aboutText('order')).toBe('9');
		press('down', 'up', '7');
		expect(aboutText('order')).toBe('7');
		press('down', 'x');
		expect(aboutText('description')).toBe('x');
	});

	test('for the score threshold is chosen by name, or typed', async () => {
		const person = await atManaged();
		person.press('s');
		const dialog = person.state().dialog.current;
		expect(dialog).toMatchObject({kind: 'choice'});
		expect(dialog?.kind === 'choice' && dialog.choices.map(({label}) => label)).toEqual([
			'Low, 60 or higher',
			'Medium, 40 or higher',
			'High, 25 or higher',
			'other…',
		]);
		person.answers('60');
		expect(person.managed().edits.map(({edit}) => edit)).toEqual([{kind: 'score threshold', points: 60}]);
		person.press('s');
		person.answers('other');
		expect(fieldText(person)).toBe('60');
		person.press('5', '0', 'enter');
		expect(person.managed().edits.at(-1)?.edit).toEqual({kind: 'score threshold', points: 50});
	});
});

test('the filter of a list is replaced when typed again', async () => {
	const space = createTestStore();
	await openedShop(space);
	await space.state().connection.loadConnection();
	space.state().navigation.go('firewall');
	const press = pressing(space);
	press('/', 'o', 'n', 'e', 'enter', '/', 't');
	expect(space.state().dialog.getFilterText()).toBe('t');
});
