import type {AnyScreen} from './ways.ts';

/** Waits until Home is drawn and the service has responded. */
export const waitForHome = (screen: AnyScreen): Promise<void> => screen.waitFor(/Account +Acme/);

/** Goes from Home to the namespaces of the samples; the cursor is on CONFIG. */
export async function goToNamespaces(screen: AnyScreen): Promise<void> {
	screen.press('enter');
	await screen.waitFor('catalogue');
}

/** Goes from the namespaces to the keys of CONFIG. */
export async function goToConfigKeys(screen: AnyScreen): Promise<void> {
	screen.press('enter');
	await screen.waitFor('9 keys');
}

/** Goes from Home through the zones to the firewall of acme.example; the cursor is on its first rule. */
export async function goToFirewall(screen: AnyScreen): Promise<void> {
	screen.press('2');
	await screen.waitFor('acme-shop.example');
	screen.press('/');
	screen.type('acme.example');
	screen.press('enter');
	await screen.waitFor(() => / acme\.example/.test(screen.selectedRow().text));
	screen.press('enter');
	await screen.waitFor(/rule 1 of \d+/);
}

/** Goes from the keys of CONFIG to the check of an input file. */
export async function checkFile(screen: AnyScreen, name: string): Promise<void> {
	screen.press('B');
	await screen.waitFor('Write keys from a file…');
	screen.press('enter');
	await screen.waitFor('A JSON array or NDJSON file');
	screen.type(name.slice(0, 3));
	screen.press('tab');
	await screen.waitFor(name);
	screen.press('enter');
	await screen.waitFor('Nothing has been sent.');
}

/** Starts an export of the keys of SESSIONS into SESSIONS.ndjson in the folder. */
export async function beginExport(screen: AnyScreen): Promise<void> {
	screen.press('x');
	await screen.waitFor('The output file');
	screen.press('enter');
}

/** Goes from the start in a project to the keys of its local binding DATA. */
export async function goToLocalKeys(screen: AnyScreen): Promise<void> {
	await screen.waitFor('Local data');
	screen.press('enter');
	await screen.waitFor('wrangler.toml:2');
	screen.press('enter');
	await screen.waitFor(/\d+ keys?\b/);
}

/** Sends a checked file of keys to write; its namespace has to be named, because that can overwrite keys. */
export async function sendCheckedFile(screen: AnyScreen, title: string): Promise<void> {
	screen.press('y');
	await screen.waitFor('To continue, type');
	screen.type(title);
	await screen.settled();
	screen.press('enter');
}
