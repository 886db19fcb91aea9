import {describe, expect, onTestFinished, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import type {FlowOptions} from '../../../source/migration/flow/context.ts';
import {createFlow, type MigrationFlow} from '../../../source/migration/flow/flow.ts';
import {getReviewBasis} from '../../../source/migration/flow/reviewing.ts';
import {createMemoryJournal} from '../../../source/migration/journal/journal.ts';
import type {MigrationMode} from '../../../source/migration/machine/stage.ts';
import type {MachineState} from '../../../source/migration/machine/states.ts';
import {readObservation, readProposedConfiguration} from '../../../source/migration/zone/calls.ts';
import {assessEligibility} from '../../../source/migration/zone/eligibility.ts';
import type {MigrationZone} from '../../../source/migration/zone/migration-zone.ts';
import {readEligibilityFacts} from '../../../source/migration/zone/read-facts.ts';
import {readSnapshot} from '../../../source/migration/zone/read-snapshot.ts';
import type {Client} from '../../../source/service/client.ts';
import {connectSimulated} from '../../../source/service/connect.ts';
import {listZones} from '../../../source/service/zones.ts';
import {createSimulator} from '../../../source/simulator/simulator.ts';
import {never} from '../../service/scripted-transport.ts';

// What the documentation says of the migration (docs/service.md#migration): zone migration states, errors, limits. Each is seen at the service.

const work: FlowOptions = {signal: never};

/** The sample zones, a client, and a dashboard: someone who calls the service without ledge. */
async function service() {
	const simulator = createSimulator({rateLimit: false, migrationSeconds: 0});
	onTestFinished(() => simulator.close());
	const client = connectSimulated(request => simulator.fetch(request), {
		userAgent: 'test',
		environment: {LEDGE_TIME_SCALE: '0.001'},
	});
	const all = await Array.fromAsync(listZones(client, {}, never));
	const zone = (name: string): MigrationZone => {
		const found = all.find(one => one.name === name);
		if (!found) throw new TypeError(`There is no zone ${name}.`);
		const {id, level, account} = found;
		return {id, name, plan: level, label: `zone ${name}`, account: account.name};
	};
	return {
		client,
		zone,
		flow: (name: string): MigrationFlow => {
			const one = zone(name);
			return createFlow({
				client,
				zone: one,
				journal: createMemoryJournal({place: 'simulated', zone: one}),
			});
		},
		/** How many entry points were PUT so far. */
		puts: () => simulator.calls.list().filter(({method}) => method === 'PUT').length,
		/** As the dashboard's Deploy, and its Turn off previous version. */
		dashboard: (name: string, mode: MigrationMode) => putAs(client, zone(name).id, mode),
	};
}

async function putAs(client: Client, zone: string, mode: MigrationMode): Promise<void> {
	const {configuration} =
		(await readObservation(client, {id: zone}, never)).stage === 'previous'
			? await readProposedConfiguration(client, zone, never)
			: {
					configuration: {
						name: 'default',
						rules: [{action: 'execute', expression: 'true', action_parameters: platform}],
					},
				};
	await client.call(
		{
			method: 'PUT',
			path: `/zones/${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`,
			query: {waf_migration: mode, phase_two: 1},
			body: {kind: 'json', value: configuration},
			repeat: 'never',
			writes: true,
		},
		never,
	);
}

const platform = {id: 'efb7b8c949ac4650a09736fc376e9aee'};

/** Reviews what the service proposes, and sends it. */
async function sent(flow: MigrationFlow, client: Client, mode: MigrationMode): Promise<MachineState> {
	await flow.observe(work);
	if (flow.record.state === 'eligible') {
		const {configuration} = await readProposedConfiguration(client, flow.zone.id, never);
		const snapshot = await readSnapshot(client, flow.zone, 'simulated', {signal: never});
		await flow.review(configuration, getReviewBasis(snapshot), mode);
	}
	if (flow.record.state === 'validating') await flow.markReady();
	await flow.send(mode, {zone: flow.zone.name}, work);
	return (await flow.watch(work)).state;
}

const codeOf = (error: unknown): string => (isFailure(error) ? error.code : String(error));

describe('zone migration', () => {
	test('start, validation: an Enterprise zone has both versions, the new one with the reviewed configuration', async () => {
		const {flow: open, client, zone} = await service();
		const flow = open('acme.example');
		expect(await sent(flow, client, 'validation')).toBe('validating');
		const there = await readObservation(client, zone('acme.example'), never);
		expect(there.status).toMatchObject({newWaf: 'enabled', oldWaf: 'enabled'});
		expect(there.entryPoint?.fingerprint).toBe(flow.record.reviewed?.fingerprint);
	});

	test.each([
		'acme-shop.example',
		'acme-pay.example',
	])('start, validation: %s is not Enterprise, so nothing is sent', async name => {
		const {flow, client, puts} = await service();
		const refused = await sent(flow(name), client, 'validation').catch(codeOf);
		expect([refused, puts()]).toEqual(['plan_lacks', 0]);
	});

	test('validation, pending: the previous version is off as soon as the new one is saved', async () => {
		const {flow: open, client, zone} = await service();
		const flow = open('acme.example');
		await sent(flow, client, 'validation');
		expect(await sent(flow, client, 'pending')).toBe('complete');
		const there = await readObservation(client, zone('acme.example'), never);
		expect(there).toMatchObject({stage: 'complete', status: {newWaf: 'enabled', oldWaf: 'disabled'}});
	});

	test.each([
		['pro', 'acme-shop.example'],
		['business', 'acme-pay.example'],
		['enterprise', 'acme.example'],
		['pro', 'plain.acme.example'],
	])('start, pending: a zone on the %s plan, %s, is migrated in one step', async (plan, name) => {
		const {flow: open, client, zone} = await service();
		const flow = open(name);
		expect([zone(name).plan, await sent(flow, client, 'pending')]).toEqual([plan, 'complete']);
		expect((await readObservation(client, zone(name), never)).status?.oldWaf).toBe('disabled');
	});

	test.each([
		['acme-shop.example', 'pending', 'complete'],
		['acme.example', 'validation', 'validating unreviewed'],
	] as const)('start, Deploy in the dashboard: %s is found in its new stage', async (name, mode, state) => {
		const {flow: open, dashboard} = await service();
		await dashboard(name, mode);
		const flow = open(name);
		await flow.observe(work);
		expect(flow.record.state).toBe(state);
	});

	test('validation, Turn off previous version in the dashboard: the change is noticed, and nothing is sent', async () => {
		const {flow: open, client, dashboard, puts} = await service();
		const flow = open('acme.example');
		await sent(flow, client, 'validation');
		await flow.markReady();
		await dashboard('acme.example', 'pending');
		const before = puts();
		await flow.send('pending', {zone: 'acme.example'}, work).catch(() => {});
		expect([flow.record.state, puts() - before]).toEqual(['moved on', 0]);
	});

	test('new version only, anything: there is no way back, and nothing is sent', async () => {
		const {flow: open, client, puts, zone, dashboard} = await service();
		const flow = open('acme-shop.example');
		await sent(flow, client, 'pending');
		const before = puts();
		for (const mode of ['validation', 'pending'] as const) {
			const refused = await flow.send(mode, {zone: 'acme-shop.example'}, work).catch(codeOf);
			expect(refused).toBe('already_migrated');
		}
		expect(puts()).toBe(before);
		expect(await dashboard('acme-shop.example', 'pending').catch(codeOf)).toBe('refused_by_service');
		expect((await readObservation(client, zone('acme-shop.example'), never)).stage).toBe('complete');
	});
});

describe('errors and limits', () => {
	test.each([
		['URI-based overrides, compatible false', 'acme-legacy.example', 'URI overrides', /3 URI-based/],
		['more than 200 firewall rules to migrate', 'bulk.acme.example', 'firewall rules', /230.*200/],
		['an expression longer than 4 KB', 'long.acme.example', 'expression length', /4096.*4271/],
	])('%s is named with its figures, and nothing can be sent', async (_what, name, kind, figures) => {
		const {flow: open, client, zone, puts} = await service();
		const facts = await readEligibilityFacts(client, zone(name), never);
		const found = assessEligibility(facts);
		expect(found.eligible).toBe(false);
		expect(found.blockers.find(blocker => blocker.kind === kind)?.sentence).toMatch(figures);
		const flow = open(name);
		const refused = await sent(flow, client, 'pending').catch(codeOf);
		expect(['not_eligible', 'refused_by_service']).toContain(refused);
		expect(puts()).toBe(0);
	});

	test.each([
		['/firewall/waf/packages'],
		['/firewall/waf/overrides'],
		['/settings/waf'],
	])('after the migration %s no longer works, and the Rulesets API is named', async path => {
		const {flow, client, zone} = await service();
		await sent(flow('acme.example'), client, 'pending');
		const {id} = zone('acme.example');
		const asked = client
			.call({method: 'GET', path: `/zones/${id}${path}`, repeat: 'always', writes: false}, never)
			.catch((error: unknown) => error);
		const gone = await asked;
		expect(codeOf(gone)).toBe('gone');
		expect(isFailure(gone) && `${gone.message} ${gone.details.why} ${gone.next}`).toContain('Rulesets');
	});

	test('the proposal is sent unchanged: the fingerprint of the answer is that of the proposal', async () => {
		const {flow: open, client, zone} = await service();
		const {configuration} = await readProposedConfiguration(client, zone('acme-pay.example').id, never);
		await sent(open('acme-pay.example'), client, 'pending');
		const there = await readObservation(client, zone('acme-pay.example'), never);
		expect(there.entryPoint?.fingerprint).toBe(computeFingerprint(configuration));
	});
});
