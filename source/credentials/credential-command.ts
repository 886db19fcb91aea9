import {Failure} from '../failure.ts';
import type {Sourced} from '../settings/sourced.ts';
import {type Credential, KeyCredential, LoginCredential, TokenCredential} from './credential.ts';
import {parsePrintedCredential} from './printed-credential.ts';
import {runHelper} from './run-helper.ts';

/** A program that prints the credential, and its source. */
export type CredentialCommand = Sourced<readonly [string, ...string[]]> & {
	/** True if it comes from a context. */
	readonly isFromContext?: boolean;
};

type CommandOptions = {
	readonly env: NodeJS.ProcessEnv;
	readonly cwd: string;
	/** True if the program may use the terminal. */
	readonly mayPrompt: boolean;
	/** Receives its standard error unless that is a terminal. */
	readonly onStderr: (text: string) => void;
	/** Time limit in milliseconds. */
	readonly timeout: number;
};

/**
 * Runs a credential command without a shell and returns the printed credential: a token, or the JSON of
 * `wrangler auth token --json`. Fails with `credential_missing`; messages never contain its output.
 */
export async function runCredentialCommand(
	{value: command, from, isFromContext = false}: CredentialCommand,
	options: CommandOptions,
): Promise<Credential> {
	const createFailure = (why: string) =>
		new Failure('credential_missing', `The credential command from ${from} returned no credential.`, {
			why: `${command[0]}: ${why}`,
			// A context with a command uses nothing else: a variable beside it would conflict.
			next: `Run it on its own to see what is wrong, and correct ${from}${isFromContext ? '' : ', or set CLOUDFLARE_API_TOKEN'}.`,
		});
	const result = await runHelper({...options, command});
	switch (result.outcome) {
		case 'printed':
			break;
		case 'failed':
			throw createFailure(result.why);
		case 'too slow':
			throw createFailure(`It took longer than ${options.timeout / 1000} s.`);
		case 'too much':
			throw createFailure('It printed more than a credential.');
		default:
			return result satisfies never;
	}
	const printedCredential = parsePrintedCredential(result.text);
	if (!printedCredential)
		throw createFailure('It printed neither a one-line token nor the JSON of `wrangler auth token --json`.');
	switch (printedCredential.type) {
		case 'api_token':
			return new TokenCredential({value: printedCredential.token, from});
		case 'oauth':
			return new LoginCredential({value: printedCredential.token, from}, {profile: undefined});
		case 'api_key':
			return new KeyCredential({value: printedCredential.key, from}, {value: printedCredential.email, from});
		default:
			return printedCredential satisfies never;
	}
}

/**
 * Parses a credential command from a variable: words separated by blanks, or a JSON list if words contain
 * blanks or quotes. Fails with `usage`.
 */
export function parseCredentialCommand({value, from}: Sourced<string>): CredentialCommand {
	const createFailure = (why: string) =>
		new Failure('usage', `${from} is not a command.`, {
			why,
			next: `Separate words with spaces, or use a JSON list: ${from}='["op", "read", "op://vault/item/token"]'.`,
		});
	const text = value.trim();
	if (text.startsWith('[')) {
		const args = parseJsonWords(text);
		if (!args) throw createFailure('It starts like a JSON list, but is not a list of strings.');
		return {value: args, from};
	}
	// No shell interprets it: shell syntax is refused rather than taken literally.
	if (/["'`$\\|&;<>*?(){}~]/.test(text))
		throw createFailure('It contains shell syntax, but no shell interprets it.');
	const [program, ...args] = text.split(/\s+/);
	if (!program) throw createFailure('It is empty.');
	return {value: [program, ...args], from};
}

function parseJsonWords(text: string): [string, ...string[]] | undefined {
	try {
		const json: unknown = JSON.parse(text);
		if (!Array.isArray(json) || !json.every(word => typeof word === 'string')) return undefined;
		const [program, ...args] = json;
		return program ? [program, ...args] : undefined;
	} catch {
		return undefined;
	}
}
