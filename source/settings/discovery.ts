import {readFileSync, statSync} from 'node:fs';
import {basename, dirname, join, relative, resolve} from 'node:path';
import {Failure} from '../failure.ts';
import {findPlantedStep, getTrustBasis, type TrustBasis} from '../state/trust.ts';
import {attempt} from '../text/attempt.ts';
import {quoteShellWord} from '../text/shell-word.ts';

export type ConfigurationFormat = 'json' | 'jsonc' | 'toml';

/** Location of the configuration file, whose content has not been read. */
export type ConfigurationLocation = {
	/** Absolute path. */
	readonly file: string;
	readonly format: ConfigurationFormat;
};

/** File names to look for, preferred first. */
export const configurationNames = ['wrangler.json', 'wrangler.jsonc', 'wrangler.toml'] as const;

/**
 * Finds the configuration file: the one of `--config`, else each name by itself in the working directory and
 * all folders above, so that a `wrangler.json` far up wins over a `wrangler.toml` here, as with wrangler.
 * Reads no content. Fails if the named file does not exist or has an unknown extension, and with
 * `configuration_untrusted` if a file that was found may have been planted.
 */
export function findConfiguration(
	cwd: string,
	namedPath?: string,
	trustBasis: TrustBasis = getTrustBasis({}),
): ConfigurationLocation | undefined {
	if (namedPath !== undefined) return resolveNamedConfiguration(cwd, namedPath);
	for (const name of configurationNames) {
		const file = findUpwards(cwd, name);
		if (file === undefined) continue;
		refusePlanted(file, cwd, trustBasis);
		return {file, format: getFormat(file) ?? 'toml'};
	}
	return undefined;
}

/** Refuses a file that someone else may have planted: its account and bindings decide what is written to. */
function refusePlanted(file: string, cwd: string, trustBasis: TrustBasis): void {
	const plantedStep = findPlantedStep(dirname(file), basename(file), trustBasis);
	if (!plantedStep) return;
	const shownAs = formatPath(file, cwd);
	throw new Failure(
		'configuration_untrusted',
		`The configuration file ${shownAs} may have been planted by someone else.`,
		{
			why: `${plantedStep.why}\nIts account and its bindings would decide what ledge reads and writes.`,
			next: `If you trust the file, name it: --config ${quoteShellWord(shownAs)}. Otherwise remove it, or work in another folder.`,
		},
	);
}

/**
 * Finds a `cloudflare.config.ts` here or above, which belongs to the vendor's other tool. ledge does not
 * evaluate TypeScript, so nothing in it counts.
 */
export const findUnreadConfiguration = (cwd: string): string | undefined =>
	findUpwards(cwd, 'cloudflare.config.ts');

/** Formats a path for messages: relative to the working directory if shorter. */
export function formatPath(file: string, cwd: string): string {
	const relativePath = relative(cwd, file);
	return relativePath !== '' && relativePath.length < file.length ? relativePath : file;
}

/** Reads an existing configuration file. Fails with `input_missing` if unreadable. */
export function readConfigurationBytes(file: string, shownAs: string): Buffer {
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

function resolveNamedConfiguration(cwd: string, namedPath: string): ConfigurationLocation {
	const file = resolve(cwd, namedPath);
	const format = getFormat(file);
	if (!isFile(file)) {
		throw new Failure(
			'input_missing',
			`There is no configuration file ${namedPath === '' ? '""' : namedPath}.`,
			{
				why: `--config names ${file}, which is not a file or cannot be reached.`,
				next: `Correct the path, or leave out --config: ledge then looks for ${configurationNames.join(', ')} here and in the folders above.`,
			},
		);
	}
	if (format === undefined) {
		throw new Failure('usage', `The format of the configuration file ${namedPath} is unknown.`, {
			why: 'It is determined by the extension, which must be .json, .jsonc or .toml.',
			next: 'Use a file with one of these extensions.',
		});
	}
	return {file, format};
}

function getFormat(file: string): ConfigurationFormat | undefined {
	const extension = /\.(jsonc?|toml)$/i.exec(file)?.[1]?.toLowerCase();
	return extension === 'json' || extension === 'jsonc' || extension === 'toml' ? extension : undefined;
}

function findUpwards(startFolder: string, name: string): string | undefined {
	for (let folder = resolve(startFolder); ; folder = dirname(folder)) {
		const file = join(folder, name);
		if (isFile(file)) return file;
		if (dirname(folder) === folder) return undefined;
	}
}

/** An inaccessible folder or a link loop counts as no file. */
const isFile = (path: string): boolean =>
	attempt(() => statSync(path, {throwIfNoEntry: false})?.isFile()) ?? false;
