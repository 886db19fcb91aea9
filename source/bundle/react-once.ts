import {createRequire} from 'node:module';
import {dirname} from 'node:path';
import type {Plugin} from 'esbuild';

const require = createRequire(import.meta.url);
const react = /^react(\/jsx-runtime)?$/;

/**
 * Lets all files import React from one module. React is CommonJS: esbuild would copy its properties for each of the
 * hundreds of files that import it.
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
