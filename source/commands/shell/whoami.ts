import {type Credential, credentialKindNames} from '../../credentials/credential.ts';
import {type Failure, isFailure} from '../../failure.ts';
import {type Account, listAccounts, readCurrentUser, verifyToken} from '../../service/accounts.ts';
import type {Client} from '../../service/client.ts';
import {resolveAccountId} from '../../settings/settings.ts';
import type {CommandContext} from './context.ts';
import {defineCommand} from './declare.ts';

/** `ledge whoami`: the credential in use, its origin, and what it sees. */
export const whoamiCommand = defineCommand({
	usage: 'whoami',
	summary: 'show the credential in use and what it can access',
	example: 'whoami --json',
	async run(context) {
		const {output, signal, options} = context;
		const client = await context.client();
		const credential = options.simulate
			? {kind: 'token' as const, from: '--simulate'}
			: summarizeCredential(await context.credential());
		const {kind} = credential;
		const {identity, visibleAccounts} = await loadIdentity(client, kind, signal).catch((error: unknown) => {
			throw isFailure(error, 'credential_refused')
				? withSignInAdvice(error, credential, context.contexts.active?.from)
				: error;
		});
		const account = await findActiveAccount(context, visibleAccounts);
		const activeContext = context.session.contexts.active?.name ?? null;
		if (output.json) {
			await output.writeJson(
				context.markSimulated({
					credential,
					...identity,
					service: client.baseUrl,
					context: activeContext,
					account,
					accounts: visibleAccounts,
				}),
			);
			return;
		}
		const lines = [
			...(activeContext === null ? [] : [`Context     ${activeContext}`]),
			`Credential  ${formatCredential(credential)}`,
			'token' in identity
				? `Token       ${identity.token.status}${identity.token.expiresOn ? `, expires ${identity.token.expiresOn}` : ''}`
				: `User        ${identity.user.email}`,
			`Service     ${options.simulate ? 'simulated' : client.baseUrl}`,
			...(account
				? [`Account     ${account.id}, from ${account.from}${account.isSeen ? '' : unseenNote}`]
				: []),
			...visibleAccounts.map(
				(account, index) => `${index === 0 ? 'Accounts' : '        '}    ${account.id}  ${account.name}`,
			),
		];
		await output.writeText(`${lines.join('\n')}\n`);
	},
});

/** Note on an active account that the credential does not see. */
const unseenNote = ": this credential can't access it";

/** Returns the active account if something names it, and whether the credential sees it. */
async function findActiveAccount({session, signal}: CommandContext, visibleAccounts: readonly Account[]) {
	if (
		session.simulated ||
		(resolveAccountId(await session.sources()) === undefined && visibleAccounts.length !== 1)
	)
		return null;
	const {id, from} = await session.account(signal);
	return {id, from, isSeen: visibleAccounts.some(one => one.id === id)};
}

type CredentialKind = Credential['kind'];

/** The part of a credential that is printed; never the secret. */
type CredentialSummary = {
	readonly kind: CredentialKind;
	readonly from: string;
	/** The wrangler profile that was signed in. */
	readonly profile?: string;
	/** The wrangler program that printed the token. */
	readonly printedBy?: string;
};

export function summarizeCredential(credential: Credential): CredentialSummary {
	const {kind, from} = credential;
	if (kind !== 'oauth') return {kind, from};
	const {profile, printedBy} = credential;
	return {kind, from, ...(profile !== undefined && {profile}), ...(printedBy !== undefined && {printedBy})};
}

export function formatCredential({kind, from, profile, printedBy}: CredentialSummary): string {
	const profileNote = profile === undefined || profile === 'default' ? '' : ` "${profile}"`;
	const renewal = printedBy === undefined ? '' : `, renewed by ${printedBy}`;
	return `${credentialKindNames[kind]}${profileNote}, from ${from}${renewal}`;
}

async function loadIdentity(client: Client, kind: CredentialKind, signal: AbortSignal) {
	// The service verifies API tokens only; a login identifies its user.
	const identity =
		kind === 'token'
			? {token: await verifyToken(client, signal)}
			: {user: await readCurrentUser(client, signal)};
	const visibleAccounts: Account[] = [];
	for await (const account of listAccounts(client, signal)) visibleAccounts.push(account);
	return {identity, visibleAccounts};
}

/**
 * Replaces the usual advice on a refused credential, which points to `whoami`, by advice on how to replace
 * it.
 */
const withSignInAdvice = (
	failure: Failure,
	{kind, from}: CredentialSummary,
	contextOrigin: string | undefined,
): Failure =>
	failure.withDetails({
		next:
			kind === 'oauth'
				? 'Run `wrangler login` again, or set CLOUDFLARE_API_TOKEN.'
				: from === contextOrigin
					? `Replace the credential that ${from} signs in with.`
					: `Replace the credential in ${from}.`,
	});
