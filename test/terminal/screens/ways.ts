import {type OpenOptions, openScreen, type Screen} from '../screen/open.ts';

/** Ledge on the simulated service (or on what the options say), when Home is there and the service has answered. */
export async function atHome(
	options: OpenOptions = {},
	words: readonly string[] = ['--simulate'],
): Promise<Screen> {
	const screen = await openScreen(words, options);
	await screen.waitFor(/Account +Acme/);
	return screen;
}

/** On from there to the namespaces of the samples; the cursor is on CONFIG. */
export async function atNamespaces(...from: Parameters<typeof atHome>): Promise<Screen> {
	const screen = await atHome(...from);
	screen.press('enter');
	await screen.waitFor('catalogue');
	return screen;
}
