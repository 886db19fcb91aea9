import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {palettes} from '../../../source/components/palettes.ts';
import {folderWith} from '../../settings/support/files.ts';
import {atNamespaces} from './ways.ts';

const openWith = async (text: string, env: Readonly<Record<string, string>> = {}) => {
	const folder = folderWith({'ledge/config.toml': text});
	const screen = await atNamespaces({
		env: {XDG_CONFIG_HOME: folder, COLORTERM: 'truecolor', FORCE_COLOR: '3', ...env},
	});
	return {screen, save: (newText: string) => writeFileSync(join(folder, 'ledge/config.toml'), newText)};
};

describe('your configuration file', () => {
	test('gives actions other keys, which the hints and the help show', async () => {
		const {screen} = await openWith('[keys]\nhelp = "H"\nall.new = "n"\n');
		await screen.waitFor(/n create|n new|H help/);
		screen.press('H');
		await screen.waitFor('create a namespace');
		expect(screen.text()).toMatch(/\bn +create a namespace/);
	});

	test('is read again when it is saved, with its mistakes', async () => {
		const {screen, save} = await openWith('');
		await screen.waitFor('? help');
		save('[keys]\nhelp = "H"\n');
		await screen.waitFor('H help');
		save('[keys]\nhelpp = "H"\n');
		await screen.waitFor('Did you mean "help"?');
		await screen.waitFor('? help');
	});

	test('colours text, and the cursor, at once', async () => {
		const {screen, save} = await openWith('');
		expect(screen.received()).not.toContain('38;2;');
		save('theme.name = "gruvbox"\n');
		await screen.waitFor('Read ');
		const {text, cursor} = palettes.gruvbox.dark;
		const toCodes = (color: string) =>
			[1, 3, 5].map(start => Number.parseInt(color.slice(start, start + 2), 16)).join(';');
		await screen.waitFor(one => one.received().includes(`\u001b[38;2;${toCodes(text)}m`));
		await screen.waitFor(one => one.received().includes(`\u001b[48;2;${toCodes(cursor[0])}m`));
	});

	test('has no colours under NO_COLOR', async () => {
		const {screen} = await openWith('theme.name = "gruvbox"\ntheme.text = "#ff0000"\n', {
			NO_COLOR: '1',
			FORCE_COLOR: '0',
		});
		expect(screen.received()).not.toMatch(/\u001b\[[34]8;/);
	});
});
