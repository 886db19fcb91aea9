import {createHash} from 'node:crypto';
import {readFileSync, writeFileSync} from 'node:fs';
import {basename} from 'node:path';
import {type BuildOptions, build} from 'esbuild';
import {bundleInPieces, type PieceLayout} from './bundle-in-pieces.ts';
import {commandPlugins} from './command-plugins.ts';
import {createInkPlugins} from './ink.ts';
import {lateBuiltins} from './late-builtins.ts';

/** One file per area. What all commands need is in cli.cjs, together with the commands for single keys. */
const commandAreas: readonly (readonly [file: string, sources: RegExp])[] = [
	['kv.cjs', /^source.((commands.)?kv|decoding|query)\b/],
	['firewall.cjs', /^source.(commands.)?(firewall|rules|managed|rulesets|events|analytics)\b/],
	['migration.cjs', /^source.(commands.)?migration\b/],
	[
		'simulator.cjs',
		/^source.(simulator|commands.shell.(simulate|simulated-service|rehearsal-service)\.ts)\b/,
	],
];

const commandLayout: PieceLayout = {
	first: {
		file: 'cli.cjs',
		entry: 'source/cli.ts',
		functions: ['main'],
		alsoNeeded: [
			'source/commands/kv/key-commands.ts',
			'source/kv/local/store.ts',
			'source/settings/configuration.ts',
			'source/settings/contexts/read.ts',
			'source/state/audit.ts',
			// For contexts and wrangler.toml.
			'node_modules/smol-toml/dist/index.js',
		],
	},
	chooseFile: (source, isAtStart) =>
		isAtStart ? 'cli.cjs' : (commandAreas.find(([, sources]) => sources.test(source))?.[0] ?? 'more.cjs'),
	shared: 'more.cjs',
};

/** Sources of the areas below that the screens need for the first frame. */
const firstFrameSources =
	/^source.(service.clock|kv.key-index.*|kv.change.undo|kv.stats.cost|kv.transfer.difference-list|managed.change-words|events.listed|analytics.store-query)\.ts$/;

/** State and keys of all screens load at the start; their views and their work load late. */
const screenAreas: readonly (readonly [file: string, sources: RegExp])[] = [
	['screens.cjs', firstFrameSources],
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
		/^source.(kv|decoding|query|service|text.(json|plot|fuzzy|hcl|line-matching|byte-\w+|hex-\w+))\b|^node_modules.(jsonc-parser|smol-toml|ofetch|ufo|destr|ink-text-input|ink-select-input)\b|^source.screens.(keys?|namespaces|bulk|compare|search|stats|metrics|transfer|rename|review|edit|trash)\b/,
	],
	['screens-simulator.cjs', /^source.(simulator|commands.shell.(simulated-service|rehearsal-service)\.ts)\b/],
];

const screenLayout: PieceLayout = {
	first: {
		file: 'screens.cjs',
		entry: 'source/screens.tsx',
		functions: ['main', 'loadKeyTable', 'pickKeys'],
		alsoNeeded: [],
	},
	chooseFile: source => screenAreas.find(([, sources]) => sources.test(source))?.[0] ?? 'screens.cjs',
};

/**
 * Builds the bundles that the launcher loads with `parts.cjs`; returns the paths of all their source files.
 */
export async function buildBundles(common: BuildOptions & {readonly outdir: string}): Promise<string[]> {
	// Bundles have their own `require` (source/parts.cjs), so a dynamic import becomes a late `require`.
	const options: BuildOptions = {
		...common,
		format: 'cjs',
		supported: {'dynamic-import': false},
		metafile: true,
	};
	const builds = await Promise.all([
		bundleInPieces({...options, plugins: [...commandPlugins, lateBuiltins]}, commandLayout),
		bundleInPieces(
			{...options, plugins: [...createInkPlugins(common.outdir), ...commandPlugins, lateBuiltins]},
			screenLayout,
		),
		build({
			...options,
			entryPoints: {
				completion: 'source/complete.ts',
				expressions: 'source/firewall/expression/expressions.ts',
				graphql: 'source/simulator/analytics/graphql-language.ts',
				undici: 'undici',
				cbor: 'source/decoding/libraries/cbor.ts',
				jmespath: 'source/query/libraries/jmespath.ts',
				jpeg: 'source/decoding/libraries/jpeg.ts',
				messagepack: 'source/decoding/libraries/messagepack.ts',
				png: 'source/decoding/libraries/png.ts',
			},
			outExtension: {'.js': '.cjs'},
			plugins: [lateBuiltins],
		}),
	]);
	wrapBundles(builds.flatMap(({metafile}) => Object.keys(metafile?.outputs ?? {})));
	return builds.flatMap(({metafile}) => Object.keys(metafile?.inputs ?? {}));
}

/**
 * Wraps each bundle in a function below a line with the digest of all bundles; source/parts.cjs compares it.
 */
function wrapBundles(files: readonly string[]): void {
	const bundles = files.map(file => ({file, contents: readFileSync(file)}));
	const hash = createHash('sha256');
	for (const {file, contents} of bundles) {
		if (contents.some(byte => byte > 0x7f)) throw new Error(`${file} is not ASCII, but is read as ASCII.`);
		hash.update(`${basename(file)} ${contents.length}\n`).update(contents);
	}
	const digest = hash.digest('hex').slice(0, 32);
	for (const {file, contents} of bundles)
		writeFileSync(file, `// ${digest}\nmodule.exports=(function(require,module,exports){${contents}\n})`);
}
