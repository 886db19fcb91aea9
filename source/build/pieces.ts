import {writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {type BuildOptions, build, type Metafile, transform} from 'esbuild';

/** Which file each piece of a program goes to. */
export type Sharing = {
	/**
	 * The file with the entry point. `alsoNeeded`: other source files needed at the start, from the
	 * checkout's root.
	 */
	readonly first: {readonly file: string; readonly entry: string; readonly with: readonly string[]};
	/**
	 * Returns the file for the piece of a source or package file. `isAtStart`: `first` imports it statically,
	 * directly or through others.
	 */
	fileFor(source: string, isAtStart: boolean): string;
	/** The file for what pieces in several files import. If undefined, `chooseFile` decides for these too. */
	readonly shared?: string;
};

/** A piece: its file, and its index in that file. */
type Piece = {readonly file: string; readonly number: number};

type Outputs = ReadonlyMap<string, Metafile['outputs'][string]>;

/**
 * Bundles a program in pieces: one for each source file, and one for each chunk of package code that several
 * of them share. A piece is a function that is called when another piece first uses one of its exports, so
 * that V8 only compiles and runs what is used. Since each file takes time to load, a few files contain the
 * hundreds of pieces. No source file may rely on running before its first use. No export may be reassigned;
 * the build fails if one is. Writes the files to `options.outdir`; each exports `piece(number)`, the first
 * also `main`.
 */
export async function inPieces(
	options: BuildOptions,
	sharing: Sharing,
): Promise<{metafile: {inputs: Metafile['inputs']; outputs: Record<string, unknown>}}> {
	const {first} = sharing;
	const {metafile, outputFiles} = await build({
		...options,
		entryPoints: await sourceFiles(options, first.entry),
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
	const entry = [...outputs].find(([, {entryPoint}]) => entryPoint === first.entry)?.[0] ?? '';
	const fileOf = filesOf(outputs, sharing);
	const needed = neededOutputs(outputs, entry);
	const texts = outputFiles
		.map(({path, text}) => ({name: basename(path), text}))
		.filter(({name}) => needed.has(name))
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
			// `piece$` and `file$` are names that no code uses, since they appear in any scope.
			return piece.file === file
				? `piece$(${piece.number})`
				: `file$('./${piece.file}').piece(${piece.number})`;
		};
		const functions = await Promise.all(
			texts
				.filter(({name}) => pieces.get(name)?.file === file)
				.map(async ({text}) => {
					const piece = `function(module){\n${await asFunctionBody(text, link)}}`;
					// V8 compiles a function in parentheses with its file, so Node's compile cache has the
					// code.
					return file === first.file ? `(${piece})` : piece;
				}),
		);
		const {code} = await transform(
			`'use strict';
			const pieces = [${functions.join(',\n')}];
			const loaded = [];
			const file$ = require;
			function piece$(number) {
				let module = loaded[number];
				if (module === undefined) {
					loaded[number] = module = {};
					pieces[number](module);
				}
				return module.exports;
			}
			exports.piece = piece$;
			${file === first.file ? `exports.main = (...given) => piece$(${pieces.get(entry)?.number}).main(...given);` : ''}`,
			{
				minify: true,
				legalComments: 'none',
				target: 'node22.13',
				platform: 'node',
				supported: options.supported ?? {},
			},
		);
		const path = join(options.outdir ?? '', file);
		writeFileSync(path, code);
		files.push(path);
	}
	return {metafile: {inputs: metafile.inputs, outputs: Object.fromEntries(files.map(path => [path, {}]))}};
}

/** Lists the source files of a program, without packages. */
async function sourceFiles(options: BuildOptions, entry: string): Promise<string[]> {
	const {metafile} = await build({...options, entryPoints: [entry], metafile: true, write: false});
	return Object.keys(metafile.inputs).filter(file => /^source[/\\]/.test(file));
}

/**
 * Collects the outputs that the entry imports, directly or not. esbuild writes one for every source file,
 * most of them unused.
 */
function neededOutputs(outputs: Outputs, entry: string): ReadonlySet<string> {
	const found = new Set([entry]);
	for (const name of found)
		for (const {path, external} of outputs.get(name)?.imports ?? []) if (!external) found.add(basename(path));
	return found;
}

/** Creates a function that returns the file for a piece, by the name of its esbuild output. */
function filesOf(outputs: Outputs, {first, fileFor, shared}: Sharing): (name: string) => string {
	const atOnce = (name: string, found = new Set<string>()): Set<string> => {
		if (found.has(name)) return found;
		found.add(name);
		for (const {path, kind, external} of outputs.get(name)?.imports ?? [])
			if (kind === 'import-statement' && !external) atOnce(basename(path), found);
		return found;
	};
	const ways = new Map([...outputs].map(([name, {entryPoint}]) => [entryPoint, name]));
	const start = new Set<string>();
	for (const source of [first.entry, ...first.with]) {
		const way = ways.get(source);
		if (!way) throw new Error(`The program does not need ${source}.`);
		atOnce(way, start);
	}
	const users = new Map<string, Set<string>>();
	for (const [source, way] of ways) {
		if (source === undefined) continue;
		const file = fileFor(source, start.has(way));
		for (const name of atOnce(way)) users.set(name, (users.get(name) ?? new Set()).add(file));
	}
	return name => {
		const {entryPoint, inputs} = outputs.get(name) ?? {inputs: {}};
		const source = entryPoint ?? Object.keys(inputs).find(input => ways.has(input));
		const isAtStart = start.has(name);
		if (shared === undefined) return fileFor(source ?? Object.keys(inputs)[0] ?? '', isAtStart);
		if (source !== undefined && isAtStart) return fileFor(source, isAtStart);
		const [only = shared, ...others] = users.get(name) ?? [];
		if (others.length === 0) return only;
		return isAtStart ? first.file : shared;
	};
}

const imports = /^import (?:(\w[\w$]*) from |\* as ([\w$]+) from |\{([^}]*)\} from )?"([^"]+)";\n/gm;
const exports = /^export \{([^}]*)\};\n$/m;

/**
 * Converts a bundled piece to the body of a function with the parameter `module`. Each use of an import from
 * another piece becomes `(a ??= piece(1)).name`; other imports become constants. Throws if an export is
 * reassigned or another piece is imported as a whole.
 */
async function asFunctionBody(piece: string, link: (name: string) => string | undefined): Promise<string> {
	let top = '';
	const own = piece.replaceAll(imports, (whole, one?: string, all?: string, some?: string, from = '') => {
		if (link(from)) {
			if (one || all) throw new Error(`${from} is imported as a whole.`);
			return some === undefined ? '' : whole;
		}
		const called = one ?? all ?? (some === undefined ? undefined : `{${some.replaceAll(' as ', ': ')}}`);
		const asked = `require(${JSON.stringify(from)})`;
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
	const {code} = await transform(`${linkedLate(body, link)}\ngivenOut = {${given.join(', ')}};`, {
		format: 'cjs',
		target: 'node22.13',
		platform: 'node',
		legalComments: 'none',
	});
	return `${top}${linkedAtUse(code, link)}`.replace(/\bgivenOut = \{/, 'module.exports = {');
}

/**
 * Links the uses of imports, which esbuild writes as `import_other.name` for `import {name} from
 * './other.js'`.
 */
function linkedAtUse(code: string, link: (name: string) => string | undefined): string {
	const linked = new Map<string, string>();
	const rest = code.replaceAll(
		/^var (import_\w+) = require\("([^"]+)"\);\n/gm,
		(whole, name: string, from: string) => {
			const asked = link(from);
			if (asked === undefined) return whole;
			linked.set(name, asked);
			return '';
		},
	);
	const used = rest.replaceAll(/(?<![\w$]|(?<!\.\.)\.)(import_\w+)\./g, (whole, name: string) =>
		linked.has(name) ? `(${name} ??= ${linked.get(name)}).` : whole,
	);
	return linked.size === 0 ? used : `let ${[...linked.keys()].join(', ')};\n${used}`;
}

function assertConstant(name: string, code: string): void {
	const word = `(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`;
	const ways = [
		`(?<!(?:var|let|const|class) )${word} (?:[-+*/%&|^?<>]+)?=(?![=>])`,
		`${word}(?:\\+\\+|--)`,
		`(?<=^\\s*|\\()(?:\\+\\+|--)${word}`,
	];
	const assigned = new RegExp(ways.join('|'), 'm');
	// The end of a compiled TypeScript enum, which looks like an assignment.
	const checked = code.replaceAll(/^\}\)\((\w+) \|\| \(\1 = \{\}\)\);$/gm, '');
	const found = assigned.exec(checked);
	if (found) throw new Error(`${name} is assigned again: ${checked.slice(found.index, found.index + 100)}`);
}

/** Replaces dynamic imports of other pieces. */
const linkedLate = (code: string, link: (name: string) => string | undefined): string =>
	code.replaceAll(/\bimport\("([^"]+)"\)/g, (asked, name: string) => {
		const piece = link(name);
		return piece ? `Promise.resolve().then(() => ${piece})` : asked;
	});
