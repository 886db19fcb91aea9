import {toFailure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {parseStoreName} from '../../kv/transfer/store-name.ts';
import {findContextProblem, splitContextName} from '../../session/stores.ts';
import type {Slice} from '../../store/slice.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {
	abbreviateHome,
	checkInputPath,
	checkNewPath,
	checkSavePath,
	completePath,
	findFreeName,
	resolveTypedPath,
	type TextCompletion,
} from './paths.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly paths: PathsSlice;
	}
}

/** Checks and completes file paths and store names typed in a dialog. */
type PathsSlice = {
	/** Resolves a typed path. */
	resolveInputPath(typedPath: string): string;
	/** Formats the full path of a typed path, with `~` for the home folder. */
	formatInputPath(typedPath: string): string;
	completeInputPath(typedPath: string): TextCompletion;
	/** Returns what is wrong with the path of a file to read. */
	checkInputPath(typedPath: string): string | undefined;
	checkNewPath(typedPath: string): string | undefined;
	/** Returns what is wrong with the path of a file to save. It may exist: replacing is confirmed. */
	checkSavePath(typedPath: string): string | undefined;
	/** A context to name in examples; undefined if none is defined. */
	readonly contextName: string | undefined;
	/**
	 * Returns what is wrong with the name of a store; a file cannot be copied into. `listedNamespaces`: all
	 * namespaces of the account, if they are listed.
	 */
	checkStoreName(
		name: string,
		use: {
			readonly isDestination: boolean;
			readonly listedNamespaces?: readonly NamespaceRow[] | undefined;
		},
	): string | undefined;
	/** Returns an unused file name in the working folder. */
	findFreeName(stem: string, extension: string): string;
};

export const createPathsSlice: Slice<PathsSlice> = (_set, _get, {session}) => {
	const {cwd, env} = session;
	const pathContext = {cwd, home: env.HOME};
	/** A name with a context, or beside the variables of a second account, may be one of another account. */
	const findTitleProblem = (name: string, namespaces: readonly NamespaceRow[]): string | undefined =>
		splitContextName(name, session) ||
		Object.keys(env).some(variable => variable.startsWith('LEDGE_TO_')) ||
		namespaces.some(
			({title, id, bindings}) =>
				title === name || id === name || bindings.some(({binding}) => binding === name),
		)
			? undefined
			: (findContextProblem(name, session) ??
				`No namespace is called ${JSON.stringify(name)}: choose one of the list.`);
	return {
		contextName: session.contexts.contextsFile?.all[0]?.name,
		resolveInputPath: typedPath => resolveTypedPath(typedPath, pathContext),
		formatInputPath: typedPath => abbreviateHome(resolveTypedPath(typedPath, pathContext), env.HOME),
		completeInputPath: typedPath => completePath(typedPath, pathContext),
		checkInputPath: typedPath => checkInputPath(typedPath, pathContext),
		checkNewPath: typedPath => checkNewPath(typedPath, pathContext),
		checkSavePath: typedPath => checkSavePath(typedPath, pathContext),
		checkStoreName(name, {isDestination, listedNamespaces}) {
			try {
				const store = parseStoreName(name.trim());
				if (store.kind === 'remote')
					return listedNamespaces && findTitleProblem(store.name, listedNamespaces);
				if (store.kind !== 'file') return undefined;
				return isDestination
					? `Can't copy into a file; ${nameKey('keys.export', 'x')} exports to one.`
					: checkInputPath(store.path, pathContext);
			} catch (error) {
				return toFailure(error).message;
			}
		},
		findFreeName: (stem, extension) => findFreeName(stem, extension, pathContext),
	};
};
