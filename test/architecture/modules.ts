import type {SourceFile, Tree} from './tree.ts';

/** A folder that could be published: what it may import, and what others may import of it. */
export type Module = {
	/** With `/` at its end. */
	readonly folder: string;
	/** The files that others import. */
	readonly entries: readonly string[];
	/** Its own tests, which may import its inner files. */
	readonly tests: string;
	/** Entries of other modules that it uses, as it would use a package. */
	readonly uses: readonly string[];
};

const textFolder = 'source/text/';

/**
 * Imports, types included, that would break if the module were published alone, as `file -> file`: all but
 * those of its own folder, of the modules it uses, and of files in `source/text` that need nothing else of
 * ledge.
 */
export function findForeignImports(tree: Tree, {folder, uses}: Module): string[] {
	const found = new Set<string>();
	const pendingPaths = [...tree.keys()].filter(path => path.startsWith(folder));
	const seen = new Set(pendingPaths);
	for (let path = pendingPaths.pop(); path !== undefined; path = pendingPaths.pop())
		for (const {to} of tree.get(path)?.imports ?? []) {
			if (!to.startsWith('source/') || to.startsWith(folder) || uses.includes(to)) continue;
			if (!to.startsWith(textFolder)) found.add(`${path} -> ${to}`);
			else if (!seen.has(to)) {
				seen.add(to);
				pendingPaths.push(to);
			}
		}
	return [...found].sort();
}

/** Files outside the module that import its inner files, types included. */
export const findInnerImports = (files: Iterable<SourceFile>, {folder, entries, tests}: Module): string[] =>
	[...files]
		.filter(
			({path, imports}) =>
				!path.startsWith(folder) &&
				!path.startsWith(tests) &&
				imports.some(({to}) => to.startsWith(folder) && !entries.includes(to)),
		)
		.map(({path}) => path)
		.sort();
