import {createRequire} from 'node:module';
import {dirname} from 'node:path';
import type {Plugin} from 'esbuild';

const require = createRequire(import.meta.url);
const react = /^react(\/jsx-runtime)?$/;

/**
 * React is CommonJS: esbuild would make a copy of its properties for each file that imports it, which are hundreds.
 * Here all of them import it from one module.
 */
export const reactOnce: Plugin = {
	name: 'react once',
	setup(context) {
		context.onResolve({filter: react}, ({path, kind}) =>
			kind === 'import-statement' ? {path, namespace: 'once'} : undefined,
		);
		context.onLoad({filter: react, namespace: 'once'}, ({path}) => ({
			contents: `const all = require('${path}'); export default all; export const {${Object.keys(require(path))}} = all;`,
			resolveDir: dirname(require.resolve(path)),
		}));
	},
};
