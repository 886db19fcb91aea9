// `npm run build` makes dist/ from source/: the launcher, and bundles that start quickly (source/build).
//   --plain        makes bundles with esbuild alone, without anything of source/build
//   --into FOLDER  another folder than dist
// All that ledge depends on is inside the bundles, with its licence, so an installed ledge needs nothing else.
import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {parseArgs} from 'node:util';
import {type BuildOptions, build} from 'esbuild';

const {plain, into} = parseArgs({
	options: {plain: {type: 'boolean', default: false}, into: {type: 'string', default: 'dist'}},
}).values;
const {version} = JSON.parse(readFileSync('package.json', 'utf8')) as {version: string};

// Everything is made in a folder beside it, and moved when it is whole: two builds at once, or a ledge that starts
// during a build, never see half of one.
mkdirSync(dirname(into), {recursive: true});
const outdir = mkdtempSync(`${into}.new-`);
process.once('exit', () => rmSync(outdir, {recursive: true, force: true}));

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

const sources = plain
	? await buildPlain()
	: await (await import('./source/build/bundles.ts')).buildBundles(common);
await buildLauncher();
writeFileSync(join(outdir, 'licenses.txt'), `${packagesOf(sources).map(licenceOf).join('\n\n')}\n`);
moveInto(into);

/** Moves what was made to a folder, and removes from there what an earlier build left. */
function moveInto(folder: string): void {
	const made = readdirSync(outdir);
	mkdirSync(folder, {recursive: true});
	for (const file of made) renameSync(join(outdir, file), join(folder, file));
	const kept = new Set([...made, 'man']);
	for (const file of readdirSync(folder))
		if (!kept.has(file)) rmSync(join(folder, file), {recursive: true, force: true});
}

/** ES modules that share chunks: Ink waits for imports at its top level, which only ES modules can do. */
async function buildPlain(): Promise<string[]> {
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
	return Object.keys(metafile.inputs);
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
