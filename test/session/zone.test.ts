import {describe, expect, onTestFinished, test} from 'vitest';
import {type Failure, toFailure} from '../../source/failure.ts';
import {connectSimulated} from '../../source/service/connect.ts';
import type {Session} from '../../source/session/session.ts';
import {chooseZone} from '../../source/session/zone.ts';
import type {SettingOptions} from '../../source/settings/settings.ts';
import {readVariables} from '../../source/settings/variables.ts';
import {
	createSimulator,
	parseFaults,
	type SimulatorOptions,
	sampleZones,
} from '../../source/simulator/simulator.ts';

const acmeId = 'd0e032749968114a09730950255c7c0f';
const movedZoneIds = ['8311e2d173ef02ba0404f6be43393fec', 'c256443891715f74f4f9dcc73d79961c'];

type SessionSetup = {
	readonly options?: SettingOptions;
	readonly env?: Readonly<Record<string, string>>;
	readonly simulated?: boolean;
	readonly simulator?: SimulatorOptions;
	/** Results by path, in place of the simulator's. */
	readonly instead?: Readonly<Record<string, unknown>>;
};

/** Creates the part of a session that choosing a zone uses. */
function createTestSession({
	options = {},
	env = {},
	simulated = false,
	simulator = {},
	instead = {},
}: SessionSetup = {}) {
	const service = createSimulator(simulator);
	onTestFinished(() => service.close());
	const requestedPaths: string[] = [];
	const warnings: string[] = [];
	const client = connectSimulated(
		async request => {
			const path = new URL(request.url).pathname.replace('/client/v4', '');
			requestedPaths.push(path);
			const result = instead[path];
			if (result === undefined) return service.fetch(request);
			const page = Array.isArray(result) && {result_info: {page: 1, per_page: 50, count: result.length}};
			return Response.json({result, success: true, errors: [], messages: [], ...page});
		},
		{environment: {LEDGE_TIME_SCALE: '0.01'}, userAgent: 'test'},
	);
	const session = {
		simulated,
		sources: async () => ({options, variables: readVariables(env)}),
		client: async () => client,
		events: {warn: (sentence: string) => void warnings.push(sentence)},
	} as unknown as Session;
	const {signal} = new AbortController();
	return {
		asked: requestedPaths,
		warnings,
		choose: (writes: boolean) => chooseZone(session, {writes}, signal),
		chooseInEmergency: () => chooseZone(session, {writes: true, onNoResponse: 'plan unknown'}, signal),
		refusal: async (writes: boolean): Promise<Failure> => {
			const chosen = await chooseZone(session, {writes}, signal).catch(toFailure);
			if (chosen instanceof Error) return chosen;
			throw new Error(`${chosen.id} was chosen`);
		},
	};
}

const zone = (id: string, name: string) => ({
	id,
	name,
	status: 'active',
	plan: {name: 'Pro Plan'},
	account: {id: 'a', name: 'Acme'},
});

describe('the zone', () => {
	test('given by ID has its name, its plan and its account', async () => {
		const {choose} = createTestSession({options: {zoneId: acmeId}});
		expect(await choose(true)).toEqual({
			id: acmeId,
			name: 'acme.example',
			plan: 'enterprise',
			account: 'Acme (simulated)',
			accountId: '910896fde4470afb4fab0b3c5e3aaff8',
			label: 'Acme (simulated) › zone acme.example',
		});
	});

	test.each(['acme.example', 'ACME.example', 'acme.example.'])('is found by its name, as %s', async name => {
		expect(await createTestSession({options: {zone: name}}).choose(true)).toMatchObject({id: acmeId});
	});

	test('comes from CLOUDFLARE_ZONE_ID, but an option takes precedence', async () => {
		const env = {CLOUDFLARE_ZONE_ID: movedZoneIds[0] ?? ''};
		expect(await createTestSession({env}).choose(true)).toMatchObject({id: movedZoneIds[0]});
		expect(await createTestSession({env, options: {zone: 'acme.example'}}).choose(true)).toMatchObject({
			id: acmeId,
		});
	});

	test('comes from no variable for the simulated service', async () => {
		const {refusal, asked: requestedPaths} = createTestSession({
			env: {CLOUDFLARE_ZONE_ID: acmeId},
			simulated: true,
		});
		expect(await refusal(true)).toMatchObject({code: 'usage'});
		expect(requestedPaths).toEqual([]);
	});
});

describe('no zone given', () => {
	const onlyOneZone = {instead: {'/zones': [zone('one', 'one.example')]}};

	test('a read uses the only zone', async () => {
		expect(await createTestSession(onlyOneZone).choose(false)).toMatchObject({
			id: 'one',
			name: 'one.example',
			plan: 'pro',
		});
	});

	test('a write is refused even if there is only one zone, and the service is not asked', async () => {
		const {refusal, asked: requestedPaths} = createTestSession(onlyOneZone);
		const {exitCode, next} = await refusal(true);
		expect(exitCode).toBe(2);
		expect(next).toMatch(/--zone NAME, --zone-id ID or CLOUDFLARE_ZONE_ID/);
		expect(requestedPaths).toEqual([]);
	});

	test('a read lists the possible zones if there are several', async () => {
		const {exitCode, details} = await createTestSession().refusal(false);
		expect(exitCode).toBe(2);
		expect(details.why).toContain(`${acmeId}  acme.example  active  Acme (simulated)`);
		expect(details.why?.split('\n')).toHaveLength(sampleZones.length);
	});

	test('a read reports if the credential sees none', async () => {
		expect(await createTestSession({instead: {'/zones': []}}).refusal(false)).toMatchObject({exitCode: 3});
	});

	test('more than twenty are not all listed', async () => {
		const manyZones = Array.from({length: 30}, (_, index) => zone(`id${index}`, `${index}.example`));
		const {details} = await createTestSession({instead: {'/zones': manyZones}}).refusal(false);
		expect(details.why?.split('\n')).toHaveLength(21);
		expect(details.why).toContain('and more');
	});
});

describe('an invalid zone', () => {
	test.each([
		true,
		false,
	])('is a name shared by two zones, which are both listed (a write: %s)', async writes => {
		const {exitCode, message, details} = await createTestSession({
			options: {zone: 'acme-moved.example'},
		}).refusal(writes);
		expect(exitCode).toBe(2);
		expect(message).toContain('acme-moved.example');
		for (const id of movedZoneIds) expect(details.why).toContain(id);
		expect(details.why).toMatch(/ {2}moved {2}Acme/);
		expect(details.next).toContain('--zone-id');
	});

	test('is a name that no zone has', async () => {
		expect(await createTestSession({options: {zone: 'nobody.example'}}).refusal(true)).toMatchObject({
			exitCode: 3,
		});
	});

	test('is a zone of another name, even if the service returns it', async () => {
		const instead = {'/zones': [zone('other', 'other.example')]};
		expect(await createTestSession({options: {zone: 'acme.example'}, instead}).refusal(true)).toMatchObject({
			exitCode: 3,
		});
	});

	test.each([
		['the id of a foreign one', 'f'.repeat(32)],
		['no id of the service', 'acme'],
	])('is %s', async (_what, zoneId) => {
		const {exitCode, message, details} = await createTestSession({options: {zoneId}}).refusal(true);
		expect(exitCode).toBe(3);
		expect(message).toContain(zoneId);
		expect(details.why).toContain('--zone-id');
	});

	test.each([
		{zone: ''},
		{zoneId: ''},
		{zoneId: '../x'},
		{zone: 'a', zoneId: 'b'},
	])('is %j', async options => {
		const {refusal, asked: requestedPaths} = createTestSession({options});
		expect((await refusal(false)).exitCode).toBe(2);
		expect(requestedPaths).toEqual([]);
	});
});

describe('a credential that may not read zones', () => {
	const tokens = [{value: 'simulated', grants: ['firewall:write'] as const}];

	test('still works on a zone given by ID: its plan is unknown, and that is reported', async () => {
		const {choose, warnings} = createTestSession({options: {zoneId: acmeId}, simulator: {tokens}});
		expect(await choose(true)).toMatchObject({id: acmeId, plan: undefined});
		expect(warnings).toHaveLength(1);
		expect(warnings[0]).toContain('plan');
	});

	test('cannot find a zone by name', async () => {
		const {refusal} = createTestSession({options: {zone: 'acme.example'}, simulator: {tokens}});
		expect(await refusal(true)).toMatchObject({exitCode: 4});
	});
});

describe('in an emergency', () => {
	test.each([
		'status=500 path=/zones/',
		'status=429 path=/zones/',
		'hang path=/zones/',
		'html=403 path=/zones/',
		'html=200 path=/zones/',
		'empty-errors path=/zones/',
	])('a service that does not return the zone stops nothing: %s', async faults => {
		const {chooseInEmergency, warnings} = createTestSession({
			options: {zoneId: acmeId},
			simulator: {faults: parseFaults(faults)},
		});
		expect(await chooseInEmergency()).toMatchObject({id: acmeId, plan: undefined});
		expect(warnings).toHaveLength(1);
	});

	test('an ID without a zone is still refused', async () => {
		await expect(
			createTestSession({options: {zoneId: 'f'.repeat(32)}}).chooseInEmergency(),
		).rejects.toMatchObject({
			code: 'zone_not_found',
		});
	});
});

describe('an account given beside a zone ID', () => {
	test.each([
		[{CLOUDFLARE_ACCOUNT_ID: 'a'}, true],
		[{CLOUDFLARE_ACCOUNT_ID: 'other'}, false],
	])('must be that of the zone: %j', async (env, fits) => {
		const instead = {[`/zones/${acmeId}`]: zone(acmeId, 'acme.example')};
		const {choose} = createTestSession({options: {zoneId: acmeId}, env, instead});
		if (fits) expect(await choose(true)).toMatchObject({id: acmeId});
		else await expect(choose(true)).rejects.toMatchObject({exitCode: 2});
	});
});

test('a failing service is not mistaken for a missing zone', async () => {
	const faults = parseFaults('status=500 path=/zones/');
	const {refusal} = createTestSession({options: {zoneId: acmeId}, simulator: {faults}});
	expect(await refusal(false)).toMatchObject({code: 'service_failed'});
});
