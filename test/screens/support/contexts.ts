import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {buildSimulatedAccounts} from '../../../source/simulator/simulator.ts';
import {createScratchFolder} from '../../support/run.ts';
import type {ServedSimulator} from '../../support/serve-simulator.ts';
import type {AnyScreen} from './ways.ts';

/** The two accounts of a service with two: the first has the samples and the zones, and its context is production. */
export const [acme, secondAccount] = buildSimulatedAccounts(2) as [
	ReturnType<typeof buildSimulatedAccounts>[0],
	ReturnType<typeof buildSimulatedAccounts>[0],
];

/** The settings of a production context. */
const productionSettings = 'production = true\ncolor = "magenta"\n';

/** Creates a folder with the contexts `prod` (Acme) and `staging`; `firstSettings` precede them. */
export function createFolderWithContexts(
	{url}: Pick<ServedSimulator, 'url'>,
	firstSettings = '',
	prodSettings: string = productionSettings,
): string {
	const folder = createScratchFolder();
	mkdirSync(join(folder, '.config/ledge'), {recursive: true});
	const context = (name: string, id: string, rest = '') =>
		`[contexts.${name}]\naccount_id = "${id}"\ntoken_variable = "TOKEN"\nbase_url = "${url}"\n${rest}`;
	writeFileSync(
		join(folder, '.config/ledge/contexts.toml'),
		`${firstSettings}${context('prod', acme.id, prodSettings)}${context('staging', secondAccount.id)}`,
		{mode: 0o600},
	);
	return folder;
}

/** Chooses the row with a text in the list of contexts. */
export async function chooseContext(screen: AnyScreen, text: string): Promise<void> {
	await screen.pressAndAwaitFrame('C');
	screen.press('/');
	screen.type(text);
	await screen.settled();
	screen.press('enter');
	await screen.settled();
	screen.press('enter');
}

/** The variable with the token of both contexts. */
export const tokenVariables = {TOKEN: 'simulated'};
