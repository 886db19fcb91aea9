import {type Credential, credentialWords} from '../../credentials/credential.ts';
import {type Failure, isFailure} from '../../failure.ts';
import {type Account, accounts, currentUser, verifyToken} from '../../service/accounts.ts';
import type {Client} from '../../service/client.ts';
import {accountId} from '../../settings/settings.ts';
import type {CommandContext} from './context.ts';
import {defineCommand} from './declare.ts';

/** `ledge whoami`: the credential in use, its origin, and what it sees. */
export const whoamiCommand = defineCommand({
	usage: 'whoami',
	summary: 'which credential is in use, and what it sees',
	example: 'whoami --json',
	async run(context) {
		const {output, signal, options} = context;
		const client = await context.client();
		const credential = options.simulate
			? {kind: 'token' as const, from: '--simulate'}
			: shownOf(await context.credential());
		const {kind} = credential;
		const {who, seen} = await sight(client, kind, signal).catch((error: unknown) => {
			throw isFailure(error, 'credential_refused')
				? refused(error, credential, context.contexts.inForce?.from)
				: error;
		});
		const account = await accountHere(context, seen);
		const inForce = context.session.contexts.inForce?.name ?? null;
		if (output.json) {
			await output.value(
				context.marked({
					credential,
					...who,
					service: client.baseUrl,
					context: inForce,
					account,
					accounts: seen,
				}),
			);
			return;
		}
		const lines = [
			...(inForce === null ? [] : [`Context     ${inForce}`]),
			`Credential  ${inWords(credential)}`,
			'token' in who
				? `Token       ${who.token.status}${who.token.expiresOn ? `, until ${who.token.expiresOn}` : ''}`
				: `User        ${who.user.email}`,
			`Service     ${options.simulate ? 'simulated' : client.baseUrl}`,
			...(account ? [`Account     ${account.id}, from ${account.from}${account.isSeen ? '' : lacking}`] : []),
			...seen.map(
				(account, index) => `${index === 0 ? 'Accounts' : '        '}    ${account.id}  ${account.name}`,
			),
		];
		await output.text(`${lines.join('\n')}\n`);
	},
});

/** Note on an active account that the credential does not see. */
const lacking = ': this credential does not see it';

/** Returns the active account if something names it, and whether the credential sees it. */
async function accountHere({session, signal}: CommandContext, seen: readonly Account[]) {
	if (session.simulated || (accountId(await session.sources()) === undefined && seen.length !== 1))
		return null;
	const {id, from} = await session.account(signal);
	return {id, from, isSeen: seen.some(one => one.id === id)};
}

type Kind = Credential['kind'];

/** What is shown of a credential. */
type Shown = {
	readonly kind: Kind;
	readonly from: string;
	/** The wrangler profile that was signed in. */
	readonly profile?: string;
	/** The wrangler program that was asked for the token. */
	readonly printedBy?: string;
};

function shownOf(credential: Credential): Shown {
	const {kind, from} = credential;
	if (kind !== 'oauth') return {kind, from};
	const {profile, printedBy} = credential;
	return {kind, from, ...(profile !== undefined && {profile}), ...(printedBy !== undefined && {printedBy})};
}

function inWords({kind, from, profile, printedBy}: Shown): string {
	const named = profile === undefined || profile === 'default' ? '' : ` "${profile}"`;
	const asked = printedBy === undefined ? '' : `, renewed by ${printedBy}`;
	return `${credentialWords[kind]}${named}, from ${from}${asked}`;
}

async function sight(client: Client, kind: Kind, signal: AbortSignal) {
	// The service verifies API tokens only; a login identifies its user.
	const who =
		kind === 'token' ? {token: await verifyToken(client, signal)} : {user: await currentUser(client, signal)};
	const seen: Account[] = [];
	for await (const account of accounts(client, signal)) seen.push(account);
	return {who, seen};
}

/** Elsewhere, advice on a refused credential points to `whoami`; here it names the credential. */
const refused = (failure: Failure, {kind, from}: Shown, context: string | undefined): Failure =>
	failure.with({
		next:
			kind === 'oauth'
				? 'Run `wrangler login` again, or set CLOUDFLARE_API_TOKEN.'
				: from === context
					? `Replace the credential that ${from} signs in with.`
					: `Replace what ${from} holds.`,
	});
