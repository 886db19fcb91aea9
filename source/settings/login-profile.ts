import {readFileSync, realpathSync} from 'node:fs';
import {join, posix, win32} from 'node:path';
import {Failure} from '../failure.ts';
import {errorCode} from '../state/directory.ts';
import {isJsonObject, type JsonValue} from '../text/json.ts';
import type {SettingSources} from './settings.ts';

/** The name of the login that `wrangler login` makes when no profile is named. */
const ordinary = 'default';

/** A profile of wrangler, and what names it. */
type LoginProfile = {
	readonly name: string;
	/** `--profile`, a variable, or the file that binds a folder to the profile. */
	readonly from: string;
	/** The folder that is bound to it. */
	readonly folder?: string;
};

export type ConfigFolder = {
	/** wrangler's folder of configuration files. */
	readonly path: string;
	/** A path in it as it is shown. */
	shown(path: string): string;
	readonly platform: NodeJS.Platform;
};

/**
 * Fails with `credential_missing` where another profile of wrangler than the ordinary one applies: its login would act
 * as another user. A profile applies by `--profile`, else by `CLOUDFLARE_AUTH_PROFILE`, else by a folder that is bound to
 * one; bindings that cannot be read fail too, since nobody knows what they say.
 */
export function refuseOtherProfile(sources: SettingSources, folder: ConfigFolder | undefined): void {
	const profile = profileInForce(sources, folder);
	if (profile === undefined || profile.name === ordinary) return;
	const {name, from, folder: bound} = profile;
	const ofProfile = /^[\w-]+$/.test(name) ? ` --profile ${name}` : ' --profile NAME';
	throw new Failure(
		'credential_missing',
		`wrangler's profile "${name}" applies here, and ledge does not read logins of profiles.`,
		{
			why: [
				bound === undefined ? `${from} names it.` : `The folder ${bound} is bound to it in ${from}.`,
				'The default login of wrangler is another one, so it is not used.',
			].join('\n'),
			next: [
				`Set CLOUDFLARE_API_TOKEN: \`wrangler auth token --json${ofProfile}\` prints the token of the profile.`,
				`To use the default login here, add --profile ${ordinary}.`,
			].join('\n'),
		},
	);
}

function profileInForce(
	{options, variables, start}: SettingSources,
	folder: ConfigFolder | undefined,
): LoginProfile | undefined {
	if (options.profile !== undefined) return {name: options.profile, from: '--profile'};
	const named = variables('CLOUDFLARE_AUTH_PROFILE');
	if (named) return {name: named.value, from: named.from};
	if (folder === undefined) return undefined;
	const file = join(folder.path, 'profiles', 'directory-bindings.json');
	const bindings = readBindings(file, folder);
	const bound = boundTo(bindings, start, folder.platform);
	return bound && {...bound, from: folder.shown(file)};
}

type Binding = {readonly folder: string; readonly name: string};

/**
 * The profile of the nearest bound folder that is the starting folder or above it. A folder may be reached by several
 * paths, through links: where these lead to different profiles, a profile other than the ordinary one counts, because using
 * the wrong login is worse than using none.
 */
function boundTo(
	bindings: readonly Binding[],
	start: string,
	platform: NodeJS.Platform,
): Binding | undefined {
	const ofFolder = new Map<string, Binding>();
	for (const binding of bindings) {
		for (const path of pathsOf(binding.folder, platform)) {
			const other = ofFolder.get(path);
			if (!other || other.name === ordinary) ofFolder.set(path, binding);
		}
	}
	const found = pathsOf(start, platform)
		.map(path => ancestors(path, platform).find(one => ofFolder.has(one)))
		.map(path => path && ofFolder.get(path))
		.filter(binding => binding !== undefined && binding !== '');
	return found.find(({name}) => name !== ordinary) ?? found[0];
}

/** A folder as it is written and as it really is: absolute, without `..`, doubled slashes, and slashes at its end. */
function pathsOf(folder: string, platform: NodeJS.Platform): readonly string[] {
	const {resolve} = pathsAs(platform);
	const written = resolve(folder);
	let real = written;
	try {
		real = realpathSync.native(written);
	} catch {
		// It no longer exists, or cannot be entered: as it is written it may still be bound.
	}
	// Windows takes letters of either case for the same.
	const compared = platform === 'win32' ? [written, real].map(path => path.toLowerCase()) : [written, real];
	return [...new Set(compared)];
}

function ancestors(path: string, platform: NodeJS.Platform): readonly string[] {
	const {dirname} = pathsAs(platform);
	const all = [path];
	for (let at = path; dirname(at) !== at; at = dirname(at)) all.push(dirname(at));
	return all;
}

const pathsAs = (platform: NodeJS.Platform) => (platform === 'win32' ? win32 : posix);

/** The folders that are bound to a profile; none where there is no such file. */
function readBindings(file: string, {shown, platform}: ConfigFolder): readonly Binding[] {
	let text: string;
	try {
		text = readFileSync(file, 'utf8');
	} catch (error) {
		const code = errorCode(error);
		if (code === 'ENOENT' || code === 'ENOTDIR') return [];
		throw unreadable(shown(file), `It cannot be read (${code}).`);
	}
	let bindings: JsonValue;
	try {
		bindings = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
	} catch {
		throw unreadable(shown(file), 'It is not valid JSON.');
	}
	if (!isJsonObject(bindings)) throw unreadable(shown(file), 'It is not a JSON object.');
	return Object.entries(bindings).map(([folder, name]) => {
		if (typeof name === 'string' && name !== '' && pathsAs(platform).isAbsolute(folder))
			return {folder, name};
		throw unreadable(
			shown(file),
			`The entry ${JSON.stringify(folder)} does not bind an absolute path to the name of a profile.`,
		);
	});
}

const unreadable = (file: string, why: string): Failure =>
	new Failure(
		'credential_missing',
		`The folders that wrangler binds to profiles cannot be read from ${file}.`,
		{
			why: `${why}\nWithout it nobody knows which login of wrangler applies here, so none is used.`,
			next: `Repair the file or move it aside, set CLOUDFLARE_API_TOKEN, or name the login with --profile ${ordinary}.`,
		},
	);
