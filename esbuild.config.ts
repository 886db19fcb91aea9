// `npm run build` builds dist/ from source/: the launcher, and bundles that start quickly (source/build).
//   --plain        build with esbuild alone, without source/build
//   --into FOLDER  write to FOLDER instead of dist
// The bundles include all dependencies, with their licences, so an installed ledge needs nothing else.
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

// Builds in a temporary folder and moves the files when complete: concurrent builds, or a ledge that starts
// during a build, never see an incomplete one.
mkdirSync(dirname(into), {recursive: true});
const outdir = mkdtempSync(`${into}.new-`);
process.once('exit', () => rmSync(outdir, {recursive: true, force: true}));

const common = {
	bundle: true,
	// ofetch's Node entry includes a second fetch; its default entry uses Node's. The main entry of
	// jsonc-parser is UMD, whose `require` calls bundlers cannot follow.
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
		COMMANDS_AS_JSON: JSON.stringify(await serializeCommands()),
	},
} satisfies BuildOptions;

const sources = plain
	? await buildPlain()
	: await (await import('./source/build/bundles.ts')).buildBundles(common);
await buildLauncher();
writeFileSync(join(outdir, 'licenses.txt'), `${listPackageFolders(sources).map(readLicence).join('\n\n')}\n`);
moveBuild(into);

/** Moves the build output to `folder`, and removes files of earlier builds there, except man pages. */
function moveBuild(folder: string): void {
	const files = readdirSync(outdir);
	mkdirSync(folder, {recursive: true});
	for (const file of files) renameSync(join(outdir, file), join(folder, file));
	const keptFiles = new Set([...files, 'man']);
	for (const file of readdirSync(folder))
		if (!keptFiles.has(file)) rmSync(join(folder, file), {recursive: true, force: true});
}

/**
 * Builds ES modules that share chunks, since Ink uses top-level await. Returns the paths of their sources.
 */
async function buildPlain(): Promise<string[]> {
	const {metafile} = await build({
		...common,
		entryPoints: {cli: 'source/cli.ts', completion: 'source/complete.ts'},
		format: 'esm',
		splitting: true,
		outExtension: {'.js': '.mjs'},
		// Ink imports it only in development.
		external: ['react-devtools-core'],
		// Globals that CommonJS packages expect.
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
		// Readable by any Node, so that an old one can report which version ledge needs.
		target: 'es2015',
		supported: {'dynamic-import': true},
		define: {LEDGE_VERSION: JSON.stringify(version), IS_PLAIN_BUILD: String(plain)},
		// A shell command that JavaScript reads as a string. Without `--`, Node would interpret an --env-file
		// among ledge's options, and run what NODE_OPTIONS in that file names. `#!/usr/bin/env -S node --`
		// works on Linux and macOS, but the env of BusyBox (Alpine) has no -S.
		banner: {js: `#!/bin/sh\n':' //; exec node -- "$0" "$@"\n`},
		legalComments: 'none',
		minifyWhitespace: true,
		logLevel: 'warning',
	});
	chmodSync(join(outdir, 'ledge.cjs'), 0o755);
}

/** Serializes the command tree as JSON, so that completion does not load the commands. */
async function serializeCommands(): Promise<string> {
	Object.assign(globalThis, {LEDGE_VERSION: version});
	const {createProgram} = await import('./source/commands/program.ts');
	const {buildCompletionTree} = await import('./source/commands/completion-tree.ts');
	return JSON.stringify(buildCompletionTree((await createProgram()).program));
}

/** Lists the folders of the packages that `files` belong to. */
function listPackageFolders(files: readonly string[]): string[] {
	const folders = files.map(file => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
	return [...new Set(folders.filter(folder => folder !== undefined))].sort();
}

/** Formats the licence of a package, which its terms require to be distributed with it. */
function readLicence(folder: string): string {
	const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
		name: string;
		version: string;
		license: string;
	};
	const file = readdirSync(folder).find(entry => /^licen[cs]e/i.test(entry));
	const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
	return `${manifest.name} ${manifest.version} (${manifest.license})${text}`;
}
