import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {minQuestionMs} from '../../../source/screens/shell/ask-about-production.ts';
import {createEntries} from '../../screens/support/bulk.ts';
import {
	acme,
	chooseContext,
	createFolderWithContexts,
	secondAccount,
	tokenVariables,
} from '../../screens/support/contexts.ts';
import {openLimits, typeMember} from '../../screens/support/edit-ways.ts';
import {checkFile, sendCheckedFile} from '../../screens/support/sample-ways.ts';
import {startGate} from '../../support/gate.ts';
import {startService} from '../../support/service.ts';
import {openScreen} from '../screen/open.ts';

// What else is under way when another context is chosen: test/screens/contexts/whole.

/** Asks for a password where a person sees it, leaves the cursor within a line, and prints the token. */
const askingScript = `printf 'Password: ' >&2
read -r word
printf 'Thanks.' >&2
test "$word" = sesame && echo simulated
`;

test('the context can be changed during a job and an edit, and its credential command asks on the terminal', async () => {
	const service = await startService('--accounts', '2');
	const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const holdUntilReleased = () => {
		arrived.resolve();
		return released.promise;
	};
	const gate = await startGate(service, {
		method: 'PUT',
		path: '/bulk',
		when: 'before',
		does: holdUntilReleased,
	});
	const home = createFolderWithContexts(
		{url: gate.CLOUDFLARE_API_BASE_URL ?? ''},
		'context_in_use = "prod"\n',
	);
	const contexts = join(home, '.config/ledge/contexts.toml');
	const [prod = '', staging = ''] = readFileSync(contexts, 'utf8').split('[contexts.staging]');
	const command = `credential_command = ["sh", "${join(home, 'ask.sh')}"]`;
	writeFileSync(join(home, 'ask.sh'), askingScript);
	writeFileSync(contexts, `${prod}[contexts.staging]${staging.replace(/token_variable = .*/, command)}`);
	writeFileSync(join(home, 'load.json'), JSON.stringify(createEntries(40)));

	const screen = await openScreen([], {home, cwd: home, env: tokenVariables, columns: 100});
	await openLimits(screen);
	expect(screen.line(0)).toMatch(/ prod · ⟨ REMOTE ⟩ +PRODUCTION$/);
	await typeMember(screen, '700');
	screen.press('esc');
	await screen.waitFor('is kept');
	screen.press('esc');
	await checkFile(screen, 'load.json');
	await sendCheckedFile(screen, 'CONFIG');
	await screen.settled('PRODUCTION: bulk put', {quiet: minQuestionMs + 50});
	screen.press('y');
	await arrived.promise;

	await chooseContext(screen, 'staging');
	// The namespaces, shown before, are read again in the other account.
	await screen.waitFor('Password:');
	expect(screen.inAlternateScreen).toBe(false);
	screen.type('sesame');
	screen.press('enter');
	await screen.waitFor('This account has no namespaces yet.');
	expect(screen.text()).toContain('Now in staging. 1 job in prod. Kept as 1 draft: limits/api in CONFIG');
	expect(screen.line(0)).toMatch(/ staging · ⟨ REMOTE ⟩$/);
	expect(screen.inAlternateScreen).toBe(true);
	released.resolve();
	await screen.waitFor(/bulk put load\.json, CONFIG \(prod\): Wrote 40 keys/);
	expect(screen.line(0)).toMatch(/ staging · ⟨ REMOTE ⟩$/);
	await chooseContext(screen, 'prod');
	await screen.waitFor(/1 draft, U opens it: limits\/api in CONFIG \(prod\)\./);
	screen.press('U');
	await screen.waitFor('Keep the draft for later');
	expect(screen.line(0)).toMatch(/ prod · ⟨ REMOTE ⟩ +PRODUCTION$/);
	screen.press('esc', 'q');
	expect(await screen.waitForEnd()).toMatchObject({code: 0});
	expect(screen.changedModes()).toEqual([]);

	// In the data of the service, the keys are in the account in which the job was started, and the edit in
	// neither.
	const calls = (await service.calls()).filter(({method, path}) => method !== 'GET' && path !== '/graphql');
	expect(calls.map(({path}) => path.includes(acme.id))).toEqual([true]);
	const read = async (path: string) =>
		(await fetch(`${service.url}/accounts/${path}`, {headers: {authorization: 'Bearer simulated'}})).text();
	const [config = ''] = /[0-9a-f]{32}(?=\/bulk)/.exec(calls[0]?.path ?? '') ?? [];
	const namespaces = `${acme.id}/storage/kv/namespaces/${config}`;
	expect(await read(`${namespaces}/keys?prefix=load:`)).toContain('"count":40');
	expect(await read(`${namespaces}/values/limits%2Fapi`)).not.toContain('700');
	expect(JSON.parse(await read(`${secondAccount.id}/storage/kv/namespaces`))).toMatchObject({result: []});
});
