import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Plugin} from 'esbuild';
import {createPatchPlugin} from './patch-plugin.ts';

/**
 * Writes the WebAssembly of Yoga, Ink's layout engine, to `folder`, and creates a plugin that loads it
 * synchronously. Yoga embeds it as a data URL and reads it with `fetch`, which takes longer than the rest of
 * the start. A bundle with a top-level await would have to be an ES module, whose compiled code cannot be
 * cached.
 */
export function createYogaPlugin(folder: string): Plugin {
	const source = join('node_modules', 'yoga-layout', 'dist', 'binaries', 'yoga-wasm-base64-esm.js');
	const [dataUrl = '', base64 = ''] =
		/data:application\/octet-stream;base64,([\w+/=]+)/.exec(readFileSync(source, 'utf8')) ?? [];
	writeFileSync(join(folder, 'yoga.wasm'), Buffer.from(base64, 'base64'));
	return createPatchPlugin('yoga as a file', [
		{
			filter: /yoga-layout.dist.binaries.yoga-wasm-base64-esm\.js$/,
			replacements: [
				[dataUrl, ''],
				['import.meta.url', 'undefined'],
			],
		},
		{
			filter: /yoga-layout.dist.src.index\.js$/,
			replacements: [['wrapAssembly(await loadYoga())', 'wrapAssembly(yogaAtOnce())']],
			appended: `
function yogaAtOnce() {
    const yoga = {
        instantiateWasm(imports, receive) {
            const compiled = new WebAssembly.Module(require('./parts.cjs').bytesOf('yoga.wasm'));
            receive(new WebAssembly.Instance(compiled, imports));
            return {};
        },
    };
    loadYoga(yoga);
    return yoga;
}
`,
		},
	]);
}
