import {readFileSync} from 'node:fs';
import type {Plugin} from 'esbuild';

/** A change to a file of a package: pieces to replace, each of which occurs once, and code to append. */
export type Change = {
	readonly filter: RegExp;
	readonly pieces: readonly (readonly [piece: string, instead: string])[];
	readonly behind?: string;
};

/** Bundles these files with their changes. Fails when a version of the package no longer has one of the pieces. */
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
