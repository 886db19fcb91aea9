import {readFileSync} from 'node:fs';
import type {Plugin} from 'esbuild';

/**
 * Removes node:child_process from commander, which uses it for subcommands that are separate programs; ledge
 * has none.
 */
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
 * Reduces ofetch to `createFetch`, which ledge uses with its own `fetch` and headers. The rest of its entry
 * touches Node's `fetch`, which takes 50 ms to load.
 */
const reducedOfetch: Plugin = {
	name: 'createFetch alone',
	setup(context) {
		context.onLoad({filter: /ofetch.dist.index\.mjs$/}, ({path}) => {
			const found = /import \{ (\w+ as createFetch) \} from '([^']+)'/.exec(readFileSync(path, 'utf8'));
			if (!found) throw new Error('ofetch takes createFetch from elsewhere now: see its dist/index.mjs');
			return {contents: `export {${found[1]}} from '${found[2]}'`};
		});
	},
};

/** Creates a plugin that leaves matching imports out of the bundle; `file` is loaded on first use instead. */
const createSeparateFilePlugin = (filter: RegExp, file: string): Plugin => ({
	name: `${file} apart`,
	setup(context) {
		context.onResolve({filter}, ({kind}) =>
			kind === 'entry-point' ? undefined : {path: `./${file}`, external: true},
		);
	},
});

/**
 * Moves the expression language, which is large and needed only for firewall rules, to a separate file,
 * loaded when one of its functions is first called.
 */
const separateExpressions: Plugin = {
	name: 'expressions apart',
	setup(context) {
		context.onResolve({filter: /\/(expression\/(\w+\/)*[\w-]+|expressions)\.ts$/}, ({importer}) =>
			/source.firewall.expression[/\\]/.test(importer)
				? undefined
				: {path: 'source/firewall/expression/expressions.ts', namespace: 'apart'},
		);
		context.onLoad({filter: /.*/, namespace: 'apart'}, async () => {
			const exported = Object.entries(await import('../firewall/expression/expressions.ts'));
			const wrappers = exported.map(([name, value]) =>
				typeof value === 'function'
					? `export const ${name} = (...given) => language().${name}(...given);`
					: `export const ${name} = ${JSON.stringify(value)};`,
			);
			return {
				contents: `let read; const language = () => (read ??= require('./expressions.cjs'));${wrappers.join('')}`,
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

export const commandPlugins: Plugin[] = [
	reducedOfetch,
	noProgramsAsCommands,
	// Larger than ledge, and needed only for proxies.
	createSeparateFilePlugin(/^undici$/, 'undici.cjs'),
	createSeparateFilePlugin(/\/graphql-language\.ts$/, 'graphql.cjs'),
	// Each decoder is needed only for values of its kind, and queries only when one is asked.
	...['cbor', 'jmespath', 'jpeg', 'messagepack', 'png'].map(name =>
		createSeparateFilePlugin(new RegExp(String.raw`/libraries/${name}\.ts$`), `${name}.cjs`),
	),
	// Part of the launcher, which passes it to the bundles.
	createSeparateFilePlugin(/\/parts\.cjs$/, 'parts.cjs'),
	createSeparateFilePlugin(/\/screens\.tsx$/, 'screens.cjs'),
	separateExpressions,
];
