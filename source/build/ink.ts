import {resolve} from 'node:path';
import type {Plugin} from 'esbuild';
import {changedFiles} from './changed-file.ts';
import {lateSegmenter, quickFrames} from './quick-frames.ts';
import {yogaAsFile} from './yoga-as-file.ts';

/** Ink loads React's developer tools and waits for them. A user of ledge never needs them. */
const noDeveloperTools = changedFiles('no developer tools', [
	{
		filter: /ink.build.reconciler\.js$/,
		pieces: [
			["import.meta.resolve('react-devtools-core');", ''],
			["await import('./devtools.js');", ''],
			['await loadPackageJson()', '{}'],
		],
	},
]);

/** At its end Ink draws the whole frame once more, on a screen that is left at once: 1.5 seconds of a slow line. */
const noLastFrame = changedFiles('no last frame', [
	{
		filter: /ink.build.ink\.js$/,
		pieces: [
			['const shouldClearOnUnmount = isUnmounting && wasFullscreen;', 'const shouldClearOnUnmount = false;'],
		],
	},
]);

/** The five copies of string-width in what Ink uses, each of which is slow to start, become our own measure. */
const oneStringWidth: Plugin = {
	name: 'one string-width',
	setup(context) {
		context.onResolve({filter: /^string-width$/}, () => ({path: resolve('source/text/string-width.ts')}));
	},
};

/** Packages make a segmenter when they are loaded, although the first frame needs none. */
const lateSegmenters = changedFiles('late segmenters', [
	{
		filter: /ink.build.line-update\.js$/,
		pieces: [lateSegmenter('segmenter', "undefined, { granularity: 'grapheme' }")],
	},
	{
		filter: /slice-ansi.tokenize-ansi\.js$/,
		pieces: [lateSegmenter('GRAPHEME_SEGMENTER', "undefined, {granularity: 'grapheme'}")],
	},
	{filter: /wrap-ansi.index\.js$/, pieces: [lateSegmenter('segmenter', '')]},
]);

/** What the build changes in Ink and the packages below it (docs/upstream.md). Writes the WebAssembly of Yoga to a folder. */
export const inkChanges = (folder: string): Plugin[] => [
	noDeveloperTools,
	yogaAsFile(folder),
	quickFrames,
	oneStringWidth,
	noLastFrame,
	lateSegmenters,
];
