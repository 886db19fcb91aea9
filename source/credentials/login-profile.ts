import {readFileSync, realpathSync} from 'node:fs';
import {join, posix, win32} from 'node:path';
import {Failure} from '../failure.ts';
import type {SettingSources} from '../settings/settings.ts';
import {getErrorCode} from '../state/directory.ts';
import {isJsonObject, type JsonValue, parseJsonText} from '../text/json.ts';
import type {WranglerFolder} from './wrangler-folder.ts';

/** Name of the login that `wrangler login` creates by default. */
export const defaultProfile = 'default';

/** A wrangler profile and its source. */
export type LoginProfile = {
	readonly name: string;
	/**
	 * What names it: `--profile`, a variable, a context, or the file that binds a folder to it; `default` if
	 * nothing does.
	 */
	readonly from: string;
	/** The bound folder, as written in that file. */
	readonly folder?: string;
};

/**
 * Returns the profile named by the command line, else by a variable. Fails with `usage` for an invalid name.
 */
export function getNamedProfile({
	options,
	variables,
}: Pick<SettingSources, 'options' | 'variables'>): LoginProfile | undefined {
	if (options.profile !== undefined) return checkProfile({name: options.profile, from: '--profile'});
	const variable = variables('CLOUDFLARE_AUTH_PROFILE');
	return variable && checkProfile({name: variable.value, from: variable.from});
}

/**
 * Finds the profile that wrangler binds the starting folder to: that of the longest bound folder at or above
 * it; undefined if none. Fails with `credential_missing` if the bindings are unreadable, or if another path
 * to the same folder, through links, leads to another profile.
 */
export function findBoundProfile(startFolder: string, folder: WranglerFolder): LoginProfile | undefined {
	const path = join(folder.path, 'profiles', 'directory-bindings.json');
	const source = folder.formatPath(path);
	const bindings = readBindings(path, folder);
	const nearestBindings = findNearestBindings(bindings, startFolder, folder.platform);
	const [firstName, otherName] = new Set(nearestBindings.map(({name}) => name));
	if (firstName !== undefined && otherName !== undefined)
		throw createAmbiguousFailure(startFolder, [firstName, otherName], source);
	return nearestBindings[0] && checkProfile({...nearestBindings[0], from: source});
}

/** Checks a profile's name, which is a file name. */
export function checkProfile<Profile extends LoginProfile>(profile: Profile): Profile {
	const {name, from} = profile;
	if (/^\w[\w-]*$/.test(name) && name.toLowerCase() !== 'staging') return profile;
	throw new Failure('usage', `${from} names the profile "${name}", which is not a valid wrangler profile.`, {
		why: 'A profile name consists of the letters A to Z and a to z, digits, "_" and "-"; "staging" is reserved.',
		next: 'Correct the name. `wrangler auth list` shows the profiles that exist.',
	});
}

const createAmbiguousFailure = (
	startFolder: string,
	[one, other]: readonly [string, string],
	file: string,
): Failure =>
	new Failure(
		'credential_missing',
		`wrangler's profiles "${one}" and "${other}" are both bound to the folder ${startFolder}.`,
		{
			why: `${file} binds it twice, by different paths, so it is unclear which profile applies.`,
			next: 'Choose the login with --profile, or set CLOUDFLARE_API_TOKEN.',
		},
	);

type Binding = {readonly folder: string; readonly name: string};

/**
 * Finds the nearest bound folder at or above the starting folder, by the path as written, which wrangler
 * uses, and by the real path. Returns its bindings, several if the two paths differ or the folder is bound
 * more than once.
 */
function findNearestBindings(
	bindings: readonly Binding[],
	startFolder: string,
	platform: NodeJS.Platform,
): readonly Binding[] {
	const byFolder = new Map<string, Binding[]>();
	for (const binding of bindings) {
		for (const path of listPaths(binding.folder, platform))
			byFolder.set(path, [...(byFolder.get(path) ?? []), binding]);
	}
	return listPaths(startFolder, platform).flatMap(path => {
		const nearestFolder = listAncestors(path, platform).find(one => byFolder.has(one));
		return nearestFolder === undefined ? [] : (byFolder.get(nearestFolder) ?? []);
	});
}

/** Lists the paths of a folder, as written and real: absolute, without `..`, double or trailing slashes. */
function listPaths(folder: string, platform: NodeJS.Platform): readonly string[] {
	const {resolve} = getPathModule(platform);
	const writtenPath = resolve(folder);
	let realPath = writtenPath;
	try {
		realPath = realpathSync.native(writtenPath);
	} catch {
		// The folder is missing or cannot be accessed, but its written path may still be bound.
	}
	// Windows paths are case-insensitive.
	const comparedPaths =
		platform === 'win32' ? [writtenPath, realPath].map(path => path.toLowerCase()) : [writtenPath, realPath];
	return [...new Set(comparedPaths)];
}

function listAncestors(path: string, platform: NodeJS.Platform): readonly string[] {
	const {dirname} = getPathModule(platform);
	const ancestors = [path];
	for (let current = path; dirname(current) !== current; current = dirname(current))
		ancestors.push(dirname(current));
	return ancestors;
}

const getPathModule = (platform: NodeJS.Platform) => (platform === 'win32' ? win32 : posix);

/** Reads the folders bound to profiles; empty if the file does not exist. */
function readBindings(file: string, {formatPath, platform}: WranglerFolder): readonly Binding[] {
	let text: string;
	try {
		text = readFileSync(file, 'utf8');
	} catch (error) {
		const code = getErrorCode(error);
		if (code === 'ENOENT' || code === 'ENOTDIR') return [];
		throw createUnreadableFailure(formatPath(file), `It cannot be read (${code}).`);
	}
	let bindings: JsonValue;
	try {
		bindings = parseJsonText(text.startsWith('\ufeff') ? text.slice(1) : text);
	} catch {
		throw createUnreadableFailure(formatPath(file), 'It is not valid JSON.');
	}
	if (!isJsonObject(bindings)) throw createUnreadableFailure(formatPath(file), 'It is not a JSON object.');
	return Object.entries(bindings).map(([folder, name]) => {
		if (typeof name === 'string' && name !== '' && getPathModule(platform).isAbsolute(folder))
			return {folder, name};
		throw createUnreadableFailure(
			formatPath(file),
			`The entry ${JSON.stringify(folder)} does not bind an absolute path to a profile name.`,
		);
	});
}

const createUnreadableFailure = (file: string, why: string): Failure =>
	new Failure(
		'credential_missing',
		`The folders that wrangler binds to profiles cannot be read from ${file}.`,
		{
			why: `${why}\nWithout it, ledge can't tell which wrangler login applies here, so it uses none.`,
			next: `Fix the file or move it aside, set CLOUDFLARE_API_TOKEN, or choose the login with --profile ${defaultProfile}.`,
		},
	);
