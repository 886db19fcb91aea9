import {describe, expect, test} from 'vitest';
import {convertPalette, palettes} from '../../source/components/palettes.ts';
import {readTheme} from '../../source/components/theme.ts';
import {
	computeContrast,
	formatForeground,
	toRgb,
	toTerminalColor,
} from '../../source/settings/preferences/colors.ts';
import {parsePreferences} from '../../source/settings/preferences/read.ts';

const contrastOf = (one: string, other: string): number => {
	const [first, second] = [toRgb(one), toRgb(other)];
	if (!first || !second) throw new Error(`${one} or ${other} is no colour.`);
	return computeContrast(first, second);
};

const all = Object.entries(palettes).flatMap(([name, modes]) =>
	Object.entries(modes).flatMap(([mode, palette]) => [
		[`${name} ${mode}`, palette] as const,
		[`${name} ${mode} in 256 colours`, convertPalette(palette, 8)] as const,
	]),
);

describe.each(all)('%s', (name, palette) => {
	const {background, cursor, selection} = palette;
	const minText = name.startsWith('high-contrast') ? 7 : 4.5;

	test.each([
		'text',
		'accent',
		'warning',
		'danger',
		'success',
		'heading',
	] as const)('%s can be read on the background', role => {
		expect(contrastOf(palette[role], background)).toBeGreaterThanOrEqual(minText);
	});

	test.each(['dim', 'border'] as const)('%s can be seen on the background', role => {
		expect(contrastOf(palette[role], background)).toBeGreaterThanOrEqual(minText === 7 ? 7 : 3);
	});

	test('the text under the cursor and of selected rows can be read', () => {
		expect(contrastOf(cursor[1], cursor[0])).toBeGreaterThanOrEqual(minText);
		expect(contrastOf(selection[1], selection[0])).toBeGreaterThanOrEqual(minText);
	});

	test('the cursor differs from the background, the selection and the text', () => {
		expect(contrastOf(cursor[0], background)).toBeGreaterThanOrEqual(3);
		expect(contrastOf(cursor[0], selection[0])).toBeGreaterThanOrEqual(1.5);
	});

	test('the series of a plot can be seen and differ', () => {
		for (const color of palette.series) expect(contrastOf(color, background)).toBeGreaterThanOrEqual(3);
		expect(new Set(palette.series).size).toBe(palette.series.length);
	});

	test('warning, danger and success differ', () => {
		expect(new Set([palette.warning, palette.danger, palette.success]).size).toBe(3);
	});
});

const themeOf = async (text: string, env: NodeJS.ProcessEnv = {}) => {
	const {theme, problems} = await parsePreferences(text, 'config.toml');
	return {theme: readTheme(env, true, theme), problems};
};

test.each([
	['#ff8700', 208],
	['#005f87', 24],
	['#1e90ff', 33],
	['#000000', 16],
	['#767676', 243],
	['#ffffff', 231],
])('%s is the nearest of 256 colours, %i', (color, number) => {
	expect(toTerminalColor(color, 8)).toBe(`ansi256(${number})`);
	expect(toTerminalColor(color, 24)).toBe(color);
	expect(formatForeground(color, 8)).toBe(`\u001b[38;5;${number}m`);
});

test('a theme and its roles have the nearest of 256 colours', () => {
	const from = 'config.toml:1';
	const theme = {name: {value: 'gruvbox', from}, roles: {accent: {value: '#ff8700', from}}} as const;
	expect(readTheme({}, true, theme, 8).current.color).toBe('ansi256(208)');
	expect(readTheme({}, true, theme, 8).textColor).toBe('ansi256(187)');
	expect(readTheme({}, true, theme, 24).current.color).toBe('#ff8700');
});

describe('[theme]', () => {
	test('chooses a theme for the background of the terminal', async () => {
		const text = 'theme.name = "gruvbox"';
		expect((await themeOf(text)).theme.dim).toEqual({color: palettes.gruvbox.dark.dim});
		expect((await themeOf(text, {COLORFGBG: '0;15'})).theme.dim).toEqual({
			color: palettes.gruvbox.light.dim,
		});
		expect((await themeOf('theme.name = "light"')).theme.name).toBe('light');
	});

	test('NO_COLOR wins, then LEDGE_THEME', async () => {
		const text = '[theme]\nname = "nord"\naccent = "#ff0000"\n';
		const none = readTheme({NO_COLOR: '1'}, true, undefined);
		expect((await themeOf(text, {NO_COLOR: '1'})).theme).toEqual(none);
		const light = readTheme({LEDGE_THEME: 'light'}, true, undefined);
		expect((await themeOf(text, {LEDGE_THEME: 'light'})).theme).toEqual(light);
	});

	test('sets roles on top of a theme', async () => {
		const {theme, problems} = await themeOf(
			'[theme]\nname = "nord"\naccent = "#F00"\ndim = 244\nwarning = "bright-yellow"\ncursor = "#ffffff"\nselection = "blue"\ntext = 250\n',
		);
		expect(problems).toEqual([]);
		expect(theme).toMatchObject({
			current: {color: '#ff0000', bold: true},
			dim: {color: 'ansi256(244)'},
			warning: {color: 'yellowBright'},
			cursorBar: {backgroundColor: '#ffffff', color: '#000000'},
			selectionBar: {backgroundColor: 'blue', color: 'whiteBright'},
			textColor: 'ansi256(250)',
			good: {color: palettes.nord.dark.success},
		});
	});

	test('a colour on the defaults replaces dimming', async () => {
		const {theme} = await themeOf('theme.dim = "cyan"');
		expect(theme.dim).toEqual({color: 'cyan'});
	});

	test.each([
		['theme.name = "dracula"', '"name" must be one of "default", "dark", "light"'],
		['theme.accent = "#ff00"', '"accent" must be a colour: '],
		['theme.accent = 256', '"accent" must be a colour: '],
		['theme.accent = "redd"', '"accent" must be a colour: '],
		['theme.acent = "red"', 'there is no role "acent" here. Did you mean "accent"?'],
	])('%s is a mistake', async (text, problem) => {
		const {problems, theme} = await themeOf(text);
		expect(problems).toMatchObject([{line: 1, text: expect.stringContaining(problem)}]);
		expect(theme).toEqual(readTheme({}, true, undefined));
	});
});
