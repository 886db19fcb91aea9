import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import {scratch} from '../../support/ledge.ts';
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

/** On from there to the keys of CONFIG. */
export async function atKeys(...from: Parameters<typeof atHome>): Promise<Screen> {
	const screen = await atNamespaces(...from);
	screen.press('enter');
	await screen.waitFor('9 keys');
	return screen;
}

/** On from Home to the firewall of acme.example, by the zones; the cursor is on its first rule. */
export async function atFirewall(...from: Parameters<typeof atHome>): Promise<Screen> {
	const screen = await atHome(...from);
	screen.press('F');
	await screen.waitFor('acme-shop.example');
	screen.press('/');
	screen.type('acme.example');
	screen.press('enter');
	await screen.waitFor(shown => / acme\.example/.test(shown.selectedRow().text));
	screen.press('enter');
	await screen.waitFor(/rule 1 of \d+/);
	return screen;
}

/** A project with one binding, DATA, and what is in its local data. */
export async function localProject(values: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
	const cwd = scratch();
	mkdirSync(cwd, {recursive: true});
	writeFileSync(
		join(cwd, 'wrangler.toml'),
		'name = "local"\nkv_namespaces = [{binding = "DATA", id = "data"}]\n',
	);
	using store = openLocalStore({root: join(cwd, '.wrangler/state/v3'), namespace: 'data'});
	for (const [key, value] of Object.entries(values))
		await store.put(
			key,
			typeof value === 'string' ? Buffer.from(value) : value,
			{},
			AbortSignal.timeout(20_000),
		);
	return cwd;
}

/** Ledge on such a project, on the keys of DATA. */
export async function atLocalKeys(cwd: string, options: OpenOptions = {}): Promise<Screen> {
	const screen = await openScreen(['--local'], {cwd, ...options});
	await screen.waitFor('Local data');
	screen.press('enter');
	await screen.waitFor('wrangler.toml:2');
	screen.press('enter');
	await screen.waitFor(/\d+ keys?\b/);
	return screen;
}
