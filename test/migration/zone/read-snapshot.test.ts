import {describe, expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import {readEligibilityFacts} from '../../../source/migration/zone/read-facts.ts';
import {listMissingParts, readSnapshot} from '../../../source/migration/zone/read-snapshot.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {envelope, never, refused} from '../../service/scripted-transport.ts';
import {type Answers, answering, entryPointPath, paged, zone} from '../support/answers.ts';

const numbered = (count: number, what: string): object[] =>
	Array.from({length: count}, (_, index) => ({id: `${what}-${index}`, more: {kept: index}}));

/** A zone that has something of each kind. */
const whole: Answers = {
	'GET /waf_migration/check': {compatible: true, migration_state: 'start'},
	'GET /waf_migration/status': {migration_state: 'start', source: 'defaults'},
	'GET /waf_migration/config': {name: 'default', rules: [], newer: true},
	'GET /settings/waf': {id: 'waf', value: 'on'},
	'GET /firewall/waf/packages': paged([{id: 'p1', name: 'OWASP'}, {id: 'p2'}]),
	'GET /firewall/waf/packages/p1/groups': paged(numbered(3, 'group')),
	'GET /firewall/waf/packages/p1/rules': paged(numbered(250, 'rule')),
	'GET /firewall/waf/packages/p2/groups': paged([]),
	'GET /firewall/waf/packages/p2/rules': paged(numbered(1, 'other')),
	'GET /firewall/waf/overrides': paged([{id: 'o', urls: ['a.example/*'], rules: {1: 'block'}}]),
	'GET /firewall/rules': paged(numbered(101, 'firewall-rule')),
	'GET /filters': paged(numbered(2, 'filter')),
	'GET /pagerules': paged(numbered(1, 'page-rule')),
	[`GET ${entryPointPath}`]: {id: 'e', version: '1', rules: []},
};

const read = (answers: Answers, of: Parameters<typeof readSnapshot>[1] = zone) =>
	readSnapshot(answering(answers).client, of, 'https://service.test', {signal: never});

describe('a snapshot', () => {
	test('holds everything, each object unchanged and in its order', async () => {
		const snapshot = await read(whole);
		expect(snapshot).toEqual({
			version: 1,
			taken: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
			place: 'https://service.test',
			zone,
			check: {compatible: true, migration_state: 'start'},
			status: {migration_state: 'start', source: 'defaults'},
			waf: {id: 'waf', value: 'on'},
			packages: [
				{package: {id: 'p1', name: 'OWASP'}, groups: numbered(3, 'group'), rules: numbered(250, 'rule')},
				{package: {id: 'p2'}, groups: [], rules: numbered(1, 'other')},
			],
			overrides: [{id: 'o', urls: ['a.example/*'], rules: {1: 'block'}}],
			firewallRules: numbered(101, 'firewall-rule'),
			filters: numbered(2, 'filter'),
			pageRules: numbered(1, 'page-rule'),
			proposed: {name: 'default', rules: [], newer: true},
			entryPoint: {id: 'e', version: '1', rules: []},
			unread: [],
			catalogueUnreadReason: expect.stringContaining('/rulesets'),
		});
	});

	test('has no gap if there is no entry point yet', async () => {
		const none = () => refused(404, [{code: 10003, message: 'could not find entrypoint ruleset'}]);
		expect(await read({...whole, [`GET ${entryPointPath}`]: none})).toMatchObject({
			entryPoint: null,
			unread: [],
		});
	});

	test.each([
		['retired', 410, []],
		['not in the plan', 403, [{message: 'needs another plan'}]],
		['not for this token', 403, [{code: 9109, message: 'Unauthorized to access requested resource'}]],
		['not there', 404, [{code: 7003, message: 'Could not route'}]],
	])('names the parts that the service will not return (%s)', async (_name, status, errors) => {
		const snapshot = await read({...whole, 'GET /pagerules': () => refused(status, errors)});
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
	] as const)('names refused overrides depending on the plan %s', async (plan, unread) => {
		const answers = {...whole, 'GET /firewall/waf/overrides': () => refused(403, [])};
		expect((await read(answers, {...zone, plan})).unread.map(({what}) => what)).toEqual(unread);
	});

	test('of a zone of the Free plan has neither a check nor any previous settings', async () => {
		const no = () => refused(403, [{message: 'not on the Free plan'}]);
		const snapshot = await read({
			...whole,
			'GET /waf_migration/check': no,
			'GET /waf_migration/config': no,
			'GET /firewall/waf/packages': no,
		});
		expect(snapshot).toMatchObject({check: null, proposed: null, packages: []});
		expect(snapshot.unread).toHaveLength(3);
	});

	test.each([
		['/firewall/waf/packages/p1/rules', () => refused(500, []), 'service_failed'],
		['/filters', () => refused(401, [{code: 10000, message: 'Authentication error'}]), 'credential_refused'],
		['/firewall/rules', () => envelope([{name: 'without an id'}]), 'answer_malformed'],
		['/waf_migration/check', () => refused(404, [{code: 7003, message: 'no'}]), 'not_found'],
	])('is never incomplete: %s makes it fail', async (path, answer, code) => {
		await expect(read({...whole, [`GET ${path}`]: answer})).rejects.toMatchObject({code});
	});

	test('that is stopped returns nothing', async () => {
		const stop = new AbortController();
		const {client} = answering(whole);
		const reading = readSnapshot(client, zone, 'here', {signal: stop.signal, onStep: () => stop.abort()});
		await expect(reading).rejects.toMatchObject({code: 'interrupted'});
	});

	test('reports each part once, with the number read so far', async () => {
		const steps: [string, number][] = [];
		await readSnapshot(answering(whole).client, zone, 'here', {
			signal: never,
			onStep: (what, objects) => void steps.push([what, objects]),
		});
		expect(new Set(steps.map(([what]) => what)).size).toBe(10);
		expect(steps).toHaveLength(10);
		expect(steps.at(-1)?.[1]).toBe(5 + 256 + 1 + 101 + 2 + 1);
	});
});

describe('long lists', () => {
	const rules = '/firewall/waf/packages/p1/rules';
	const pagesOf = (asked: readonly string[]) => asked.filter(one => one.includes(rules)).length;

	test('of 3,000 rules are read in pages, six at a time', async () => {
		let underWay = 0;
		let most = 0;
		const list = paged(numbered(3_000, 'rule'));
		const at = answering({
			...whole,
			[`GET ${rules}`]: async (request, query) => {
				most = Math.max(most, ++underWay);
				await new Promise(resolve => setImmediate(resolve));
				underWay--;
				return list(request, query);
			},
		});
		const snapshot = await readSnapshot(at.client, zone, 'here', {signal: never});
		expect(snapshot.packages[0]?.rules).toEqual(numbered(3_000, 'rule'));
		expect(most).toBe(6);
		expect(pagesOf(at.asked())).toBe(31);
	});

	test.each([
		['without totals', paged(numbered(750, 'rule'), {total: false})],
		['with pages smaller than asked for', paged(numbered(750, 'rule'), {most: 20})],
	])('%s are read completely', async (_name, list) => {
		const snapshot = await read({...whole, [`GET ${rules}`]: list});
		expect(snapshot.packages[0]?.rules).toEqual(numbered(750, 'rule'));
	});

	test.each([0, 100])('with a total of %d, which is too small, are read completely', async total_count => {
		const list = paged(numbered(750, 'rule'), {total: false});
		const at = answering({
			...whole,
			[`GET ${rules}`]: async (request, query) => {
				const body = (await list(request, query).json()) as {result: unknown; result_info: object};
				return envelope(body.result, {result_info: {...body.result_info, total_count}});
			},
		});
		const snapshot = await readSnapshot(at.client, zone, 'here', {signal: never});
		expect(snapshot.packages[0]?.rules).toHaveLength(750);
		expect(pagesOf(at.asked())).toBeLessThan(20);
	});

	test.each([
		['always gives the same page', {}],
		['promises 1,000,000,000,000 rules', {total_count: 1e12}],
	])('from a service that %s do not block ledge for ever, and a partial list is not a backup', async (_name, info) => {
		const same = numbered(100, 'rule');
		const at = answering({...whole, [`GET ${rules}`]: () => envelope(same, {result_info: info})});
		const failure = await failureOf(readSnapshot(at.client, zone, 'here', {signal: never}));
		expect(isFailure(failure, 'answer_malformed')).toBe(true);
		expect(pagesOf(at.asked())).toBeLessThan(20);
	});
});

describe('the cheap reading', () => {
	test('asks for the check, the status, the overrides, and the firewall rules that bypass something', async () => {
		const at = answering(whole);
		expect(await readEligibilityFacts(at.client, zone, never)).toMatchObject({
			stage: 'previous',
			check: {compatible: true},
			overrides: [{id: 'o'}],
			firewallRules: {length: 101},
		});
		expect(new Set(at.asked().map(one => one.split('?')[0]))).toEqual(
			new Set([
				'GET /waf_migration/check',
				'GET /waf_migration/status',
				'GET /firewall/waf/overrides',
				'GET /firewall/rules',
			]),
		);
		expect(at.asked().filter(one => one.includes('/firewall/rules'))).toEqual(
			expect.arrayContaining([expect.stringContaining('action=bypass')]),
		);
	});

	test('asks for no previous settings after the end', async () => {
		const at = answering({...whole, 'GET /waf_migration/status': {migration_state: 'complete'}});
		expect(await readEligibilityFacts(at.client, zone, never)).toMatchObject({stage: 'complete'});
		expect(at.asked()).toHaveLength(2);
	});

	test('reports a zone of the Free plan with the reason', async () => {
		const facts = await readEligibilityFacts(
			answering({...whole, 'GET /waf_migration/check': () => refused(403, [{message: 'no plan'}])}).client,
			{...zone, plan: 'free'},
			never,
		);
		expect(facts).toMatchObject({check: {compatible: false}, missingCheckFailure: {code: 'not_eligible'}});
	});

	test('leaves out parts it may not read, rather than showing them as empty', async () => {
		const facts = await readEligibilityFacts(
			answering({...whole, 'GET /firewall/waf/overrides': () => refused(410, [])}).client,
			zone,
			never,
		);
		expect(facts.overrides).toBeUndefined();
	});
});
