import {asFailure} from '../../failure.ts';
import {parseStoreName} from '../../kv/transfer/store-name.ts';
import type {Slice} from '../../store/slice.ts';
import {completedPath, freeName, newPathProblem, pathProblem, savePathProblem, typedPath} from './paths.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly paths: PathsSlice;
	}
}

/** Checks and completes file paths and store names typed in a dialog. */
type PathsSlice = {
	/** Resolves a typed path. */
	inputPath(typed: string): string;
	completedInputPath(typed: string): string;
	/** Returns what is wrong with the path of a file to read. */
	inputPathProblem(typed: string): string | undefined;
	newPathProblem(typed: string): string | undefined;
	/** Returns what is wrong with the path of a file to save, which may exist: replacing is confirmed. */
	savePathProblem(typed: string): string | undefined;
	/** Returns what is wrong with the name of a store; a file cannot be copied into. */
	storeNameProblem(name: string, use: {readonly into: boolean}): string | undefined;
	/** Returns an unused file name in the working folder. */
	freeName(stem: string, extension: string): string;
};

export const createPathsSlice: Slice<PathsSlice> = (_set, _get, {session: {cwd, env}}) => {
	const place = {cwd, home: env.HOME};
	return {
		inputPath: typed => typedPath(typed, place),
		completedInputPath: typed => completedPath(typed, place),
		inputPathProblem: typed => pathProblem(typed, place),
		newPathProblem: typed => newPathProblem(typed, place),
		savePathProblem: typed => savePathProblem(typed, place),
		storeNameProblem(name, {into}) {
			try {
				const store = parseStoreName(name.trim());
				if (store.kind !== 'file') return undefined;
				return into ? 'A copy cannot go into a file; x exports into one.' : pathProblem(store.path, place);
			} catch (error) {
				return asFailure(error).message;
			}
		},
		freeName: (stem, extension) => freeName(stem, extension, place),
	};
};
