import {describe, expect, test} from 'vitest';
import {actions} from '../../../source/screens/actions.ts';
import {bindActions, listChangeableActions} from '../../../source/screens/bindings/bind.ts';
import {getFixedReason, isMenuAction} from '../../../source/screens/bindings/fixed-keys.ts';
import {sharedMeanings} from '../../../source/screens/bindings/shared-meanings.ts';
import type {Action} from '../../../source/screens/shell/app.ts';
import {parsePreferences} from '../../../source/settings/preferences/read.ts';
import {screens} from '../../../source/store/screens.ts';

const complete = (action: Action): Action => action;
const changeable = listChangeableActions(actions, screens);
/** A key that no action has, that edits no text and is no text. */
const freeKeys = ['f9', 'f10'];

/** Binds the lines of a `[keys]` table that starts at line 1. */
async function bind(...lines: readonly string[]) {
	const {keys, problems} = await parsePreferences(`[keys]\n${lines.join('\n')}\n`, 'config.toml');
	const bindings = bindActions(actions, keys, {screens, complete});
	const format = (isNotice: boolean) =>
		[...problems, ...bindings.problems]
			.filter(problem => (problem.isNotice ?? false) === isNotice)
			.map(({line, text}) => `${line}: ${text}`);
	return {
		getKeys: (id: string) => bindings.actions.find(action => action.id === id)?.keys,
		bound: bindings.actions,
		mistakes: format(false),
		notices: format(true),
	};
}

const reserved = ({keys}: Action) => keys.filter(key => key === 'esc' || key === 'ctrl-c');

describe('every action', () => {
	test('is changeable, or fixed for a reason, or the variant of another', () => {
		const others = actions.filter(action => !changeable.includes(action));
		expect(changeable.length).toBeGreaterThan(400);
		expect(
			others.filter(
				action =>
					getFixedReason(action, screens) === undefined &&
					!isMenuAction(action) &&
					!action.id.endsWith('-menu'),
			),
		).toEqual([]);
	});

	test('can be bound to another key, and only its own keys change', async () => {
		for (const action of changeable) {
			const {getKeys, mistakes, notices, bound} = await bind(`${action.id} = "f9"`);
			expect([action.id, mistakes, notices]).toEqual([action.id, [], []]);
			expect([action.id, getKeys(action.id)]).toEqual([action.id, ['f9', ...reserved(action)]]);
			const changed = bound.filter((one, index) => one !== actions[index]).map(({id}) => id);
			expect(changed.filter(id => id !== action.id && id !== `${action.id}-menu`)).toEqual([]);
		}
	});

	test('can be bound to several keys', async () => {
		for (const action of changeable) {
			const {getKeys, mistakes} = await bind(`"${action.id}" = ["f9", "f10"]`);
			expect([action.id, mistakes, getKeys(action.id)]).toEqual([
				action.id,
				[],
				[...freeKeys, ...reserved(action)],
			]);
		}
	});

	test('can be unbound, except that esc goes back and ctrl-c quits', async () => {
		for (const action of changeable) {
			const {getKeys, mistakes} = await bind(`${action.id} = "none"`);
			expect([action.id, mistakes, getKeys(action.id)]).toEqual([action.id, [], reserved(action)]);
		}
	});

	test('keeps its keys if they are fixed, whatever the file says', async () => {
		for (const action of actions.filter(one => getFixedReason(one, screens) !== undefined)) {
			const {getKeys, mistakes} = await bind(`${action.id} = "f9"`);
			expect([action.id, getKeys(action.id)]).toEqual([action.id, action.keys]);
			expect(mistakes).toEqual([expect.stringContaining(`2: ${action.id} keeps its keys: `)]);
		}
	});

	test('all of them can be set in one file', async () => {
		const {mistakes, notices, bound} = await bind(
			...changeable.map(({id, keys}) => `${id} = ${JSON.stringify(keys)}`),
		);
		expect([mistakes, notices]).toEqual([[], []]);
		expect(bound.map(({keys}) => keys)).toEqual(actions.map(({keys}) => keys));
	});
});

describe('protections', () => {
	const answers = actions.filter(({effect, keys}) => effect === 'writes' && keys.includes('y'));

	test('the answer of every review is y, and nothing moves it', async () => {
		expect(answers.length).toBeGreaterThan(8);
		const {getKeys} = await bind('all.copy = "x"', ...answers.map(({id}) => `${id} = "enter"`));
		for (const {id, keys} of answers) expect([id, getKeys(id)]).toEqual([id, keys]);
	});

	test('no harmless action takes y from a review', async () => {
		const {getKeys, mistakes} = await bind('review.request = "y"');
		expect(getKeys('review.request')).toEqual([]);
		expect(mistakes).toEqual([expect.stringContaining('"y" already is review.write')]);
	});

	test.each([
		'y',
		'enter',
		'space',
		'tab',
		'down',
		'pagedown',
		'backspace',
	])('no action that changes something can have %s', async key => {
		const unsafe = changeable.filter(
			({effect, isDestructive, keys}) => (effect || isDestructive) && !keys.includes(key),
		);
		expect(unsafe.length).toBeGreaterThan(50);
		const {bound, mistakes} = await bind(...unsafe.map(({id}) => `${id} = "${key}"`));
		expect(mistakes).toHaveLength(unsafe.length);
		for (const {id} of unsafe)
			expect(bound.find(one => one.id === id)?.keys).toEqual(actions.find(one => one.id === id)?.keys);
	});

	test('nothing else can have esc or ctrl-c', async () => {
		const {mistakes, getKeys} = await bind('keys.sort = "esc"', 'keys.filter = ["F", "ctrl-c"]');
		expect(mistakes).toEqual([
			'2: esc always goes back; keys.sort does not get it.',
			'3: ctrl-c always quits; keys.filter does not get it.',
		]);
		expect([getKeys('keys.sort'), getKeys('keys.filter')]).toEqual([['s'], ['F']]);
	});

	test.each(['x', 'space', 'ctrl-a', 'backspace'])('%s still types where text is typed', async key => {
		const {mistakes, getKeys} = await bind(`editor.review = "${key}"`);
		expect(getKeys('editor.review')).toEqual(['ctrl-s']);
		expect(mistakes).toHaveLength(1);
	});
});

describe('a meaning that many screens share', () => {
	test('someone moves every deletion to x', async () => {
		const {bound, getKeys, mistakes, notices} = await bind('delete = "x"');
		expect(mistakes).toEqual([]);
		const before = actions.filter(({keys}) => keys.includes('d'));
		for (const {id, keys} of before)
			expect([id, getKeys(id)]).toEqual([id, keys.map(key => (key === 'd' ? 'x' : key))]);
		expect(bound.filter(({keys}) => keys.includes('d'))).toEqual([]);
		expect(notices).toEqual([
			'2: "x" was keys.export (export keys to a file: selected, below a prefix, or all), which has no key now.',
		]);
	});

	test('a conflict is settled by binding the other action', async () => {
		const {getKeys, mistakes, notices} = await bind('all.delete = "x"', 'keys.export = "Q"');
		expect([mistakes, notices, getKeys('keys.export')]).toEqual([[], [], ['Q']]);
	});

	test.each(sharedMeanings)('all.$name has actions and can be rebound', async ({name}) => {
		const {bound, mistakes} = await bind(`all.${name} = "f9"`);
		expect(mistakes).toEqual([]);
		expect(bound.filter(({keys}) => keys.includes('f9')).length).toBeGreaterThan(0);
	});

	test('esc, enter and the arrows of menus stay', async () => {
		const {getKeys} = await bind('all.back = "backspace"', 'all.down = "n"', 'all.up = "none"');
		expect(getKeys('back')).toEqual(['backspace', 'esc']);
		expect(getKeys('move.down')).toEqual(['n']);
		expect(getKeys('move.up')).toEqual([]);
		expect(getKeys('home.choose')).toEqual(['enter', 'up', 'n', 'down', 'g', 'home', 'G', 'end']);
	});

	test('a menu gets the key that it knows', async () => {
		const {bound} = await bind('all.down = "n"');
		const forwarded: string[] = [];
		const app = {terminal: {forward: ({sequence}: {sequence: string}) => forwarded.push(sequence)}};
		const choose = bound.find(({id}) => id === 'home.choose');
		choose?.run(app as never, {name: 'n', text: 'n', sequence: 'n'});
		choose?.run(app as never, {name: 'g', text: 'g', sequence: 'g'});
		expect(forwarded).toEqual(['\u001b[B', 'g']);
	});
});

describe('a conflict', () => {
	test('of two lines is a mistake in the second, which does not get the key', async () => {
		const {getKeys, mistakes} = await bind('keys.sort = "f9"', 'keys.arrange = ["f9", "f10"]');
		expect(getKeys('keys.sort')).toEqual(['f9']);
		expect(getKeys('keys.arrange')).toEqual(['f10']);
		expect(mistakes).toEqual([
			'3: "f9" already is keys.sort (line 2): sort keys: by name, expiration or size. keys.arrange does not get it.',
		]);
	});

	test('with a default takes the key, so that no press falls through to another action', async () => {
		const {getKeys, mistakes, notices} = await bind('keys.filter = "d"');
		expect(mistakes).toEqual([]);
		expect(getKeys('keys.filter')).toEqual(['d']);
		expect(getKeys('keys.delete-selected')).toEqual([]);
		expect(notices).toHaveLength(3);
	});

	test('with a key that works everywhere is named; the screen comes first', async () => {
		const {getKeys, mistakes, notices} = await bind('keys.export = "q"');
		expect([mistakes, getKeys('quit')]).toEqual([[], ['q', 'ctrl-c']]);
		expect(notices).toEqual([
			expect.stringContaining('"q" is quit everywhere, but on keys it is keys.export'),
		]);
	});

	test('none exists on screens that never meet', async () => {
		expect(await bind('keys.sort = "f9"', 'zones.order = "f9"')).toMatchObject({mistakes: [], notices: []});
	});
});

describe('a mistake', () => {
	test('names its line and the nearest action', async () => {
		const {mistakes} = await bind('keys.sort = "S"', '', 'keys.exprot = "W"', 'all.delte = "x"');
		expect(mistakes).toEqual([
			'4: there is no action "keys.exprot". Did you mean "keys.export"?',
			'5: there is no action "all.delte". Did you mean "all.delete"?',
		]);
	});

	test('in a key or a value leaves the default', async () => {
		const {mistakes, getKeys} = await bind('keys.sort = "gg"', 'keys.filter = 1', 'preset = "emacs"');
		expect(mistakes).toEqual([
			'3: "filter" must be a key such as "x", several in [ ], or "none".',
			'4: "preset" must be one of "vim", "k9s", "lazygit".',
			'2: "gg" is no key: write one such as "x", "ctrl-x", "enter" or "f5".',
		]);
		expect([getKeys('keys.sort'), getKeys('keys.filter')]).toEqual([['s'], ['/']]);
	});
});
