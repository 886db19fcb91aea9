import {beforeAll, describe, expect, test} from 'vitest';
import {errorOf} from '../../support/firewall.ts';
import {createScratchFolder, type EndedRun, type LedgeOptions} from '../../support/ledge.ts';
import {ledge, ledgeOrProcess} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';

/** Ids of zones without custom rules: on the Pro plan, and on the Free plan, which allows five. */
const zone = '9e4c0b3f7d6a4f2b8c5e1d2c3b4a5f85';
const freeZoneId = '61bf267f4af510ca281c94950d62fbea';

type SeenRule = {
	id: string;
	place: number;
	action: string;
	enabled: boolean;
	expression: string;
	description?: string;
};

let service: ServedSimulator;
let folder: string;
let seenCallCount = 0;

beforeAll(async () => {
	service = await serveSimulator();
	folder = createScratchFolder();
});

const run = (words: readonly string[], more: LedgeOptions & {zone?: string} = {}): Promise<EndedRun> =>
	ledgeOrProcess(['rules', ...words, '--zone-id', more.zone ?? zone], {
		cwd: folder,
		...more,
		env: {...service.env, LEDGE_TIME_SCALE: '0.01', ...more.env},
	});

/** Returns the writes since the last call. */
async function takeWrites() {
	const calls = await service.calls();
	const fresh = calls.slice(seenCallCount);
	seenCallCount = calls.length;
	return fresh.filter(({method}) => method !== 'GET');
}

async function during<T>(faults: string, work: () => Promise<T>): Promise<T> {
	await service.setFaults(faults);
	try {
		return await work();
	} finally {
		await service.setFaults('');
	}
}

const list = async (zoneId = zone): Promise<readonly SeenRule[]> =>
	JSON.parse((await run(['list', '--json'], {zone: zoneId})).stdout) as SeenRule[];

/** Empties the zone and puts rules of these names into it, each blocking the host of its name; returns their ids. */
async function resetRules(...names: readonly string[]): Promise<readonly string[]> {
	const existing = await list();
	if (existing.length > 0) await run(['delete', ...existing.map(({id}) => id), '--yes']);
	for (const name of names) await create(name);
	await takeWrites();
	return (await list()).map(({id}) => id);
}

const create = (name: string, ...more: readonly string[]) =>
	run([
		'create',
		'--expression',
		`http.host eq "${name}.example"`,
		'--action',
		'block',
		'--description',
		name,
		...more,
	]);

const listNames = async () => (await list()).map(({description}) => description);

describe('rules create', () => {
	test('sends one rule with the given settings at its position', async () => {
		await resetRules('a');
		const {code, stderr} = await create('b', '--first', '--paused');
		expect(code).toBe(0);
		expect(stderr).toMatch(/Created custom rule "\w+" \(block, [0-9a-f]{32}\) at position 1 of 2/);
		expect(await takeWrites()).toMatchObject([
			{
				method: 'POST',
				body: {
					action: 'block',
					expression: 'http.host eq "b.example"',
					description: 'b',
					enabled: false,
					position: {index: 1},
				},
			},
		]);
		expect(await listNames()).toEqual(['b', 'a']);
	});

	test('places a rule before or after another one', async () => {
		const [a = '', b = ''] = await resetRules('a', 'b');
		await create('c', '--before', b);
		await create('d', '--after', a);
		await create('e', '--to', '1');
		expect(await listNames()).toEqual(['e', 'a', 'd', 'c', 'b']);
	});

	test('accepts the parts to skip, and the response of a block', async () => {
		await resetRules();
		await run([
			'create',
			'--expression',
			'ssl',
			'--action',
			'skip',
			'--skip',
			'remaining,managed-rules,bic',
			'--no-log',
			'--confirm',
			'plain.acme.example',
		]);
		await create('a', '--response-status', '429', '--response-body', 'later');
		expect((await takeWrites()).map(({body}) => body)).toMatchObject([
			{
				action: 'skip',
				action_parameters: {
					ruleset: 'current',
					phases: ['http_request_firewall_managed'],
					products: ['bic'],
				},
				logging: {enabled: false},
			},
			{action_parameters: {response: {status_code: 429, content_type: 'text/plain', content: 'later'}}},
		]);
		const {stdout} = await run(['list']);
		expect(stdout).toContain('skip remaining,managed-rules,bic');
		expect(stdout).toContain('block 429');
	});

	test('asks for the zone name for a rule on all traffic', async () => {
		await resetRules();
		const words = ['create', '--expression', 'http.host ne ""', '--action', 'block'];
		const refused = await run([...words, '--yes']);
		expect(refused.code).toBe(2);
		expect(refused.stderr).toContain('--confirm plain.acme.example');
		expect(await takeWrites()).toEqual([]);
		expect((await run([...words, '--confirm', 'plain.acme.example'])).code).toBe(0);
	});

	test('does not create a second identical rule, even in a full zone', async () => {
		const [, b = ''] = await resetRules('a', 'b');
		const again = await create('b', '--json');
		expect(again.code).toBe(0);
		expect(JSON.parse(again.stdout)).toMatchObject([{id: b, place: 2}]);
		expect((await create('b', '--last')).stderr).toContain(
			`The identical custom rule "b" (block, ${b}) already exists at position 2 of 2`,
		);
		const elsewhere = await create('b', '--first');
		expect(elsewhere.code).toBe(1);
		expect(elsewhere.stderr).toContain(`ledge rules move ${b} --zone-id ${zone} --to 1`);
		expect(await takeWrites()).toEqual([]);
		expect((await create('b', '--paused')).code).toBe(0);
		expect(await takeWrites()).toHaveLength(1);
	});

	test('warns about an equivalent rule written differently', async () => {
		const [a] = await resetRules('a');
		const {code, stderr} = await run([
			'create',
			'--expression',
			'(http.host == "a.example")',
			'--action',
			'block',
		]);
		expect(code).toBe(0);
		expect(stderr).toContain(`Custom rule ${a} already does the same.`);
	});

	test.each([
		['no action', ['--expression', 'ssl'], 'No action'],
		['an unknown action', ['--expression', 'ssl', '--action', 'blok'], 'block'],
		[
			'an action that only firewall rules have',
			['--expression', 'ssl', '--action', 'bypass'],
			'Valid actions:',
		],
		['a broken expression', ['--expression', 'http.host =', '--action', 'block'], 'The expression has'],
		[
			'skip without anything',
			['--expression', 'http.host eq "a"', '--action', 'skip'],
			'needs at least one thing to skip',
		],
		[
			'skip of something unknown',
			['--expression', 'http.host eq "a"', '--action', 'skip', '--skip', 'al'],
			'not something that a rule can skip',
		],
		[
			'--skip with another action',
			['--expression', 'http.host eq "a"', '--action', 'block', '--skip', 'waf'],
			'requires the skip action',
		],
		[
			'two places',
			['--expression', 'http.host eq "a"', '--action', 'block', '--first', '--last'],
			'only one position',
		],
		['log below Enterprise', ['--expression', 'http.host eq "a"', '--action', 'log'], 'Enterprise'],
		[
			'an unknown status',
			[
				'--expression',
				'http.host eq "a"',
				'--action',
				'block',
				'--response-status',
				'200',
				'--response-body',
				'x',
			],
			'400 to 499',
		],
		[
			'an answer without a body',
			['--expression', 'http.host eq "a"', '--action', 'block', '--response-status', '429'],
			'body',
		],
	])('with %s sends nothing', async (_what, words, expectedText) => {
		await resetRules();
		const {code, stderr} = await run(['create', ...words]);
		expect(code).not.toBe(0);
		expect(stderr).toContain(expectedText);
		expect(await takeWrites()).toEqual([]);
	});

	test('reports a full plan before anything is sent', async () => {
		for (let number = (await list(freeZoneId)).length; number < 5; number++)
			await run(['create', '--expression', `http.host eq "${number}.example"`, '--action', 'block'], {
				zone: freeZoneId,
			});
		await takeWrites();
		const {code, stderr} = await run(['create', '--expression', 'http.host eq "x"', '--action', 'block'], {
			zone: freeZoneId,
		});
		expect(code).toBe(5);
		expect(stderr).toContain('another custom rule');
		const again = ['create', '--expression', 'http.host eq "4.example"', '--action', 'block'];
		expect((await run(again, {zone: freeZoneId})).code).toBe(0);
		expect(await takeWrites()).toEqual([]);
	});

	test('finds the rule after a lost response and does not send twice', async () => {
		await resetRules('a');
		const {code, stdout} = await during('lost-answer times=1 method=POST', () => create('b', '--json'));
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject([{description: 'b', place: 2}]);
		expect(await takeWrites()).toHaveLength(1);
	});

	test.each([
		'status=500',
		'status=429',
		'status=409',
	])('reports that nothing changed if rejected with %s', async fault => {
		await resetRules('a');
		const ended = await during(`${fault} method=POST`, () => create('b', '--json'));
		expect(ended).toMatchObject({code: 1, stdout: ''});
		expect(errorOf(ended).code).toBeDefined();
		expect(await listNames()).toEqual(['a']);
	});
});

describe('rules update', () => {
	test('changes the named settings, sends the whole rule and keeps its position', async () => {
		const [a = ''] = await resetRules('a', 'b');
		const {code} = await run(['update', a, '--action', 'managed_challenge', '--ref', 'mine']);
		expect(code).toBe(0);
		expect(await takeWrites()).toMatchObject([
			{
				method: 'PATCH',
				path: expect.stringContaining(`/rules/${a}`),
				body: {
					id: a,
					ref: 'mine',
					action: 'managed_challenge',
					expression: 'http.host eq "a.example"',
					description: 'a',
					enabled: true,
				},
			},
		]);
		expect(await listNames()).toEqual(['a', 'b']);
	});

	test('drops the response of a block when the action changes', async () => {
		await resetRules();
		await create('a', '--response-status', '429', '--response-body', 'later');
		const [a] = await list();
		await run(['update', a?.id ?? '', '--action', 'challenge']);
		expect((await takeWrites()).at(-1)?.body).not.toHaveProperty('action_parameters');
	});

	test('sends nothing if nothing changes', async () => {
		const [a = ''] = await resetRules('a');
		const {code, stderr} = await run(['update', a, '--description', 'a']);
		expect(code).toBe(0);
		expect(stderr).toContain('nothing was sent');
		expect(await takeWrites()).toEqual([]);
	});

	test('fails for a missing rule', async () => {
		const {code, stderr} = await run(['update', 'f'.repeat(32), '--description', 'a']);
		expect(code).toBe(3);
		expect(stderr).toContain('rules list');
	});

	test('is wrong use without a setting', async () => {
		const {code} = await run(['update', 'f'.repeat(32)]);
		expect(code).toBe(2);
	});
});

describe('rules pause and resume', () => {
	test('send one call for a single rule, and one call for several', async () => {
		const [a = '', b = '', c = ''] = await resetRules('a', 'b', 'c');
		await run(['pause', a, '--yes']);
		expect(await takeWrites()).toMatchObject([{method: 'PATCH', body: {enabled: false}}]);
		const {stdout} = await run(['pause', a, b, c, '--yes', '--json']);
		expect(await takeWrites()).toMatchObject([
			{
				method: 'PUT',
				body: {
					rules: [
						{id: a, enabled: false},
						{id: b, enabled: false},
						{id: c, enabled: false},
					],
				},
			},
		]);
		expect(JSON.parse(stdout)).toMatchObject([{id: a}, {id: b}, {id: c, enabled: false}]);
		await run(['resume', a, b, c]);
		expect((await list()).map(({enabled}) => enabled)).toEqual([true, true, true]);
	});

	test('send nothing for a rule that is already paused', async () => {
		const [a = ''] = await resetRules('a');
		await run(['pause', a, '--yes']);
		await takeWrites();
		const {code, stderr} = await run(['pause', a, '--yes']);
		expect(code).toBe(0);
		expect(stderr).toContain('is already paused.');
		expect(await takeWrites()).toEqual([]);
	});
});

describe('rules move', () => {
	test('shows the new order, and sends one call with only the position', async () => {
		const [a = '', , c = ''] = await resetRules('a', 'b', 'c');
		const {code, stderr} = await run(['move', c, '--first']);
		expect(code).toBe(0);
		expect(stderr).toContain('From position 3 to 1 of 3');
		expect(stderr).toMatch(/> {3}1 {2}\w+ {2}block {2}c/);
		expect(await takeWrites()).toMatchObject([{method: 'PATCH', body: {position: {index: 1}}}]);
		expect(await listNames()).toEqual(['c', 'a', 'b']);
		await run(['move', a, '--last']);
		expect(await listNames()).toEqual(['c', 'b', 'a']);
	});

	test('asks first on a terminal', async () => {
		const [, b = ''] = await resetRules('a', 'b');
		const {code} = await ledge(['rules', 'move', b, '--first', '--zone-id', zone], {
			env: service.env,
			tty: true,
			input: 'n\n',
		});
		expect(code).toBe(1);
		expect(await takeWrites()).toEqual([]);
	});

	test('sends nothing if the position stays the same', async () => {
		const [a = ''] = await resetRules('a', 'b');
		const {stderr} = await run(['move', a, '--to', '1']);
		expect(stderr).toContain('nothing was sent');
		expect(await takeWrites()).toEqual([]);
	});

	test.each([
		['no place', []],
		['beside itself', ['--before', 'ID']],
		['beside a rule that does not exist', ['--after', 'f'.repeat(32)]],
	])('with %s sends nothing', async (_what, words) => {
		const [a = ''] = await resetRules('a', 'b');
		const {code} = await run(['move', a, ...words.map(word => (word === 'ID' ? a : word))]);
		expect(code).not.toBe(0);
		expect(await takeWrites()).toEqual([]);
	});
});

describe('rules delete and restore', () => {
	test('ask for confirmation, and delete any number of rules in one call', async () => {
		const [a = '', b = ''] = await resetRules('a', 'b', 'c');
		expect((await run(['delete', a])).code).toBe(2);
		expect(await takeWrites()).toEqual([]);
		const {stderr} = await run(['delete', a, b, 'f'.repeat(32), '--yes']);
		expect(stderr).toContain('There is no custom rule fff');
		expect(stderr).toMatch(/ledge rules restore \d+/);
		expect(await takeWrites()).toMatchObject([{method: 'PUT'}]);
		expect(await listNames()).toEqual(['c']);
	});

	test('restore an earlier version, with the existing rules under their ids', async () => {
		const [a = '', b = '', c = ''] = await resetRules('a', 'b', 'c');
		const version = await getActiveVersion();
		await run(['delete', a, '--yes']);
		await run(['pause', b, '--yes']);
		await run(['move', c, '--first']);
		await takeWrites();
		const {code, stderr} = await run(['restore', version, '--yes']);
		expect(code).toBe(0);
		expect(stderr).toContain('A rule (a) will be added at position 1');
		expect(stderr).toContain(`${b} (b) will be resumed: `);
		expect(await takeWrites()).toMatchObject([{method: 'PUT'}]);
		const now = await list();
		expect(now.map(({description, enabled}) => [description, enabled])).toEqual([
			['a', true],
			['b', true],
			['c', true],
		]);
		expect(now.slice(1).map(({id}) => id)).toEqual([b, c]);
	});

	test('restore only the named rules', async () => {
		const [a = '', b = ''] = await resetRules('a', 'b', 'c');
		const version = await getActiveVersion();
		await run(['delete', a, '--yes']);
		await run(['pause', b, '--yes']);
		await takeWrites();
		await run(['restore', version, '--rule', b, '--yes']);
		expect(await takeWrites()).toMatchObject([{method: 'PATCH', body: {enabled: true}}]);
		expect(await listNames()).toEqual(['b', 'c']);
		await run(['restore', version, '--rule', a, '--yes']);
		expect(await listNames()).toEqual(['a', 'b', 'c']);
	});

	test('refuse a missing or invalid version', async () => {
		await resetRules('a');
		expect((await run(['restore', '999', '--yes'])).code).toBe(3);
		expect((await run(['restore', 'newest', '--yes'])).code).toBe(2);
		expect((await run(['restore', await getActiveVersion(), '--rule', 'f'.repeat(32), '--yes'])).code).toBe(
			3,
		);
		expect(await takeWrites()).toEqual([]);
	});
});

const getActiveVersion = async (): Promise<string> => {
	const versions = JSON.parse((await run(['versions', '--json'])).stdout) as {
		version: string;
		inForce: boolean;
	}[];
	return versions.find(one => one.inForce)?.version ?? '';
};

describe('rules list, get and versions', () => {
	test('show the existing rules', async () => {
		const [a = ''] = await resetRules('a', 'b');
		expect((await run(['list'])).stdout).toMatch(
			/^POSITION {2}ID .*\n {7}1 {2}\w{32} {2}block .* a .*http\.host eq "a\.example"/,
		);
		expect((await run(['get', a])).stdout).toMatch(/position +1 of 2\n/);
		expect((await run(['versions'])).stdout).toMatch(/VERSION {2}CREATED .*\n +\d+ {2}\S+ +active/);
		const version = await getActiveVersion();
		expect((await run(['versions', version])).stdout).toBe((await run(['list'])).stdout);
	});

	test('are empty for a zone that never had rules', async () => {
		const empty = {zone: 'c4e8a1f05b3d4c7e8f9a0b1c2d3e4f52'};
		expect((await run(['list', '--json'], empty)).stdout).toBe('[]\n');
		expect((await run(['versions', '--json'], empty)).stdout).toBe('[]\n');
		expect((await run(['get', 'f'.repeat(32)], empty)).code).toBe(3);
	});

	test('--dry-run shows a write and does not send it', async () => {
		const [a = ''] = await resetRules('a', 'b');
		for (const words of [
			['pause', a],
			['delete', a],
			['move', a, '--last'],
		]) {
			const {code, stdout} = await run([...words, '--dry-run']);
			expect(code).toBe(0);
			expect(stdout).toContain(`/rules/${a}`);
		}
		expect(await takeWrites()).toEqual([]);
	});
});
