import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {allKeys} from '../../../../source/screens/keys/chosen-keys.ts';
import {serveSimulator} from '../../../support/serve-simulator.ts';
import {
	acme,
	chooseContext,
	createFolderWithContexts,
	secondAccount,
	tokenVariables,
} from '../../support/contexts.ts';
import {enterMember, openLimits, typeMember} from '../../support/edit-ways.ts';
import {holdTime} from '../../support/held-time.ts';
import {drawScreen} from '../../support/screen.tsx';
import {confirmAfterReading} from '../../support/ways.ts';

test('the account of a production context has PRODUCTION in the header, and writes ask first', async () => {
	const service = await serveSimulator();
	const cwd = createFolderWithContexts(service);
	const screen = await drawScreen({}, {cwd, env: service.env});
	await screen.waitFor(() => / Acme \(simulated\) · ⟨ REMOTE ⟩ +PRODUCTION$/.test(screen.line(0)));
	await openLimits(screen);
	await enterMember(screen, '700');
	await screen.waitFor('y write the key');
	const time = holdTime();
	await confirmAfterReading(screen, 'y write the key');
	await screen.waitFor('PRODUCTION: ');
	expect(screen.text()).toContain('limits/api');
	expect(screen.text()).toContain('production context prod');
	// A letter typed before the question appeared does not answer it.
	screen.press('y');
	await screen.settled();
	expect(screen.text()).toContain('production context prod');
	expect(service.writes()).toEqual([]);
	screen.press('esc');
	await time.advance(100);
	await screen.waitFor('The write was not confirmed');
	expect(service.writes()).toEqual([]);
});

test('every kind of row is listed and can be chosen and left again', async () => {
	const service = await serveSimulator({accounts: 2});
	const cwd = createFolderWithContexts(service, 'context_in_use = "staging"\n');
	writeFileSync(join(cwd, 'wrangler.toml'), 'name = "a"\n[env.blue]\n[env.green]\n');
	const screen = await drawScreen({}, {cwd, env: tokenVariables, columns: 120, rows: 30});
	await screen.waitFor(/Context +staging \(in use\)/);
	await screen.pressAndAwaitFrame('C');
	await screen.waitFor('Acme (simulated)');
	for (const row of [
		/context +prod +PRODUCTION +910896fde4470afb4fab0b3c5e3aaff8 token in TOKEN/,
		/● context +staging/,
		/context +no context/,
		/account +Acme \(simulated\) +PRODUCTION/,
		/● account +Account 2/,
		/● environment top level/,
		/environment blue/,
		/● target +the service/,
		/target +local data/,
		/target +simulated service/,
	])
		expect(screen.row(row)).toBeDefined();
	expect(screen.text()).not.toContain('initial settings');
	await screen.pressAndAwaitFrame('y');
	expect(screen.copied).toEqual([secondAccount.id]);
	await screen.pressAndAwaitFrame('esc');
	expect(screen.line(0)).toContain('staging');

	await chooseContext(screen, 'prod');
	await screen.waitFor(() => /prod .*REMOTE.*PRODUCTION/.test(screen.line(0)));
	await chooseContext(screen, 'blue');
	await screen.waitFor(() => /prod · blue · ⟨ REMOTE ⟩ +PRODUCTION/.test(screen.line(0)));
	await chooseContext(screen, 'Account 2');
	// Another account than that of the context, but with its credential: writes still ask.
	await screen.waitFor(() => /Account 2 \(simulated\) · blue · ⟨ REMOTE ⟩ +PRODUCTION$/.test(screen.line(0)));
	// Choosing the active context leads back to its own account.
	await chooseContext(screen, 'prod');
	await screen.waitFor(() => /prod · blue · ⟨ REMOTE ⟩ +PRODUCTION/.test(screen.line(0)));
	await chooseContext(screen, 'local data');
	await screen.waitFor(() => screen.line(0).includes('LOCAL'));
	await chooseContext(screen, 'simulated service');
	await screen.waitFor(() => screen.line(0).includes('SIMULATED'));
	await screen.pressAndAwaitFrame('C');
	expect(screen.row(/context +prod/)).toBeDefined();
	await screen.pressAndAwaitFrame('esc');
	await chooseContext(screen, 'initial settings');
	await screen.waitFor(() => /staging .*REMOTE/.test(screen.line(0)));
	expect(screen.text()).toMatch(/Context +staging \(in use\)/);
	expect(service.writes()).toEqual([]);
});

test('a refresh asks again for a rejected credential', async () => {
	const service = await serveSimulator({tokens: ['accepted']});
	const cwd = createFolderWithContexts(service);
	const credentialPath = join(cwd, 'kept');
	writeFileSync(credentialPath, 'revoked');
	const env = {...service.env, CLOUDFLARE_API_TOKEN: '', LEDGE_CREDENTIAL_COMMAND: `cat ${credentialPath}`};
	const screen = await drawScreen({accountId: acme.id}, {cwd, env});
	await screen.waitFor(/Account +/);
	screen.press('enter');
	await screen.waitFor('i why');
	writeFileSync(credentialPath, 'accepted');
	screen.press('esc', 'enter');
	await screen.waitFor('i why');
	screen.press('ctrl-r');
	await screen.waitFor('catalogue');
});

test('--simulate leads to no context, and the list says why', async () => {
	const service = await serveSimulator({accounts: 2});
	const screen = await drawScreen({simulate: true}, {cwd: createFolderWithContexts(service)});
	await screen.waitFor(/Account +Acme/);
	await screen.pressAndAwaitFrame('C');
	expect(screen.text()).toContain('restart without --simulate to leave it');
	expect(screen.text()).not.toContain('prod');
});

test('a context that cannot be entered changes nothing, and ledge says why', async () => {
	const service = await serveSimulator({accounts: 2});
	const cwd = createFolderWithContexts(service);
	const env = {...tokenVariables, CLOUDFLARE_ACCOUNT_ID: secondAccount.id, ...service.env};
	const screen = await drawScreen({}, {cwd, env});
	await screen.waitFor(/Account +/);
	await chooseContext(screen, 'prod');
	await screen.waitFor('contradict each other.');
	expect(screen.text()).toContain('prod');
	expect(screen.line(0)).not.toContain('PRODUCTION');
	screen.press('i');
	await screen.waitFor('CLOUDFLARE_ACCOUNT_ID');
});

test('a job finishes in its own account, and an open edit is kept as a draft for that account only', async () => {
	const service = await serveSimulator({accounts: 2});
	const cwd = createFolderWithContexts(service, 'context_in_use = "prod"\n');
	const screen = await drawScreen({}, {cwd, env: tokenVariables, columns: 100});
	await openLimits(screen);
	const {state} = screen;
	const row = state().namespaces.data.rows.find(({title}) => title === 'CONFIG');
	if (!row) throw new Error('There is no CONFIG.');
	await typeMember(screen, '700');
	screen.press('esc');
	await screen.waitFor('is kept');
	service.simulator.faults.add('latency=150');
	const path = join(cwd, 'out.ndjson');
	const prodState = screen.state();
	void prodState.work.run('exporting CONFIG', 'long', signal =>
		prodState.transfer.exportTo(row, allKeys, path, signal),
	);
	await chooseContext(screen, 'staging');
	await screen.waitFor(/Now in staging. 1 job in prod. Kept as 1 draft: limits\/api in /);
	expect(screen.line(0)).toContain('staging');
	expect(screen.line(0)).not.toContain('PRODUCTION');
	expect(screen.state().edits.list).toEqual([]);
	expect(screen.state().drafts.list).toEqual([]);
	expect(screen.state().work.elsewhere).toMatchObject([{sessionName: 'prod', labels: ['exporting CONFIG']}]);
	expect(existsSync(path)).toBe(false);

	screen.press('q');
	await screen.waitFor('Still running in prod: exporting CONFIG');
	screen.press('esc');
	await screen.waitFor(/exporting CONFIG \(prod\): Exported \d+ keys/);
	expect(readFileSync(path, 'utf8').split('\n').length).toBe(10);
	expect(screen.state().work.elsewhere).toEqual([]);

	await chooseContext(screen, 'prod');
	await screen.waitFor(/1 draft, U opens it: limits\/api in CONFIG \(prod\)\./);
	screen.press('U');
	await screen.waitFor('Keep the draft for later');
});

test('quitting stops work in another account', async () => {
	const service = await serveSimulator({accounts: 2});
	const cwd = createFolderWithContexts(service, 'context_in_use = "prod"\n');
	const screen = await drawScreen({}, {cwd, env: tokenVariables, columns: 100});
	await screen.waitFor(/Account +9108/);
	screen.press('enter');
	await screen.waitFor('catalogue');
	const prodState = screen.state();
	const row = prodState.namespaces.data.rows.find(({title}) => title === 'CONFIG');
	if (!row) throw new Error('There is no CONFIG.');
	service.simulator.faults.add(`hang path=${acme.id}/storage`);
	void prodState.work.run('exporting CONFIG', 'long', signal =>
		prodState.transfer.exportTo(row, allKeys, join(cwd, 'out.ndjson'), signal),
	);
	await chooseContext(screen, 'staging');
	await screen.waitFor(() => screen.line(0).includes('staging'));
	await screen.waitFor('Now in staging. 1 job in prod.');
	screen.press('g');
	await screen.waitFor(() => screen.line(-2).trim() === '1 job in prod');
	screen.press('q');
	await screen.waitFor('Still running in prod: exporting CONFIG');
	screen.press('y');
	await expect.poll(screen.countQuits).toBe(1);
	await expect.poll(() => screen.state().work.elsewhere).toEqual([]);
});
