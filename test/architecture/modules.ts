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

const text = 'source/text/';

/**
 * Imports that would not be there if the module left, types included, as `file -> file`: all but its own folder, the
 * modules it uses, and what of `source/text` stands without the rest of ledge.
 */
export function findForeignImports(tree: Tree, {folder, uses}: Module): string[] {
	const found = new Set<string>();
	const open = [...tree.keys()].filter(path => path.startsWith(folder));
	const seen = new Set(open);
	for (let path = open.pop(); path !== undefined; path = open.pop())
		for (const {to} of tree.get(path)?.imports ?? []) {
			if (!to.startsWith('source/') || to.startsWith(folder) || uses.includes(to)) continue;
			if (!to.startsWith(text)) found.add(`${path} -> ${to}`);
			else if (!seen.has(to)) {
				seen.add(to);
				open.push(to);
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
