import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {gateTo, type Watched} from '../../../support/gate.ts';
import {ledge} from '../../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../../support/serve-simulator.ts';
import {entriesOf} from '../../support/bulk.ts';
import {acme, choosePlace, second, token, withContexts} from '../../support/contexts.ts';
import {choosePath, confirm, review, toEligibility, verified} from '../../support/migration-ways.ts';
import {toReview, toWizard} from '../../support/rule-ways.ts';
import {checkFile, toKeys, toNamespaces} from '../../support/sample-ways.ts';
import {type DrawnScreen, drawnScreen} from '../../support/screen.tsx';
import {enterAt, lookAndEnterAt} from '../../support/ways.ts';

const zone = 'acme.example';

/** A person in the context prod, which is not production; `calls` are those that wait until they are let go. */
async function inProd(service: ServedSimulator, ...watched: readonly Watched[]) {
	const {CLOUDFLARE_API_BASE_URL: url = service.url} =
		watched.length > 0 ? await gateTo(service, ...watched) : {};
	const cwd = withContexts({url}, 'context_in_use = "prod"\n', `zone = "${zone}"\n`);
	const screen = await drawnScreen({}, {cwd, env: token, columns: 120});
	await screen.waitFor(/Account +9108/);
	return {screen, cwd};
}

/** A call that waits until it is let go. */
function held(method: string, path: string, skip = 0) {
	const arrived = Promise.withResolvers<void>();
	const gone = Promise.withResolvers<void>();
	const does = () => {
		arrived.resolve();
		return gone.promise;
	};
	const call = {method, path, skip, when: 'before', does} as const;
	return {call, arrived: arrived.promise, letGo: gone.resolve};
}

const switched = async (screen: DrawnScreen, to: string, says: RegExp): Promise<void> => {
	await choosePlace(screen, to);
	await screen.waitFor(says);
	expect(screen.line(0)).toContain(to);
};

/** What was written to an account or zone, without what belongs to the other account. */
const writesTo = (service: ServedSimulator, id: string): readonly string[] =>
	service
		.writes()
		.filter(({path}) => path.includes(id))
		.map(({method, path}) => `${method} ${path.split('/').slice(3).join('/')}`);

test('a running copy finishes where it began, and is found there on return', async () => {
	const service = await serveSimulator({accounts: 2});
	const reading = held('POST', '/bulk/get', 1);
	const {screen, cwd} = await inProd(service, reading.call);
	await toNamespaces(screen);
	screen.press('down', 'enter');
	await screen.waitFor('480 keys');
	screen.press('c');
	await screen.waitFor('another store, by name');
	screen.press('down', 'down');
	await enterAt(screen, /▸ another store/);
	await screen.waitFor('remote:TITLE');
	screen.paste('local:copied');
	await enterAt(screen, 'local:copied');
	await screen.waitFor('▸ Copy only keys that are missing there');
	screen.press('down');
	await enterAt(screen, '▸ Copy all keys');
	await reading.arrived;
	await switched(screen, 'staging', /Now in staging\. 1 job in prod\./);
	expect(screen.state().work.elsewhere).toMatchObject([{sessionName: 'prod'}]);
	screen.press('J');
	// Once it has a journal it is in the list, too.
	await screen.waitFor(
		/Running elsewhere: 1 job in prod; C switches there\.|running .* copy prod › SESSIONS/,
	);
	screen.press('esc', 'esc');
	await screen.waitFor(/Jobs +1 job in prod, running/);

	await switched(screen, 'prod', /Now in prod\./);
	expect(screen.state().work.elsewhere).toEqual([]);
	screen.press('J');
	await enterAt(screen, /▸ .*this run/);
	await screen.waitFor('of 480 keys');
	reading.letGo();
	await screen.waitFor(/done +✓ 480 keys/);
	expect(writesTo(service, second.id)).toEqual([]);
	const words = ['kv', 'diff', 'remote:SESSIONS', 'local:copied'];
	expect(await ledge(words, {cwd, env: token})).toMatchObject({code: 0});
});

test('a running bulk put is shown first, in its own account only, and a merely checked one is named', async () => {
	const service = await serveSimulator({accounts: 2});
	const writing = held('PUT', '/bulk');
	const {screen, cwd} = await inProd(service, writing.call);
	writeFileSync(join(cwd, 'load.json'), JSON.stringify(entriesOf(40)));
	await toNamespaces(screen);
	await toKeys(screen);
	await checkFile(screen, 'load.json');
	await switched(
		screen,
		'staging',
		/Now in staging\. Left in prod: bulk put load\.json, CONFIG \(nothing was sent\)\./,
	);
	await switched(screen, 'prod', /Now in prod\./);
	expect(service.writes()).toEqual([]);

	await toNamespaces(screen);
	await toKeys(screen);
	await checkFile(screen, 'load.json');
	screen.press('enter');
	await writing.arrived;
	await switched(screen, 'staging', /Now in staging\. 1 job in prod\./);
	writing.letGo();
	await screen.waitFor(/bulk put load\.json.* \(prod\): Wrote 40 keys in namespace CONFIG/);
	expect(writesTo(service, second.id)).toEqual([]);
	expect(writesTo(service, acme.id)).toEqual([expect.stringMatching(/^PUT storage\/kv\/.*\/bulk$/)]);
});

test('a half-typed rule is kept for its own zone and offered there again', async () => {
	const service = await serveSimulator({accounts: 2});
	const {screen} = await inProd(service);
	await rulesOf(screen);
	await toWizard(screen);
	screen.type('http.host eq "half.example"');
	await screen.waitFor('half.example');
	screen.press('esc');
	await screen.waitFor('Close the wizard?');
	screen.press('y');
	await switched(screen, 'staging', /Now in staging\. 1 draft is elsewhere: context prod\./);
	expect(screen.state().drafts.list).toEqual([]);
	screen.press('H');
	await screen.waitFor(/Draft +1 draft is elsewhere: context prod$/m);

	await choosePlace(screen, 'prod');
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
	const sending = held('POST', '/filters');
	const {screen} = await inProd(service, sending.call);
	await rulesOf(screen);
	await toReview(screen, 'http.host eq "sent.example"');
	await lookAndEnterAt(screen, 'nothing has been sent');
	await sending.arrived;
	screen.press('esc');
	await screen.waitFor(/rule \d+ of \d+/);
	await switched(screen, 'staging', /Now in staging\. 1 job in prod\./);
	sending.letGo();
	await screen.waitFor(/\(prod\): .*[Rr]ule/);
	expect(service.writes().map(({path}) => path.split('/').slice(-1)[0])).toEqual(['filters', 'rules']);
	expect(new Set(service.writes().map(({path}) => /zones\/(\w+)/.exec(path)?.[1])).size).toBe(1);
	expect(screen.state().work.elsewhere).toEqual([]);
	expect(screen.state().drafts.placesElsewhere).toEqual([]);
});

test('a rehearsed migration continues from its review, and sends nothing meanwhile', async () => {
	const service = await serveSimulator({accounts: 2});
	const {screen} = await inProd(service);
	await toEligibility(screen);
	screen.press('enter');
	await review(screen);
	await enterAt(screen, '▸ Validation first');
	await enterAt(screen, '▸ Rehearse in the simulated service');
	await screen.waitFor('As planned');
	await home(screen);
	await switched(screen, 'staging', /Now in staging\./);
	await switched(screen, 'prod', /Now in prod\./);
	screen.press('M');
	await screen.waitFor(/a configuration was reviewed/);
	await enterAt(screen, '▸ Continue');
	await choosePath(screen, 'Direct');
	expect(service.writes()).toEqual([]);
});

test('a watched migration is still watched on return, and is not sent again', async () => {
	const service = await serveSimulator({accounts: 2, migrationSeconds: 0.2});
	const atWork = () => service.setFaults('stage=pending path=/waf_migration/status');
	const {screen} = await inProd(service, {method: 'PUT', path: '/entrypoint', when: 'after', does: atWork});
	await toEligibility(screen);
	screen.press('enter');
	await review(screen);
	await choosePath(screen, 'Direct');
	await confirm(screen, {name: zone} as Parameters<typeof confirm>[1]);
	await screen.waitFor('You can close ledge');
	await home(screen);
	await switched(screen, 'staging', /Now in staging\./);
	const calls = service.simulator.calls.list().length;
	await switched(screen, 'prod', /Now in prod\./);
	const between = service.simulator.calls.list().slice(calls);
	expect(between.filter(({path}) => path.includes('/zones/'))).toEqual([]);
	screen.press('M');
	await enterAt(screen, '▸ Continue');
	await screen.waitFor('You can close ledge');
	await service.setFaults('');
	await verified(screen);
	expect(service.writes()).toHaveLength(1);
});

test('the journal of a migration without a screen is closed with the session', async () => {
	const service = await serveSimulator({accounts: 2});
	const {screen} = await inProd(service);
	await toEligibility(screen);
	// Another screen came in front, and nobody has left the migration.
	screen.state().navigation.go('contexts');
	await switched(screen, 'staging', /Now in staging\./);
	await switched(screen, 'prod', /Now in prod\./);
	screen.press('M');
	await screen.waitFor('Found the journal of this zone');
});

/** The rules of the zone of the context. */
async function rulesOf(screen: DrawnScreen): Promise<void> {
	screen.press('F');
	await screen.waitFor(/rule 1 of \d+/);
}

/** Back to Home, step by step. */
async function home(screen: DrawnScreen): Promise<void> {
	while (screen.state().navigation.stack.at(-1) !== 'home') await screen.answerTo('esc');
}
