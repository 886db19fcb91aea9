import {createRequire} from 'node:module';
import type {Plugin} from 'esbuild';

const require = createRequire(import.meta.url);

/** Node modules that load slowly (up to 5 ms) and that neither the first frame nor most commands need. */
const lateModules = /^node:(child_process|crypto|fs\/promises|os|timers\/promises|v8|zlib)$/;

/**
 * Loads `lateModules` when one of their functions is first called. Packages import `node:os` as a whole and
 * get it immediately. Imports of `process` become the global: esbuild would copy its properties for each
 * import.
 */
export const lateBuiltins: Plugin = {
	name: 'late builtins',
	setup(context) {
		context.onResolve({filter: lateModules}, ({path, kind, importer}) =>
			kind === 'import-statement' && !(path === 'node:os' && importer.includes('node_modules'))
				? {path, namespace: 'late', sideEffects: false}
				: undefined,
		);
		context.onLoad({filter: lateModules, namespace: 'late'}, ({path}) => {
			const exportLines = Object.entries(require(path) as Record<string, unknown>)
				.filter(([name]) => /^[a-z]\w+$/.test(name) && name !== 'default')
				.map(([name, value]) =>
					typeof value === 'function'
						? `export const ${name} = (...given) => part().${name}(...given);`
						: // A constant that is used loads the module immediately.
							`export const ${name} = /* @__PURE__ */ (() => part().${name})();`,
				);
			return {contents: `let read; const part = () => (read ??= require('${path}'));${exportLines.join('')}`};
		});
		context.onResolve({filter: /^(node:)?process$/}, ({kind}) =>
			kind === 'import-statement' ? {path: 'process', namespace: 'process'} : undefined,
		);
		context.onLoad({filter: /.*/, namespace: 'process'}, () => ({
			contents: 'export default process; export const {env, cwd} = process;',
		}));
	},
};
