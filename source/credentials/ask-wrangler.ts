import {accessSync, constants, statSync} from 'node:fs';
import {delimiter, dirname, isAbsolute, join, resolve} from 'node:path';
import {Failure} from '../failure.ts';
import {findUntrusted, processBasis, type TrustBasis} from '../state/trust.ts';
import {readPrinted} from './printed.ts';
import {runHelper} from './run-helper.ts';

/** A wrangler that can be asked. */
type Wrangler = {
	readonly program: string;
	/** Whether it is the project's own, and not the one in PATH: it is named before it runs. */
	readonly isOfProject: boolean;
};

type AskOptions = {
	readonly env: NodeJS.ProcessEnv;
	/** Where the search for the project's own begins. */
	readonly start: string;
	/** wrangler's folder of configuration files: it is run there, where no `.env` of the project reaches it. */
	readonly folder: string;
	readonly platform: NodeJS.Platform;
	/** Told before the project's own is run. */
	readonly notice: (sentence: string) => void;
	/** Decides whose folders the project's own is run from; this user's unless given. */
	readonly trust?: TrustBasis | undefined;
	/** Milliseconds that wrangler has: it takes about one second, and more where it renews over a slow line. */
	readonly timeout: number;
};

/** Why wrangler has to be asked. */
export type ReasonToAsk = {
	/** The beginning of a sentence. */
	readonly what: string;
	/** A sentence of its own. */
	readonly detail?: string | undefined;
};

/**
 * Asks wrangler for the token of a profile: the one in PATH, else the project's own, if nobody else could have put it
 * there. It renews an expired login by itself. Fails with `credential_missing`: no wrangler, one that is not safe to run,
 * or no token from it; the reason is its own, without anything that could be a token.
 */
export async function askWrangler(
	profile: string,
	{what, detail}: ReasonToAsk,
	options: AskOptions,
): Promise<{readonly token: string; readonly program: string}> {
	const {env, start, folder, platform, notice, trust = processBasis(env), timeout} = options;
	const wrangler = findWrangler(env, start, platform);
	if (!wrangler) {
		throw new Failure('credential_missing', `${what}, and there is no wrangler to renew it.`, {
			why: sentences(
				detail,
				`wrangler is neither in PATH nor in node_modules of ${start} or a folder above it. ledge itself never renews a login of wrangler.`,
			),
			next: waysOut(profile),
		});
	}
	const {program, isOfProject} = wrangler;
	if (isOfProject) {
		const untrusted = findUntrusted(program, trust);
		if (untrusted)
			throw new Failure(
				'credential_missing',
				`${what}, and the wrangler of this project is not safe to run.`,
				{
					why: sentences(detail, `${untrusted.why}\nSomeone else could have replaced ${program}.`),
					next: `${waysOut(profile)} A wrangler in PATH is run in any folder.`,
				},
			);
		notice(`Running ${program} for the login "${profile}".`);
	}
	let errors = '';
	const ended = await runHelper({
		command: [
			// A shell starts it on Windows, and takes it apart at blanks.
			platform === 'win32' ? `"${program}"` : program,
			'auth',
			'token',
			'--json',
			'--profile',
			profile,
		],
		cwd: folder,
		env: {...env, WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true', NO_COLOR: '1'},
		mayAsk: false,
		errors: text => {
			if (errors.length < 10_000) errors += text;
		},
		timeout,
		shell: platform === 'win32',
	});
	const failed = (reason: string) =>
		new Failure('credential_missing', `${what}, and wrangler did not renew it.`, {
			why: sentences(detail, `${program} auth token: ${reason}`, ...sentencesOf(errors)),
			next: waysOut(profile),
		});
	switch (ended.how) {
		case 'printed': {
			const printed = readPrinted(ended.text);
			// Another kind is a credential of its surroundings, and not this login.
			if (printed?.type === 'oauth') return {token: printed.token, program};
			throw failed(printed ? 'It printed another credential than that of a login.' : 'It printed no token.');
		}
		case 'failed':
			throw failed(ended.why);
		case 'too slow':
			throw failed(`It did not answer within ${timeout / 1000} s.`);
		case 'too much':
			throw failed('It printed more than a token.');
		default:
			return ended satisfies never;
	}
}

/** The two ways out of a login that cannot be used. */
const waysOut = (profile: string): string =>
	`Sign in again with \`${signIn(profile)}\`, or set CLOUDFLARE_API_TOKEN.`;

/** The command that signs in to a profile. */
const signIn = (profile: string): string =>
	profile === 'default' ? 'wrangler login' : `wrangler auth create ${profile}`;

/** The wrangler in an absolute folder of PATH, else in the nearest `node_modules`; nothing is ever downloaded. */
export function findWrangler(
	env: NodeJS.ProcessEnv,
	start: string,
	platform: NodeJS.Platform,
): Wrangler | undefined {
	const names = platform === 'win32' ? ['wrangler.cmd', 'wrangler.exe'] : ['wrangler'];
	const inFolder = (folder: string) => names.map(name => join(folder, name)).find(isProgram);
	for (const folder of (env.PATH ?? env.Path ?? '').split(delimiter)) {
		// A relative one would be a file of whatever folder ledge was started in.
		const program = isAbsolute(folder) ? inFolder(folder) : undefined;
		if (program !== undefined) return {program, isOfProject: false};
	}
	for (let folder = resolve(start); ; folder = dirname(folder)) {
		const program = inFolder(join(folder, 'node_modules', '.bin'));
		if (program !== undefined) return {program, isOfProject: true};
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

const sentences = (...parts: readonly (string | undefined)[]): string =>
	parts.filter(part => part !== undefined).join('\n');

/** Lines of a message, without anything that is long enough to be a token, and at most five. */
const sentencesOf = (errors: string): string[] =>
	errors
		.replace(/[\w.~+/=-]{30,}/g, '[redacted]')
		.split('\n')
		.map(line => line.trim())
		.filter(line => /[a-z]/i.test(line))
		.slice(0, 5);
