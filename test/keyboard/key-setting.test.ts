import {describe, expect, test} from 'vitest';
import {parseKeySetting} from '../../source/keyboard/key-setting.ts';

describe('the key of a setting', () => {
	test.each([
		['x', 'x'],
		['X', 'X'],
		['é', 'é'],
		[' ', 'space'],
		['-', '-'],
		['+', '+'],
		['space', 'space'],
		['Enter', 'enter'],
		['return', 'enter'],
		['escape', 'esc'],
		['PageUp', 'pageup'],
		['pgdn', 'pagedown'],
		['F12', 'f12'],
		['ctrl-x', 'ctrl-x'],
		['Ctrl+X', 'ctrl-x'],
		['ctrl--', 'ctrl--'],
		['alt-enter', 'alt-enter'],
		['shift-tab', 'shift-tab'],
		['shift-a', 'A'],
		['shift+ctrl+up', 'ctrl-shift-up'],
		['alt-ctrl-a', 'ctrl-alt-a'],
	])('%j is %s', (text, name) => {
		expect(parseKeySetting(text)).toEqual({name});
	});

	test.each([
		['', 'is no key'],
		['pageupp', 'is no key; did you mean "pageup"?'],
		['gg', 'is no key: write one such as "x", "ctrl-x", "enter" or "f5"'],
		['ctrl-pageupp', 'is no key; did you mean "ctrl-pageup"?'],
		['click', 'is no key'],
		['paste', 'is no key'],
		['ctrl-ctrl-x', 'is no key'],
		['\u001b', 'is no key'],
		['\n', 'is no key'],
		['ctrl-i', "can't be told from tab, which terminals send for it"],
		['ctrl-m', "can't be told from enter, which terminals send for it"],
		['ctrl-[', "can't be told from esc, which terminals send for it"],
	])('%j %s', (text, problem) => {
		expect(parseKeySetting(text)).toMatchObject({problem: expect.stringContaining(problem)});
	});
});
