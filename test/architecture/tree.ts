import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join, normalize} from 'node:path';
import {type Program, parseSync, Visitor} from 'oxc-parser';

/** One import, re-export or `import()` of a file. */
export type Import = {
	/** The file for what is relative, with `/`; the name of the package otherwise. */
	readonly to: string;
	/** The names it takes; `*` where all of them may be used. */
	readonly names: readonly string[] | '*';
	/** Whether nothing of it is left when types are erased. */
	readonly isType: boolean;
	/** Whether it is loaded when it is first needed. */
	readonly isLate: boolean;
};

/** A file as the rules of the architecture look at it. */
export type SourceFile = {
	readonly path: string;
	readonly lines: number;
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

/** A file with this text. Fails where the text is not TypeScript. */
export function readSource(path: string, text: string): SourceFile {
	const {module, program, comments, errors} = parseSync(path, text);
	if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
	const target = (to: string): string => (to.startsWith('.') ? resolved(path, to) : to);
	const imports: Import[] = module.staticImports.map(({moduleRequest, entries}) => ({
		to: target(moduleRequest.value),
		names: entries.some(({importName}) => importName.kind === 'NamespaceObject')
			? '*'
			: entries.map(({importName}) => importName.name ?? 'default'),
		isType: entries.length > 0 && entries.every(({isType}) => isType),
		isLate: false,
	}));
	const exports: string[] = [];
	for (const {entries} of module.staticExports)
		for (const {moduleRequest, importName, exportName, isType} of entries) {
			if (exportName.name ?? exportName.kind === 'Default') exports.push(exportName.name ?? 'default');
			if (moduleRequest)
				imports.push({
					to: target(moduleRequest.value),
					names: importName.name === null ? '*' : [importName.name],
					isType,
					isLate: false,
				});
		}
	for (const {moduleRequest} of module.dynamicImports) {
		const asked = text.slice(moduleRequest.start, moduleRequest.end);
		const to = /^(['"])(.*)\1$/.exec(asked)?.[2];
		// Which names are taken from it stands somewhere near: any word of the file may be one.
		if (to !== undefined)
			imports.push({to: target(to), names: [...new Set(text.match(/\w+/g))], isType: false, isLate: true});
	}
	return {
		path,
		lines: text.split('\n').length - 1,
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

const resolved = (from: string, to: string): string =>
	normalize(join(dirname(from), to)).replaceAll('\\', '/');

/** The folder of a file below `source`, `''` for `source` itself. */
export const folderOf = (path: string): string => dirname(path).replace(/^source\/?/, '');
