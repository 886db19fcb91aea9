import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {buildSimulatedAccounts} from '../../../source/simulator/simulator.ts';
import {scratch} from '../../support/run.ts';
import type {ServedSimulator} from '../../support/serve-simulator.ts';
import type {AnyScreen} from './ways.ts';

/** The two accounts of a service with two: the first has the samples and the zones, and its context is production. */
export const [acme, second] = buildSimulatedAccounts(2) as [
	ReturnType<typeof buildSimulatedAccounts>[0],
	ReturnType<typeof buildSimulatedAccounts>[0],
];

/** What makes a context one of production. */
const isProduction = 'production = true\ncolor = "magenta"\n';

/** A folder of a person with the contexts `prod` (Acme) and `staging`, what is added to the file, and to `prod`. */
export function withContexts(
	{url}: Pick<ServedSimulator, 'url'>,
	more = '',
	ofProd: string = isProduction,
): string {
	const folder = scratch();
	mkdirSync(join(folder, '.config/ledge'), {recursive: true});
	const context = (name: string, id: string, rest = '') =>
		`[contexts.${name}]\naccount_id = "${id}"\ntoken_variable = "TOKEN"\nbase_url = "${url}"\n${rest}`;
	writeFileSync(
		join(folder, '.config/ledge/contexts.toml'),
		`${more}${context('prod', acme.id, ofProd)}${context('staging', second.id)}`,
		{mode: 0o600},
	);
	return folder;
}

/** Chooses the row with a text in the list of contexts. */
export async function choosePlace(screen: AnyScreen, text: string): Promise<void> {
	await screen.answerTo('C');
	screen.press('/');
	screen.type(text);
	await screen.settled();
	screen.press('enter');
	await screen.settled();
	screen.press('enter');
}

/** The token that both contexts sign in with. */
export const token = {TOKEN: 'simulated'};
