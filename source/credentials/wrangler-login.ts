import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {Failure} from '../failure.ts';
import {getErrorCode} from '../state/directory.ts';
import type {WranglerFolder} from './wrangler-folder.ts';

/** A wrangler login as stored. */
export type StoredLogin =
	/** No login with that profile. */
	| {readonly state: 'none'; readonly file: string}
	/** The token is in the file and may have expired. */
	| {
			readonly state: 'stored';
			readonly file: string;
			readonly token: string;
			/** Undefined if the file does not say. */
			readonly expires: Date | undefined;
	  }
	/** The token is encrypted with a key in the system's keyring: only wrangler can read it. */
	| {readonly state: 'keyring'; readonly file: string};

/**
 * Reads a profile's stored login. Never writes wrangler's files. Fails with `credential_missing` if the file
 * is malformed; messages never quote it. `file` is shown with `~` for the home folder.
 */
export async function readLogin(folder: WranglerFolder, profile: string): Promise<StoredLogin> {
	const path = join(folder.path, 'config', `${profile}.toml`);
	const file = folder.formatPath(path);
	const text = readOptionalFile(path, file);
	if (text === undefined) {
		const encryptedPath = join(folder.path, 'config', `${profile}.enc`);
		if (existsSync(encryptedPath)) return {state: 'keyring', file: folder.formatPath(encryptedPath)};
		return {state: 'none', file};
	}
	const {oauth_token: token, expiration_time: expires} = await parseLogin(text, file);
	if (typeof token !== 'string' || token === '') return {state: 'none', file};
	return {state: 'stored', file, token, expires: parseTime(expires)};
}

function readOptionalFile(path: string, shownPath: string): string | undefined {
	try {
		return readFileSync(path, 'utf8');
	} catch (error) {
		const code = getErrorCode(error);
		if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
		throw createUnusableFailure(shownPath, `The file cannot be read (${String(code)}).`);
	}
}

async function parseLogin(text: string, shownPath: string): Promise<Readonly<Record<string, unknown>>> {
	const {parse, TomlError} = await import('smol-toml');
	try {
		return parse(text.startsWith('\ufeff') ? text.slice(1) : text);
	} catch (error) {
		// The parser's own message quotes the token.
		const lineNote = error instanceof TomlError ? ` (line ${error.line})` : '';
		throw createUnusableFailure(shownPath, `The file is not valid TOML${lineNote}.`);
	}
}

function parseTime(value: unknown): Date | undefined {
	const time = typeof value === 'string' || value instanceof Date ? new Date(value) : undefined;
	return time === undefined || Number.isNaN(time.getTime()) ? undefined : time;
}

const createUnusableFailure = (file: string, why: string): Failure =>
	new Failure(
		'credential_missing',
		`No credential was given, and the wrangler login in ${file} cannot be used.`,
		{why, next: 'Set CLOUDFLARE_API_TOKEN, or run `wrangler login` again.'},
	);
