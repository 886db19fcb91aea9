import {type Scene, simulatedStart} from './scene.ts';

/** The keys of a namespace in a theme with colours of its own: the path, the cursor, selected rows, a filter. */
const createThemeScene = (palette: NonNullable<Scene['palette']>): Scene => ({
	...simulatedStart,
	name: `theme-${palette}`,
	title: `${palette}`,
	columns: 80,
	rows: 14,
	palette,
	files: {...simulatedStart.files, '../.config/ledge/config.toml': `[theme]\nname = "${palette}"\n`},
	async play(screen) {
		await screen.waitFor('Key-value store');
		screen.press('1');
		await screen.waitFor('▸ CONFIG');
		screen.press('enter');
		await screen.waitFor('robots.txt');
		for (const key of ['down', 'space', 'down', 'space', 'down']) screen.press(key);
		await screen.waitFor('2 selected');
	},
});

export const themeScenes: readonly Scene[] = (['gruvbox', 'solarized', 'catppuccin', 'nord'] as const).map(
	createThemeScene,
);
