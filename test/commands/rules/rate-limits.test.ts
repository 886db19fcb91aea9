import {beforeAll, describe, expect, test} from 'vitest';
import {createScratchFolder, type EndedRun, ledge} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';

const ids = ['1', '2', '3'].map(end => `a92e4f6c1d3b4870b5e8c7f2d0416e0${end}`);
const [, searchLimitId = '', apiKeyLimitId = ''] = ids;
const customRuleId = '5f1c7a0e9b3d4c28a6e4d0b7f2913c02';

let service: ServedSimulator;
let seenCallCount = 0;
const cwd = createScratchFolder();

beforeAll(async () => {
	service = await serveSimulator();
});

const run = (words: readonly string[], zone = 'done.acme.example'): Promise<EndedRun> =>
	ledge(['rules', ...words, '--zone', zone], {env: {...service.env, LEDGE_TIME_SCALE: '0.01'}, cwd});

async function takeCalls(): Promise<readonly string[]> {
	const all = await service.calls();
	const fresh = all.slice(seenCallCount);
	seenCallCount = all.length;
	return fresh.map(({method, path}) => `${method} ${path.replace(/^.*zones\/\w+/, '')}`);
}

describe('rules list --rate-limits', () => {
	test('prints position, state, action, limit, counting and duration in a table', async () => {
		const {code, stdout} = await run(['list', '--rate-limits']);
		expect(code).toBe(0);
		const cells = stdout
			.trimEnd()
			.split('\n')
			.map(line => line.trim().split(/ {2,}/));
		expect(cells).toEqual([
			['POSITION', 'ID', 'STATE', 'ACTION', 'LIMIT', 'BY', 'FOR', 'DESCRIPTION', 'EXPRESSION'],
			[
				...['1', ids[0], 'on', 'block', '20 requests in 60 s', 'cf.colo.id, ip.src', '600 s'],
				...['Logins by address', 'http.request.uri.path eq "/login"'],
			],
			[
				...['2', searchLimitId, 'on', 'managed_challenge', '50 requests in 10 s', 'cf.colo.id, ip.src'],
				...['only while over limit', 'Searches that fail', 'http.request.uri.path contains "/search"'],
			],
			[
				...['3', apiKeyLimitId, 'off', 'block 429', '1,000 requests in 60 s'],
				...['cf.colo.id, http.request.headers["x-api-key"]', '60 s', 'API keys'],
				'starts_with(http.request.uri.path, "/api/")',
			],
		]);
	});

	test('prints the unchanged rules with their positions as JSON', async () => {
		const {stdout} = await run(['list', '--rate-limits', '--json']);
		expect(JSON.parse(stdout)).toMatchObject([
			{place: 1, id: ids[0], ratelimit: {period: 60, requests_per_period: 20, requests_to_origin: false}},
			{place: 2, id: searchLimitId, ratelimit: {counting_expression: expect.stringContaining('404')}},
			{place: 3, id: apiKeyLimitId, enabled: false},
		]);
	});

	test('is empty in a zone without rate limits, and excludes custom rules', async () => {
		expect((await run(['list', '--rate-limits', '--json'], 'acme.example')).stdout.trim()).toBe('[]');
		expect(JSON.parse((await run(['list', '--json'])).stdout)).toHaveLength(4);
	});
});

describe('rules get', () => {
	test('shows a rate limit, one property per line', async () => {
		const {code, stdout} = await run(['get', searchLimitId]);
		expect(code).toBe(0);
		expect(stdout).toContain('position     2 of 3 rate limits\n');
		expect(stdout).toContain('counted per  cf.colo.id, ip.src\n');
		expect(stdout).toContain('counts       http.request.uri.path contains "/search" and');
		expect((await run(['get', apiKeyLimitId])).stdout).toContain(
			'response     429 application/json: {"error":"slow down"}\n',
		);
	});

	test('sends no other request for a custom rule', async () => {
		await takeCalls();
		expect((await run(['get', customRuleId])).stdout).toContain('position     2 of 4\n');
		expect((await takeCalls()).filter(call => call.includes('ratelimit'))).toEqual([]);
	});

	test('fails for an unknown id, even if rate limits cannot be read', async () => {
		expect((await run(['get', 'nope'])).code).toBe(3);
		await service.setFaults('status=403 path=http_ratelimit');
		const {code, stderr} = await run(['get', searchLimitId]);
		await service.setFaults('');
		expect(code).toBe(3);
		expect(stderr).toContain('There is no custom rule');
	});
});

test.each([
	['update', [searchLimitId, '--description', 'other']],
	['pause', [searchLimitId]],
	['resume', [customRuleId, apiKeyLimitId]],
	['move', [searchLimitId, '--first']],
	['delete', [customRuleId, searchLimitId, '--yes']],
])('rules %s refuses a rate limit with the reason and sends nothing', async (word, words) => {
	await takeCalls();
	const {code, stderr} = await run([word, ...words]);
	expect(code).toBe(2);
	expect(stderr).toMatch(/Rule a92e\w+ is a rate limit, not a custom rule\./);
	expect(stderr).toContain(
		'Rate limits are changed on the screen or in a file of rules, not by this command.',
	);
	expect(stderr).toMatch(/To write the rate limits to a file: ledge rules export --zone-id \w+/);
	expect((await takeCalls()).filter(call => !call.startsWith('GET'))).toEqual([]);
});
