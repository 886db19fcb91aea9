// Makes dist/ from source/: the launcher, and one bundle for each way in. A bundle is one CommonJS file, whose
// modules run when they are first asked for: that starts faster than many small files, and far faster than
// loading everything. All that ledge depends on is inside, with its licence, so an installed ledge needs nothing
// else.
import {chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {basename, dirname, join, resolve} from 'node:path';
import {type BuildOptions, build, type Plugin} from 'esbuild';
import {quickFrames} from './source/bundle/quick-frames.ts';

const {version} = JSON.parse(readFileSync('package.json', 'utf8')) as {version: string};

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

/** Only who has a proxy needs its library, which is larger than ledge: it is a file beside the bundle. */
const proxyApart: Plugin = {
	name: 'proxy apart',
	setup(context) {
		context.onResolve({filter: /^undici$/}, () => ({path: './undici.cjs', external: true}));
	},
};

/** Ink can be watched with React's developer tools, which nobody needs who only runs ledge. */
const noDeveloperTools: Plugin = {
	name: 'no developer tools',
	setup(context) {
		context.onResolve({filter: /^react-devtools-core$/}, () => ({path: 'none', namespace: 'empty'}));
		context.onLoad({filter: /.*/, namespace: 'empty'}, () => ({contents: 'export default {}'}));
	},
};

/** The screens begin at `ledge` alone on a terminal: a way in of its own, which the commands load as a file. */
const screensApart: Plugin = {
	name: 'screens apart',
	setup(context) {
		context.onResolve({filter: /\/screens\.tsx$/}, () => ({path: './screens.mjs', external: true}));
	},
};

/**
 * The language of expressions is large, and only who writes rules of the firewall needs it: a file beside the bundles,
 * read when the first of its functions is called.
 */
const expressionsApart: Plugin = {
	name: 'expressions apart',
	setup(context) {
		context.onResolve({filter: /\/expression\/[\w-]+\.ts$/}, ({importer}) =>
			/source.firewall.expression(s\.ts$|[/\\])/.test(importer)
				? undefined
				: {path: 'source/firewall/expressions.ts', namespace: 'apart'},
		);
		context.onLoad({filter: /.*/, namespace: 'apart'}, async () => {
			const names = Object.keys(await import('./source/firewall/expressions.ts'));
			const asked = names.map(name => `export const ${name} = (...given) => language().${name}(...given);`);
			return {
				contents: `let read; const language = () => (read ??= require('./expressions.cjs'));${asked.join('')}`,
			};
		});
		context.onResolve({filter: /expressions\.cjs$/}, ({path}) => ({path, external: true}));
	},
};

/**
 * Yoga, which lays out for Ink, carries its WebAssembly as text and reads it with `fetch`: the first touch of that
 * costs more than all the rest of the start. Here the module is a file beside the bundle, read as a file.
 */
const yogaAsFile: Plugin = {
	name: 'yoga as a file',
	setup(context) {
		context.onLoad({filter: /yoga-layout.dist.binaries.yoga-wasm-base64-esm\.js$/}, ({path}) => {
			const text = readFileSync(path, 'utf8');
			const [whole = '', base64 = ''] = /data:application\/octet-stream;base64,([\w+/=]+)/.exec(text) ?? [];
			writeFileSync('dist/yoga.wasm', Buffer.from(base64, 'base64'));
			return {contents: text.replace(whole, '')};
		});
		context.onLoad({filter: /yoga-layout.dist.src.index\.js$/}, ({path}) => ({
			contents: readFileSync(path, 'utf8')
				.replace(
					'await loadYoga()',
					"await loadYoga({wasmBinary: readFileSync(new URL('yoga.wasm', import.meta.url))})",
				)
				.replace(/^/, "import {readFileSync} from 'node:fs';\n"),
			resolveDir: dirname(path),
		}));
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
	metafile: true,
	logLevel: 'warning',
	define: {'process.env.NODE_ENV': '"production"', LEDGE_VERSION: JSON.stringify(version)},
};

mkdirSync('dist', {recursive: true});
const made = await Promise.all([
	build({
		...shared,
		entryPoints: {cli: 'source/cli.ts'},
		outdir: 'dist',
		outExtension: {'.js': '.cjs'},
		plugins: [noProgramsAsCommands, proxyApart, screensApart, expressionsApart],
	}),
	build({
		...shared,
		// Ink waits while it loads (top-level await), which only ES modules can.
		format: 'esm',
		inject: ['source/bundle/late-segmenter.ts'],
		define: {...shared.define, 'Intl.Segmenter': 'LateSegmenter'},
		entryPoints: {screens: 'source/screens.tsx'},
		outdir: 'dist',
		outExtension: {'.js': '.mjs'},
		banner: {
			js: "import {createRequire as ledgeRequire} from 'node:module';const require=ledgeRequire(import.meta.url);",
		},
		plugins: [noDeveloperTools, yogaAsFile, quickFrames, oneStringWidth, proxyApart, expressionsApart],
	}),
	build({
		...shared,
		entryPoints: {expressions: 'source/firewall/expressions.ts'},
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
copyFileSync('source/ledge.cjs', 'dist/ledge.cjs');
chmodSync('dist/ledge.cjs', 0o755);
const outputs = made.flatMap(({metafile}) => Object.keys(metafile?.outputs ?? {}));
const kept = new Set([...outputs.map(file => basename(file)), 'ledge.cjs', 'yoga.wasm', 'licenses.txt']);
for (const file of readdirSync('dist')) if (!kept.has(file)) rmSync(join('dist', file), {recursive: true});
const inputs = made.flatMap(({metafile}) => Object.keys(metafile?.inputs ?? {}));
writeFileSync('dist/licenses.txt', `${packagesOf(inputs).map(licenceOf).join('\n\n')}\n`);

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
