import {describe, expect, test} from 'vitest';
import {actions} from '../../../source/screens/actions.ts';
import {bindPreferences} from '../../../source/screens/bind-preferences.ts';
import {withPaletteRoute} from '../../../source/screens/palette-routes.ts';
import {
	buildHelpRows,
	buildPaletteRows,
	listHintedActions,
} from '../../../source/screens/shell/action-lists.ts';
import {parsePreferences} from '../../../source/settings/preferences/read.ts';
import {screens} from '../../../source/store/screens.ts';
import {createTestStore} from '../support/store.ts';

async function bind(...lines: readonly string[]) {
	const preferences = await parsePreferences(`${lines.join('\n')}\n`, 'config.toml');
	expect(preferences.problems).toEqual([]);
	const bindings = bindPreferences(actions, preferences, {screens, complete: withPaletteRoute});
	const format = (isNotice: boolean) =>
		bindings.problems
			.filter(problem => (problem.isNotice ?? false) === isNotice)
			.map(({line, text}) => `${line}: ${text}`);
	return {
		bound: bindings.actions,
		getKeys: (id: string) => bindings.actions.find(action => action.id === id)?.keys,
		mistakes: format(false),
		notices: format(true),
	};
}

const command = (...lines: readonly string[]) => [
	'[[commands]]',
	'title = "Test"',
	'command = ["x", "{key}"]',
	...lines,
];

describe('the key of a command', () => {
	test('that is free is its own', async () => {
		const {getKeys, mistakes, notices} = await bind(...command('key = "f9"'));
		expect([getKeys('command "Test"'), mistakes, notices]).toEqual([['f9'], [], []]);
	});

	test('is taken from an action that has it by default, with a notice', async () => {
		const {getKeys, notices} = await bind(...command('key = "x"', 'screens = ["keys"]'));
		expect([getKeys('command "Test"'), getKeys('keys.export')]).toEqual([['x'], []]);
		expect(notices).toEqual([expect.stringContaining('1: "x" was keys.export')]);
	});

	test('is not taken from an earlier line', async () => {
		const {getKeys, mistakes} = await bind('[keys]', 'keys.sort = "f9"', ...command('key = "f9"'));
		expect([getKeys('command "Test"'), getKeys('keys.sort')]).toEqual([[], ['f9']]);
		expect(mistakes).toEqual([
			expect.stringMatching(
				/^3: "f9" already is keys\.sort \(line 2\): .*\. command "Test" does not get it\.$/,
			),
		]);
	});

	test.each(['y', 'enter', 'space', 'esc', 'ctrl-c', 'down'])('cannot be %s', async key => {
		const {getKeys, mistakes} = await bind(...command(`key = "${key}"`));
		expect(getKeys('command "Test"')).toEqual([]);
		expect(mistakes).toHaveLength(1);
	});

	test('that no terminal sends is a mistake', async () => {
		expect((await bind(...command('key = "gg"'))).mistakes).toEqual([
			'1: "gg" is no key: write one such as "x", "ctrl-x", "enter" or "f5".',
		]);
	});
});

describe('the screens of a command', () => {
	test.each([
		['namespaces', 'x", "{key}', '{key}'],
		['home', 'x", "{namespace}', '{namespace}'],
		['keys', 'x", "{zone_id}', '{zone_id}'],
		['zones', 'x", "{selected_file}', '{selected_file}'],
	])('%s are a mistake if they never have a value for %s', async (screen, words, placeholder) => {
		const {bound, mistakes} = await bind(
			'[[commands]]',
			'title = "Test"',
			`command = ["${words}"]`,
			`screens = ["jobs", "${screen}"]`,
		);
		expect(mistakes).toEqual([
			`1: the screen "${screen}" has no value for ${placeholder}. This command is ignored.`,
		]);
		expect(bound).toEqual(actions);
	});

	test('can also be written as in older notices', async () => {
		const {bound} = await bind(
			'[[commands]]',
			'title = "Test"',
			'command = ["x"]',
			'screens = ["customRules"]',
		);
		expect(bound.find(({id}) => id === 'command "Test"')?.where).toEqual(['customRules']);
	});

	test('are named in notices as in the file', async () => {
		const {notices} = await bind(
			'[[commands]]',
			'title = "Test"',
			'command = ["x"]',
			'screens = ["custom-rules"]',
			'key = "?"',
		);
		expect(notices).toEqual(['1: "?" is help everywhere, but on custom-rules it is command "Test".']);
	});

	test('are named as in the documentation', async () => {
		const {bound} = await bind(
			'[[commands]]',
			'title = "Test"',
			'command = ["x"]',
			'screens = ["custom-rules", "ip-list-items"]',
		);
		expect(bound.find(({id}) => id === 'command "Test"')?.where).toEqual(['customRules', 'ipListItems']);
	});

	test.each([
		['keyz', 'Did you mean "keys"?'],
		['editor', 'There is: '],
	])('%s is a mistake, and the command is not there', async (name, advice) => {
		const {bound, mistakes} = await bind(...command(`screens = ["${name}"]`));
		expect(mistakes).toEqual([expect.stringContaining(`1: there is no screen "${name}". ${advice}`)]);
		expect(bound).toEqual(actions);
	});
});

test('help, palette and the last line show a command', async () => {
	const {bound} = await bind(...command('key = "f9"', 'hint = "check"'));
	const {openNamespace, state, until} = createTestStore();
	await openNamespace('CONFIG');
	await until(({keys}) => keys.data?.listing.state === 'complete');
	state().navigation.go('keys');
	expect(listHintedActions(bound, state())[0]?.title).toBe('Test');
	const help = buildHelpRows(bound, state(), '');
	expect(help.map(row => ('heading' in row ? row.heading : row.title))).toContain('Your commands');
	expect(help).toContainEqual(expect.objectContaining({keys: ['f9'], title: 'Test'}));
	const [row] = buildPaletteRows(bound, state(), 'test');
	expect(row).toMatchObject({kind: 'action', action: {title: 'Test'}});
});

test('a key to stop commands exists only while one runs', async () => {
	const {bound} = await bind(...command('key = "f9"'));
	const {state} = createTestStore();
	expect(bound.find(({id}) => id === 'command.stop')?.isActive?.(state())).toBe(false);
	expect(actions.some(({id}) => id === 'command.stop')).toBe(false);
});
