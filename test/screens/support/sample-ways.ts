import type {AnyScreen} from './ways.ts';

/** Until Home is there and the service has answered. */
export const homeOf = (screen: AnyScreen): Promise<void> => screen.waitFor(/Account +Acme/);

/** From Home to the namespaces of the samples; the cursor is on CONFIG. */
export async function toNamespaces(screen: AnyScreen): Promise<void> {
	screen.press('enter');
	await screen.waitFor('catalogue');
}

/** On from there to the keys of CONFIG. */
export async function toKeys(screen: AnyScreen): Promise<void> {
	screen.press('enter');
	await screen.waitFor('9 keys');
}

/** From Home to the firewall of acme.example, by the zones; the cursor is on its first rule. */
export async function toFirewall(screen: AnyScreen): Promise<void> {
	screen.press('F');
	await screen.waitFor('acme-shop.example');
	screen.press('/');
	screen.type('acme.example');
	screen.press('enter');
	await screen.waitFor(() => / acme\.example/.test(screen.selectedRow().text));
	screen.press('enter');
	await screen.waitFor(/rule 1 of \d+/);
}

/** From the keys of CONFIG to a checked file. */
export async function checkFile(screen: AnyScreen, name: string): Promise<void> {
	screen.press('B');
	await screen.waitFor('Write the entries in a file');
	screen.press('enter');
	await screen.waitFor('A JSON array or NDJSON file');
	screen.type(name.slice(0, 3));
	screen.press('tab');
	await screen.waitFor(name);
	screen.press('enter');
	await screen.waitFor('Nothing has been sent.');
}

/** From the keys of SESSIONS to an export of them into SESSIONS.ndjson of the folder. */
export async function beginExport(screen: AnyScreen): Promise<void> {
	screen.press('x');
	await screen.waitFor('The output file');
	screen.press('enter');
}

/** From the start on a project to the keys of its binding, DATA. */
export async function toLocalKeys(screen: AnyScreen): Promise<void> {
	await screen.waitFor('Local data');
	screen.press('enter');
	await screen.waitFor('wrangler.toml:2');
	screen.press('enter');
	await screen.waitFor(/\d+ keys?\b/);
}
