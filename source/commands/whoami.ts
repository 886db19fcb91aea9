import type {Command} from 'commander';
import {type Account, accounts, currentUser, verifyToken} from '../service/accounts.ts';
import {declareCommand} from './declare.ts';

/** `ledge whoami`: which credential is in use, where it came from, and what it sees (decision 7). */
export function declareWhoamiCommand(program: Command): void {
	declareCommand(program, {
		usage: 'whoami',
		summary: 'which credential is in use, and what it sees',
		example: 'whoami --json',
		async run(context) {
			const {output, signal, options} = context;
			const client = await context.client();
			const shown = options.simulate
				? {kind: 'token', from: '--simulate'}
				: (await import('../config/credential.ts')).credential(await context.sources());
			const {kind, from} = await shown;
			const who =
				kind === 'key'
					? {user: await currentUser(client, signal)}
					: {token: await verifyToken(client, signal)};
			const seen: Account[] = [];
			for await (const account of accounts(client, signal)) seen.push(account);
			const credential = {kind, from};
			if (output.json) {
				await output.value(context.marked({credential, ...who, service: client.baseUrl, accounts: seen}));
				return;
			}
			const words = {
				token: 'an API token',
				key: 'an API key with its email address',
				oauth: "the peer's login",
			};
			const lines = [
				`Credential  ${words[kind as keyof typeof words]}, from ${from}`,
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
