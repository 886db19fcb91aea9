import {basename, dirname} from 'node:path';
import {drawingFolders, entryFiles, findLayer, sharedHooks, simulatorUsers} from './layers.ts';
import {folderOf, type SourceFile, type Tree} from './tree.ts';

/** The layer of a file: its folder, or `entry` for a file that a program begins with. */
export const layerOf = (path: string): string =>
	/^source\/(cli\.ts|complete\.ts|screens\.tsx)$/.test(path) ? 'entry' : folderOf(path);

/** Imports by value from a folder that is above, as `from -> to`, and folders that no layer names. */
export function upwardImports(tree: Tree): string[] {
	return listViolations(edges(tree), ([from, to]) => {
		const [low, high] = [findLayer(from), findLayer(to)];
		if (low === -1) return `${from} is not a layer`;
		return high > low ? `${from} -> ${to}` : undefined;
	});
}

/** Import cycles of folders, by value: the folders of each cycle in one line. */
export function findFolderCycles(tree: Tree): string[] {
	const targets = new Map<string, Set<string>>();
	for (const [from, to] of edges(tree)) targets.set(from, (targets.get(from) ?? new Set()).add(to));
	const reach = (from: string): Set<string> => {
		const seen = new Set<string>();
		const open = [...(targets.get(from) ?? [])];
		for (let to = open.pop(); to !== undefined; to = open.pop())
			if (!seen.has(to)) {
				seen.add(to);
				open.push(...(targets.get(to) ?? []));
			}
		return seen;
	};
	const reached = new Map([...targets.keys()].map(folder => [folder, reach(folder)]));
	const cycles = [...targets.keys()]
		.filter(folder => reached.get(folder)?.has(folder))
		.map(folder =>
			[...targets.keys()]
				.filter(other => reached.get(folder)?.has(other) && reached.get(other)?.has(folder))
				.sort()
				.join(' '),
		);
	return [...new Set(cycles)].sort();
}

/** Import cycles of files, types included but not `import()`: the files of each cycle in one line. */
export function findFileCycles(tree: Tree): string[] {
	const found: string[] = [];
	const indexes = new Map<string, number>();
	const open: string[] = [];
	const visit = (path: string): number => {
		const index = indexes.size;
		indexes.set(path, index);
		open.push(path);
		let low = index;
		for (const {to, isDynamic} of tree.get(path)?.imports ?? []) {
			if (isDynamic || !tree.has(to)) continue;
			if (!indexes.has(to)) low = Math.min(low, visit(to));
			else if (open.includes(to)) low = Math.min(low, indexes.get(to) ?? low);
		}
		if (low === index) {
			const cycle = open.splice(open.indexOf(path));
			if (cycle.length > 1) found.push(cycle.sort().join(' '));
		}
		return low;
	};
	for (const path of tree.keys()) if (!indexes.has(path)) visit(path);
	return found.sort();
}

/** Imports of Ink, React or zustand where nothing is drawn; in a screen, only its views (`.tsx`) draw. */
export function findMisplacedDrawing(tree: Tree): string[] {
	return listViolations(files(tree), file => {
		const used = file.imports.find(({to}) => /^(ink|react|zustand)([-/].*)?$/.test(to))?.to;
		if (used === undefined || layerOf(file.path) === 'entry' || folderOf(file.path) === 'build')
			return undefined;
		const top = folderOf(file.path).split('/')[0] ?? '';
		if (!drawingFolders.includes(top)) return `${file.path} imports ${used}`;
		const isState = top === 'screens' && file.path.endsWith('.ts') && !sharedHooks.includes(file.path);
		return isState ? `${file.path} imports ${used}: state and actions are not drawn` : undefined;
	});
}

/** Files that import the simulator and may not. */
export const simulatorImports = (tree: Tree): string[] =>
	listViolations(files(tree), ({path, imports}) =>
		!path.startsWith('source/simulator/') &&
		!simulatorUsers.includes(path) &&
		imports.some(({to}) => to.startsWith('source/simulator/'))
			? path
			: undefined,
	);

/** Components that import an area, a screen or the store. */
export const findDependentComponents = (tree: Tree): string[] =>
	listViolations(files(tree), ({path, imports}) =>
		path.startsWith('source/components/') &&
		imports.some(({to}) => /^source\/(kv|firewall|migration|service|session|screens|store)\//.test(to))
			? path
			: undefined,
	);

/** Exports that no other file uses, in `tree` or in `testTree`, as `file: name`. */
export function unusedExports(tree: Tree, testTree: Tree): string[] {
	const used = new Set<string>();
	for (const {imports} of [...tree.values(), ...testTree.values()])
		for (const {to, names} of imports)
			for (const name of names === '*' ? (tree.get(to)?.exports ?? []) : names) used.add(`${to}: ${name}`);
	return files(tree)
		.filter(({path}) => !entryFiles.includes(path))
		.flatMap(({path, exports}) => exports.map(name => `${path}: ${name}`))
		.filter(name => !used.has(name))
		.sort();
}

/**
 * Names that several files declare and export, as `name: files`. The view of a screen may be named like what
 * it shows, and each program begins with `main`.
 */
export function duplicateExports(tree: Tree): string[] {
	const owners = new Map<string, string[]>();
	for (const {path, exports, imports} of tree.values()) {
		if (basename(path) === 'view.tsx' || entryFiles.includes(path)) continue;
		const reexportedNames = new Set(
			imports.flatMap(({names, isDynamic}) => (isDynamic || names === '*' ? [] : names)),
		);
		for (const name of exports)
			if (!reexportedNames.has(name)) owners.set(name, [...(owners.get(name) ?? []), path]);
	}
	return listViolations(owners, ([name, paths]) =>
		paths.length > 1 ? `${name}: ${paths.join(' ')}` : undefined,
	);
}

/** Functions whose whole name is a participle, as `file: name`; it should begin with a verb. */
export const participleNames = (tree: Tree): string[] =>
	files(tree)
		.flatMap(({path, functions}) =>
			functions.filter(name => participle.test(name)).map(name => `${path}: ${name}`),
		)
		.sort();

const participle =
	/^(?!(?:embed|exceed|feed|need|proceed|seed|shed|speed)$)(?:[a-z]+ed|[a-z]*(?:ought|own)|been|begun|built|done|found|given|held|kept|known|left|lost|made|met|said|seen|sent|taken|told)$/;

/** Folders with more than `maxFiles` files, not counting their subfolders. */
export function largeFolders(tree: Tree, maxFiles: number): string[] {
	const counts = new Map<string, number>();
	for (const path of tree.keys()) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
	return listViolations([...counts], ([folder, count]) =>
		count > maxFiles ? `${folder}: ${count}` : undefined,
	);
}

/** Files whose name repeats the name of their folder as a prefix. */
export const findNamesRepeatingFolder = (tree: Tree): string[] =>
	listViolations(files(tree), ({path}) =>
		basename(path).startsWith(`${basename(dirname(path))}-`) ? path : undefined,
	);

/** Files of more than `maxLines` lines. */
export const longFiles = (tree: Tree, maxLines: number): string[] =>
	listViolations(files(tree), ({path, lineCount}) =>
		lineCount > maxLines ? `${path}: ${lineCount}` : undefined,
	);

const files = (tree: Tree): readonly SourceFile[] => [...tree.values()];

/** Imports by value from one folder to another, as pairs of layers. */
function* edges(tree: Tree): Generator<readonly [from: string, to: string]> {
	for (const {path, imports} of tree.values())
		for (const {to, isType, isDynamic} of imports) {
			if (isType || isDynamic || !to.startsWith('source/')) continue;
			const [from, target] = [layerOf(path), layerOf(to)];
			if (from !== target) yield [from, target];
		}
}

function listViolations<T>(items: Iterable<T>, describeViolation: (one: T) => string | undefined): string[] {
	return [...new Set([...items].map(describeViolation).filter(line => line !== undefined))].sort();
}
