import {ledge} from '../../support/run.ts';
import type {RunningService} from '../../support/service.ts';
import type {AnyScreen} from './ways.ts';

/** The namespace CONFIG of the samples. */
const config = 'f406ca271a253d6e7fe341d7a1faa59c';

/** Goes from the first frame to the key `limits/api` of CONFIG, by its name. */
export async function openLimits(screen: AnyScreen): Promise<void> {
	await screen.waitFor(/Account +(Acme|[0-9a-f]{32})/);
	screen.press('enter');
	await screen.waitFor('catalogue');
	await toLimits(screen);
}

/** The same from the namespaces, with the cursor on CONFIG. */
export async function toLimits(screen: AnyScreen): Promise<void> {
	screen.press('enter');
	await screen.waitFor('limits/api');
	screen.press('/');
	screen.type('api');
	await screen.waitFor(() => !screen.text().includes('motd'));
	screen.press('enter');
	await screen.settled();
	screen.press('enter');
	await screen.waitFor('"member": 600');
	await screen.answerTo('down');
	await screen.answerTo('down');
}

/** Types another number for the field under the cursor. */
export async function typeMember(screen: AnyScreen, number: string): Promise<void> {
	screen.press('e');
	await screen.waitFor('ctrl-s');
	screen.press('ctrl-u');
	screen.type(number);
	await screen.settled(`"member": ${number}`);
}

/** The same, and goes to the review. */
export async function enterMember(screen: AnyScreen, number: string): Promise<void> {
	await typeMember(screen, number);
	screen.press('ctrl-s');
}

/** What someone else does to the keys of CONFIG meanwhile. */
export async function elsewhere(service: RunningService, ...words: readonly string[]): Promise<string> {
	const done = await ledge(['kv', 'key', ...words, '--namespace-id', config], {env: service.env});
	if (done.code !== 0) throw new Error(done.stderr);
	return done.stdout;
}
