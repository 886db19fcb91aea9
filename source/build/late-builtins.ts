import {createRequire} from 'node:module';
import type {Plugin} from 'esbuild';

const require = createRequire(import.meta.url);

/** Parts of Node that load slowly (up to 5 ms), and that neither the first frame nor most commands need. */
const late = /^node:(child_process|crypto|fs\/promises|os|timers\/promises|v8|zlib)$/;

/**
 * Loads these parts of Node when the first of their functions is called; packages, which take `node:os` as a whole, receive
 * that at once. `process`, which all of Ink imports, stays the global one: esbuild would copy its properties for each import.
 */
export const lateBuiltins: Plugin = {
	name: 'late builtins',
	setup(context) {
		context.onResolve({filter: late}, ({path, kind, importer}) =>
			kind === 'import-statement' && !(path === 'node:os' && importer.includes('node_modules'))
				? {path, namespace: 'late', sideEffects: false}
				: undefined,
		);
		context.onLoad({filter: late, namespace: 'late'}, ({path}) => {
			const exports = Object.entries(require(path) as Record<string, unknown>)
				.filter(([name]) => /^[a-z]\w+$/.test(name) && name !== 'default')
				.map(([name, value]) =>
					typeof value === 'function'
						? `export const ${name} = (...given) => part().${name}(...given);`
						: // Where it is used, it is loaded at once.
							`export const ${name} = /* @__PURE__ */ (() => part().${name})();`,
				);
			return {contents: `let read; const part = () => (read ??= require('${path}'));${exports.join('')}`};
		});
		context.onResolve({filter: /^(node:)?process$/}, ({kind}) =>
			kind === 'import-statement' ? {path: 'process', namespace: 'process'} : undefined,
		);
		context.onLoad({filter: /.*/, namespace: 'process'}, () => ({
			contents: 'export default process; export const {env, cwd} = process;',
		}));
	},
};
