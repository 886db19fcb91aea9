// Makes dist/ from source/: the launcher, and one bundle for each way in. A bundle is one CommonJS file, whose
// modules run when they are first asked for: that starts faster than many small files, and far faster than
// loading everything. All that ledge depends on is inside, with its licence, so an installed ledge needs nothing
// else.
import {createHash} from 'node:crypto';
import {chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {basename, join, resolve} from 'node:path';
import {type BuildOptions, build, type Plugin} from 'esbuild';
import {changedFiles} from './source/bundle/changed-file.ts';
import {inPieces, type Sharing} from './source/bundle/in-pieces.ts';
import {lateBuiltins} from './source/bundle/late-builtins.ts';
import {quickFrames} from './source/bundle/quick-frames.ts';
import {reactOnce} from './source/bundle/react-once.ts';
import {yogaAsFile} from './source/bundle/yoga-as-file.ts';

const {version} = JSON.parse(readFileSync('package.json', 'utf8')) as {version: string};

/**
 * The first lines of the launcher: a script of the shell with one command, which to JavaScript is a string. Node would
 * take an --env-file among ledge's options for its own, and run what NODE_OPTIONS in it names; behind `--` it takes
 * none. `#!/usr/bin/env -S node --` would do on Linux and macOS, but the env of BusyBox (Alpine) has no -S.
 */
const asProgram = `#!/bin/sh
':' //; exec node -- "$0" "$@"
`;

/** Commander can start subcommands as programs of their own. Ledge has none, and loading what that takes is slow. */
const noProgramsAsCommands: Plugin = {
	name: 'no programs as commands',
	setup(context) {
		context.onResolve({filter: /^(node:)?child_process$/}, ({importer}) =>
			/node_modules.commander/.test(importer) ? {path: 'none', namespace: 'empty'} : undefined,
		);
		context.onLoad({filter: /.*/, namespace: 'empty'}, () => ({contents: 'export default {}'}));
	},
};

/**
 * Of ofetch only `createFetch` is used, with a `fetch` and headers of ledge's own. The rest of its entry touches Node's
 * `fetch`, which takes 50 ms to load.
 */
const createFetchAlone: Plugin = {
	name: 'createFetch alone',
	setup(context) {
		context.onLoad({filter: /ofetch.dist.index\.mjs$/}, ({path}) => {
			const parts = /import \{ (\w+ as createFetch) \} from '([^']+)'/.exec(readFileSync(path, 'utf8'));
			if (!parts) throw new Error('ofetch takes createFetch from elsewhere now: see its dist/index.mjs');
			return {contents: `export {${parts[1]}} from '${parts[2]}'`};
		});
	},
};

/** The library for proxies is larger than ledge and rarely needed: it is a file beside the bundle. */
const proxyApart: Plugin = {
	name: 'proxy apart',
	setup(context) {
		context.onResolve({filter: /^undici$/}, () => ({path: './undici.cjs', external: true}));
	},
};

/** What packages read large tables or other packages for, at their start, although ledge knows the answer. */
const knownAnswers = changedFiles('known answers', [
	{
		filter: /node_modules.ansi-escapes.base\.js$/,
		pieces: [["import {isBrowser} from 'environment';", 'const isBrowser = false;']],
	},
]);

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

/** What Ink shows a crash with loads Node's modules: it is loaded with the first crash. */
const noTracesBefore: Plugin = {
	name: 'no traces before a crash',
	setup(context) {
		context.onResolve({filter: /^stack-utils$/}, ({path, kind, resolveDir}) =>
			kind === 'import-statement' ? {path, namespace: 'traces', pluginData: resolveDir} : undefined,
		);
		context.onLoad({filter: /.*/, namespace: 'traces'}, ({pluginData}) => ({
			contents: `export default class {
				constructor(options) { this.options = options; }
				static nodeInternals() { return undefined; }
				parseLine(line) {
					const Traces = require('stack-utils');
					this.traces ??= new Traces({...this.options, internals: Traces.nodeInternals()});
					return this.traces.parseLine(line);
				}
			}`,
			resolveDir: pluginData as string,
		}));
	},
};

/** What Ink does at the end of the process asserts one thing, for which Node's assertions would be loaded at the start. */
const noAssertions = changedFiles('no assertions', [
	{
		filter: /node_modules.signal-exit.index\.js$/,
		pieces: [
			["var assert = require('assert')", ''],
			[
				"assert.equal(typeof cb, 'function', 'a callback must be provided for exit handler')",
				"if (typeof cb !== 'function') throw new TypeError('a callback must be provided for exit handler')",
			],
		],
	},
]);

/** The language of queries is needed by the simulated service alone: it is a file beside the bundles, loaded with the first query. */
const queriesApart: Plugin = {
	name: 'queries apart',
	setup(context) {
		context.onResolve({filter: /\/graphql-language\.ts$/}, () => ({path: './graphql.cjs', external: true}));
	},
};

/** What the launcher and the bundles share is part of the launcher, which hands it to them (source/load.cjs). */
const launcherApart: Plugin = {
	name: 'launcher apart',
	setup(context) {
		context.onResolve({filter: /\/(parts|v8-flags)\.cjs$/}, ({path}) => ({
			path: `./${basename(path)}`,
			external: true,
		}));
	},
};

/** The screens begin at `ledge` alone on a terminal: a way in of its own, which the commands load as a file. */
const screensApart: Plugin = {
	name: 'screens apart',
	setup(context) {
		context.onResolve({filter: /\/screens\.tsx$/}, () => ({path: './screens.cjs', external: true}));
	},
};

/**
 * The expression language is large, and only firewall rules need it: it is a file beside the bundles, loaded when the
 * first of its functions is called.
 */
const expressionsApart: Plugin = {
	name: 'expressions apart',
	setup(context) {
		context.onResolve({filter: /\/(expression\/(\w+\/)*[\w-]+|expressions)\.ts$/}, ({importer}) =>
			/source.firewall.expression[/\\]/.test(importer)
				? undefined
				: {path: 'source/firewall/expression/expressions.ts', namespace: 'apart'},
		);
		context.onLoad({filter: /.*/, namespace: 'apart'}, async () => {
			const exported = Object.entries(await import('./source/firewall/expression/expressions.ts'));
			const asked = exported.map(([name, value]) =>
				typeof value === 'function'
					? `export const ${name} = (...given) => language().${name}(...given);`
					: `export const ${name} = ${JSON.stringify(value)};`,
			);
			return {
				contents: `let read; const language = () => (read ??= require('./expressions.cjs'));${asked.join('')}`,
			};
		});
		context.onResolve({filter: /expressions\.cjs$/}, ({path}) => ({path, external: true}));
		context.onEnd(({metafile}) => {
			const strays = Object.keys(metafile?.inputs ?? {}).filter(file =>
				/^source.firewall.expression[/\\]/.test(file),
			);
			return {
				errors: strays.map(file => ({text: `${file} is not apart: something imports it by another way.`})),
			};
		});
	},
};

/** The five copies of string-width in what Ink uses, each of which is slow to start, become our own measure. */
const oneStringWidth: Plugin = {
	name: 'one string-width',
	setup(context) {
		context.onResolve({filter: /^string-width$/}, () => ({path: resolve('source/text/string-width.ts')}));
	},
};

// ofetch's Node entry carries a second fetch; its plain one uses Node's own. What jsonc-parser offers first asks
// for its parts in a way that no bundler sees.
const alias = {
	ofetch: './node_modules/ofetch/dist/index.mjs',
	'jsonc-parser': './node_modules/jsonc-parser/lib/esm/main.js',
};

const shared: BuildOptions = {
	bundle: true,
	format: 'cjs',
	alias,
	platform: 'node',
	target: 'node22.13',
	minify: true,
	legalComments: 'none',
	// Kept code has no way to import (source/load.cjs); what is imported late is required late.
	supported: {'dynamic-import': false},
	metafile: true,
	logLevel: 'warning',
	define: {'process.env.NODE_ENV': '"production"', LEDGE_VERSION: JSON.stringify(version)},
};

/** The tree of commands for completion, which then needs none of them. */
async function commandsAsText(): Promise<string> {
	Object.assign(globalThis, {LEDGE_VERSION: version});
	const {createProgram} = await import('./source/commands/program.ts');
	const {completionTree} = await import('./source/commands/completion-tree.ts');
	return JSON.stringify(completionTree((await createProgram()).program));
}

/** A file for each area. What every command needs is in the first one, with all of the commands for single keys. */
const areas: readonly (readonly [file: string, sources: RegExp])[] = [
	['kv.cjs', /^source.(commands.)?kv\b/],
	['firewall.cjs', /^source.(commands.)?(firewall|rules|managed|rulesets|events|analytics)\b/],
	['migration.cjs', /^source.(commands.)?migration\b/],
	[
		'simulator.cjs',
		/^source.(simulator|commands.shell.(simulate|simulated-service|rehearsal-service)\.ts)\b/,
	],
];

const commandFiles: Sharing = {
	first: {
		file: 'cli.cjs',
		entry: 'source/cli.ts',
		with: [
			'source/commands/kv/key.ts',
			'source/kv/local/store.ts',
			'source/settings/configuration.ts',
			'source/settings/contexts/read.ts',
			'source/state/audit.ts',
			// For contexts and for wrangler.toml.
			'node_modules/smol-toml/dist/index.js',
		],
	},
	fileFor: (source, isAtStart) =>
		isAtStart ? 'cli.cjs' : (areas.find(([, sources]) => sources.test(source))?.[0] ?? 'more.cjs'),
	shared: 'more.cjs',
};

/** What the screens load before the first frame, although it is of an area. */
const ofFirstFrame =
	/^source.(service.clock|kv.key-index.*|kv.change.undo|kv.stats.cost|kv.transfer.difference-list|managed.change-words|events.listed|analytics.store-query)\.ts$/;

/** State and keys of all screens are there from the start; what draws them, and what does their work, is not. */
const screenAreas: readonly (readonly [file: string, sources: RegExp])[] = [
	['screens.cjs', ofFirstFrame],
	[
		'screens.cjs',
		/^source.screens\b(?!.*\b(rows|lines|draft|difference|finding|facts|find|requests|outcome)\b).*\.ts$/,
	],
	[
		'screens-firewall.cjs',
		/^source.(screens.)?(firewall|rules|managed|managed-edit|rulesets|events|analytics|custom-rules?|emergency|wizard|merge|catalogue|left-behind|rate-limits|versions|expression-editor)\b/,
	],
	['screens-migration.cjs', /^source.(screens.)?(migration|validation)\b/],
	[
		'screens-kv.cjs',
		/^source.(kv|service|text.(json|plot|fuzzy|hcl|line-matching|byte-\w+|hex-\w+))\b|^node_modules.(jsonc-parser|smol-toml|ofetch|ufo|destr|ink-text-input|ink-select-input)\b|^source.screens.(keys?|namespaces|bulk|compare|search|stats|metrics|transfer|rename|review|edit|trash)\b/,
	],
	['screens-simulator.cjs', /^source.(simulator|commands.shell.(simulated-service|rehearsal-service)\.ts)\b/],
];

const screenFiles: Sharing = {
	first: {file: 'screens.cjs', entry: 'source/screens.tsx', with: []},
	fileFor: source => screenAreas.find(([, sources]) => sources.test(source))?.[0] ?? 'screens.cjs',
	everywhere: 'source/bundle/late-globals.ts',
};

mkdirSync('dist', {recursive: true});
const made = await Promise.all([
	inPieces(
		{
			...shared,
			outdir: 'dist',
			plugins: [
				createFetchAlone,
				noProgramsAsCommands,
				proxyApart,
				screensApart,
				queriesApart,
				launcherApart,
				expressionsApart,
				lateBuiltins,
			],
		},
		commandFiles,
	),
	inPieces(
		{
			...shared,
			outdir: 'dist',
			define: {...shared.define, 'Intl.Segmenter': 'LateSegmenter', performance: 'monotonicClock'},
			plugins: [
				noDeveloperTools,
				noAssertions,
				noTracesBefore,
				yogaAsFile('dist'),
				quickFrames,
				oneStringWidth,
				knownAnswers,
				noLastFrame,
				createFetchAlone,
				proxyApart,
				queriesApart,
				launcherApart,
				expressionsApart,
				lateBuiltins,
				reactOnce,
			],
		},
		screenFiles,
	),
	build({
		...shared,
		define: {...shared.define, COMMANDS_AS_JSON: JSON.stringify(await commandsAsText())},
		entryPoints: {completion: 'source/complete.ts'},
		outdir: 'dist',
		outExtension: {'.js': '.cjs'},
		plugins: [lateBuiltins],
	}),
	build({
		...shared,
		entryPoints: {expressions: 'source/firewall/expression/expressions.ts'},
		outdir: 'dist',
		outExtension: {'.js': '.cjs'},
	}),
	build({
		...shared,
		entryPoints: {graphql: 'source/simulator/analytics/graphql-language.ts'},
		outdir: 'dist',
		outExtension: {'.js': '.cjs'},
	}),
	build({
		...shared,
		alias: {},
		entryPoints: {undici: 'undici'},
		outdir: 'dist',
		outExtension: {'.js': '.cjs'},
	}),
]);
const outputs = made.flatMap(({metafile}) => Object.keys(metafile?.outputs ?? {}));
stamp(outputs);
await build({
	entryPoints: ['source/ledge.cjs'],
	outdir: 'dist',
	outExtension: {'.js': '.cjs'},
	bundle: true,
	platform: 'node',
	format: 'cjs',
	// What any Node reads: an old one then says what ledge needs.
	target: 'es2015',
	define: {LEDGE_VERSION: JSON.stringify(version)},
	banner: {js: asProgram},
	legalComments: 'none',
	minifyWhitespace: true,
	logLevel: 'warning',
});
chmodSync('dist/ledge.cjs', 0o755);
const kept = new Set([
	...outputs.map(file => basename(file)),
	'ledge.cjs',
	'yoga.wasm',
	'licenses.txt',
	'man',
]);
for (const file of readdirSync('dist')) if (!kept.has(file)) rmSync(join('dist', file), {recursive: true});
const inputs = made.flatMap(({metafile}) => Object.keys(metafile?.inputs ?? {}));
writeFileSync('dist/licenses.txt', `${packagesOf(inputs).map(licenceOf).join('\n\n')}\n`);

/**
 * Makes bundles what source/load.cjs loads: a function, below a line with the digest of them all. The kept code of a bundle is
 * found by it, and a bundle of another build is not loaded.
 */
function stamp(files: readonly string[]): void {
	const bundles = files.map(file => ({file, contents: readFileSync(file)}));
	const hash = createHash('sha256');
	for (const {file, contents} of bundles) {
		if (contents.some(byte => byte > 0x7f)) throw new Error(`${file} is not ASCII, but it is read as ASCII.`);
		hash.update(`${file} ${contents.length}\n`).update(contents);
	}
	const digest = hash.digest('hex').slice(0, 32);
	for (const {file, contents} of bundles)
		writeFileSync(
			file,
			`// ${digest}\n(function(require,module,exports,__filename,__dirname){${contents}\n})`,
		);
}

/** The folders of the packages that went into a bundle. */
function packagesOf(files: readonly string[]): string[] {
	const folders = files.map(file => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
	return [...new Set(folders.filter(folder => folder !== undefined))].sort();
}

/** The licence of a package, as its terms ask of whoever passes it on. */
function licenceOf(folder: string): string {
	const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
		name: string;
		version: string;
		license: string;
	};
	const file = readdirSync(folder).find(entry => /^licen[cs]e/i.test(entry));
	const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
	return `${about.name} ${about.version} (${about.license})${text}`;
}
