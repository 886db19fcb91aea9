import {readFileSync} from 'node:fs';
import type {Plugin} from 'esbuild';

/**
 * A patch for package files whose path matches: texts to replace, each occurring exactly once, and code to
 * append.
 */
export type FilePatch = {
	readonly filter: RegExp;
	readonly replacements: readonly (readonly [piece: string, instead: string])[];
	readonly appended?: string;
};

/**
 * Creates a plugin that applies patches. The build fails if a text to replace does not occur exactly once.
 */
export const createPatchPlugin = (name: string, patches: readonly FilePatch[]): Plugin => ({
	name,
	setup(context) {
		for (const {filter, replacements, appended = ''} of patches)
			context.onLoad({filter}, ({path}) => {
				let contents = readFileSync(path, 'utf8');
				for (const [piece, replacement] of replacements) {
					if (contents.split(piece).length !== 2)
						return {errors: [{text: `${path} has changed: this should occur in it once: ${piece}`}]};
					contents = contents.replace(piece, () => replacement);
				}
				return {contents: contents + appended};
			});
	},
});
