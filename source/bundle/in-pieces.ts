import {writeFileSync} from 'node:fs';
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
};

/** A piece: its file, its number in it, and its code as CommonJS. */
type Piece = {readonly file: string; readonly number: number; readonly code: string};

/**
 * Bundles a program in pieces: what is imported late is a piece, and so is what several pieces share. A piece is a
 * function, so that V8 reads and prepares nothing but the pieces in use; hundreds of them are in a few files, since each
 * file costs a moment too. Writes the files; each exports `piece(number)`, the first one also `main`.
 */
export async function inPieces(
	options: BuildOptions,
	{first, fileFor, shared}: Sharing,
): Promise<{metafile: {inputs: Metafile['inputs']; outputs: Record<string, unknown>}}> {
	const {metafile, outputFiles} = await build({
		...options,
		entryPoints: [first.entry],
		format: 'esm',
		splitting: true,
		supported: {},
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

	const pieces = new Map<string, Piece>();
	const counts = new Map<string, number>();
	for (const {path, text} of outputFiles.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
		const file = fileOf(basename(path));
		const number = counts.get(file) ?? 0;
		counts.set(file, number + 1);
		pieces.set(basename(path), {file, number, code: await asFunctionBody(text)});
	}
	const files: string[] = [];
	for (const file of counts.keys()) {
		const own = [...pieces.values()].filter(piece => piece.file === file);
		const functions = own.map(({code}) => `function(module){'use strict';\n${linked(code, file, pieces)}}`);
		const entry = pieces.get(ways.get(first.entry) ?? '');
		const {code} = await transform(
			`${helpers}
			const pieces = [${functions.join(',\n')}];
			const loaded = [];
			function piece(number) {
				let module = loaded[number];
				if (module === undefined) {
					loaded[number] = module = {exports: {}};
					pieces[number](module);
				}
				return module.exports;
			}
			exports.piece = piece;
			${file === first.file ? `exports.main = (...given) => piece(${entry?.number}).main(...given);` : ''}`,
			{minify: true, legalComments: 'none', target: options.target ?? 'esnext', platform: 'node'},
		);
		const path = join(options.outdir ?? '', file);
		writeFileSync(path, code);
		files.push(path);
	}
	return {metafile: {inputs: metafile.inputs, outputs: Object.fromEntries(files.map(path => [path, {}]))}};
}

/** A bundled piece as the body of a function. What esbuild writes on top of each is on top of the file, once. */
async function asFunctionBody(piece: string): Promise<string> {
	const {code} = await transform(piece, {
		format: 'cjs',
		platform: 'node',
		target: 'node22.13',
		supported: {'dynamic-import': false},
	});
	const [top, ...body] = code.split(lastHelper);
	if (body.length === 0 && /\b__\w+\(/.test(code))
		throw new Error(`The helpers of esbuild have changed: ${top}`);
	return body.length === 0 ? code : body.join(lastHelper);
}

const lastHelper =
	'var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);\n';

/** The helpers of esbuild. A piece that another one requires is not copied: its exports are read where they are. */
const helpers = `
	const __defProp = Object.defineProperty;
	const __export = (target, all) => {
		for (const name in all) __defProp(target, name, {get: all[name], enumerable: true});
	};
	const __toCommonJS = module => module;
	const __toESM = (module, isNodeMode) => {
		const copy = Object.create(Object.getPrototypeOf(module));
		if (isNodeMode || !module.__esModule) __defProp(copy, 'default', {value: module, enumerable: true});
		for (const name of Object.getOwnPropertyNames(module))
			if (!Object.hasOwn(copy, name)) __defProp(copy, name, {get: () => module[name], enumerable: true});
		return copy;
	};`;

/** Leads what a piece requires of other pieces to their numbers. */
function linked(code: string, file: string, pieces: ReadonlyMap<string, Piece>): string {
	return code.replaceAll(
		/__toESM\(require\("\.\/([\w.-]+)"\)\)|require\("\.\/([\w.-]+)"\)/g,
		(asked, late: string | undefined, name: string | undefined) => {
			const piece = pieces.get(late ?? name ?? '');
			if (!piece) return asked;
			return piece.file === file
				? `piece(${piece.number})`
				: `require('./${piece.file}').piece(${piece.number})`;
		},
	);
}
