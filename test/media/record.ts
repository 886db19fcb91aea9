import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {palettes} from '../../source/components/palettes.ts';
import {createUnconfiguredEnvironment, program} from '../support/program.ts';
import {Screen} from '../terminal/screen/screen.ts';
import {drawAnimation, type Shot} from './animated.ts';
import {Camera, textOf} from './camera.ts';
import type {Scene} from './scene.ts';
import {dark, light, type Theme} from './theme.ts';

/** The shots that the camera took, at least one, and the picture drawn from them. */
export type Recording = {readonly shots: readonly [Shot, ...Shot[]]; readonly svg: string};

export type RecordingsByTheme = Readonly<Record<Theme['name'], Recording>>;

/** Plays a scene with the built program, or with another command, once in each theme, and draws it. */
export async function record(
	scene: Scene,
	command: readonly string[] = [process.execPath, program],
): Promise<RecordingsByTheme> {
	return {
		dark: await recordInTheme(withPalette(dark, scene), scene, command),
		light: await recordInTheme(withPalette(light, scene), scene, command),
	};
}

function withPalette(theme: Theme, {palette}: Scene): Theme {
	if (palette === undefined) return theme;
	const {background, text: foreground} = palettes[palette][theme.name];
	return {...theme, background, foreground};
}

/** Variables that choose the theme. */
const chooseTheme = ({name}: Theme, {palette}: Scene): Readonly<Record<string, string>> =>
	palette === undefined
		? {LEDGE_THEME: name}
		: {COLORFGBG: name === 'light' ? '0;15' : '15;0', COLORTERM: 'truecolor', FORCE_COLOR: '3'};

/**
 * Plays a scene in a new home. Fails when the scene fails, or when the picture shows the temporary folder, whose name
 * differs each time.
 */
async function recordInTheme(theme: Theme, scene: Scene, command: readonly string[]): Promise<Recording> {
	const home = mkdtempSync(join(tmpdir(), 'ledge-media-'));
	const cwd = join(home, 'shop');
	try {
		mkdirSync(cwd);
		for (const [name, text] of Object.entries(scene.files ?? {})) {
			mkdirSync(dirname(join(cwd, name)), {recursive: true});
			writeFileSync(join(cwd, name), text);
		}
		await using screen = new Screen({
			command: [...command, ...scene.programArguments],
			cwd,
			env: createUnconfiguredEnvironment(home, {...chooseTheme(theme, scene), ...scene.env}),
			columns: scene.columns,
			rows: scene.rows,
		});
		const camera = new Camera(screen);
		await scene.play(screen, camera);
		const shots = await camera.getTakenShots();
		if (shots.some(({frame}) => textOf(frame).includes(basename(home)))) {
			throw new Error(`${scene.name} shows its temporary folder:\n${screen.drawWithBorder()}`);
		}
		return {shots, svg: drawAnimation(shots, {theme, title: scene.title})};
	} finally {
		rmSync(home, {recursive: true, force: true});
	}
}
