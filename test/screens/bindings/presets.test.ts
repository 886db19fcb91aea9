import {describe, expect, test} from 'vitest';
import {actions} from '../../../source/screens/actions.ts';
import {bindActions} from '../../../source/screens/bindings/bind.ts';
import {keyPresets} from '../../../source/screens/bindings/presets.ts';
import {parsePreferences} from '../../../source/settings/preferences/read.ts';
import {keyPresetNames} from '../../../source/settings/preferences/read-keys.ts';
import {screens} from '../../../source/store/screens.ts';

async function bind(text: string) {
	const {keys} = await parsePreferences(text, 'config.toml');
	const {actions: bound, problems} = bindActions(actions, keys, {screens, complete: action => action});
	return {problems, bound, getKeys: (id: string) => bound.find(action => action.id === id)?.keys};
}

describe.each(keyPresetNames)('the preset %s', name => {
	test('has no conflict, and leaves no action without a key', async () => {
		const {problems, bound} = await bind(`keys.preset = "${name}"`);
		expect(problems).toEqual([]);
		expect(bound.filter(({keys}) => keys.length === 0)).toEqual([]);
	});

	test('changes something with each of its bindings', async () => {
		const {bound} = await bind(`keys.preset = "${name}"`);
		const changed = bound.filter((action, index) => action !== actions[index]);
		for (const {keys} of Object.values(keyPresets[name]))
			expect(keys.some(key => bound.some(action => action.keys.includes(key))) || changed.length === 0).toBe(
				true,
			);
	});
});

test('vim scrolls half pages and jumps back', async () => {
	const {getKeys} = await bind('keys.preset = "vim"');
	expect(getKeys('move.page-down')).toEqual(['pagedown', 'ctrl-f', 'ctrl-d']);
	expect(getKeys('go.back')).toEqual(['[', 'ctrl-^']);
	expect(getKeys('keys.delete-selected')).toEqual(['d']);
});

test('k9s deletes with ctrl-d, describes with d, and closes a view with q', async () => {
	const {getKeys} = await bind('keys.preset = "k9s"');
	expect(getKeys('keys.delete-selected')).toEqual(['ctrl-d']);
	expect(getKeys('move.select-range')).toEqual(['ctrl-space']);
	expect(getKeys('keys.select-all')).toEqual(['A']);
	expect(getKeys('keys.open')).toContain('d');
	expect(getKeys('namespaces.open')).toContain('d');
	expect(getKeys('namespaces.copy-title')).toEqual(['c', 'Y']);
	expect(getKeys('namespaces.copy')).toEqual(['y']);
	expect(getKeys('back')).toEqual(['q', 'esc']);
	expect(getKeys('quit')).toEqual(['Q', 'ctrl-c']);
});

test('someone uses lazygit with two exceptions', async () => {
	const {getKeys, problems} = await bind(
		'[keys]\npreset = "lazygit"\nall.undo = "u"\nkeys.sort = ["s", "o"]\nkeys.load = "none"\n',
	);
	expect(problems).toEqual([]);
	expect(getKeys('edit.new')).toEqual(['n']);
	for (const id of ['key.form', 'events.next', 'stats.section', 'firewall.to-filters', 'custom.to-rules'])
		expect([id, getKeys(id)]).toEqual([id, ['tab', ']']]);
	for (const id of [
		'key.form-before',
		'events.before',
		'stats.section-before',
		'firewall.to-rules',
		'custom.to-filters',
	])
		expect([id, getKeys(id)]).toEqual([id, ['shift-tab', '[']]);
	expect(getKeys('rename.key')).toEqual(['r']);
	expect(getKeys('reload')).toEqual(['R', 'ctrl-r']);
	expect(getKeys('edit.undo')).toEqual(['u']);
	expect(getKeys('keys.sort')).toEqual(['s', 'o']);
});
