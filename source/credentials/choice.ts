import {Failure} from '../failure.ts';
import {isOtherService} from '../settings/base-url.ts';
import {getSignInField} from '../settings/contexts/active-context.ts';
import type {ActiveContext} from '../settings/contexts/context.ts';
import {getPrefixedVariable, hasOwnCredential, type SettingSources} from '../settings/settings.ts';
import type {Sourced} from '../settings/sourced.ts';
import {buildAdvice, buildCommand} from '../text/advice.ts';
import {type Credential, credentialKindNames, KeyCredential, TokenCredential} from './credential.ts';
import {type CredentialCommand, parseCredentialCommand} from './credential-command.ts';
import type {LoginProfile} from './login-profile.ts';
import type {Machine, WranglerFolder} from './wrangler-folder.ts';
import type {StoredLogin} from './wrangler-login.ts';

/** Source of the credential, before anything runs. */
export type CredentialChoice =
	| {readonly source: 'given'; readonly credential: TokenCredential | KeyCredential}
	| {readonly source: 'command'; readonly command: CredentialCommand}
	| LoginChoice;

/** A wrangler login, and the content of its file when it was chosen. */
export type LoginChoice = {
	readonly source: 'login';
	readonly profile: LoginProfile;
	readonly folder: WranglerFolder;
	readonly login: Exclude<StoredLogin, {readonly state: 'none'}>;
};

/**
 * Chooses the credential, first match wins: the token, or API key and email, in variables; the profile of
 * `--profile`; a credential command or profile in variables; the sign-in of the context; wrangler's login for
 * the starting folder. For a second account, its own variables come first; if it uses another service, only
 * these are accepted.
 *
 * Fails with `credential_missing` (none, only half of an API key, or a missing login), and with
 * `account_unclear` if the context in use and the folder name different logins.
 */
export async function chooseCredential(
	sources: SettingSources,
	machine: Machine = {},
): Promise<CredentialChoice> {
	const {variables, prefix, options, context} = sources;
	if (prefix !== undefined && hasOwnCredential(sources)) {
		const ownCredential = readFromVariables(name => getPrefixedVariable(sources, name), prefix);
		if (ownCredential) return {source: 'given', credential: ownCredential};
	}
	if (prefix !== undefined && isOtherService(sources)) throw createForeignServiceFailure(prefix);
	const variableCredential = readFromVariables((...names) => variables(...names));
	if (variableCredential) return {source: 'given', credential: variableCredential};
	const {checkProfile, getNamedProfile} = await import('./login-profile.ts');
	const namedProfile = getNamedProfile(sources);
	if (namedProfile && options.profile !== undefined) return readProfileLogin(namedProfile, sources, machine);
	const command = variables('LEDGE_CREDENTIAL_COMMAND');
	if (command) return {source: 'command', command: parseCredentialCommand(command)};
	if (namedProfile) return readProfileLogin(namedProfile, sources, machine);
	if (context && getSignInField(context) !== undefined) await refuseOtherBinding(context, sources, machine);
	if (context?.credentialCommand)
		return {
			source: 'command',
			command: {value: context.credentialCommand, from: context.from, isFromContext: true},
		};
	if (context?.tokenVariable !== undefined)
		return {source: 'given', credential: readTokenVariable(context.tokenVariable, sources)};
	if (context?.profile !== undefined) {
		const profile = checkProfile({name: context.profile, from: context.from});
		return readProfileLogin(profile, sources, machine);
	}
	return findFolderLogin(sources, machine);
}

function readFromVariables(
	read: (...names: string[]) => Sourced<string> | undefined,
	prefix = '',
): TokenCredential | KeyCredential | undefined {
	const token = read('CLOUDFLARE_API_TOKEN', 'CF_API_TOKEN');
	if (token) return new TokenCredential(token);
	const key = read('CLOUDFLARE_API_KEY', 'CF_API_KEY');
	const email = read('CLOUDFLARE_EMAIL', 'CF_EMAIL');
	if (!key && !email) return undefined;
	if (!key || !email) {
		const [presentVariable, missingVariable] = key
			? [key, 'CLOUDFLARE_EMAIL']
			: [email, 'CLOUDFLARE_API_KEY'];
		throw new Failure(
			'credential_missing',
			`${presentVariable?.from} is set, but ${prefix}${missingVariable} is not.`,
			{
				why: 'An API key only works with the email address of its owner.',
				next: `Set ${prefix}${missingVariable} too, or ${prefix}CLOUDFLARE_API_TOKEN instead of both.`,
			},
		);
	}
	return new KeyCredential(key, email);
}

/** Reads the token from the variable that the context names. */
function readTokenVariable(name: string, {variables, context}: SettingSources): TokenCredential {
	const variable = variables(name);
	if (variable) return new TokenCredential(variable);
	throw new Failure('credential_missing', `${name} is not set.`, {
		why: `The ${context?.from} reads its token from this variable.`,
		next: `Set ${name}, or use another context.`,
	});
}

/** Thrown if no credential is configured, which is not an error by itself. */
export class NoCredential extends Failure {}

/**
 * Finds wrangler's login for the starting folder: that of the profile bound to the folder, else of the
 * default profile.
 */
async function findFolderLogin(sources: SettingSources, machine: Machine): Promise<LoginChoice> {
	const {findBoundProfile, defaultProfile} = await import('./login-profile.ts');
	const {findWranglerFolder} = await import('./wrangler-folder.ts');
	const folder = findWranglerFolder(sources.variables, machine);
	const boundProfile = folder && findBoundProfile(sources.startFolder, folder);
	return readProfileLogin(boundProfile ?? {name: defaultProfile, from: 'default'}, sources, machine);
}

async function readProfileLogin(
	profile: LoginProfile,
	sources: SettingSources,
	machine: Machine,
): Promise<LoginChoice> {
	const {readLogin} = await import('./wrangler-login.ts');
	const {findWranglerFolder} = await import('./wrangler-folder.ts');
	const folder = findWranglerFolder(sources.variables, machine);
	const login = folder && (await readLogin(folder, profile.name));
	if (folder && login && login.state !== 'none') return {source: 'login', profile, folder, login};
	if (profile.from !== 'default') throw createNoSuchLoginFailure(profile, login?.file, sources);
	throw new NoCredential('credential_missing', 'No credential was given.', {
		why: 'Neither CLOUDFLARE_API_TOKEN nor CLOUDFLARE_API_KEY with CLOUDFLARE_EMAIL is set, and wrangler is not logged in on this machine.',
		next: sources.hasContexts
			? buildAdvice`Choose a context with --context (\`${buildCommand('context list')}\` shows them), set CLOUDFLARE_API_TOKEN, or run \`wrangler login\`.`
			: 'Set CLOUDFLARE_API_TOKEN, or run `wrangler login`.',
	});
}

/**
 * Fails with `account_unclear` if the context in use and the binding of the folder name different profiles.
 */
async function refuseOtherBinding(
	context: ActiveContext,
	{variables, startFolder}: SettingSources,
	machine: Machine,
): Promise<void> {
	if (context.namedBy !== 'in use') return;
	const {findBoundProfile} = await import('./login-profile.ts');
	const {findWranglerFolder} = await import('./wrangler-folder.ts');
	const folder = findWranglerFolder(variables, machine);
	const boundProfile = folder && findBoundProfile(startFolder, folder);
	if (!boundProfile || boundProfile.name === context.profile) return;
	throw new Failure('account_unclear', 'The context in use and this folder specify different logins.', {
		why: [
			`The ${context.from} signs in with its ${getSignInField(context)}.`,
			`${boundProfile.folder} is bound to the profile "${boundProfile.name}" in ${boundProfile.from}.`,
		].join('\n'),
		next: `Add --context ${context.name} to sign in with the context, or --profile ${boundProfile.name}.`,
	});
}

function createNoSuchLoginFailure(
	{name, from, folder}: LoginProfile,
	file: string | undefined,
	{options, variables, configuration, context}: SettingSources,
): Failure {
	const account =
		options.accountId ??
		variables('CLOUDFLARE_ACCOUNT_ID', 'CF_ACCOUNT_ID')?.value ??
		context?.accountId ??
		configuration?.accountId?.value;
	return new Failure('credential_missing', `There is no wrangler login for the profile "${name}".`, {
		why: [
			folder === undefined ? `${from} names it.` : `The folder ${folder} is bound to it in ${from}.`,
			`${file === undefined ? 'There is no home folder to search' : `${file} does not exist`}, and no other login is used instead${account === undefined ? '' : ` for the account ${account}`}.`,
		].join('\n'),
		next: `Sign in with \`${name === 'default' ? 'wrangler login' : `wrangler auth create ${name}`}\`, choose another login with --profile, or set CLOUDFLARE_API_TOKEN.`,
	});
}

function createForeignServiceFailure(prefix: string): Failure {
	return new Failure(
		'credential_missing',
		`No credential was given for the service at ${prefix}CLOUDFLARE_API_BASE_URL.`,
		{
			why: 'It is not the main service, whose credential is never sent to it.',
			next: `Set ${prefix}CLOUDFLARE_API_TOKEN.`,
		},
	);
}

/** Description of a choice, before anything runs. */
export type ChoiceDescription = {
	/** What will be sent, if known. */
	readonly kind: Credential['kind'] | 'command';
	readonly what: string;
	readonly from: string;
};

export function describeChoice(choice: CredentialChoice, now: Date): ChoiceDescription {
	switch (choice.source) {
		case 'given':
			return {
				kind: choice.credential.kind,
				what: credentialKindNames[choice.credential.kind],
				from: choice.credential.from,
			};
		case 'command':
			return {kind: 'command', what: `printed by ${choice.command.value[0]}`, from: choice.command.from};
		case 'login': {
			const {profile, login} = choice;
			const profileNote = profile.name === 'default' ? '' : ` "${profile.name}"`;
			return {
				kind: 'oauth',
				what: `${credentialKindNames.oauth}${profileNote}${describeLoginState(login, now)}`,
				from: describeLoginSource(choice),
			};
		}
		default:
			return choice satisfies never;
	}
}

/** Describes what must happen before the login is usable. */
function describeLoginState(login: LoginChoice['login'], now: Date): string {
	if (login.state === 'keyring') return ', in the keyring: ledge asks wrangler for it';
	return login.expires && login.expires > now ? '' : ', expired: ledge asks wrangler to renew it';
}

/** Formats the file of the login, with what selected its profile. */
function describeLoginSource({profile: {from, folder}, login: {file}}: LoginChoice): string {
	if (from === 'default') return file;
	return folder === undefined ? `${file} (${from})` : `${file} (${folder} is bound to it)`;
}
