import {ledge} from '../../support/run.ts';
import type {RunningService} from '../../support/service.ts';
import type {AnyScreen} from './ways.ts';

/** The namespace CONFIG of the samples. */
const configNamespaceId = 'f406ca271a253d6e7fe341d7a1faa59c';

/** Goes from the first frame to the field `member` of the key `limits/api` in CONFIG. */
export async function openLimits(screen: AnyScreen): Promise<void> {
	await screen.waitFor(/Account +(Acme|[0-9a-f]{32})/);
	screen.press('enter');
	await screen.waitFor('catalogue');
	await goToLimits(screen);
}

/** Goes from the namespaces, with the cursor on CONFIG, to the field `member` of its key `limits/api`. */
export async function goToLimits(screen: AnyScreen): Promise<void> {
	screen.press('enter');
	await screen.waitFor('limits/api');
	screen.press('/');
	screen.type('api');
	await screen.waitFor(() => !screen.text().includes('motd'));
	screen.press('enter');
	await screen.settled();
	screen.press('enter');
	await screen.waitFor('"member": 600');
	await screen.pressAndAwaitFrame('down');
	await screen.pressAndAwaitFrame('down');
}

/** Types another number for the field under the cursor. */
export async function typeMember(screen: AnyScreen, number: string): Promise<void> {
	screen.press('e');
	await screen.waitFor('ctrl-s');
	screen.press('ctrl-u');
	screen.type(number);
	await screen.settled(`"member": ${number}`);
}

/** Types another number for the field under the cursor, and goes to the review. */
export async function enterMember(screen: AnyScreen, number: string): Promise<void> {
	await typeMember(screen, number);
	screen.press('ctrl-s');
}

/** Runs a command on the keys of CONFIG as someone else; returns its output. */
export async function runKeyCommand(service: RunningService, ...words: readonly string[]): Promise<string> {
	const result = await ledge(['kv', 'key', ...words, '--namespace-id', configNamespaceId], {
		env: service.env,
	});
	if (result.code !== 0) throw new Error(result.stderr);
	return result.stdout;
}
