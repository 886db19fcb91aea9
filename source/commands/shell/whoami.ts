import type {Command} from 'commander';
import {type Failure, isFailure} from '../../failure.ts';
import {type Account, accounts, currentUser, verifyToken} from '../../service/accounts.ts';
import type {Client} from '../../service/client.ts';
import type {Credential} from '../../settings/credential.ts';
import {declareCommand} from './declare.ts';

/** `ledge whoami`: which credential is in use, where it came from, and what it sees. */
export function declareWhoamiCommand(program: Command): void {
	declareCommand(program, {
		usage: 'whoami',
		summary: 'which credential is in use, and what it sees',
		example: 'whoami --json',
		async run(context) {
			const {output, signal, options} = context;
			const client = await context.client();
			const shown = options.simulate
				? {kind: 'token' as const, from: '--simulate'}
				: (await import('../../settings/credential.ts')).credential(await context.sources());
			const {kind, from} = await shown;
			const credential: {kind: Kind; from: string} = {kind, from};
			const {who, seen} = await sight(client, kind, signal).catch((error: unknown) => {
				throw isFailure(error, 'credential_refused') ? refused(error, credential) : error;
			});
			if (output.json) {
				await output.value(context.marked({credential, ...who, service: client.baseUrl, accounts: seen}));
				return;
			}
			const lines = [
				`Credential  ${words[kind]}, from ${from}`,
				'token' in who
					? `Token       ${who.token.status}${who.token.expiresOn ? `, until ${who.token.expiresOn}` : ''}`
					: `User        ${who.user.email}`,
				`Service     ${options.simulate ? 'simulated' : client.baseUrl}`,
				...seen.map(
					(account, index) => `${index === 0 ? 'Accounts' : '        '}    ${account.id}  ${account.name}`,
				),
			];
			await output.text(`${lines.join('\n')}\n`);
		},
	});
}

type Kind = Credential['kind'];

const words: Readonly<Record<Kind, string>> = {
	token: 'an API token',
	key: 'an API key with its email address',
	oauth: "wrangler's login",
};

async function sight(client: Client, kind: Kind, signal: AbortSignal) {
	const who =
		kind === 'key' ? {user: await currentUser(client, signal)} : {token: await verifyToken(client, signal)};
	const seen: Account[] = [];
	for await (const account of accounts(client, signal)) seen.push(account);
	return {who, seen};
}

/** Elsewhere a refused credential is told to ask `whoami`: here it is named. */
const refused = (failure: Failure, {kind, from}: {kind: Kind; from: string}): Failure =>
	failure.with({
		why: [`Credential: ${words[kind]}, from ${from}.`, failure.details.why].filter(Boolean).join('\n'),
		next:
			kind === 'oauth'
				? 'Run `wrangler login` again, or set CLOUDFLARE_API_TOKEN.'
				: `Replace what ${from} holds.`,
	});
