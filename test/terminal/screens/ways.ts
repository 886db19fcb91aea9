import {homeOf, toFirewall, toKeys, toLocalKeys, toNamespaces} from '../../screens/support/sample-ways.ts';
import {type OpenOptions, openScreen, type Screen} from '../screen/open.ts';

/** Ledge on the simulated service (or on what the options say), when Home is there and the service has answered. */
export async function atHome(
	options: OpenOptions = {},
	words: readonly string[] = ['--simulate'],
): Promise<Screen> {
	const screen = await openScreen(words, options);
	await homeOf(screen);
	return screen;
}

/** On from there to the namespaces of the samples; the cursor is on CONFIG. */
export async function atNamespaces(...from: Parameters<typeof atHome>): Promise<Screen> {
	const screen = await atHome(...from);
	await toNamespaces(screen);
	return screen;
}

/** On from there to the keys of CONFIG. */
export async function atKeys(...from: Parameters<typeof atHome>): Promise<Screen> {
	const screen = await atNamespaces(...from);
	await toKeys(screen);
	return screen;
}

/** On from Home to the firewall of acme.example, by the zones; the cursor is on its first rule. */
export async function atFirewall(...from: Parameters<typeof atHome>): Promise<Screen> {
	const screen = await atHome(...from);
	await toFirewall(screen);
	return screen;
}

/** Ledge on a project, on the keys of DATA. */
export async function atLocalKeys(cwd: string, options: OpenOptions = {}): Promise<Screen> {
	const screen = await openScreen(['--local'], {cwd, ...options});
	await toLocalKeys(screen);
	return screen;
}
