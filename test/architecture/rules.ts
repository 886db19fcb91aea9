import {basename, dirname} from 'node:path';
import {drawn, entries, hooks, layers, simulatorUsers} from './layers.ts';
import {folderOf, type SourceFile, type Tree} from './tree.ts';

/** The layer of a file: its folder, or `entry` for a file that a program begins with. */
export const layerOf = (path: string): string =>
	/^source\/(cli\.ts|complete\.ts|screens\.tsx)$/.test(path) ? 'entry' : folderOf(path);

/** Imports by value from a folder that is above, as `from -> to`, and folders that no layer names. */
export function upwardImports(tree: Tree): string[] {
	return sorted(edges(tree), ([from, to]) => {
		const [low, high] = [layers.indexOf(from), layers.indexOf(to)];
		if (low === -1) return `${from} is not a layer`;
		return high > low ? `${from} -> ${to}` : undefined;
	});
}

/** Folders that import each other by value, in a circle: each circle in one line. */
export function circles(tree: Tree): string[] {
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
	const circle = [...targets.keys()]
		.filter(folder => reached.get(folder)?.has(folder))
		.map(folder =>
			[...targets.keys()]
				.filter(other => reached.get(folder)?.has(other) && reached.get(other)?.has(folder))
				.sort()
				.join(' '),
		);
	return [...new Set(circle)].sort();
}

/** Circles of files that import each other at their start, types included: each as its files in a line. */
export function findFileCircles(tree: Tree): string[] {
	const found: string[] = [];
	const indexes = new Map<string, number>();
	const open: string[] = [];
	const visit = (path: string): number => {
		const index = indexes.size;
		indexes.set(path, index);
		open.push(path);
		let low = index;
		for (const {to, isLate} of tree.get(path)?.imports ?? []) {
			if (isLate || !tree.has(to)) continue;
			if (!indexes.has(to)) low = Math.min(low, visit(to));
			else if (open.includes(to)) low = Math.min(low, indexes.get(to) ?? low);
		}
		if (low === index) {
			const circle = open.splice(open.indexOf(path));
			if (circle.length > 1) found.push(circle.sort().join(' '));
		}
		return low;
	};
	for (const path of tree.keys()) if (!indexes.has(path)) visit(path);
	return found.sort();
}

/** Imports of Ink, React or zustand where nothing is drawn; in a screen, only its views (`.tsx`) draw. */
export function drawingBelow(tree: Tree): string[] {
	return sorted(files(tree), file => {
		const used = file.imports.find(({to}) => /^(ink|react|zustand)([-/].*)?$/.test(to))?.to;
		if (used === undefined || layerOf(file.path) === 'entry' || folderOf(file.path) === 'build')
			return undefined;
		const top = folderOf(file.path).split('/')[0] ?? '';
		if (!drawn.includes(top)) return `${file.path} imports ${used}`;
		const isState = top === 'screens' && file.path.endsWith('.ts') && !hooks.includes(file.path);
		return isState ? `${file.path} imports ${used}: state and actions are not drawn` : undefined;
	});
}

/** Imports of the simulator by those who may not have one. */
export const simulatorImports = (tree: Tree): string[] =>
	sorted(files(tree), ({path, imports}) =>
		!path.startsWith('source/simulator/') &&
		!simulatorUsers.includes(path) &&
		imports.some(({to}) => to.startsWith('source/simulator/'))
			? path
			: undefined,
	);

/** Components that know an area, a screen or the store. */
export const knowingComponents = (tree: Tree): string[] =>
	sorted(files(tree), ({path, imports}) =>
		path.startsWith('source/components/') &&
		imports.some(({to}) => /^source\/(kv|firewall|migration|service|session|screens|store)\//.test(to))
			? path
			: undefined,
	);

/** What is exported and used by no other file, here or in `users`, as `file: name`. */
export function unusedExports(tree: Tree, users: Tree): string[] {
	const used = new Set<string>();
	for (const {imports} of [...tree.values(), ...users.values()])
		for (const {to, names} of imports)
			for (const name of names === '*' ? (tree.get(to)?.exports ?? []) : names) used.add(`${to}: ${name}`);
	return files(tree)
		.filter(({path}) => !entries.includes(path))
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
		if (basename(path) === 'view.tsx' || entries.includes(path)) continue;
		const passedOn = new Set(imports.flatMap(({names, isLate}) => (isLate || names === '*' ? [] : names)));
		for (const name of exports)
			if (!passedOn.has(name)) owners.set(name, [...(owners.get(name) ?? []), path]);
	}
	return sorted(owners, ([name, paths]) => (paths.length > 1 ? `${name}: ${paths.join(' ')}` : undefined));
}

/** Functions whose whole name is a participle, as `file: name`: what it does is a verb. */
export const participleNames = (tree: Tree): string[] =>
	files(tree)
		.flatMap(({path, functions}) =>
			functions.filter(name => participle.test(name)).map(name => `${path}: ${name}`),
		)
		.sort();

const participle =
	/^(?!(?:embed|exceed|feed|need|proceed|seed|shed|speed)$)(?:[a-z]+ed|[a-z]*(?:ought|own)|been|begun|built|done|found|given|held|kept|known|left|lost|made|met|said|seen|sent|taken|told)$/;

/** Folders of more than `most` files of their own. */
export function largeFolders(tree: Tree, most: number): string[] {
	const counts = new Map<string, number>();
	for (const path of tree.keys()) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
	return sorted([...counts], ([folder, count]) => (count > most ? `${folder}: ${count}` : undefined));
}

/** Files whose name repeats the name of their folder as a prefix. */
export const repeatedNames = (tree: Tree): string[] =>
	sorted(files(tree), ({path}) =>
		basename(path).startsWith(`${basename(dirname(path))}-`) ? path : undefined,
	);

/** Files of more than `most` lines. */
export const longFiles = (tree: Tree, most: number): string[] =>
	sorted(files(tree), ({path, lines}) => (lines > most ? `${path}: ${lines}` : undefined));

const files = (tree: Tree): readonly SourceFile[] => [...tree.values()];

/** What a folder needs of another when it is loaded. */
function* edges(tree: Tree): Generator<readonly [from: string, to: string]> {
	for (const {path, imports} of tree.values())
		for (const {to, isType, isLate} of imports) {
			if (isType || isLate || !to.startsWith('source/')) continue;
			const [from, target] = [layerOf(path), layerOf(to)];
			if (from !== target) yield [from, target];
		}
}

function sorted<T>(all: Iterable<T>, wrong: (one: T) => string | undefined): string[] {
	return [...new Set([...all].map(wrong).filter(line => line !== undefined))].sort();
}
