import {readFileSync, statSync} from 'node:fs';
import {basename, dirname, join, relative, resolve} from 'node:path';
import {Failure} from '../failure.ts';
import {findPlanted, processBasis, type TrustBasis} from '../state/trust.ts';
import {quoted} from '../text/shell-word.ts';

export type ConfigurationFormat = 'json' | 'jsonc' | 'toml';

/** Where the configuration file is; nothing of it has been read. */
export type FoundConfiguration = {
	/** Absolute path. */
	readonly file: string;
	readonly format: ConfigurationFormat;
};

/** The names that are looked for, the most wanted first. */
export const configurationNames = ['wrangler.json', 'wrangler.jsonc', 'wrangler.toml'] as const;

/**
 * The configuration file in force: the file that `--config` names, or else each name by
 * itself in the working directory and all folders above it, so that a `wrangler.json` far up comes before a
 * `wrangler.toml` right here, as with wrangler. Reads no content. Fails when the named file is not a file, or its
 * ending tells no format; with `configuration_untrusted` when a file that was not named may have been planted.
 */
export function findConfiguration(
	cwd: string,
	named?: string,
	basis: TrustBasis = processBasis({}),
): FoundConfiguration | undefined {
	if (named !== undefined) return namedConfiguration(cwd, named);
	for (const name of configurationNames) {
		const file = findUpwards(cwd, name);
		if (file === undefined) continue;
		refusePlanted(file, cwd, basis);
		return {file, format: formatOf(file) ?? 'toml'};
	}
	return undefined;
}

/** A file that someone else may have planted stops everything: its account and bindings decide what is written to. */
function refusePlanted(file: string, cwd: string, basis: TrustBasis): void {
	const planted = findPlanted(dirname(file), basename(file), basis);
	if (!planted) return;
	const shownAs = shownPath(file, cwd);
	throw new Failure(
		'configuration_untrusted',
		`The configuration file ${shownAs} may have been planted by someone else.`,
		{
			why: `${planted.why}\nIts account and its bindings would decide what ledge reads and writes.`,
			next: `If you trust the file, name it: --config ${quoted(shownAs)}. Otherwise remove it, or work in another folder.`,
		},
	);
}

/**
 * The configuration of a project of the vendor's other tool, here or above: TypeScript, which ledge does not evaluate, so
 * that nothing in it counts.
 */
export const unreadConfiguration = (cwd: string): string | undefined =>
	findUpwards(cwd, 'cloudflare.config.ts');

/** A path as it is shown in messages: relative to the working directory when that is shorter. */
export function shownPath(file: string, cwd: string): string {
	const short = relative(cwd, file);
	return short !== '' && short.length < file.length ? short : file;
}

/** The bytes of a configuration file that exists. Fails with `input_missing` when they cannot be read. */
export function readBytes(file: string, shownAs: string): Buffer {
	try {
		return readFileSync(file);
	} catch (error) {
		throw new Failure('input_missing', `The configuration file ${shownAs} cannot be read.`, {
			why: error instanceof Error ? error.message : String(error),
			next: 'Check the path and the permissions of the file.',
			cause: error,
		});
	}
}

function namedConfiguration(cwd: string, named: string): FoundConfiguration {
	const file = resolve(cwd, named);
	const format = formatOf(file);
	if (!isFile(file)) {
		throw new Failure('input_missing', `There is no configuration file ${named === '' ? '""' : named}.`, {
			why: `--config names ${file}, which is not a file or cannot be reached.`,
			next: `Correct the path, or leave out --config: ledge then looks for ${configurationNames.join(', ')} here and in the folders above.`,
		});
	}
	if (format === undefined) {
		throw new Failure('usage', `The format of the configuration file ${named} is not known.`, {
			why: 'It is told by the ending, which must be .json, .jsonc or .toml.',
			next: 'Name a file with one of these endings.',
		});
	}
	return {file, format};
}

function formatOf(file: string): ConfigurationFormat | undefined {
	const ending = /\.(jsonc?|toml)$/i.exec(file)?.[1]?.toLowerCase();
	return ending === 'json' || ending === 'jsonc' || ending === 'toml' ? ending : undefined;
}

function findUpwards(from: string, name: string): string | undefined {
	for (let folder = resolve(from); ; folder = dirname(folder)) {
		const file = join(folder, name);
		if (isFile(file)) return file;
		if (dirname(folder) === folder) return undefined;
	}
}

function isFile(path: string): boolean {
	try {
		return statSync(path, {throwIfNoEntry: false})?.isFile() ?? false;
	} catch {
		// A folder that may not be entered, or a circle of links: for us there is no file there.
		return false;
	}
}
