import {writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {type BuildOptions, build, type Metafile, transform} from 'esbuild';

/** Which file each piece of a program goes to. */
export type PieceLayout = {
	/**
	 * The file with the entry point. `functions`: those that it exports. `alsoNeeded`: other source files
	 * needed at the start, from the checkout's root.
	 */
	readonly first: {
		readonly file: string;
		readonly entry: string;
		readonly functions: readonly string[];
		readonly alsoNeeded: readonly string[];
	};
	/**
	 * Returns the file for the piece of a source or package file. `isAtStart`: `first` imports it statically,
	 * directly or through others.
	 */
	chooseFile(source: string, isAtStart: boolean): string;
	/** The file for what pieces in several files import. If undefined, `chooseFile` decides for these too. */
	readonly shared?: string;
};

/** A piece: its file, and its index in that file. */
type Piece = {readonly file: string; readonly index: number};

type Outputs = ReadonlyMap<string, Metafile['outputs'][string]>;

/**
 * Bundles a program in pieces: one for each source file, and one for each chunk of package code that several
 * of them share. A piece is a function that is called when another piece first uses one of its exports, so
 * that V8 only compiles and runs what is used. Since each file takes time to load, a few files contain the
 * hundreds of pieces. No source file may rely on running before its first use. No export may be reassigned;
 * the build fails if one is. Writes the files to `options.outdir`; each exports `piece(index)`, the first
 * also the functions of the entry point.
 */
export async function bundleInPieces(
	options: BuildOptions,
	layout: PieceLayout,
): Promise<{metafile: {inputs: Metafile['inputs']; outputs: Record<string, unknown>}}> {
	const {first} = layout;
	const {metafile, outputFiles} = await build({
		...options,
		entryPoints: await listSourceFiles(options, first.entry),
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
	const getFile = createFileLookup(outputs, layout);
	const needed = collectNeededOutputs(outputs, entry);
	const texts = outputFiles
		.map(({path, text}) => ({name: basename(path), text}))
		.filter(({name}) => needed.has(name))
		.toSorted((one, other) => (one.name < other.name ? -1 : 1));
	const pieces = new Map<string, Piece>();
	const counts = new Map<string, number>();
	for (const {name} of texts) {
		const file = getFile(name);
		const index = counts.get(file) ?? 0;
		counts.set(file, index + 1);
		pieces.set(name, {file, index});
	}
	const files: string[] = [];
	for (const file of counts.keys()) {
		const link = (specifier: string): string | undefined => {
			const piece = specifier.startsWith('./') ? pieces.get(specifier.slice(2)) : undefined;
			if (!piece) return undefined;
			// `piece$` and `file$` are names that no code uses, since they appear in any scope.
			return piece.file === file
				? `piece$(${piece.index})`
				: `file$('./${piece.file}').piece(${piece.index})`;
		};
		const functions = await Promise.all(
			texts
				.filter(({name}) => pieces.get(name)?.file === file)
				.map(async ({text}) => {
					const piece = `function(module){\n${await toFunctionBody(text, link)}}`;
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
			${file === first.file ? first.functions.map(name => `exports.${name} = (...given) => piece$(${pieces.get(entry)?.index}).${name}(...given);`).join('\n') : ''}`,
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
async function listSourceFiles(options: BuildOptions, entry: string): Promise<string[]> {
	const {metafile} = await build({...options, entryPoints: [entry], metafile: true, write: false});
	return Object.keys(metafile.inputs).filter(file => /^source[/\\]/.test(file));
}

/**
 * Collects the outputs that the entry imports, directly or not. esbuild writes one for every source file,
 * most of them unused.
 */
function collectNeededOutputs(outputs: Outputs, entry: string): ReadonlySet<string> {
	const found = new Set([entry]);
	for (const name of found)
		for (const {path, external} of outputs.get(name)?.imports ?? []) if (!external) found.add(basename(path));
	return found;
}

/** Creates a function that returns the file for a piece, by the name of its esbuild output. */
function createFileLookup(
	outputs: Outputs,
	{first, chooseFile, shared}: PieceLayout,
): (name: string) => string {
	const collectStaticImports = (name: string, found = new Set<string>()): Set<string> => {
		if (found.has(name)) return found;
		found.add(name);
		for (const {path, kind, external} of outputs.get(name)?.imports ?? [])
			if (kind === 'import-statement' && !external) collectStaticImports(basename(path), found);
		return found;
	};
	const outputNameBySource = new Map([...outputs].map(([name, {entryPoint}]) => [entryPoint, name]));
	const startOutputs = new Set<string>();
	for (const source of [first.entry, ...first.alsoNeeded]) {
		const outputName = outputNameBySource.get(source);
		if (!outputName) throw new Error(`The program does not need ${source}.`);
		collectStaticImports(outputName, startOutputs);
	}
	const filesByOutput = new Map<string, Set<string>>();
	for (const [source, outputName] of outputNameBySource) {
		if (source === undefined) continue;
		const file = chooseFile(source, startOutputs.has(outputName));
		for (const name of collectStaticImports(outputName))
			filesByOutput.set(name, (filesByOutput.get(name) ?? new Set()).add(file));
	}
	return name => {
		const {entryPoint, inputs} = outputs.get(name) ?? {inputs: {}};
		const source = entryPoint ?? Object.keys(inputs).find(input => outputNameBySource.has(input));
		const isAtStart = startOutputs.has(name);
		if (shared === undefined) return chooseFile(source ?? Object.keys(inputs)[0] ?? '', isAtStart);
		if (source !== undefined && isAtStart) return chooseFile(source, isAtStart);
		const [soleFile = shared, ...otherFiles] = filesByOutput.get(name) ?? [];
		if (otherFiles.length === 0) return soleFile;
		return isAtStart ? first.file : shared;
	};
}

const importPattern = /^import (?:(\w[\w$]*) from |\* as ([\w$]+) from |\{([^}]*)\} from )?"([^"]+)";\n/gm;
const exportPattern = /^export \{([^}]*)\};\n$/m;

/**
 * Converts a bundled piece to the body of a function with the parameter `module`. Each use of an import from
 * another piece becomes `(a ??= piece(1)).name`; other imports become constants. `link` returns the
 * expression that loads an imported piece; undefined if the import is not a piece. `givenOut` stands for
 * `module.exports` until esbuild has converted the code. Throws if an export is reassigned or another piece
 * is imported as a whole.
 */
async function toFunctionBody(piece: string, link: (name: string) => string | undefined): Promise<string> {
	let requireLines = '';
	const withoutImports = piece.replaceAll(
		importPattern,
		(match, defaultName?: string, namespaceName?: string, members?: string, from = '') => {
			if (link(from)) {
				if (defaultName || namespaceName) throw new Error(`${from} is imported as a whole.`);
				return members === undefined ? '' : match;
			}
			const binding =
				defaultName ??
				namespaceName ??
				(members === undefined ? undefined : `{${members.replaceAll(' as ', ': ')}}`);
			const requireCall = `require(${JSON.stringify(from)})`;
			requireLines += binding ? `const ${binding} = ${requireCall};\n` : `${requireCall};\n`;
			return '';
		},
	);
	const names = exportPattern.exec(withoutImports)?.[1] ?? '';
	const body = withoutImports.replace(exportPattern, '');
	const pairs = names
		.split(',')
		.map(name => name.trim().split(' as '))
		.filter(([name]) => name !== '');
	for (const [name = ''] of pairs) assertConstant(name, body);
	const properties = pairs.map(([name, exportedName = name]) => `${exportedName}: ${name}`);
	const {code} = await transform(
		`${linkDynamicImports(body, link)}\ngivenOut = {${properties.join(', ')}};`,
		{
			format: 'cjs',
			target: 'node22.13',
			platform: 'node',
			legalComments: 'none',
		},
	);
	return `${requireLines}${linkUses(code, link)}`.replace(/\bgivenOut = \{/, 'module.exports = {');
}

/**
 * Links the uses of imports, which esbuild writes as `import_other.name` for `import {name} from
 * './other.js'`.
 */
function linkUses(code: string, link: (name: string) => string | undefined): string {
	const linked = new Map<string, string>();
	const rest = code.replaceAll(
		/^var (import_\w+) = require\("([^"]+)"\);\n/gm,
		(match, name: string, from: string) => {
			const access = link(from);
			if (access === undefined) return match;
			linked.set(name, access);
			return '';
		},
	);
	const withUses = rest.replaceAll(/(?<![\w$]|(?<!\.\.)\.)(import_\w+)\./g, (match, name: string) =>
		linked.has(name) ? `(${name} ??= ${linked.get(name)}).` : match,
	);
	return linked.size === 0 ? withUses : `let ${[...linked.keys()].join(', ')};\n${withUses}`;
}

function assertConstant(name: string, code: string): void {
	const word = `(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`;
	const assignmentPatterns = [
		`(?<!(?:var|let|const|class) )${word} (?:[-+*/%&|^?<>]+)?=(?![=>])`,
		`${word}(?:\\+\\+|--)`,
		`(?<=^\\s*|\\()(?:\\+\\+|--)${word}`,
	];
	const assignment = new RegExp(assignmentPatterns.join('|'), 'm');
	// The end of a compiled TypeScript enum, which looks like an assignment.
	const withoutEnums = code.replaceAll(/^\}\)\((\w+) \|\| \(\1 = \{\}\)\);$/gm, '');
	const found = assignment.exec(withoutEnums);
	if (found)
		throw new Error(`${name} is assigned again: ${withoutEnums.slice(found.index, found.index + 100)}`);
}

/** Replaces dynamic imports of other pieces. */
const linkDynamicImports = (code: string, link: (name: string) => string | undefined): string =>
	code.replaceAll(/\bimport\("([^"]+)"\)/g, (match, name: string) => {
		const piece = link(name);
		return piece ? `Promise.resolve().then(() => ${piece})` : match;
	});
