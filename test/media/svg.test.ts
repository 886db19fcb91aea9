import {join} from 'node:path';
import {Resvg} from '@resvg/resvg-js';
import {describe, expect, test} from 'vitest';
import type {Frame} from '../terminal/screen/cells.ts';
import {Emulator} from '../terminal/screen/emulator.ts';
import {drawAnimation} from './animated.ts';
import {renderPng} from './png.ts';
import {record} from './record.ts';
import type {Scene} from './scene.ts';
import {drawFrame} from './svg.ts';
import {dark, light} from './theme.ts';

/** What a terminal shows after these bytes. */
async function frameOf(bytes: string, columns = 20, rows = 3): Promise<Frame> {
	const emulator = new Emulator({columns, rows, widths: 'graphemes'});
	await emulator.write(Buffer.from(bytes));
	const frame = emulator.frame();
	emulator.dispose();
	return frame;
}

const hideCursor = '\u001b[?25l';
const draw = async (bytes: string, theme = dark) =>
	drawFrame(await frameOf(hideCursor + bytes), {theme, title: 'ledge'});

describe('a frame', () => {
	test('places words at their columns, with the width of those columns', async () => {
		const svg = await draw(' two words  apart');
		expect(svg).toContain('<text x="9" y="14" textLength="81">two words</text>');
		expect(svg).toContain('<text x="108" y="14" textLength="45">apart</text>');
	});

	test('centres a wide character in its two columns and keeps the text after it in place', async () => {
		const svg = await draw('a名b');
		expect(svg).toContain('<text x="18" y="14" text-anchor="middle">名</text>');
		expect(svg).toContain('<text x="27" y="14">b</text>');
	});

	test('draws connected lines', async () => {
		const svg = await draw('├───\r\n│');
		expect(svg).toContain('<rect x="9" y="8.38" width="27" height="1.25"');
		expect(svg).toContain('<rect x="3.88" y="0" width="1.25" height="18"');
		expect(svg).toContain('<rect x="3.88" y="18" width="1.25" height="18"');
		expect(svg).not.toMatch(/<text[^>]*>[─│├]/);
	});

	test('draws braille dots and eighth blocks as shapes, without a font', async () => {
		const svg = await draw('\u2881\u2800\u2583');
		expect(svg).toContain(
			`<path d="M2.25 2.25h.01M6.75 15.75h.01" stroke="${dark.foreground}" stroke-width="2.6" stroke-linecap="round"/>`,
		);
		expect(svg).toContain('<rect x="18" y="11.25" width="9" height="6.75"');
		expect(svg).not.toMatch(/<text[^>]*>[\u2800-\u28ff\u2583]/);
	});

	test('uses the colours of its theme, including inverse and dim', async () => {
		const bytes = '\u001b[31mred\u001b[0m \u001b[7mback\u001b[0m \u001b[2mdim';
		for (const theme of [dark, light]) {
			const svg = await draw(bytes, theme);
			expect(svg).toContain(`fill="${theme.palette.red}">red<`);
			expect(svg).toContain(`fill="${theme.background}">back<`);
			expect(svg).toContain(`width="36" height="18" fill="${theme.foreground}"/>`);
			expect(svg).not.toContain(`fill="${theme.foreground}">dim<`);
		}
	});

	test('shows the cursor where the program left it, and no cursor when it is hidden', async () => {
		const frame = await frameOf('ab');
		const svg = drawFrame(frame, {theme: dark, title: 'ledge'});
		expect(svg).toContain(`<rect x="18" y="0" width="9" height="18" fill="${dark.foreground}"/>`);
		expect(await draw('ab')).not.toContain('<rect x="18"');
	});

	test('is valid SVG for any text', async () => {
		const svg = await draw('<b>&"\u0027]]>');
		const {width, height} = new Resvg(svg);
		expect([width, height]).toEqual([20 * 9 + 28, 3 * 18 + 60]);
		expect(renderPng(svg).subarray(1, 4).toString()).toBe('PNG');
	});
});

describe('an animation', () => {
	test('stores equal shots once, and each row once', async () => {
		const [one, two] = [
			await frameOf(`${hideCursor}same\r\nfirst`),
			await frameOf(`${hideCursor}same\r\nsecond`),
		];
		const svg = drawAnimation(
			[
				{frame: one, seconds: 1},
				{frame: one, seconds: 1},
				{frame: two, seconds: 2},
			],
			{theme: dark, title: 'ledge'},
		);
		expect(svg.match(/>same</g)).toHaveLength(1);
		expect(svg.match(/<use /g)).toHaveLength(3);
		expect(svg).toContain('animation-duration:4s');
		expect(svg).toContain('@keyframes k0{0%{visibility:visible}50%{visibility:hidden}}');
		expect(svg).toContain('@keyframes k1{0%{visibility:hidden}50%{visibility:visible}}');
		expect(svg).toMatch(/\n<use href="#r0" y="0"\/>\n/);
		expect(svg).toMatch(/<g class="m h" style="animation-name:k0"><use href="#r1" y="18"\/><\/g>/);
		expect(svg).toMatch(/<g class="m" style="animation-name:k1"><use href="#r2" y="18"\/><\/g>/);
		expect(new Resvg(svg).width).toBeGreaterThan(0);
	});

	test('of one shot is a still picture', async () => {
		const frame = await frameOf('still');
		const picture = {theme: light, title: 'ledge'};
		expect(drawAnimation([{frame, seconds: 1}], picture)).toBe(drawFrame(frame, picture));
	});
});

describe('a scene', () => {
	const sampleCommand = [
		process.execPath,
		join(import.meta.dirname, '../terminal/screen/sample-program.mjs'),
	];
	const scene: Scene = {
		name: 'sample',
		title: 'sample',
		columns: 60,
		rows: 15,
		programArguments: [],
		async play(screen, camera) {
			await screen.waitFor('size');
			await camera.hold(1);
			await camera.press(['j', 'j'], 0.5);
		},
	};

	test('records the same picture every time', async () => {
		const recorded = await record(scene, sampleCommand);
		// Three shots, each with its own start: the hold and two presses.
		expect(new Set(recorded.dark.svg.match(/[\d.]+%(?=\{)/g))).toHaveLength(3);
		expect(recorded.light.svg).not.toBe(recorded.dark.svg);
		expect(await record(scene, sampleCommand)).toEqual(recorded);
	});

	test('is refused if it shows a name that differs every time', async () => {
		const leakingScene: Scene = {
			...scene,
			programArguments: ['-p', 'process.cwd()'],
			// The program starts in TEMPORARY/shop, and prints that.
			play: screen => screen.waitFor('shop'),
		};
		await expect(record(leakingScene, [process.execPath])).rejects.toThrow(
			'sample shows its temporary folder',
		);
	});
});
