import {accessSync, constants, statSync} from 'node:fs';
import {delimiter, dirname, isAbsolute, join, resolve} from 'node:path';
import {Failure} from '../failure.ts';
import {findUntrustedStep, getTrustBasis, type TrustBasis} from '../state/trust.ts';
import {parsePrintedCredential} from './printed-credential.ts';
import {runHelper} from './run-helper.ts';

/** A wrangler executable and where it was found. */
type Wrangler = {
	readonly program: string;
	/** True for the wrangler of the project, which is announced before it runs; false for the one in PATH. */
	readonly isProjectLocal: boolean;
};

type AskOptions = {
	readonly env: NodeJS.ProcessEnv;
	/** Folder where the search for the project's wrangler begins. */
	readonly startFolder: string;
	/** wrangler's configuration folder; it runs there, out of reach of the project's `.env`. */
	readonly wranglerFolder: string;
	readonly platform: NodeJS.Platform;
	/** Called before the project's wrangler runs. */
	readonly notice: (sentence: string) => void;
	/** Owners whose folders a project's wrangler may run from; by default only the current user. */
	readonly trust?: TrustBasis | undefined;
	/**
	 * Time limit in milliseconds: wrangler takes about one second, more for a renewal over a slow connection.
	 */
	readonly timeout: number;
};

/** Why wrangler is asked. */
export type ReasonToAsk = {
	/** The problem, as the beginning of a sentence: "The login has expired". */
	readonly problem: string;
	/** Details of the problem, as a separate sentence. */
	readonly detail?: string | undefined;
};

/**
 * Asks wrangler for a profile's token: uses the one in PATH, else the project's own if no one else could have
 * planted it. wrangler renews an expired login itself. Fails with `credential_missing`: no wrangler, an
 * unsafe one, or no token from it; the reason is wrangler's message without likely tokens.
 */
export async function askWrangler(
	profile: string,
	{problem, detail}: ReasonToAsk,
	options: AskOptions,
): Promise<{readonly token: string; readonly program: string}> {
	const {env, startFolder, wranglerFolder, platform, notice, trust = getTrustBasis(env), timeout} = options;
	const wrangler = findWrangler(env, startFolder, platform);
	if (!wrangler) {
		throw new Failure('credential_missing', `${problem}, and wrangler was not found.`, {
			why: joinLines(
				detail,
				`wrangler is neither in PATH nor in node_modules of ${startFolder} or a parent folder. ledge never renews a wrangler login itself.`,
			),
			next: formatWaysOut(profile),
		});
	}
	const {program, isProjectLocal} = wrangler;
	if (isProjectLocal) {
		const untrustedStep = findUntrustedStep(program, trust);
		if (untrustedStep)
			throw new Failure('credential_missing', `${problem}, and this project's wrangler is not safe to run.`, {
				why: joinLines(detail, `${untrustedStep.why}\nSomeone else could have replaced ${program}.`),
				next: `${formatWaysOut(profile)} ledge also runs a wrangler found in PATH, whatever folder it is in.`,
			});
		notice(`Running ${program} for the login "${profile}".`);
	}
	let stderrText = '';
	const result = await runHelper({
		command: [
			// On Windows a shell starts it, and would split a path at its spaces.
			platform === 'win32' ? `"${program}"` : program,
			'auth',
			'token',
			'--json',
			'--profile',
			profile,
		],
		cwd: wranglerFolder,
		env: {...env, WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true', NO_COLOR: '1'},
		mayPrompt: false,
		onStderr: text => {
			if (stderrText.length < 10_000) stderrText += text;
		},
		timeout,
		usesShell: platform === 'win32',
	});
	const createFailure = (reason: string) =>
		new Failure('credential_missing', `${problem}, and wrangler did not renew it.`, {
			why: joinLines(detail, `${program} auth token: ${reason}`, ...extractRedactedLines(stderrText)),
			next: formatWaysOut(profile),
		});
	switch (result.outcome) {
		case 'printed': {
			const printedCredential = parsePrintedCredential(result.text);
			// Another kind comes from wrangler's environment, not from this login.
			if (printedCredential?.type === 'oauth') return {token: printedCredential.token, program};
			throw createFailure(
				printedCredential ? 'It printed a credential that is not from a login.' : 'It printed no token.',
			);
		}
		case 'failed':
			throw createFailure(result.why);
		case 'too slow':
			throw createFailure(`It did not answer within ${timeout / 1000} s.`);
		case 'too much':
			throw createFailure('It printed more than a token.');
		default:
			return result satisfies never;
	}
}

const formatWaysOut = (profile: string): string =>
	`Sign in again with \`${formatSignInCommand(profile)}\`, or set CLOUDFLARE_API_TOKEN.`;

/** Formats the command that signs in to a profile. */
const formatSignInCommand = (profile: string): string =>
	profile === 'default' ? 'wrangler login' : `wrangler auth create ${profile}`;

/** Finds wrangler in an absolute folder of PATH, else in the nearest `node_modules`; never downloads it. */
export function findWrangler(
	env: NodeJS.ProcessEnv,
	startFolder: string,
	platform: NodeJS.Platform,
): Wrangler | undefined {
	const names = platform === 'win32' ? ['wrangler.cmd', 'wrangler.exe'] : ['wrangler'];
	const findInFolder = (folder: string) => names.map(name => join(folder, name)).find(isProgram);
	for (const folder of (env.PATH ?? env.Path ?? '').split(delimiter)) {
		// A relative folder would depend on the working folder.
		const program = isAbsolute(folder) ? findInFolder(folder) : undefined;
		if (program !== undefined) return {program, isProjectLocal: false};
	}
	for (let folder = resolve(startFolder); ; folder = dirname(folder)) {
		const program = findInFolder(join(folder, 'node_modules', '.bin'));
		if (program !== undefined) return {program, isProjectLocal: true};
		if (dirname(folder) === folder) return undefined;
	}
}

function isProgram(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return statSync(path).isFile();
	} catch {
		return false;
	}
}

const joinLines = (...parts: readonly (string | undefined)[]): string =>
	parts.filter(part => part !== undefined).join('\n');

/** Returns at most five lines of a message, with likely tokens redacted. */
const extractRedactedLines = (stderrText: string): string[] =>
	stderrText
		.replace(/[\w.~+/=-]{30,}/g, '[redacted]')
		.split('\n')
		.map(line => line.trim())
		.filter(line => /[a-z]/i.test(line))
		.slice(0, 5);
