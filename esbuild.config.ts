// Makes dist/ from source/: the launcher, and one bundle for each way in. A bundle is one CommonJS file, whose
// modules run when they are first asked for: that starts faster than many small files, and far faster than
// loading everything. All that ledge depends on is inside, with its licence, so an installed ledge needs nothing
// else.
import {chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {type BuildOptions, build, type Plugin} from 'esbuild';

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

const shared: BuildOptions = {
	bundle: true,
	format: 'cjs',
	platform: 'node',
	target: 'node22.13',
	minify: true,
	legalComments: 'none',
	metafile: true,
	logLevel: 'warning',
	define: {'process.env.NODE_ENV': '"production"', LEDGE_VERSION: JSON.stringify(version)},
};

rmSync('dist', {recursive: true, force: true});
const made = await Promise.all([
	build({
		...shared,
		entryPoints: {cli: 'source/cli.ts'},
		outdir: 'dist',
		outExtension: {'.js': '.cjs'},
		// ofetch's Node entry carries a second fetch; its plain one uses Node's own. What jsonc-parser offers first
		// asks for its parts in a way that no bundler sees.
		alias: {
			ofetch: './node_modules/ofetch/dist/index.mjs',
			'jsonc-parser': './node_modules/jsonc-parser/lib/esm/main.js',
		},
		plugins: [noProgramsAsCommands, proxyApart],
	}),
	build({...shared, entryPoints: {undici: 'undici'}, outdir: 'dist', outExtension: {'.js': '.cjs'}}),
]);
copyFileSync('source/ledge.cjs', 'dist/ledge.cjs');
chmodSync('dist/ledge.cjs', 0o755);
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
