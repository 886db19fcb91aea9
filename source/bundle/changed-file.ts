import {readFileSync} from 'node:fs';
import type {Plugin} from 'esbuild';

/** A file of a package: what is written in it otherwise, each piece standing there once, and what is added. */
export type Change = {
	readonly filter: RegExp;
	readonly pieces: readonly (readonly [piece: string, instead: string])[];
	readonly behind?: string;
};

/** Bundles these files of packages otherwise than they are; a version that does not hold the pieces is refused. */
export const changedFiles = (name: string, changes: readonly Change[]): Plugin => ({
	name,
	setup(context) {
		for (const {filter, pieces, behind = ''} of changes)
			context.onLoad({filter}, ({path}) => {
				let contents = readFileSync(path, 'utf8');
				for (const [piece, instead] of pieces) {
					if (contents.split(piece).length !== 2)
						return {errors: [{text: `${path} has changed: it should hold this once: ${piece}`}]};
					contents = contents.replace(piece, () => instead);
				}
				return {contents: contents + behind};
			});
	},
});
