import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {build, type Plugin} from 'esbuild';
import fc from 'fast-check';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {quickFrames} from '../../source/build/quick-frames.ts';
import {getRunCount} from '../support/full.ts';

type Clip = {readonly x1: number; readonly x2: number; readonly y1: number; readonly y2: number};

/** A text of Ink's, with texts and styled texts in it. */
type TextNode =
	| {readonly nodeName: '#text'; readonly nodeValue: string}
	| {
			readonly nodeName: 'ink-text' | 'ink-virtual-text';
			readonly childNodes: readonly TextNode[];
			readonly isHidden?: boolean;
			readonly internal_transform?: (text: string) => string;
	  };
type Squash = (node: TextNode) => string;

/** The part of Ink that assembles the texts of a frame. */
type Output = {
	write(x: number, y: number, text: string, options: {readonly transformers: readonly never[]}): void;
	clip(clip: Clip): void;
	unclip(): void;
	get(): {readonly output: string; readonly height: number};
};
type OutputClass = new (size: {readonly width: number; readonly height: number}) => Output;

const folder = mkdtempSync(join(tmpdir(), 'ledge-frames-'));
let inkOutput: OutputClass;
let quickOutput: OutputClass;
let inkSquash: Squash;
let quickSquash: Squash;

beforeAll(async () => {
	inkOutput = await bundleInkFile('output', []);
	quickOutput = await bundleInkFile('output', [quickFrames]);
	inkSquash = await bundleInkFile('squash-text-nodes', []);
	quickSquash = await bundleInkFile('squash-text-nodes', [quickFrames]);
});
afterAll(() => rmSync(folder, {recursive: true}));

/** Bundles a file of Ink with these plugins, and returns its default export. */
async function bundleInkFile<Exported>(name: string, plugins: Plugin[]): Promise<Exported> {
	const outfile = join(folder, `${name}-${plugins.length}.mjs`);
	const entryPoints = [resolve(`node_modules/ink/build/${name}.js`)];
	await build({entryPoints, outfile, plugins, bundle: true, format: 'esm', platform: 'node'});
	return (await import(pathToFileURL(outfile).href)).default as Exported;
}

const words = fc.oneof(
	fc.constantFrom(
		'ledge',
		'   ',
		'a b',
		'…',
		'─── ›',
		'é',
		'e\u0301',
		'漢字',
		'한',
		'👩‍👩‍👧',
		'🇩🇪',
		'❤️',
		'\n',
		'®️',
		'a\u00adb',
		'\u200d',
	),
	fc.string({unit: 'grapheme', maxLength: 4}),
);
const piece = fc
	.tuple(words, fc.constantFrom('', '1', '2', '7', '36', '1;31', '38;5;9', '48;2;1;2;3'))
	.map(([text, style]) => (style === '' ? text : `\u001b[${style}m${text}\u001b[0m`));
const line = fc.array(piece, {minLength: 1, maxLength: 6}).map(pieces => pieces.join(''));

const placement = fc.tuple(fc.integer({min: -2, max: 22}), fc.integer({min: -1, max: 7}), fc.nat({max: 7}));
const clip = fc.option(
	fc.record({
		x1: fc.nat({max: 6}),
		x2: fc.integer({min: 4, max: 20}),
		y1: fc.nat({max: 2}),
		y2: fc.integer({min: 1, max: 6}),
	}),
	{nil: undefined},
);
const frame = fc.tuple(clip, fc.array(placement, {maxLength: 8}));

function drawFrame(
	outputClass: OutputClass,
	lines: readonly string[],
	[frameClip, places]: [Clip | undefined, [number, number, number][]],
) {
	const output = new outputClass({width: 20, height: 6});
	if (frameClip) output.clip(frameClip);
	for (const [index, [x, y, lineIndex]] of places.entries()) {
		if (frameClip && index === places.length - 1) output.unclip();
		output.write(x, y, lines[lineIndex % lines.length] ?? '', {transformers: []});
	}
	return output.get();
}

test('consecutive frames match those of Ink', () => {
	fc.assert(
		fc.property(
			fc.array(line, {minLength: 1, maxLength: 5}),
			fc.array(frame, {minLength: 2, maxLength: 4}),
			(lines, frames) => {
				for (const one of frames)
					expect(drawFrame(quickOutput, lines, one)).toEqual(drawFrame(inkOutput, lines, one));
			},
		),
		{numRuns: getRunCount(3000)},
	);
});

const applyStyle =
	(code: string) =>
	(text: string): string =>
		`\u001b[${code}m${text}\u001b[0m`;
const {node: textNode} = fc.letrec<{node: TextNode}>(tie => ({
	node: fc.oneof(
		{depthSize: 'small', withCrossShrink: true},
		fc.record({
			nodeName: fc.constant('#text' as const),
			nodeValue: fc
				.array(
					fc.oneof(words, fc.constantFrom('\t', '\r\n', '\u009b', '\u0007', '\u001b[2J', '\u001b[31m')),
					{
						maxLength: 4,
					},
				)
				.map(parts => parts.join('')),
		}),
		fc.record(
			{
				nodeName: fc.constantFrom('ink-text' as const, 'ink-virtual-text' as const),
				childNodes: fc.array(tie('node'), {maxLength: 3}),
				isHidden: fc.boolean(),
				internal_transform: fc.constantFrom('1', '7', '38;5;9').map(applyStyle),
			},
			{requiredKeys: ['nodeName', 'childNodes']},
		),
	),
}));

test('nested texts render as in Ink, also when repeated', () => {
	fc.assert(
		fc.property(
			fc.array(
				fc.record({
					nodeName: fc.constantFrom('ink-text' as const, 'ink-virtual-text' as const),
					childNodes: fc.array(textNode, {maxLength: 4}),
				}),
				{minLength: 1, maxLength: 3},
			),
			nodes => {
				for (const node of [...nodes, ...nodes]) expect(quickSquash(node)).toBe(inkSquash(node));
			},
		),
		{numRuns: getRunCount(3000)},
	);
});

test('a line that is still on the screen is not split again', () => {
	const long = `\u001b[36m${'long line of many words '.repeat(100)}\u001b[39m`;
	const draw = (outputClass: OutputClass) => {
		for (let frameIndex = 0; frameIndex < 4; frameIndex++) {
			const output = new outputClass({width: 80, height: 24});
			output.clip({x1: 0, x2: 80, y1: 0, y2: 24});
			for (let y = 0; y < 24; y++) output.write(0, y, `${y} ${long}`, {transformers: []});
			output.get();
		}
	};
	// Ink tests each character of a line that it splits.
	const countTests = (outputClass: OutputClass): number => {
		const tests = vi.spyOn(RegExp.prototype, 'test');
		try {
			draw(outputClass);
			return tests.mock.calls.length;
		} finally {
			tests.mockRestore();
		}
	};
	expect(countTests(inkOutput)).toBeGreaterThan(4 * 24 * 80);
	expect(countTests(quickOutput)).toBeLessThan(countTests(inkOutput) / 3);
});
