// `npm run build` makes dist/ from source/: the launcher, and bundles that start quickly (source/build).
//   --plain        makes bundles with esbuild alone, without anything of source/build
//   --into FOLDER  another folder than dist
// All that ledge depends on is inside the bundles, with its licence, so an installed ledge needs nothing else.
import {chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {parseArgs} from 'node:util';
import {type BuildOptions, build} from 'esbuild';

const {plain, into: outdir} = parseArgs({
	options: {plain: {type: 'boolean', default: false}, into: {type: 'string', default: 'dist'}},
}).values;
const {version} = JSON.parse(readFileSync('package.json', 'utf8')) as {version: string};

const common = {
	bundle: true,
	// ofetch's Node entry carries a second fetch; its plain one uses Node's own. What jsonc-parser offers first asks
	// for its parts in a way that no bundler sees.
	alias: {
		ofetch: './node_modules/ofetch/dist/index.mjs',
		'jsonc-parser': './node_modules/jsonc-parser/lib/esm/main.js',
	},
	platform: 'node',
	target: 'node22.13',
	minify: true,
	legalComments: 'none',
	logLevel: 'warning',
	outdir,
	define: {
		'process.env.NODE_ENV': '"production"',
		LEDGE_VERSION: JSON.stringify(version),
		COMMANDS_AS_JSON: JSON.stringify(await commandsAsText()),
	},
} satisfies BuildOptions;

mkdirSync(outdir, {recursive: true});
const {sources, written} = plain
	? await buildPlain()
	: await (await import('./source/build/bundles.ts')).buildBundles(common);
await buildLauncher();
writeFileSync(join(outdir, 'licenses.txt'), `${packagesOf(sources).map(licenceOf).join('\n\n')}\n`);
const kept = new Set([
	...written.map(file => basename(file)),
	'ledge.cjs',
	'yoga.wasm',
	'licenses.txt',
	'man',
]);
for (const file of readdirSync(outdir)) if (!kept.has(file)) rmSync(join(outdir, file), {recursive: true});

/** ES modules that share chunks: Ink waits for imports at its top level, which only ES modules can do. */
async function buildPlain(): Promise<{sources: string[]; written: string[]}> {
	const {metafile} = await build({
		...common,
		entryPoints: {cli: 'source/cli.ts', completion: 'source/complete.ts'},
		format: 'esm',
		splitting: true,
		outExtension: {'.js': '.mjs'},
		// Ink asks for it in development alone.
		external: ['react-devtools-core'],
		// What packages in CommonJS expect.
		banner: {
			js: `import {createRequire as $createRequire} from 'node:module';
const require = $createRequire(import.meta.url), __dirname = import.meta.dirname;`,
		},
		metafile: true,
	});
	return {sources: Object.keys(metafile.inputs), written: Object.keys(metafile.outputs)};
}

async function buildLauncher(): Promise<void> {
	await build({
		entryPoints: ['source/ledge.cjs'],
		outdir,
		outExtension: {'.js': '.cjs'},
		bundle: true,
		platform: 'node',
		format: 'cjs',
		// What any Node reads: an old one then says what ledge needs.
		target: 'es2015',
		supported: {'dynamic-import': true},
		define: {LEDGE_VERSION: JSON.stringify(version), IS_PLAIN_BUILD: String(plain)},
		// A script of the shell with one command, which to JavaScript is a string. Node would take an --env-file among
		// ledge's options for its own, and run what NODE_OPTIONS in it names; behind `--` it takes none.
		// `#!/usr/bin/env -S node --` would do on Linux and macOS, but the env of BusyBox (Alpine) has no -S.
		banner: {js: `#!/bin/sh\n':' //; exec node -- "$0" "$@"\n`},
		legalComments: 'none',
		minifyWhitespace: true,
		logLevel: 'warning',
	});
	chmodSync(join(outdir, 'ledge.cjs'), 0o755);
}

/** The tree of commands for completion, which then needs none of them. */
async function commandsAsText(): Promise<string> {
	Object.assign(globalThis, {LEDGE_VERSION: version});
	const {createProgram} = await import('./source/commands/program.ts');
	const {completionTree} = await import('./source/commands/completion-tree.ts');
	return JSON.stringify(completionTree((await createProgram()).program));
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
