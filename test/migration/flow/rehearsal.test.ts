import {describe, expect, test} from 'vitest';
import {startRehearsalService} from '../../../source/commands/shell/rehearsal-service.ts';
import {Failure} from '../../../source/failure.ts';
import {
	computeFingerprint,
	type ManagedConfiguration,
	parseConfigurationJson,
} from '../../../source/migration/configuration/configuration.ts';
import {rehearseMigration, type StartRehearsal} from '../../../source/migration/flow/rehearsal.ts';
import {createRehearsalClock} from '../../../source/migration/flow/rehearsal-clock.ts';
import type {MigrationZone} from '../../../source/migration/zone/migration-zone.ts';
import {readSnapshot} from '../../../source/migration/zone/read-snapshot.ts';
import type {Snapshot} from '../../../source/migration/zone/snapshot.ts';
import type {Call} from '../../../source/service/call.ts';
import type {Client} from '../../../source/service/client.ts';
import {connectSimulated} from '../../../source/service/connect.ts';
import {createSimulator, migrationZones, type Simulator} from '../../../source/simulator/simulator.ts';

const {signal} = new AbortController();

/** The service that a rehearsal must not touch, with the methods of the requests that reached it. */
function createLiveService(): {client: Client; methods: string[]; simulator: Simulator} {
	const simulator = createSimulator();
	const methods: string[] = [];
	const client = connectSimulated(
		request => {
			methods.push(request.method);
			return simulator.fetch(request);
		},
		{environment: {}, userAgent: 'test'},
	);
	return {client, methods, simulator};
}

const zoneOf = (name: keyof typeof migrationZones, plan: MigrationZone['plan']): MigrationZone => ({
	id: migrationZones[name],
	name: `acme${name === 'acme' ? '' : `-${name}`}.example`,
	plan,
	label: `Acme › zone ${name}`,
	account: 'a1',
});

async function readZoneSnapshot(zone: MigrationZone): Promise<Snapshot> {
	return readSnapshot(createLiveService().client, zone, 'simulated', {signal});
}

/** Starts the simulated service of a rehearsal; `onCall` is called before each of its calls. */
const createWatchedService =
	(onCall: (call: Call) => void): StartRehearsal =>
	async snapshot => {
		const service = await startRehearsalService(snapshot);
		const call: Client['call'] = async (request, stop) => {
			onCall(request);
			return service.client.call(request, stop);
		};
		return {client: {...service.client, call}, [Symbol.dispose]: () => service[Symbol.dispose]()};
	};

const parseProposal = ({proposed}: Snapshot): ManagedConfiguration =>
	parseConfigurationJson(proposed, 'The proposal');

describe('a zone that can migrate', () => {
	test.each([
		['acme', 'enterprise', 'pending'],
		['acme', 'enterprise', 'validation'],
		['shop', 'pro', 'pending'],
		['pay', 'business', 'pending'],
		['check', 'enterprise', 'pending'],
	] as const)('%s (%s) through "%s" ends complete, exactly as planned', async (name, plan, goal) => {
		const zone = zoneOf(name, plan);
		const snapshot = await readZoneSnapshot(zone);
		const configuration = parseProposal(snapshot);
		const puts: unknown[] = [];
		const startService = createWatchedService(call => {
			if (call.method === 'PUT') puts.push(call.query?.waf_migration);
		});
		const result = await rehearseMigration({zone, snapshot, configuration, goal, startService}, {signal});
		expect(result).toMatchObject({
			ended: 'complete',
			fingerprint: computeFingerprint(configuration),
			sameAsPlanned: true,
			differences: [],
		});
		expect(puts).toEqual(goal === 'pending' ? ['pending'] : ['validation', 'pending']);
	});

	test('ends with the edits made by a person', async () => {
		const zone = zoneOf('acme', 'enterprise');
		const snapshot = await readZoneSnapshot(zone);
		const {name, rules} = parseProposal(snapshot);
		const exception = {
			action: 'skip',
			action_parameters: {ruleset: 'current'},
			expression: 'ip.src eq 192.0.2.7',
		};
		const configuration = {name, rules: [exception, ...rules]};
		const result = await rehearseMigration(
			{zone, snapshot, configuration, goal: 'pending', startService: startRehearsalService},
			{signal},
		);
		expect(result).toMatchObject({sameAsPlanned: true, fingerprint: computeFingerprint(configuration)});
		expect(result.fingerprint).not.toBe(computeFingerprint(parseProposal(snapshot)));
	});
});

test('the real service sees only reads, and no calls after the zone has been read', async () => {
	const {client, methods} = createLiveService();
	const zone = zoneOf('acme', 'enterprise');
	const snapshot = await readSnapshot(client, zone, 'simulated', {signal});
	const readCount = methods.length;
	await rehearseMigration(
		{
			zone,
			snapshot,
			configuration: parseProposal(snapshot),
			goal: 'validation',
			startService: startRehearsalService,
		},
		{signal},
	);
	expect(new Set(methods)).toEqual(new Set(['GET']));
	expect(methods).toHaveLength(readCount);
});

test('any service but the simulated one is refused before the first call', async () => {
	const zone = zoneOf('acme', 'enterprise');
	const snapshot = await readZoneSnapshot(zone);
	const {client, methods} = createLiveService();
	const liveClient = {...client, baseUrl: 'https://api.example/client/v4'};
	const startService = async () => ({client: liveClient, [Symbol.dispose]() {}});
	await expect(
		rehearseMigration(
			{zone, snapshot, configuration: parseProposal(snapshot), goal: 'pending', startService},
			{signal},
		),
	).rejects.toMatchObject({code: 'internal'});
	expect(methods).toEqual([]);
});

test('data read from another zone is not accepted for this rehearsal', async () => {
	const snapshot = await readZoneSnapshot(zoneOf('acme', 'enterprise'));
	const zone = zoneOf('shop', 'pro');
	await expect(
		rehearseMigration(
			{
				zone,
				snapshot,
				configuration: parseProposal(snapshot),
				goal: 'pending',
				startService: startRehearsalService,
			},
			{signal},
		),
	).rejects.toMatchObject({code: 'usage'});
});

describe('a zone that cannot migrate fails in the rehearsal as in reality', () => {
	const executeRule = {
		action: 'execute',
		expression: 'true',
		action_parameters: {id: 'efb7b8c949ac4650a09736fc376e9aee'},
	};
	test.each([
		['legacy', 'enterprise', 'pending', 'not_eligible'],
		['bulk', 'enterprise', 'pending', 'refused_by_service'],
		['done', 'pro', 'pending', 'already_migrated'],
		['shop', 'pro', 'validation', 'plan_lacks'],
	] as const)('%s (%s) through "%s": %s', async (name, plan, goal, code) => {
		const zone = zoneOf(name, plan);
		const snapshot = await readZoneSnapshot(zone);
		const configuration = snapshot.proposed
			? parseProposal(snapshot)
			: {name: 'default', rules: [executeRule]};
		await expect(
			rehearseMigration({zone, snapshot, configuration, goal, startService: startRehearsalService}, {signal}),
		).rejects.toMatchObject({code, details: {left: expect.stringContaining('nothing was sent to the zone')}});
	});
});

test('a rejection by the simulated service is a result, with the reason', async () => {
	const zone = zoneOf('shop', 'pro');
	const snapshot = await readZoneSnapshot(zone);
	const startService = createWatchedService(({method}) => {
		if (method === 'PUT')
			throw new Failure('refused_by_service', 'Refused.', {why: 'Too many rules.', http: 400});
	});
	const result = await rehearseMigration(
		{zone, snapshot, configuration: parseProposal(snapshot), goal: 'pending', startService},
		{signal},
	);
	expect(result).toMatchObject({sameAsPlanned: false, refused: 'Refused. Too many rules.'});
	expect(result.ended).toBe('reviewed');
	expect(result.steps).toContain('Rejected: Refused. Too many rules.');
});

test('a rehearsal stops on request', async () => {
	const zone = zoneOf('shop', 'pro');
	const snapshot = await readZoneSnapshot(zone);
	const stop = new AbortController();
	await expect(
		rehearseMigration(
			{
				zone,
				snapshot,
				configuration: parseProposal(snapshot),
				goal: 'pending',
				startService: startRehearsalService,
			},
			{signal: stop.signal, onStep: sentence => sentence.startsWith('Waiting until') && stop.abort()},
		),
	).rejects.toMatchObject({code: 'interrupted'});
});

test('a rehearsal advances the clock instead of waiting', async () => {
	const clock = createRehearsalClock(1000);
	await clock.wait(3_600_000, signal);
	expect(clock.now()).toBeGreaterThanOrEqual(3_601_000);
	expect(clock.now()).toBeLessThan(3_700_000);
	await expect(clock.wait(1, AbortSignal.abort())).rejects.toMatchObject({code: 'interrupted'});
});
