// `npm run media:check`: the recordings of readme.md as a browser plays them, beside what the renderer draws. Records each
// again, plays the file in Chromium without a window, and compares its first and its last frame. Fails where they differ,
// where a picture does not move or begin again, is not what the program shows now, or is too large.
//   NAME …   only these recordings
//   --png FOLDER   writes the frames as the browser shows them
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {Browser, findBrowser} from './browser.ts';
import {type Difference, measureDifference} from './difference.ts';
import {decodePng, type Pixels, renderPixels} from './png.ts';
import {record} from './record.ts';
import {scenes} from './scenes.ts';
import {drawFrame} from './svg.ts';
import {themes} from './theme.ts';

/** The largest file, in bytes. */
const maxFileBytes = 150_000;
/** How far a frame may differ from that of the renderer: two programs draw the edges of letters differently. */
const tolerance: Difference = {mean: 0.005, maximum: 0.05};
/** Milliseconds from the beginning, and before the end, at which a frame is looked at. */
const margin = 200;

const root = resolve(import.meta.dirname, '../..');
const {values, positionals} = parseArgs({allowPositionals: true, options: {png: {type: 'string'}}});
const path = findBrowser();
if (path === undefined) {
	process.stderr.write(
		'No Chromium was found in PATH: nothing was checked. On Debian: apt-get install chromium\n',
	);
	process.exit(1);
}

const pictures = (readFileSync(join(root, 'readme.md'), 'utf8').match(/<picture>.*?<\/picture>/gs) ?? [])
	.map(html => ({html, scene: scenes.find(({name}) => html.includes(`media/${name}-dark.svg`))}))
	.filter(({scene}) => positionals.length === 0 || positionals.includes(scene?.name ?? ''));
if (pictures.length === 0) throw new Error(`readme.md has no such picture: ${positionals.join(', ')}`);

const formatPercent = (part: number): string => `${(part * 100).toFixed(2)} %`;
const isWithinTolerance = ({mean, maximum}: Difference): boolean =>
	mean <= tolerance.mean && maximum <= tolerance.maximum;

const folder = mkdtempSync(join(tmpdir(), 'ledge-media-'));
try {
	await using browser = await Browser.start(path);
	await using reducedMotionBrowser = await Browser.start(path, {reducedMotion: true});
	for (const {html, scene} of pictures) {
		if (!scene) throw new Error(`no scene makes this picture of readme.md:\n${html}`);
		const page = join(folder, 'page.html');
		writeFileSync(
			page,
			`<!doctype html><base href="${pathToFileURL(root)}/"><style>body{margin:0}img{display:block;width:auto}</style><template>${html}</template>`,
		);
		const recorded = await record(scene);
		for (const theme of themes) {
			const {svg, shots} = recorded[theme.name];
			const [firstExpected, lastExpected] = [shots[0], shots.at(-1) ?? shots[0]].map(({frame}) =>
				renderPixels(drawFrame(frame, {theme, title: scene.title})),
			) as [Pixels, Pixels];
			const [, seconds] = /animation-duration:([\d.]+)s/.exec(svg) ?? [];
			if (seconds === undefined) continue;
			const name = `${scene.name}-${theme.name}`;
			const storedSvg = readFileSync(join(root, 'media', `${name}.svg`), 'utf8');
			const {width, height} = firstExpected;

			const shoot = async (viewer: Browser, moment: string): Promise<Pixels> => {
				const file = await viewer.captureUpperLeft(width, height);
				if (values.png !== undefined) {
					mkdirSync(values.png, {recursive: true});
					writeFileSync(join(values.png, `${name}-${moment}.png`), file);
				}
				return decodePng(file);
			};
			const openPage = async (viewer: Browser): Promise<void> => {
				await viewer.open(pathToFileURL(page).href, theme.name);
				await viewer.evaluate("document.body.append(document.querySelector('template').content)");
				await viewer.passTime(margin);
			};

			await openPage(browser);
			const source = String(await browser.evaluate("document.querySelector('img').currentSrc"));
			const start = await shoot(browser, 'first');
			await browser.passTime(Number(seconds) * 1000 - 3 * margin);
			const end = await shoot(browser, 'last');
			await browser.passTime(4 * margin);
			const restart = await shoot(browser, 'again');
			await openPage(reducedMotionBrowser);
			await reducedMotionBrowser.passTime(margin);
			const reducedMotionFrame = await shoot(reducedMotionBrowser, 'reduced');

			const atStart = measureDifference(start, firstExpected);
			const atEnd = measureDifference(end, lastExpected);
			const motion = measureDifference(start, end);
			const size = Buffer.byteLength(storedSvg);
			const problems = [
				storedSvg === svg ? '' : 'is not what the program shows now: npm run media',
				size <= maxFileBytes ? '' : 'is too large',
				source.endsWith(`media/${name}.svg`) ? '' : `the browser shows ${source}`,
				isWithinTolerance(atStart) ? '' : 'the first frame differs',
				isWithinTolerance(atEnd) ? '' : 'the last frame differs',
				isWithinTolerance(motion) ? 'does not move' : '',
				isWithinTolerance(measureDifference(restart, start)) ? '' : 'does not begin again',
				isWithinTolerance(measureDifference(reducedMotionFrame, lastExpected))
					? ''
					: 'moves where reduced motion is preferred',
			].filter(line => line !== '');
			const formatDifference = ({mean, maximum}: Difference) =>
				`${formatPercent(mean)} (a cell ${formatPercent(maximum)})`;
			process.stdout.write(
				[
					`${problems.length === 0 ? '✓' : '×'} ${name}.svg  ${(size / 1000).toFixed(1)} kB, ${seconds} s`,
					`  first frame differs by ${formatDifference(atStart)}, last by ${formatDifference(atEnd)}; the one from the other by ${formatDifference(motion)}`,
					...problems.map(line => `  × ${line}`),
					'',
				].join('\n'),
			);
			if (problems.length > 0) process.exitCode = 1;
		}
	}
} finally {
	rmSync(folder, {recursive: true, force: true});
}
