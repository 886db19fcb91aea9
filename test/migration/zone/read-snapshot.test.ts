import {describe, expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import {readEligibilityFacts} from '../../../source/migration/zone/read-facts.ts';
import {listMissingParts, readSnapshot} from '../../../source/migration/zone/read-snapshot.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {buildEnvelope, buildErrorResponse, neverAbortedSignal} from '../../service/scripted-transport.ts';
import {
	createZoneClient,
	entryPointPath,
	respondInPages,
	type ZoneResponses,
	zone,
} from '../support/answers.ts';

const createObjects = (count: number, what: string): object[] =>
	Array.from({length: count}, (_, index) => ({id: `${what}-${index}`, more: {kept: index}}));

/** The responses of a zone that has something of each kind. */
const completeResponses: ZoneResponses = {
	'GET /waf_migration/check': {compatible: true, migration_state: 'start'},
	'GET /waf_migration/status': {migration_state: 'start', source: 'defaults'},
	'GET /waf_migration/config': {name: 'default', rules: [], newer: true},
	'GET /settings/waf': {id: 'waf', value: 'on'},
	'GET /firewall/waf/packages': respondInPages([{id: 'p1', name: 'OWASP'}, {id: 'p2'}]),
	'GET /firewall/waf/packages/p1/groups': respondInPages(createObjects(3, 'group')),
	'GET /firewall/waf/packages/p1/rules': respondInPages(createObjects(250, 'rule')),
	'GET /firewall/waf/packages/p2/groups': respondInPages([]),
	'GET /firewall/waf/packages/p2/rules': respondInPages(createObjects(1, 'other')),
	'GET /firewall/waf/overrides': respondInPages([{id: 'o', urls: ['a.example/*'], rules: {1: 'block'}}]),
	'GET /firewall/rules': respondInPages(createObjects(101, 'firewall-rule')),
	'GET /filters': respondInPages(createObjects(2, 'filter')),
	'GET /pagerules': respondInPages(createObjects(1, 'page-rule')),
	[`GET ${entryPointPath}`]: {id: 'e', version: '1', rules: []},
};

const readZone = (answers: ZoneResponses, zoneToRead: Parameters<typeof readSnapshot>[1] = zone) =>
	readSnapshot(createZoneClient(answers).client, zoneToRead, 'https://service.test', {
		signal: neverAbortedSignal,
	});

describe('a snapshot', () => {
	test('holds everything, each object unchanged and in its order', async () => {
		const snapshot = await readZone(completeResponses);
		expect(snapshot).toEqual({
			version: 1,
			taken: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
			place: 'https://service.test',
			zone,
			check: {compatible: true, migration_state: 'start'},
			status: {migration_state: 'start', source: 'defaults'},
			waf: {id: 'waf', value: 'on'},
			packages: [
				{
					package: {id: 'p1', name: 'OWASP'},
					groups: createObjects(3, 'group'),
					rules: createObjects(250, 'rule'),
				},
				{package: {id: 'p2'}, groups: [], rules: createObjects(1, 'other')},
			],
			overrides: [{id: 'o', urls: ['a.example/*'], rules: {1: 'block'}}],
			firewallRules: createObjects(101, 'firewall-rule'),
			filters: createObjects(2, 'filter'),
			pageRules: createObjects(1, 'page-rule'),
			proposed: {name: 'default', rules: [], newer: true},
			entryPoint: {id: 'e', version: '1', rules: []},
			unread: [],
			catalogueUnreadReason: expect.stringContaining('/rulesets'),
		});
	});

	test('has no unread part if there is no entry point yet', async () => {
		const none = () => buildErrorResponse(404, [{code: 10003, message: 'could not find entrypoint ruleset'}]);
		expect(await readZone({...completeResponses, [`GET ${entryPointPath}`]: none})).toMatchObject({
			entryPoint: null,
			unread: [],
		});
	});

	test.each([
		['retired', 410, []],
		['not in the plan', 403, [{message: 'needs another plan'}]],
		['not for this token', 403, [{code: 9109, message: 'Unauthorized to access requested resource'}]],
		['no such route', 404, [{code: 7003, message: 'Could not route'}]],
	])('names the parts that the service will not return (%s)', async (_name, status, errors) => {
		const snapshot = await readZone({
			...completeResponses,
			'GET /pagerules': () => buildErrorResponse(status, errors),
		});
		expect(snapshot.pageRules).toEqual([]);
		expect(snapshot.unread).toMatchObject([
			{what: 'the page rules', why: expect.stringContaining('/pagerules')},
		]);
		expect(listMissingParts(snapshot)).toHaveLength(status === 410 ? 0 : 1);
		expect(snapshot.filters).toHaveLength(2);
	});

	test.each([
		['pro', []],
		['enterprise', ['the URI-based overrides']],
		[undefined, ['the URI-based overrides']],
	] as const)('names refused overrides unless the plan has none: %s', async (plan, unread) => {
		const answers = {...completeResponses, 'GET /firewall/waf/overrides': () => buildErrorResponse(403, [])};
		expect((await readZone(answers, {...zone, plan})).unread.map(({what}) => what)).toEqual(unread);
	});

	test('of a zone of the Free plan has neither a check nor any previous settings', async () => {
		const refuse = () => buildErrorResponse(403, [{message: 'not on the Free plan'}]);
		const snapshot = await readZone({
			...completeResponses,
			'GET /waf_migration/check': refuse,
			'GET /waf_migration/config': refuse,
			'GET /firewall/waf/packages': refuse,
		});
		expect(snapshot).toMatchObject({check: null, proposed: null, packages: []});
		expect(snapshot.unread).toHaveLength(3);
	});

	test.each([
		['/firewall/waf/packages/p1/rules', () => buildErrorResponse(500, []), 'service_failed'],
		[
			'/filters',
			() => buildErrorResponse(401, [{code: 10000, message: 'Authentication error'}]),
			'credential_refused',
		],
		['/firewall/rules', () => buildEnvelope([{name: 'without an id'}]), 'answer_malformed'],
		['/waf_migration/check', () => buildErrorResponse(404, [{code: 7003, message: 'no'}]), 'not_found'],
	])('is never incomplete: %s makes it fail', async (path, answer, code) => {
		await expect(readZone({...completeResponses, [`GET ${path}`]: answer})).rejects.toMatchObject({code});
	});

	test('that is stopped returns nothing', async () => {
		const stop = new AbortController();
		const {client} = createZoneClient(completeResponses);
		const reading = readSnapshot(client, zone, 'here', {signal: stop.signal, onStep: () => stop.abort()});
		await expect(reading).rejects.toMatchObject({code: 'interrupted'});
	});

	test('reports each part once, with the number read so far', async () => {
		const steps: [string, number][] = [];
		await readSnapshot(createZoneClient(completeResponses).client, zone, 'here', {
			signal: neverAbortedSignal,
			onStep: (what, objects) => void steps.push([what, objects]),
		});
		expect(new Set(steps.map(([what]) => what)).size).toBe(10);
		expect(steps).toHaveLength(10);
		expect(steps.at(-1)?.[1]).toBe(5 + 256 + 1 + 101 + 2 + 1);
	});
});

describe('long lists', () => {
	const rules = '/firewall/waf/packages/p1/rules';
	const countPages = (requests: readonly string[]) => requests.filter(one => one.includes(rules)).length;

	test('of 3,000 rules are read in pages, six at a time', async () => {
		let runningCount = 0;
		let maxAtOnce = 0;
		const list = respondInPages(createObjects(3_000, 'rule'));
		const service = createZoneClient({
			...completeResponses,
			[`GET ${rules}`]: async (request, query) => {
				maxAtOnce = Math.max(maxAtOnce, ++runningCount);
				await new Promise(resolve => setImmediate(resolve));
				runningCount--;
				return list(request, query);
			},
		});
		const snapshot = await readSnapshot(service.client, zone, 'here', {signal: neverAbortedSignal});
		expect(snapshot.packages[0]?.rules).toEqual(createObjects(3_000, 'rule'));
		expect(maxAtOnce).toBe(6);
		expect(countPages(service.listRequests())).toBe(31);
	});

	test.each([
		['without totals', respondInPages(createObjects(750, 'rule'), {total: false})],
		['with pages smaller than asked for', respondInPages(createObjects(750, 'rule'), {most: 20})],
	])('%s are read completely', async (_name, list) => {
		const snapshot = await readZone({...completeResponses, [`GET ${rules}`]: list});
		expect(snapshot.packages[0]?.rules).toEqual(createObjects(750, 'rule'));
	});

	test.each([0, 100])('with a total of %d, which is too small, are read completely', async total_count => {
		const list = respondInPages(createObjects(750, 'rule'), {total: false});
		const service = createZoneClient({
			...completeResponses,
			[`GET ${rules}`]: async (request, query) => {
				const body = (await list(request, query).json()) as {result: unknown; result_info: object};
				return buildEnvelope(body.result, {result_info: {...body.result_info, total_count}});
			},
		});
		const snapshot = await readSnapshot(service.client, zone, 'here', {signal: neverAbortedSignal});
		expect(snapshot.packages[0]?.rules).toHaveLength(750);
		expect(countPages(service.listRequests())).toBeLessThan(20);
	});

	test.each([
		['always returns the same page', {}],
		['promises 1,000,000,000,000 rules', {total_count: 1e12}],
	])('from a service that %s do not block ledge forever, and a partial list is not a backup', async (_name, info) => {
		const firstPage = createObjects(100, 'rule');
		const service = createZoneClient({
			...completeResponses,
			[`GET ${rules}`]: () => buildEnvelope(firstPage, {result_info: info}),
		});
		const failure = await failureOf(readSnapshot(service.client, zone, 'here', {signal: neverAbortedSignal}));
		expect(isFailure(failure, 'answer_malformed')).toBe(true);
		expect(countPages(service.listRequests())).toBeLessThan(20);
	});
});

describe('the reading of the eligibility facts', () => {
	test('asks for the check, the status, the overrides, and the firewall rules that bypass something', async () => {
		const service = createZoneClient(completeResponses);
		expect(await readEligibilityFacts(service.client, zone, neverAbortedSignal)).toMatchObject({
			stage: 'previous',
			check: {compatible: true},
			overrides: [{id: 'o'}],
			firewallRules: {length: 101},
		});
		expect(new Set(service.listRequests().map(one => one.split('?')[0]))).toEqual(
			new Set([
				'GET /waf_migration/check',
				'GET /waf_migration/status',
				'GET /firewall/waf/overrides',
				'GET /firewall/rules',
			]),
		);
		expect(service.listRequests().filter(one => one.includes('/firewall/rules'))).toEqual(
			expect.arrayContaining([expect.stringContaining('action=bypass')]),
		);
	});

	test('asks for no previous settings after the end', async () => {
		const service = createZoneClient({
			...completeResponses,
			'GET /waf_migration/status': {migration_state: 'complete'},
		});
		expect(await readEligibilityFacts(service.client, zone, neverAbortedSignal)).toMatchObject({
			stage: 'complete',
		});
		expect(service.listRequests()).toHaveLength(2);
	});

	test('reports a zone of the Free plan with the reason', async () => {
		const facts = await readEligibilityFacts(
			createZoneClient({
				...completeResponses,
				'GET /waf_migration/check': () => buildErrorResponse(403, [{message: 'no plan'}]),
			}).client,
			{...zone, plan: 'free'},
			neverAbortedSignal,
		);
		expect(facts).toMatchObject({check: {compatible: false}, missingCheckFailure: {code: 'not_eligible'}});
	});

	test('leaves out parts it may not read, rather than showing them as empty', async () => {
		const facts = await readEligibilityFacts(
			createZoneClient({
				...completeResponses,
				'GET /firewall/waf/overrides': () => buildErrorResponse(410, []),
			}).client,
			zone,
			neverAbortedSignal,
		);
		expect(facts.overrides).toBeUndefined();
	});
});
