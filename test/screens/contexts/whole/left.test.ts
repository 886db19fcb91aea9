import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {startGate, type WatchedCall} from '../../../support/gate.ts';
import {ledge} from '../../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../../support/serve-simulator.ts';
import {createEntries} from '../../support/bulk.ts';
import {
	acme,
	chooseContext,
	createFolderWithContexts,
	secondAccount,
	tokenVariables,
} from '../../support/contexts.ts';
import {
	choosePath,
	confirm,
	confirmMigrationReview,
	goToEligibility,
	waitForVerification,
} from '../../support/migration-ways.ts';
import {goToRuleReview, goToRuleWizard} from '../../support/rule-ways.ts';
import {checkFile, goToConfigKeys, goToNamespaces, sendCheckedFile} from '../../support/sample-ways.ts';
import {type DrawnScreen, drawScreen} from '../../support/screen.tsx';
import {confirmAfterReading, pressEnterWhenShown} from '../../support/ways.ts';

const zone = 'acme.example';

/** Opens ledge in the context prod, here without production; the gated calls are intercepted. */
async function openInProd(service: ServedSimulator, ...gatedCalls: readonly WatchedCall[]) {
	const {CLOUDFLARE_API_BASE_URL: url = service.url} =
		gatedCalls.length > 0 ? await startGate(service, ...gatedCalls) : {};
	const cwd = createFolderWithContexts({url}, 'context_in_use = "prod"\n', `zone = "${zone}"\n`);
	const screen = await drawScreen({}, {cwd, env: tokenVariables, columns: 120});
	await screen.waitFor(/Account +9108/);
	return {screen, cwd};
}

/** A call that waits until it is released. `arrived` resolves when ledge has sent it. */
function createCallGate(method: string, path: string, skip = 0) {
	const arrived = Promise.withResolvers<void>();
	const released = Promise.withResolvers<void>();
	const does = () => {
		arrived.resolve();
		return released.promise;
	};
	const call = {method, path, skip, when: 'before', does} as const;
	return {call, arrived: arrived.promise, release: released.resolve};
}

const switchContext = async (screen: DrawnScreen, context: string, message: RegExp): Promise<void> => {
	await chooseContext(screen, context);
	await screen.waitFor(message);
	expect(screen.line(0)).toContain(context);
};

/** The writes whose path contains this account or zone id, as method and path. */
const listWritesTo = (service: ServedSimulator, id: string): readonly string[] =>
	service
		.writes()
		.filter(({path}) => path.includes(id))
		.map(({method, path}) => `${method} ${path.split('/').slice(3).join('/')}`);

test('a running copy finishes where it began, and is found there on return', async () => {
	const service = await serveSimulator({accounts: 2});
	const readGate = createCallGate('POST', '/bulk/get', 1);
	const {screen, cwd} = await openInProd(service, readGate.call);
	await goToNamespaces(screen);
	screen.press('down', 'enter');
	await screen.waitFor('480 keys');
	screen.press('c');
	await screen.waitFor('▸ Only ');
	screen.press('down');
	await pressEnterWhenShown(screen, '▸ All keys');
	await screen.waitFor('or type another');
	screen.paste('local:copied');
	await pressEnterWhenShown(screen, 'local:copied');
	await screen.waitFor('▸ Copy only keys that are missing there');
	screen.press('down');
	await pressEnterWhenShown(screen, '▸ Copy, and overwrite');
	await screen.waitFor('To continue, type  local:copied');
	screen.type('local:copied');
	await pressEnterWhenShown(screen, 'local:copied');
	await readGate.arrived;
	await switchContext(screen, 'staging', /Now in staging\. 1 job in prod\./);
	expect(screen.state().work.elsewhere).toMatchObject([{sessionName: 'prod'}]);
	screen.press('7');
	// Named above the list, or in the list once it has a journal.
	await screen.waitFor(
		/Running elsewhere: 1 job in prod; C switches there\.|running .* copy prod › SESSIONS/,
	);
	screen.press('esc', 'esc');
	await screen.waitFor(/Jobs +1 job in prod, running/);

	await switchContext(screen, 'prod', /Now in prod\./);
	expect(screen.state().work.elsewhere).toEqual([]);
	screen.press('7');
	await pressEnterWhenShown(screen, /▸ .*this run/);
	await screen.waitFor('of 480 keys');
	readGate.release();
	await screen.waitFor(/done +✓ 480 keys/);
	expect(listWritesTo(service, secondAccount.id)).toEqual([]);
	const commandWords = ['kv', 'diff', 'remote:SESSIONS', 'local:copied'];
	expect(await ledge(commandWords, {cwd, env: tokenVariables})).toMatchObject({code: 0});
});

test('switching drops a checked bulk put, and a running one finishes in its own account', async () => {
	const service = await serveSimulator({accounts: 2});
	const writeGate = createCallGate('PUT', '/bulk');
	const {screen, cwd} = await openInProd(service, writeGate.call);
	writeFileSync(join(cwd, 'load.json'), JSON.stringify(createEntries(40)));
	await goToNamespaces(screen);
	await goToConfigKeys(screen);
	await checkFile(screen, 'load.json');
	await switchContext(
		screen,
		'staging',
		/Now in staging\. Left in prod: bulk put load\.json, CONFIG \(nothing was sent\)\./,
	);
	await switchContext(screen, 'prod', /Now in prod\./);
	expect(service.writes()).toEqual([]);

	await goToNamespaces(screen);
	await goToConfigKeys(screen);
	await checkFile(screen, 'load.json');
	await sendCheckedFile(screen, 'CONFIG');
	await writeGate.arrived;
	await switchContext(screen, 'staging', /Now in staging\. 1 job in prod\./);
	writeGate.release();
	await screen.waitFor(/bulk put load\.json.* \(prod\): Wrote 40 keys in namespace CONFIG/);
	expect(listWritesTo(service, secondAccount.id)).toEqual([]);
	expect(listWritesTo(service, acme.id)).toEqual([expect.stringMatching(/^PUT storage\/kv\/.*\/bulk$/)]);
});

test('a half-typed rule is kept as a draft for its own zone, and offered only there', async () => {
	const service = await serveSimulator({accounts: 2});
	const {screen} = await openInProd(service);
	await openRules(screen);
	await goToRuleWizard(screen);
	screen.type('http.host eq "half.example"');
	await screen.waitFor('half.example');
	screen.press('esc');
	await screen.waitFor('Close the wizard?');
	screen.press('enter');
	await switchContext(screen, 'staging', /Now in staging\. 1 draft is elsewhere: context prod\./);
	expect(screen.state().drafts.list).toEqual([]);
	screen.press('0');
	await screen.waitFor(/Draft +1 draft is elsewhere: context prod$/m);

	await chooseContext(screen, 'prod');
	await screen.waitFor(/1 draft, U opens it: rule for acme\.example \(prod\)\./);
	screen.press('U');
	await screen.waitFor(/rule for acme\.example was not sent/);
	screen.press('enter');
	await screen.waitFor('http.host eq "half.example"');
	expect(screen.line(0)).toContain('prod');
	expect(service.writes()).toEqual([]);
});

test('a rule being sent is completed in its own zone, with both calls', async () => {
	const service = await serveSimulator({accounts: 2});
	const sendGate = createCallGate('POST', '/filters');
	const {screen} = await openInProd(service, sendGate.call);
	await openRules(screen);
	await goToRuleReview(screen, 'http.host eq "sent.example"');
	await confirmAfterReading(screen, 'nothing has been sent');
	await sendGate.arrived;
	screen.press('esc');
	await screen.waitFor(/rule \d+ of \d+/);
	await switchContext(screen, 'staging', /Now in staging\. 1 job in prod\./);
	sendGate.release();
	await screen.waitFor(/\(prod\): .*[Rr]ule/);
	expect(service.writes().map(({path}) => path.split('/').slice(-1)[0])).toEqual(['filters', 'rules']);
	expect(new Set(service.writes().map(({path}) => /zones\/(\w+)/.exec(path)?.[1])).size).toBe(1);
	expect(screen.state().work.elsewhere).toEqual([]);
	expect(screen.state().drafts.placesElsewhere).toEqual([]);
});

test('a rehearsed migration continues from its review, and sends nothing meanwhile', async () => {
	const service = await serveSimulator({accounts: 2});
	const {screen} = await openInProd(service);
	await goToEligibility(screen);
	screen.press('enter');
	await confirmMigrationReview(screen);
	await pressEnterWhenShown(screen, '▸ Validation first');
	await pressEnterWhenShown(screen, '▸ Rehearse in the simulated service');
	await screen.waitFor('Rehearsed: ');
	await returnHome(screen);
	await switchContext(screen, 'staging', /Now in staging\./);
	await switchContext(screen, 'prod', /Now in prod\./);
	screen.press('5');
	await screen.waitFor(/a configuration was reviewed/);
	await pressEnterWhenShown(screen, '▸ Continue');
	await choosePath(screen, 'Direct');
	expect(service.writes()).toEqual([]);
});

test('a watched migration is still watched on return, and is not sent again', async () => {
	const service = await serveSimulator({accounts: 2, migrationSeconds: 0.2});
	const keepPending = () => service.setFaults('stage=pending path=/waf_migration/status');
	const {screen} = await openInProd(service, {
		method: 'PUT',
		path: '/entrypoint',
		when: 'after',
		does: keepPending,
	});
	await goToEligibility(screen);
	screen.press('enter');
	await confirmMigrationReview(screen);
	await choosePath(screen, 'Direct');
	await confirm(screen, {name: zone} as Parameters<typeof confirm>[1]);
	await screen.waitFor('You can close ledge');
	await returnHome(screen);
	await switchContext(screen, 'staging', /Now in staging\./);
	const callCount = service.simulator.calls.list().length;
	await switchContext(screen, 'prod', /Now in prod\./);
	const callsDuringReturn = service.simulator.calls.list().slice(callCount);
	expect(callsDuringReturn.filter(({path}) => path.includes('/zones/'))).toEqual([]);
	screen.press('5');
	await pressEnterWhenShown(screen, '▸ Continue');
	await screen.waitFor('You can close ledge');
	await service.setFaults('');
	await waitForVerification(screen);
	expect(service.writes()).toHaveLength(1);
});

test('the journal of a migration without a screen is closed with the session', async () => {
	const service = await serveSimulator({accounts: 2});
	const {screen} = await openInProd(service);
	await goToEligibility(screen);
	// Another screen opens, and the migration is not left.
	screen.state().navigation.go('contexts');
	await switchContext(screen, 'staging', /Now in staging\./);
	await switchContext(screen, 'prod', /Now in prod\./);
	screen.press('5');
	await screen.waitFor('Found the journal of this zone');
});

/** Opens the firewall rules of the context's zone. */
async function openRules(screen: DrawnScreen): Promise<void> {
	screen.press('2');
	await screen.waitFor(/rule 1 of \d+/);
}

/** Goes back to Home with esc, step by step. */
async function returnHome(screen: DrawnScreen): Promise<void> {
	while (screen.state().navigation.stack.at(-1) !== 'home') await screen.pressAndAwaitFrame('esc');
}
