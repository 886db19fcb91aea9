import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Plugin} from 'esbuild';
import {changedFiles} from './changed-file.ts';

/**
 * Yoga, which lays out for Ink, carries its WebAssembly as text and reads it with `fetch`: the first touch of that
 * costs more than all the rest of the start. Here the module is a file beside the bundle, read as a file and at once:
 * a bundle that waits while it loads could only be an ES module, of which no code can be kept.
 */
export function yogaAsFile(folder: string): Plugin {
	const source = join('node_modules', 'yoga-layout', 'dist', 'binaries', 'yoga-wasm-base64-esm.js');
	const [whole = '', base64 = ''] =
		/data:application\/octet-stream;base64,([\w+/=]+)/.exec(readFileSync(source, 'utf8')) ?? [];
	writeFileSync(join(folder, 'yoga.wasm'), Buffer.from(base64, 'base64'));
	return changedFiles('yoga as a file', [
		{
			filter: /yoga-layout.dist.binaries.yoga-wasm-base64-esm\.js$/,
			pieces: [
				[whole, ''],
				['import.meta.url', 'undefined'],
			],
		},
		{
			filter: /yoga-layout.dist.src.index\.js$/,
			pieces: [['wrapAssembly(await loadYoga())', 'wrapAssembly(yogaAtOnce())']],
			behind: `
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
function yogaAtOnce() {
    const yoga = {
        instantiateWasm(imports, receive) {
            const compiled = new WebAssembly.Module(readFileSync(join(__dirname, 'yoga.wasm')));
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
