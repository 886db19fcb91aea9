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
import {neverAbortedSignal} from '../../service/scripted-transport.ts';

// What the documentation says about the migration (docs/service.md#migration): the states of a zone, errors
// and limits. Each statement is tested against the simulated service.

const work: FlowOptions = {signal: neverAbortedSignal};

/** The sample zones, a client, and a dashboard: someone who calls the service without ledge. */
async function createService() {
	const simulator = createSimulator({rateLimit: false, migrationSeconds: 0});
	onTestFinished(() => simulator.close());
	const client = connectSimulated(request => simulator.fetch(request), {
		userAgent: 'test',
		environment: {LEDGE_TIME_SCALE: '0.001'},
	});
	const zones = await Array.fromAsync(listZones(client, {}, neverAbortedSignal));
	const zone = (name: string): MigrationZone => {
		const found = zones.find(one => one.name === name);
		if (!found) throw new TypeError(`There is no zone ${name}.`);
		const {id, level, account} = found;
		return {id, name, plan: level, label: `zone ${name}`, account: account.name};
	};
	return {
		client,
		zone,
		openFlow: (name: string): MigrationFlow => {
			const one = zone(name);
			return createFlow({
				client,
				zone: one,
				journal: createMemoryJournal({place: 'simulated', zone: one}),
			});
		},
		/** The number of PUTs so far. */
		countPuts: () => simulator.calls.list().filter(({method}) => method === 'PUT').length,
		/** Does what Deploy and "Turn off previous version" do in the dashboard. */
		putInDashboard: (name: string, mode: MigrationMode) => putWithoutLedge(client, zone(name).id, mode),
	};
}

async function putWithoutLedge(client: Client, zoneId: string, mode: MigrationMode): Promise<void> {
	const {configuration} =
		(await readObservation(client, {id: zoneId}, neverAbortedSignal)).stage === 'previous'
			? await readProposedConfiguration(client, zoneId, neverAbortedSignal)
			: {
					configuration: {
						name: 'default',
						rules: [{action: 'execute', expression: 'true', action_parameters: platform}],
					},
				};
	await client.call(
		{
			method: 'PUT',
			path: `/zones/${zoneId}/rulesets/phases/http_request_firewall_managed/entrypoint`,
			query: {waf_migration: mode, phase_two: 1},
			body: {kind: 'json', value: configuration},
			repeat: 'never',
			writes: true,
		},
		neverAbortedSignal,
	);
}

const platform = {id: 'efb7b8c949ac4650a09736fc376e9aee'};

/** Reviews what the service proposes, and sends it. */
async function reviewAndSend(
	flow: MigrationFlow,
	client: Client,
	mode: MigrationMode,
): Promise<MachineState> {
	await flow.observe(work);
	if (flow.record.state === 'eligible') {
		const {configuration} = await readProposedConfiguration(client, flow.zone.id, neverAbortedSignal);
		const snapshot = await readSnapshot(client, flow.zone, 'simulated', {signal: neverAbortedSignal});
		await flow.review(configuration, getReviewBasis(snapshot), mode);
	}
	if (flow.record.state === 'validating') await flow.markReady();
	await flow.send(mode, {zone: flow.zone.name}, work);
	return (await flow.watch(work)).state;
}

const getErrorCode = (error: unknown): string => (isFailure(error) ? error.code : String(error));

describe('zone migration', () => {
	test('start, validation: an Enterprise zone has both versions, the new one with the reviewed configuration', async () => {
		const {openFlow, client, zone} = await createService();
		const flow = openFlow('acme.example');
		expect(await reviewAndSend(flow, client, 'validation')).toBe('validating');
		const observation = await readObservation(client, zone('acme.example'), neverAbortedSignal);
		expect(observation.status).toMatchObject({newWaf: 'enabled', oldWaf: 'enabled'});
		expect(observation.entryPoint?.fingerprint).toBe(flow.record.reviewed?.fingerprint);
	});

	test.each([
		'acme-shop.example',
		'acme-pay.example',
	])('start, validation: %s is not Enterprise, so nothing is sent', async name => {
		const {openFlow, client, countPuts} = await createService();
		const refused = await reviewAndSend(openFlow(name), client, 'validation').catch(getErrorCode);
		expect([refused, countPuts()]).toEqual(['plan_lacks', 0]);
	});

	test('validation, pending: the previous version is off as soon as the new one is saved', async () => {
		const {openFlow, client, zone} = await createService();
		const flow = openFlow('acme.example');
		await reviewAndSend(flow, client, 'validation');
		expect(await reviewAndSend(flow, client, 'pending')).toBe('complete');
		const observation = await readObservation(client, zone('acme.example'), neverAbortedSignal);
		expect(observation).toMatchObject({stage: 'complete', status: {newWaf: 'enabled', oldWaf: 'disabled'}});
	});

	test.each([
		['pro', 'acme-shop.example'],
		['business', 'acme-pay.example'],
		['enterprise', 'acme.example'],
		['pro', 'plain.acme.example'],
	])('start, pending: a zone on the %s plan, %s, is migrated in one step', async (plan, name) => {
		const {openFlow, client, zone} = await createService();
		const flow = openFlow(name);
		expect([zone(name).plan, await reviewAndSend(flow, client, 'pending')]).toEqual([plan, 'complete']);
		expect((await readObservation(client, zone(name), neverAbortedSignal)).status?.oldWaf).toBe('disabled');
	});

	test.each([
		['acme-shop.example', 'pending', 'complete'],
		['acme.example', 'validation', 'validating unreviewed'],
	] as const)('start, Deploy in the dashboard: %s is found in its new stage', async (name, mode, state) => {
		const {openFlow, putInDashboard} = await createService();
		await putInDashboard(name, mode);
		const flow = openFlow(name);
		await flow.observe(work);
		expect(flow.record.state).toBe(state);
	});

	test('validation, Turn off previous version in the dashboard: the change is noticed, and nothing is sent', async () => {
		const {openFlow, client, putInDashboard, countPuts} = await createService();
		const flow = openFlow('acme.example');
		await reviewAndSend(flow, client, 'validation');
		await flow.markReady();
		await putInDashboard('acme.example', 'pending');
		const putsBefore = countPuts();
		await flow.send('pending', {zone: 'acme.example'}, work).catch(() => {});
		expect([flow.record.state, countPuts() - putsBefore]).toEqual(['moved on', 0]);
	});

	test('new version only, anything: there is no way back, and nothing is sent', async () => {
		const {openFlow, client, countPuts, zone, putInDashboard} = await createService();
		const flow = openFlow('acme-shop.example');
		await reviewAndSend(flow, client, 'pending');
		const putsBefore = countPuts();
		for (const mode of ['validation', 'pending'] as const) {
			const refused = await flow.send(mode, {zone: 'acme-shop.example'}, work).catch(getErrorCode);
			expect(refused).toBe('already_migrated');
		}
		expect(countPuts()).toBe(putsBefore);
		expect(await putInDashboard('acme-shop.example', 'pending').catch(getErrorCode)).toBe(
			'refused_by_service',
		);
		expect((await readObservation(client, zone('acme-shop.example'), neverAbortedSignal)).stage).toBe(
			'complete',
		);
	});
});

describe('errors and limits', () => {
	test.each([
		['URI-based overrides, compatible false', 'acme-legacy.example', 'URI overrides', /3 URI-based/],
		['more than 200 firewall rules to migrate', 'bulk.acme.example', 'firewall rules', /230.*200/],
		['an expression longer than 4 KB', 'long.acme.example', 'expression length', /4096.*4271/],
	])('%s is named with its figures, and nothing can be sent', async (_what, name, kind, figures) => {
		const {openFlow, client, zone, countPuts} = await createService();
		const facts = await readEligibilityFacts(client, zone(name), neverAbortedSignal);
		const found = assessEligibility(facts);
		expect(found.eligible).toBe(false);
		expect(found.blockers.find(blocker => blocker.kind === kind)?.sentence).toMatch(figures);
		const flow = openFlow(name);
		const refused = await reviewAndSend(flow, client, 'pending').catch(getErrorCode);
		expect(['not_eligible', 'refused_by_service']).toContain(refused);
		expect(countPuts()).toBe(0);
	});

	test.each([
		['/firewall/waf/packages'],
		['/firewall/waf/overrides'],
		['/settings/waf'],
	])('after the migration %s no longer works, and the Rulesets API is named', async path => {
		const {openFlow, client, zone} = await createService();
		await reviewAndSend(openFlow('acme.example'), client, 'pending');
		const {id} = zone('acme.example');
		const response = client
			.call({method: 'GET', path: `/zones/${id}${path}`, repeat: 'always', writes: false}, neverAbortedSignal)
			.catch((error: unknown) => error);
		const failure = await response;
		expect(getErrorCode(failure)).toBe('gone');
		expect(isFailure(failure) && `${failure.message} ${failure.details.why} ${failure.next}`).toContain(
			'Rulesets',
		);
	});

	test('the proposal is sent unchanged: the active rules have its fingerprint', async () => {
		const {openFlow, client, zone} = await createService();
		const {configuration} = await readProposedConfiguration(
			client,
			zone('acme-pay.example').id,
			neverAbortedSignal,
		);
		await reviewAndSend(openFlow('acme-pay.example'), client, 'pending');
		const observation = await readObservation(client, zone('acme-pay.example'), neverAbortedSignal);
		expect(observation.entryPoint?.fingerprint).toBe(computeFingerprint(configuration));
	});
});
