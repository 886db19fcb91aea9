import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join, normalize} from 'node:path';
import {type Program, parseSync, Visitor} from 'oxc-parser';

/** One import, re-export or `import()` of a file. */
export type Import = {
	/** The path of the file (with `/`) if the import is relative; otherwise the name of the package. */
	readonly to: string;
	/** The names it takes; `*` where all of them may be used. */
	readonly names: readonly string[] | '*';
	/** True if it imports only types. */
	readonly isType: boolean;
	/** True for `import()`. */
	readonly isDynamic: boolean;
};

/** What the rules of the architecture need to know of a file. */
export type SourceFile = {
	readonly path: string;
	readonly lineCount: number;
	readonly imports: readonly Import[];
	readonly exports: readonly string[];
	/** Names of its functions, of inner ones too. */
	readonly functions: readonly string[];
	readonly comments: readonly string[];
};

export type Tree = ReadonlyMap<string, SourceFile>;

/** Reads every file of TypeScript below some folders, and single files; paths are relative to `root`, with `/`. */
export function readTree(root: string, folders: readonly string[]): Tree {
	const paths = folders.flatMap(folder => {
		if (/\.\w+$/.test(folder)) return [folder];
		return readdirSync(join(root, folder), {recursive: true, encoding: 'utf8'})
			.map(name => `${folder}/${name.replaceAll('\\', '/')}`)
			.filter(name => /\.tsx?$/.test(name) && !name.includes('/fixtures/'));
	});
	return new Map(
		paths.map(path => [path, readSource(path, readFileSync(join(root, path), 'utf8'))] as const),
	);
}

/** Parses a file with this text. Throws if it is not TypeScript. */
export function readSource(path: string, text: string): SourceFile {
	const {module, program, comments, errors} = parseSync(path, text);
	if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
	const resolveSpecifier = (to: string): string => (to.startsWith('.') ? resolvePath(path, to) : to);
	const imports: Import[] = module.staticImports.map(({moduleRequest, entries}) => ({
		to: resolveSpecifier(moduleRequest.value),
		names: entries.some(({importName}) => importName.kind === 'NamespaceObject')
			? '*'
			: entries.map(({importName}) => importName.name ?? 'default'),
		isType: entries.length > 0 && entries.every(({isType}) => isType),
		isDynamic: false,
	}));
	const exports: string[] = [];
	for (const {entries} of module.staticExports)
		for (const {moduleRequest, importName, exportName, isType} of entries) {
			if (exportName.name ?? exportName.kind === 'Default') exports.push(exportName.name ?? 'default');
			if (moduleRequest)
				imports.push({
					to: resolveSpecifier(moduleRequest.value),
					names: importName.name === null ? '*' : [importName.name],
					isType,
					isDynamic: false,
				});
		}
	for (const {moduleRequest} of module.dynamicImports) {
		const specifier = text.slice(moduleRequest.start, moduleRequest.end);
		const to = /^(['"])(.*)\1$/.exec(specifier)?.[2];
		// The import does not show which names are used: any word of the file may be one.
		if (to !== undefined)
			imports.push({
				to: resolveSpecifier(to),
				names: [...new Set(text.match(/\w+/g))],
				isType: false,
				isDynamic: true,
			});
	}
	return {
		path,
		lineCount: text.split('\n').length - 1,
		imports,
		exports,
		functions: listFunctions(program),
		comments: comments.map(({value}) => value),
	};
}

function listFunctions(program: Program): string[] {
	const names: string[] = [];
	new Visitor({
		FunctionDeclaration({id}) {
			if (id) names.push(id.name);
		},
		VariableDeclarator({id, init}) {
			const isFunction = init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression';
			if (id.type === 'Identifier' && isFunction) names.push(id.name);
		},
	}).visit(program);
	return names;
}

const resolvePath = (from: string, to: string): string =>
	normalize(join(dirname(from), to)).replaceAll('\\', '/');

/** The folder of a file below `source`, `''` for `source` itself. */
export const folderOf = (path: string): string => dirname(path).replace(/^source\/?/, '');
