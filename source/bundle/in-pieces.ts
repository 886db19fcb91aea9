import {readFileSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {type BuildOptions, build, type Metafile, transform} from 'esbuild';

/** How the pieces of a program are shared out. */
export type Sharing = {
	/** The file with the entry point, and with all that these files (paths from the checkout) need at once. */
	readonly first: {readonly file: string; readonly entry: string; readonly with: readonly string[]};
	/** The file for what is needed late by this source file, where nothing of another one needs it too. */
	fileFor(source: string): string;
	/** The file for what is needed late in several of them. */
	readonly shared: string;
	/** A source file without imports whose exports all of the code may use. */
	readonly everywhere?: string;
};

/** A piece: its file, and its number in it. */
type Piece = {readonly file: string; readonly number: number};

/**
 * Bundles a program in pieces: what is imported late is a piece, and so is what several pieces share. A piece is a
 * function, so that V8 reads and prepares nothing but the pieces in use; hundreds of them are in a few files, since each
 * file costs a moment too. Writes the files; each exports `piece(number)`, the first one also `main`.
 */
export async function inPieces(
	options: BuildOptions,
	{first, fileFor, shared, everywhere}: Sharing,
): Promise<{metafile: {inputs: Metafile['inputs']; outputs: Record<string, unknown>}}> {
	const {metafile, outputFiles} = await build({
		...options,
		entryPoints: [first.entry],
		format: 'esm',
		splitting: true,
		supported: {},
		minify: false,
		minifySyntax: false,
		metafile: true,
		write: false,
		outdir: 'pieces',
		entryNames: '[name]-[hash]',
	});
	const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]));
	const ways = new Map<string, string>();
	for (const [name, {entryPoint}] of outputs) if (entryPoint) ways.set(entryPoint, name);
	const atOnce = (name: string, found = new Set<string>()): Set<string> => {
		if (found.has(name)) return found;
		found.add(name);
		for (const {path, kind, external} of outputs.get(name)?.imports ?? [])
			if (kind === 'import-statement' && !external) atOnce(basename(path), found);
		return found;
	};
	const start = new Set<string>();
	for (const source of [first.entry, ...first.with]) {
		const way = ways.get(source);
		if (!way) throw new Error(`${source} is not imported late, or no longer there.`);
		atOnce(way, start);
	}
	const users = new Map<string, Set<string>>();
	for (const [source, way] of ways)
		for (const name of atOnce(way)) users.set(name, (users.get(name) ?? new Set()).add(fileFor(source)));
	const fileOf = (name: string): string => {
		if (start.has(name)) return first.file;
		const [only = shared, ...more] = users.get(name) ?? [];
		return more.length === 0 ? only : shared;
	};

	assertNoCircle(outputs);
	const texts = outputFiles
		.map(({path, text}) => ({name: basename(path), text}))
		.toSorted((one, other) => (one.name < other.name ? -1 : 1));
	const pieces = new Map<string, Piece>();
	const counts = new Map<string, number>();
	for (const {name} of texts) {
		const file = fileOf(name);
		const number = counts.get(file) ?? 0;
		counts.set(file, number + 1);
		pieces.set(name, {file, number});
	}
	const files: string[] = [];
	for (const file of counts.keys()) {
		const link = (asked: string): string | undefined => {
			const piece = asked.startsWith('./') ? pieces.get(asked.slice(2)) : undefined;
			if (!piece) return undefined;
			const from = piece.file === file ? '' : `require('./${piece.file}').`;
			return `${from}piece(${piece.number})`;
		};
		const functions = texts
			.filter(({name}) => pieces.get(name)?.file === file)
			.map(({text}) => `function(module){\n${asFunctionBody(text, link)}}`);
		const entry = pieces.get(ways.get(first.entry) ?? '');
		const {code} = await transform(
			`'use strict';
			${everywhere === undefined ? '' : await withoutTypes(everywhere)}
			const pieces = [${functions.join(',\n')}];
			const loaded = [];
			function piece(number) {
				let module = loaded[number];
				if (module === undefined) {
					loaded[number] = module = {};
					pieces[number](module);
				}
				return module.exports;
			}
			exports.piece = piece;
			${file === first.file ? `exports.main = (...given) => piece(${entry?.number}).main(...given);` : ''}`,
			{
				minify: true,
				legalComments: 'none',
				target: 'node22.13',
				platform: 'node',
				// Kept code has no way to import (source/load.cjs); what is imported late is required late.
				supported: {'dynamic-import': false},
			},
		);
		const path = join(options.outdir ?? '', file);
		writeFileSync(path, code);
		files.push(path);
	}
	return {metafile: {inputs: metafile.inputs, outputs: Object.fromEntries(files.map(path => [path, {}]))}};
}

const imports = /^import (?:(\w[\w$]*) from |\* as ([\w$]+) from |\{([^}]*)\} from )?"([^"]+)";\n/gm;
const exports = /^export \{([^}]*)\};\n$/m;

/**
 * A bundled piece as the body of a function, which receives `module`. What it imports are constants, which is faster than
 * looking it up for every use, and right as long as no export is ever assigned again; this fails where one is.
 */
function asFunctionBody(piece: string, link: (name: string) => string | undefined): string {
	let top = '';
	const own = piece.replaceAll(imports, (_whole, one?: string, all?: string, some?: string, from = '') => {
		if (one && from.startsWith('.')) throw new Error(`${from} is imported as a whole.`);
		const called = one ?? all ?? (some === undefined ? undefined : `{${some.replaceAll(' as ', ': ')}}`);
		const asked = link(from) ?? `require(${JSON.stringify(from)})`;
		top += called ? `const ${called} = ${asked};\n` : `${asked};\n`;
		return '';
	});
	const names = exports.exec(own)?.[1] ?? '';
	const body = own.replace(exports, '');
	const pairs = names
		.split(',')
		.map(name => name.trim().split(' as '))
		.filter(([name]) => name !== '');
	for (const [name = ''] of pairs) assertConstant(name, body);
	const given = pairs.map(([name, as = name]) => `${as}: ${name}`);
	return `${top}${linkedLate(body, link)}\nmodule.exports = {${given.join(', ')}};`;
}

async function withoutTypes(file: string): Promise<string> {
	const {code} = await transform(readFileSync(file, 'utf8'), {loader: 'ts', target: 'node22.13'});
	return code.replaceAll(/^export /gm, '');
}

function assertConstant(name: string, code: string): void {
	const word = `(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`;
	const ways = [
		`(?<!(?:var|let|const|class) )${word} (?:[-+*/%&|^?<>]+)?=(?![=>])`,
		`${word}(?:\\+\\+|--)`,
		`(?<=^\\s*|\\()(?:\\+\\+|--)${word}`,
	];
	const assigned = new RegExp(ways.join('|'), 'm');
	// How an enum of TypeScript begins.
	const checked = code.replaceAll(/^\}\)\((\w+) \|\| \(\1 = \{\}\)\);$/gm, '');
	const found = assigned.exec(checked);
	if (found) throw new Error(`${name} is assigned again: ${checked.slice(found.index, found.index + 100)}`);
}

/** What a piece imports late of other pieces; `atOnce(import(…))` does not wait. */
const linkedLate = (code: string, link: (name: string) => string | undefined): string =>
	code
		.replaceAll(/\batOnce\(import\("([^"]+)"\)\)/g, (asked, name: string) => link(name) ?? asked)
		.replaceAll(/\bimport\("([^"]+)"\)/g, (asked, name: string) => {
			const piece = link(name);
			return piece ? `Promise.resolve().then(() => ${piece})` : asked;
		});

/** Pieces that need each other at once would find each other unfinished. */
function assertNoCircle(outputs: ReadonlyMap<string, Metafile['outputs'][string]>): void {
	const done = new Set<string>();
	const visit = (name: string, above: readonly string[]): void => {
		if (above.includes(name)) throw new Error(`Pieces need each other: ${[...above, name].join(' → ')}`);
		if (done.has(name)) return;
		for (const {path, kind, external} of outputs.get(name)?.imports ?? [])
			if (kind === 'import-statement' && !external) visit(basename(path), [...above, name]);
		done.add(name);
	};
	for (const name of outputs.keys()) visit(name, []);
}
