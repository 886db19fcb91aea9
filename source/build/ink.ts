import {resolve} from 'node:path';
import type {Plugin} from 'esbuild';
import {createPatchPlugin} from './patch-plugin.ts';
import {deferSegmenter, quickFrames} from './quick-frames.ts';
import {createYogaPlugin} from './yoga-as-file.ts';

/** Removes React's developer tools, which Ink imports with a top-level await. */
const noDeveloperTools = createPatchPlugin('no developer tools', [
	{
		filter: /ink.build.reconciler\.js$/,
		replacements: [
			["import.meta.resolve('react-devtools-core');", ''],
			["await import('./devtools.js');", ''],
			['await loadPackageJson()', '{}'],
		],
	},
]);

/**
 * Keeps Ink from redrawing the whole frame on exit, just before the screen is left: 1.5 seconds on a slow
 * line.
 */
const noLastFrame = createPatchPlugin('no last frame', [
	{
		filter: /ink.build.ink\.js$/,
		replacements: [
			['const shouldClearOnUnmount = isUnmounting && wasFullscreen;', 'const shouldClearOnUnmount = false;'],
		],
	},
]);

/** Replaces the five copies of string-width below Ink, each slow to load, with ledge's own. */
const oneStringWidth: Plugin = {
	name: 'one string-width',
	setup(context) {
		context.onResolve({filter: /^string-width$/}, () => ({path: resolve('source/text/string-width.ts')}));
	},
};

/** Defers the segmenters that packages create on load; the first frame needs none. */
const lateSegmenters = createPatchPlugin('late segmenters', [
	{
		filter: /ink.build.line-update\.js$/,
		replacements: [deferSegmenter('segmenter', "undefined, { granularity: 'grapheme' }")],
	},
	{
		filter: /slice-ansi.tokenize-ansi\.js$/,
		replacements: [deferSegmenter('GRAPHEME_SEGMENTER', "undefined, {granularity: 'grapheme'}")],
	},
	{filter: /wrap-ansi.index\.js$/, replacements: [deferSegmenter('segmenter', '')]},
]);

/**
 * Creates the plugins that patch Ink and its dependencies (docs/upstream.md). Writes yoga.wasm to `folder`.
 */
export const createInkPlugins = (folder: string): Plugin[] => [
	noDeveloperTools,
	createYogaPlugin(folder),
	quickFrames,
	oneStringWidth,
	noLastFrame,
	lateSegmenters,
];
