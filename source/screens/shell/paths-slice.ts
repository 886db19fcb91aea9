import {asFailure} from '../../failure.ts';
import {parseStoreName} from '../../kv/transfer/store-name.ts';
import type {Slice} from '../../store/slice.ts';
import {completedPath, freeName, newPathProblem, pathProblem, savePathProblem, typedPath} from './paths.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly paths: PathsSlice;
	}
}

/** Paths of files, and names of stores, as a person types them into a dialog. */
type PathsSlice = {
	/** The path that was typed, and its completion. */
	inputPath(typed: string): string;
	completedInputPath(typed: string): string;
	/** What is wrong with it, for a file that is read, and for a new file. */
	inputPathProblem(typed: string): string | undefined;
	newPathProblem(typed: string): string | undefined;
	/** The same for a file that may exist: whether it is replaced is asked. */
	savePathProblem(typed: string): string | undefined;
	/** What is wrong with the name of a store; a file is none that can be written to. */
	storeNameProblem(name: string, use: {readonly into: boolean}): string | undefined;
	/** A name that is free for a file in the working folder. */
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
