import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {accountsOf} from '../../../source/simulator/accounts/identities.ts';
import {scratch} from '../../support/run.ts';
import type {ServedSimulator} from '../../support/serve-simulator.ts';

/** The two accounts of a service with two: the first has the samples and the zones, and its context is production. */
export const [acme, second] = accountsOf(2) as [
	ReturnType<typeof accountsOf>[0],
	ReturnType<typeof accountsOf>[0],
];

/** A folder of a person with the contexts `prod` (Acme) and `staging`, and what is added to the file. */
export function withContexts({url}: Pick<ServedSimulator, 'url'>, more = ''): string {
	const folder = scratch();
	mkdirSync(join(folder, '.config/ledge'), {recursive: true});
	const context = (name: string, id: string, rest = '') =>
		`[contexts.${name}]\naccount_id = "${id}"\ntoken_variable = "TOKEN"\nbase_url = "${url}"\n${rest}`;
	writeFileSync(
		join(folder, '.config/ledge/contexts.toml'),
		`${more}${context('prod', acme.id, 'production = true\ncolor = "magenta"\n')}${context('staging', second.id)}`,
		{mode: 0o600},
	);
	return folder;
}

/** The token that both contexts sign in with. */
export const token = {TOKEN: 'simulated'};
