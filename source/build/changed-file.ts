import {readFileSync} from 'node:fs';
import type {Plugin} from 'esbuild';

/**
 * A patch for package files whose path matches: texts to replace, each occurring exactly once, and code to
 * append.
 */
export type Change = {
	readonly filter: RegExp;
	readonly pieces: readonly (readonly [piece: string, instead: string])[];
	readonly behind?: string;
};

/**
 * Creates a plugin that applies patches. The build fails if a text to replace does not occur exactly once.
 */
export const changedFiles = (name: string, changes: readonly Change[]): Plugin => ({
	name,
	setup(context) {
		for (const {filter, pieces, behind = ''} of changes)
			context.onLoad({filter}, ({path}) => {
				let contents = readFileSync(path, 'utf8');
				for (const [piece, instead] of pieces) {
					if (contents.split(piece).length !== 2)
						return {errors: [{text: `${path} has changed: this should occur in it once: ${piece}`}]};
					contents = contents.replace(piece, () => instead);
				}
				return {contents: contents + behind};
			});
	},
});
