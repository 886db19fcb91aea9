import {
	goToConfigKeys,
	goToFirewall,
	goToLocalKeys,
	goToNamespaces,
	waitForHome,
} from '../../screens/support/sample-ways.ts';
import {type OpenOptions, openScreen, type Screen} from '../screen/open.ts';

/** Opens ledge on the simulated service, or with other words, and waits until Home is complete. */
export async function atHome(
	options: OpenOptions = {},
	words: readonly string[] = ['--simulate'],
): Promise<Screen> {
	const screen = await openScreen(words, options);
	await waitForHome(screen);
	return screen;
}

/** The same, and goes on to the namespaces of the samples; the cursor is on CONFIG. */
export async function atNamespaces(...args: Parameters<typeof atHome>): Promise<Screen> {
	const screen = await atHome(...args);
	await goToNamespaces(screen);
	return screen;
}

/** The same, and goes on to the keys of CONFIG. */
export async function atKeys(...args: Parameters<typeof atHome>): Promise<Screen> {
	const screen = await atNamespaces(...args);
	await goToConfigKeys(screen);
	return screen;
}

/**
 * Opens Home, and goes through the zones to the firewall of acme.example; the cursor is on its first rule.
 */
export async function atFirewall(...args: Parameters<typeof atHome>): Promise<Screen> {
	const screen = await atHome(...args);
	await goToFirewall(screen);
	return screen;
}

/** Opens ledge in a project folder, on the keys of its local binding DATA. */
export async function atLocalKeys(cwd: string, options: OpenOptions = {}): Promise<Screen> {
	const screen = await openScreen(['--local'], {cwd, ...options});
	await goToLocalKeys(screen);
	return screen;
}
