import {expect, test} from 'vitest';
import {askBeforeWrite, askToConfirm} from '../../../source/screens/shell/confirmation.ts';
import {DialogView} from '../../../source/screens/shell/dialog.tsx';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

const repeatLetter = (letter: string) => letter.repeat(60);
const longest = `${['a', 'b', 'c', 'd'].map(repeatLetter).join('.')}.example`;

test.each([
	['acme.example', 60, 15],
	[longest, 60, 15],
	[longest, 80, 24],
] as const)('the name to type is shown in full, with a reason and the input: %s at %i×%i', (name, columns, rows) => {
	const testStore = createTestStore();
	const reasons = ['The managed rules are turned off.', 'An exception lets all requests through.'];
	const question = {title: 'Change this rule?', reasons, actionLabel: 'send it'};
	askBeforeWrite(testStore.state(), {name}, question, () => {});
	const dialog = testStore.state().dialog.current;
	if (dialog?.kind !== 'field') throw new Error('Nothing was asked.');
	for (const targetText of [undefined, `In zone ${name}.`]) {
		const dialogWithProblem = {...dialog, problem: 'Does not match.'};
		const drawn = draw(
			createTestApp(testStore),
			<DialogView dialog={dialogWithProblem} hiddenTarget={targetText} columns={columns} rows={rows - 4} />,
			{
				columns,
				rows,
			},
		);
		const shown = drawn.rows();
		const text = shown.map(row => row.trim()).join('');
		expect(text).toContain(name);
		expect(text).toContain(reasons[0]);
		expect(text).toContain('Does not match.');
		expect(shown.length).toBeLessThanOrEqual(rows - 4);
	}
});

test('a question says that no leads back, where it leads to a form or an earlier question', () => {
	const testStore = createTestStore();
	const {state} = testStore;
	const readAnswers = () => {
		askToConfirm(state(), {title: 'Use it?', actionLabel: 'use it'}, undefined, () => {});
		const dialog = state().dialog.current;
		if (!dialog) throw new Error('Nothing was asked.');
		const size = {columns: 80, rows: 24};
		return draw(createTestApp(testStore), <DialogView dialog={dialog} {...size} />, size)
			.rows()
			.join('\n');
	};
	expect(readAnswers()).toContain('y use it   esc, n no');
	state().dialog.close();
	state().navigation.go('wizard');
	expect(readAnswers()).toContain('y use it   esc, n back');
	state().dialog.close();
	state().navigation.go('home');
	const choices = [{value: 'one', label: 'One'}];
	state().dialog.open({kind: 'choice', title: 'Which?', lines: [], choices, choose: () => {}});
	state().dialog.choose('one');
	expect(readAnswers()).toContain('y use it   esc, n back');
});

test('a wrong name is said at once, and a right one counts only after all of the question was visible', () => {
	const {state} = createTestStore();
	let isConfirmed = false;
	const question = {title: 'Delete?', reasons: ['All of them.'], actionLabel: 'delete'};
	askBeforeWrite(state(), {name: 'acme.example'}, question, () => {
		isConfirmed = true;
	});
	state().dialog.noticeText({lineCount: 30, visibleCount: 10});
	state().dialog.setText('acme.exmaple');
	state().dialog.submit();
	expect(state().dialog.current).toMatchObject({problem: 'Does not match. Type acme.example.'});
	expect(state().dialog.text.top).toBe(0);
	state().dialog.setText('acme.example');
	state().dialog.submit();
	expect(state().dialog.text.top).toBeGreaterThan(0);
	expect(isConfirmed).toBe(false);
	for (let count = 0; count < 5 && state().dialog.current; count++) state().dialog.submit();
	expect(isConfirmed).toBe(true);
});
