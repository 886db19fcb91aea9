import {expect, test} from 'vitest';
import {actions} from '../../../source/screens/actions.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {listHintedActions} from '../../../source/screens/shell/action-lists.ts';
import {getBufferText} from '../../../source/text/buffer/buffer.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

function setUp() {
	const testStore = createTestStore();
	const {state} = testStore;
	const app = createTestApp(testStore);
	const press = (...names: readonly string[]) => {
		for (const name of names) dispatch(app, {name, text: name.length === 1 ? name : '', sequence: name});
	};
	const askForSize = () =>
		state().dialog.open({
			kind: 'choice',
			title: 'Size',
			lines: [],
			choices: [
				{value: 's', label: 'small'},
				{value: 'l', label: 'large'},
			],
			choose: () =>
				state().dialog.open({
					kind: 'confirm',
					title: 'Sure?',
					lines: [],
					actionLabel: 'create',
					confirm: () =>
						state().dialog.openField({title: 'After', lines: [], value: '', actionLabel: 'go', submit() {}}),
				}),
		});
	const askForName = (submit: () => void) =>
		state().dialog.openField({title: 'Name', lines: [], value: '', actionLabel: 'continue', submit});
	const getTitle = () => {
		const dialog = state().dialog.current;
		return dialog && 'title' in dialog ? dialog.title : undefined;
	};
	return {...testStore, press, askForName, askForSize, getTitle};
}

test('esc returns to the previous question with its answer, and closes the first one', () => {
	const {press, askForName, askForSize, getTitle, state} = setUp();
	askForName(askForSize);
	press('a', 'b', 'enter');
	state().dialog.choose('l');
	expect(getTitle()).toBe('Sure?');
	press('esc');
	expect(state().dialog.current).toMatchObject({title: 'Size', initialValue: 'l'});
	press('esc');
	const dialog = state().dialog.current;
	expect(dialog?.kind === 'field' && getBufferText(dialog.buffer)).toBe('ab');
	press('enter');
	expect(getTitle()).toBe('Size');
	press('esc', 'esc');
	expect(state().dialog.current).toBeUndefined();
});

test('n leads back as esc does, and what follows a confirmation leads back to no question', () => {
	const {press, askForSize, getTitle, state} = setUp();
	askForSize();
	state().dialog.choose('s');
	expect(getTitle()).toBe('Sure?');
	press('n');
	expect(state().dialog.current).toMatchObject({title: 'Size', initialValue: 's'});
	state().dialog.choose('s');
	state().dialog.submit();
	expect(getTitle()).toBe('After');
	press('esc');
	expect(state().dialog.current).toBeUndefined();
});

test('a question after a read leads back, unless another key or a write came between', async () => {
	const {press, askForName, askForSize, getTitle, state} = setUp();
	askForName(() => {});
	press('a', 'enter');
	await state().work.run('loading', 'read', async () => {});
	askForSize();
	press('esc');
	expect(getTitle()).toBe('Name');
	press('enter', '?', 'esc');
	expect(state().dialog.current).toBeUndefined();
	askForName(() => {});
	press('enter');
	await state().work.run('writing', 'write', async () => {});
	askForSize();
	press('esc');
	expect(state().dialog.current).toBeUndefined();
});

test('the last line offers more of a question only until its end is visible', () => {
	const {press, askForName, state} = setUp();
	const offersMore = () => listHintedActions(actions, state()).some(({hint}) => hint === 'more');
	askForName(() => {});
	state().dialog.noticeText({lineCount: 5, visibleCount: 5});
	expect(offersMore()).toBe(false);
	state().dialog.noticeText({lineCount: 15, visibleCount: 10});
	expect(offersMore()).toBe(true);
	press('pagedown');
	expect(state().dialog.text.top).toBe(5);
	expect(offersMore()).toBe(false);
	press('pageup');
	expect(offersMore()).toBe(true);
});

test.each([
	[['a.json', 'b\u001b.json'], '2 matches: "a.json", "b\u001b.json".'],
	[[], 'Nothing begins with this.'],
	[['a.json'], undefined],
])('tab that completes to %j says what matches', (matches, message) => {
	const {press, state} = setUp();
	state().dialog.open({
		kind: 'entry',
		title: 'File',
		lines: [],
		value: 'x',
		actionLabel: 'continue',
		complete: value => ({text: `${value}y`, matches}),
		submit() {},
	});
	press('tab');
	expect(state().dialog.current).toMatchObject({value: 'xy'});
	expect(state().messages.latest).toEqual(
		message === undefined ? undefined : expect.objectContaining({text: message}),
	);
});
