import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import type {Plugin} from 'esbuild';

/**
 * Loads source files when the first of their functions is called, as pieces of their own (in-pieces.ts). A file is late
 * where `isLate` answers yes to the file and its importer (paths with slashes, from the checkout) and where all that it
 * exports are functions: what is called later needs nothing of it before.
 */
export const lateModules = (isLate: (file: string, importer: string) => boolean): Plugin => ({
	name: 'late modules',
	setup(context) {
		const root = `${resolve('.').replaceAll('\\', '/')}/`;
		const known = new Map<string, readonly string[] | undefined>();
		const functionsIn = (file: string) => {
			if (!known.has(file)) known.set(file, functionsOf(readFileSync(file, 'utf8')));
			return known.get(file);
		};
		context.onResolve({filter: /^\.\.?\/.*\.tsx?$/}, ({path, importer, resolveDir, kind}) => {
			if (kind !== 'import-statement') return undefined;
			const file = resolve(resolveDir, path);
			const named = (of: string) => of.replaceAll('\\', '/').replace(root, '');
			if (!isLate(named(file), named(importer)) || !functionsIn(file)) return undefined;
			return {path: file, namespace: 'late module', sideEffects: false};
		});
		context.onLoad({filter: /.*/, namespace: 'late module'}, ({path}) => {
			const asked = (functionsIn(path) ?? []).map(
				name => `export const ${name} = (...given) => part().${name}(...given);`,
			);
			return {
				contents: `let read; const part = () => (read ??= atOnce(import(${JSON.stringify(path)})));${asked.join('')}`,
				resolveDir: '/',
			};
		});
	},
});

/** The names of what a source file exports; `undefined` where anything but a function is among it. */
function functionsOf(source: string): readonly string[] | undefined {
	const names: string[] = [];
	for (const [, what = '', name = ''] of source.matchAll(
		/^export (?!type\b)((?:async )?function\*?|\S+)\s*(\w*)/gm,
	)) {
		const isFunction =
			/function\*?$/.test(what) ||
			(what === 'const' &&
				new RegExp(
					`^export const ${name} =\\s+(async )?(<[^\\n]*>)?(\\([^;]*?\\)(: [^=;]+)?|\\w+) =>`,
					'm',
				).test(source));
		if (!isFunction || name === '') return undefined;
		names.push(name);
	}
	return names.length > 0 ? names : undefined;
}
