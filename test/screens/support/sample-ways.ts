/** A screen that is drawn in this process, or one in a terminal. */
type AnyScreen = {
	press(...keys: readonly string[]): void;
	type(text: string): void;
	selectedRow(): {readonly text: string};
	waitFor(shown: string | RegExp | (() => boolean)): Promise<void>;
};

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

/** From the start on a project to the keys of its one binding, DATA. */
export async function toLocalKeys(screen: AnyScreen): Promise<void> {
	await screen.waitFor('Local data');
	screen.press('enter');
	await screen.waitFor('wrangler.toml:2');
	screen.press('enter');
	await screen.waitFor(/\d+ keys?\b/);
}
