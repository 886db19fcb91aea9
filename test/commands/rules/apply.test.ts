import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {createScratchFolder, type EndedRun, ledge} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';

let service: ServedSimulator;
let seenCallCount = 0;
const cwd = createScratchFolder();

beforeAll(async () => {
	service = await serveSimulator();
});

const run = (words: readonly string[], zone: string): Promise<EndedRun> =>
	ledge([...words, '--zone', zone], {env: {...service.env, LEDGE_TIME_SCALE: '0.01'}, cwd});
const apply = (zone: string, ...words: readonly string[]) =>
	run(['firewall', 'export', '--apply', ...words], zone);

async function takeWriteMethods() {
	const calls = await service.calls();
	const fresh = calls.slice(seenCallCount);
	seenCallCount = calls.length;
	return fresh.filter(({method}) => method !== 'GET').map(({method}) => method);
}

const list = async (words: readonly string[], zone: string): Promise<readonly {id: string}[]> =>
	JSON.parse((await run([...words, '--json'], zone)).stdout) as {id: string}[];

describe('firewall export --apply', () => {
	const zone = 'acme-shop.example';

	test('shows the rules to be created, and sends nothing without the zone name', async () => {
		const {code, stderr} = await apply(zone);
		expect(code).toBe(0);
		expect(stderr).toContain('3 custom rules to create, 0 existing ones kept');
		expect(stderr).toContain('+   1  block  SQL in the query');
		expect(stderr).toMatch(
			/To create them: ledge firewall export --zone-id \w{32} .*--apply --confirm acme-shop\.example\n/,
		);
		const other = await apply(zone, '--confirm', 'acme.example');
		expect(other.code).toBe(2);
		expect(await takeWriteMethods()).toEqual([]);
	});

	test('creates them in one call, keeps existing rules, and changes nothing the second time', async () => {
		await run(['rules', 'create', '--expression', 'http.host eq "before"', '--action', 'block'], zone);
		await takeWriteMethods();
		const {code, stderr} = await apply(zone, '--confirm', zone);
		expect(code).toBe(0);
		expect(stderr).toContain(`Created 3 custom rules in zone ${zone}: now 4 in total`);
		expect(stderr).toContain("The zone's 3 firewall rules stay active too");
		expect(stderr).toMatch(/To delete them: ledge firewall export .*--apply --delete-old --confirm/);
		expect(await takeWriteMethods()).toEqual(['PUT']);
		const again = await apply(zone, '--confirm', zone);
		expect(again.code).toBe(0);
		expect(again.stderr).toContain('3 already present');
		expect(await takeWriteMethods()).toEqual([]);
		expect(await list(['rules', 'list'], zone)).toHaveLength(4);
		expect(await list(['firewall', 'rule', 'list'], zone)).toHaveLength(3);
	});

	test('--delete-old deletes the firewall rules after converting them, with confirmation', async () => {
		expect((await apply(zone, '--confirm', zone, '--delete-old')).code).toBe(2);
		expect(await list(['firewall', 'rule', 'list'], zone)).toHaveLength(3);
		await takeWriteMethods();
		expect((await apply(zone, '--confirm', zone, '--delete-old', '--yes')).code).toBe(0);
		expect(await list(['firewall', 'rule', 'list'], zone)).toEqual([]);
		expect(await list(['rules', 'list'], zone)).toHaveLength(4);
	});

	test('leaves out a rule that has ended, and deletes it with the old ones', async () => {
		const expression = '(http.host eq "sale") and http.request.timestamp.sec lt 1700000000';
		await run(['firewall', 'rule', 'create', '--expression', expression, '--action', 'block'], zone);
		const {stderr} = await apply(zone);
		expect(stderr).toContain('0 custom rules to create');
		expect(stderr).toContain('Skipped 1 rule that ended: http.host eq "sale".');
		expect((await apply(zone, '--confirm', zone, '--delete-old', '--yes')).code).toBe(0);
		expect(await list(['firewall', 'rule', 'list'], zone)).toEqual([]);
		expect(await list(['rules', 'list'], zone)).toHaveLength(4);
	});

	test('prints one JSON document with the created and deleted rules', async () => {
		await run(
			['firewall', 'rule', 'create', '--expression', 'http.host eq "old"', '--action', 'block'],
			zone,
		);
		const {code, stdout} = await apply(zone, '--confirm', zone, '--delete-old', '--yes', '--json');
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({added: 1, custom: 5, sent: true, kept: []});
		expect((JSON.parse(stdout) as {deleted: unknown}).deleted).toHaveLength(1);
	});

	test('names a rule that acts on all traffic before creating it', async () => {
		const all = ['--expression', 'true', '--action', 'allow', '--confirm', zone];
		expect((await run(['firewall', 'rule', 'create', ...all], zone)).code).toBe(0);
		const shown = await apply(zone);
		expect(shown.stderr).toContain(`skips other protection for all or nearly all traffic to ${zone}`);
		await takeWriteMethods();
		expect((await apply(zone, '--confirm', 'other.example')).code).toBe(2);
		expect(await takeWriteMethods()).toEqual([]);
	});

	test('applies an export before a given rule in a zone with retired firewall rules', async () => {
		const from = await run(['firewall', 'export'], 'acme-blog.example');
		writeFileSync(join(cwd, 'rules.json'), from.stdout);
		const retired = 'done.acme.example';
		expect((await apply(retired)).code).not.toBe(0);
		const [, second] = await list(['rules', 'list'], retired);
		await takeWriteMethods();
		const words = ['--from', 'rules.json', '--before', second?.id ?? '', '--confirm', retired];
		const {code} = await apply(retired, ...words);
		expect(code).toBe(0);
		expect(await takeWriteMethods()).toEqual(['PUT']);
		const now = await list(['rules', 'list'], retired);
		expect(now).toHaveLength(8);
		expect(now.findIndex(({id}) => id === second?.id)).toBe(5);
	});

	test('refuses rules that exceed or are not part of the plan before anything is sent', async () => {
		const from = await run(['firewall', 'export'], 'acme.example');
		writeFileSync(join(cwd, 'many.json'), from.stdout);
		await takeWriteMethods();
		const full = await apply('acme-blog.example', '--from', 'many.json', '--confirm', 'acme-blog.example');
		expect(full.code).toBe(5);
		expect(full.stderr).toContain('The Free plan allows 5');
		const lacks = await apply('plain.acme.example', '--from', 'many.json', '--confirm', 'plain.acme.example');
		expect(lacks.code).toBe(5);
		expect(lacks.stderr).toContain('The log action needs the Enterprise plan');
		expect(await takeWriteMethods()).toEqual([]);
	});

	test.each([
		['--from without --apply', ['firewall', 'export', '--from', 'x']],
		['--output beside it', ['firewall', 'export', '--apply', '--output', 'x']],
		['--delete-old of a file', ['firewall', 'export', '--apply', '--from', 'x', '--delete-old']],
		['a missing file', ['firewall', 'export', '--apply', '--from', 'none.json']],
		['a rule that does not exist', ['firewall', 'export', '--apply', '--before', 'none']],
	])('refuses %s and sends nothing', async (_what, words) => {
		const {code} = await run(words, 'acme-pay.example');
		expect([2, 3]).toContain(code);
		expect(await takeWriteMethods()).toEqual([]);
	});
});
