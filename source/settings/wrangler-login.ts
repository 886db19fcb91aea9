import {readFileSync, statSync} from 'node:fs';
import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import {Failure} from '../failure.ts';
import type {Machine} from './credential.ts';
import {type ConfigFolder, refuseOtherProfile} from './login-profile.ts';
import type {SettingSources} from './settings.ts';
import type {Variables} from './variables.ts';

/** wrangler's login on this machine, still valid. */
type PeerLogin = {
	readonly token: string;
	/** The file, `~` for the home folder. */
	readonly from: string;
	readonly expires: Date;
	readonly scopes: readonly string[];
};

/**
 * Reads the token that `wrangler login` left; nothing when there is none. The file is never written. Fails with
 * `credential_missing` when it has expired or cannot be understood, and where another profile than the default one
 * applies; messages never quote the file.
 */
export async function readPeerLogin(
	sources: SettingSources,
	machine: Machine,
): Promise<PeerLogin | undefined> {
	const {variables} = sources;
	const home = machine.home ?? homeFolder(variables, machine.platform ?? process.platform);
	const folder = home === undefined ? undefined : configFolder(variables, home, machine);
	refuseOtherProfile(sources, folder);
	if (home === undefined || folder === undefined) return undefined;
	const file = loginFile(variables, home, folder.platform);
	const from = folder.shown(file);
	const text = readIfThere(file, from);
	if (text === undefined) return undefined;
	const fields = await parsed(text, from);
	const token = fields.oauth_token;
	if (typeof token !== 'string' || token === '') return undefined;
	const expires = timeOf(fields.expiration_time);
	if (expires === undefined || expires <= (machine.now ?? new Date())) throw expired(from, expires);
	const scopes = fields.scopes;
	return {
		token,
		from,
		expires,
		scopes: Array.isArray(scopes) ? scopes.filter(scope => typeof scope === 'string') : [],
	};
}

function configFolder(variables: Variables, home: string, machine: Machine): ConfigFolder {
	const platform = machine.platform ?? process.platform;
	return {
		path: configPath(variables, home, platform),
		shown: path => (path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path),
		platform,
	};
}

/** The file with wrangler's default login. */
export const loginFile = (variables: Variables, home: string, platform: NodeJS.Platform): string =>
	join(configPath(variables, home, platform), 'config', 'default.toml');

/**
 * wrangler's folder of configuration files: the old folder `~/.wrangler` if that exists, else `.wrangler` below `$XDG_CONFIG_HOME`
 * or what the system has in its place.
 */
function configPath(variables: Variables, home: string, platform: NodeJS.Platform): string {
	const old = join(home, '.wrangler');
	if (statSync(old, {throwIfNoEntry: false})?.isDirectory()) return old;
	const configured = variables('XDG_CONFIG_HOME')?.value;
	const folder =
		configured !== undefined && isAbsolute(configured) ? configured : systemFolder(variables, home, platform);
	return join(folder, '.wrangler');
}

function systemFolder(variables: Variables, home: string, platform: NodeJS.Platform): string {
	if (platform === 'darwin') return join(home, 'Library', 'Preferences');
	if (platform === 'win32')
		return join(variables('APPDATA')?.value ?? join(home, 'AppData', 'Roaming'), 'xdg.config');
	return join(home, '.config');
}

/** As `homedir` finds it, but in the variables in force. */
function homeFolder(variables: Variables, platform: NodeJS.Platform): string | undefined {
	try {
		return variables(platform === 'win32' ? 'USERPROFILE' : 'HOME')?.value ?? homedir();
	} catch {
		// A user without an entry in the system's list has no home, and so no login there.
		return undefined;
	}
}

function readIfThere(file: string, from: string): string | undefined {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? error.code : undefined;
		if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
		throw unusable(from, `The file cannot be read (${String(code)}).`);
	}
}

async function parsed(text: string, from: string): Promise<Readonly<Record<string, unknown>>> {
	const {parse, TomlError} = await import('smol-toml');
	try {
		return parse(text.startsWith('\ufeff') ? text.slice(1) : text);
	} catch (error) {
		// The parser's own message quotes the token.
		const place = error instanceof TomlError ? ` (line ${error.line})` : '';
		throw unusable(from, `The file is not valid TOML${place}.`);
	}
}

function timeOf(value: unknown): Date | undefined {
	const time = typeof value === 'string' || value instanceof Date ? new Date(value) : undefined;
	return time === undefined || Number.isNaN(time.getTime()) ? undefined : time;
}

function expired(from: string, expires: Date | undefined): Failure {
	return new Failure('credential_missing', 'The login of wrangler on this machine has expired.', {
		why: expires
			? `${from} says: until ${expires.toISOString()}.`
			: `${from} does not say until when it is valid.`,
		next: waysOut,
	});
}

const unusable = (from: string, why: string): Failure =>
	new Failure(
		'credential_missing',
		`No credential was given, and the login of wrangler in ${from} cannot be used.`,
		{
			why,
			next: waysOut,
		},
	);

const waysOut = 'Set CLOUDFLARE_API_TOKEN, or run `wrangler login` again.';
