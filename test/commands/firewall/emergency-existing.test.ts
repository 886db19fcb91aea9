import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {firewallInProcess} from '../../support/firewall-in-process.ts';
import {type Ended, ledge, scratch} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';

/** A zone with a block rule of addresses. */
async function blocking(expression = 'ip.src in {192.0.2.1 192.0.2.2}', more: object = {}) {
	const at = await firewallInProcess();
	const filter = await at.addFilter(expression);
	const id = await at.addRule(filter, more);
	const add = (...words: string[]) => at.run(['emergency', ...words, '--add-to', id]);
	return {...at, filter, id, add};
}

const takeBack = ({stderr}: Ended): string => /To undo: (.*)/.exec(stderr)?.[1] ?? '';

describe('firewall emergency --add-to', () => {
	test('changes the filter of the rule, and is taken back by the command it prints', async () => {
		const {add, id, filter, rules, writes, runPrinted} = await blocking();
		const before = await rules();
		const done = await add('192.0.2.3', '192.0.2.1');
		expect(done.code).toBe(0);
		expect(done.stderr).toContain(`Already blocked by rule ${id}: 192.0.2.1.`);
		expect(done.stderr).toContain(`In force: rule ${id} blocks 192.0.2.3, too.`);
		expect(writes()).toMatchObject([{method: 'PUT', path: expect.stringContaining(`/filters/${filter}`)}]);
		expect(await rules()).toMatchObject([
			{id, filter: {expression: 'ip.src in {192.0.2.1 192.0.2.2 192.0.2.3}'}},
		]);
		expect((await runPrinted(`${takeBack(done)} --yes`)).code).toBe(0);
		expect(await rules()).toEqual(before);
	});

	test('sends nothing where the rule blocks it already', async () => {
		const {add, id, writes} = await blocking('ip.src in {192.0.2.0/24}');
		const done = await add('192.0.2.3', '--json');
		expect(done).toMatchObject({code: 0, stdout: expect.stringContaining('"added": []')});
		expect((await add('192.0.2.3')).stderr).toContain(
			`Already blocked by rule ${id}: 192.0.2.3. Nothing was sent.`,
		);
		expect(writes()).toEqual([]);
	});

	test('--json has the rule, its expression and what was added', async () => {
		const {add, id} = await blocking();
		expect(JSON.parse((await add('192.0.2.3', '--json')).stdout)).toMatchObject([
			{id, added: ['192.0.2.3'], expression: 'ip.src in {192.0.2.1 192.0.2.2 192.0.2.3}'},
		]);
	});

	test('--dry-run shows the one request', async () => {
		const {add, writes} = await blocking();
		const {code, stdout} = await add('192.0.2.3', '--dry-run');
		expect(code).toBe(0);
		expect(stdout.match(/^# \d/gm)).toEqual(['# 1']);
		expect(stdout).toContain('192.0.2.1 192.0.2.2 192.0.2.3');
		expect(writes()).toEqual([]);
	});

	test.each([
		['a path', ['/wp-login.php'], 'Only addresses'],
		['another action', ['192.0.2.3', '--action', 'challenge'], 'the action is challenge'],
		['a priority', ['192.0.2.3', '--priority', '3'], 'priority cannot be set'],
		['a place', ['192.0.2.3', '--first'], '--add-to and --first'],
		['a replacement', ['192.0.2.3', '--replace', 'x'], '--add-to and --replace'],
	])('with %s is wrong use', async (_what, words, why) => {
		const {add, writes} = await blocking();
		const {code, stderr} = await add(...words);
		expect(code).toBe(2);
		expect(stderr).toContain(why);
		expect(writes()).toEqual([]);
	});

	test.each([
		['is paused', undefined, {paused: true}, 'is paused'],
		['challenges', undefined, {action: 'challenge'}, 'does not block'],
		['looks at more', 'ip.src eq 192.0.2.1 and ssl', {}, 'more than a set of addresses'],
	])('a rule that %s is refused', async (_what, expression, more, why) => {
		const {add, writes} = await blocking(expression, more);
		const {code, stderr} = await add('192.0.2.3');
		expect(code).toBe(2);
		expect(stderr).toContain(why);
		expect(writes()).toEqual([]);
	});

	test('a rule whose filter others use is refused, and they are named', async () => {
		const {add, filter, addRule, writes} = await blocking();
		const other = await addRule(filter, {action: 'challenge'});
		const {code, stderr} = await add('192.0.2.3');
		expect(code).toBe(2);
		expect(stderr).toContain(other);
		expect(writes()).toEqual([]);
	});

	test('a rule that does not exist is not found', async () => {
		const {run, writes} = await blocking();
		const {code, stderr} = await run(['emergency', '192.0.2.3', '--add-to', 'none']);
		expect(code).toBe(3);
		expect(stderr).toContain('There is no rule none');
		expect(writes()).toEqual([]);
	});

	test('all addresses want the name of the zone', async () => {
		const {add, writes, zone} = await blocking();
		const {code, stderr} = await add('0.0.0.0/0', '--yes');
		expect(code).toBe(2);
		expect(stderr).toContain(`--confirm ${zone.name}`);
		expect(writes()).toEqual([]);
		expect((await add('0.0.0.0/0', '--confirm', zone.name)).code).toBe(0);
	});

	test('an answer that is lost is looked after, and not sent twice', async () => {
		const {add, service, writes} = await blocking();
		await service.setFaults('lost-answer method=PUT');
		const {code, stderr} = await add('192.0.2.3');
		expect(code).toBe(0);
		expect(stderr).toContain('found by reading the current state');
		expect(writes()).toHaveLength(1);
	});

	test('is printed as the alternative where it would fit, and never done on its own', async () => {
		const {run, id, rules, runPrinted} = await blocking();
		const made = await run(['emergency', '192.0.2.3']);
		expect(made.code).toBe(0);
		expect(made.stderr).toContain(`Rule ${id} could block this too`);
		expect(await rules()).toHaveLength(2);
		const added = await runPrinted(/could block this.*/.exec(made.stderr)?.[0] ?? '');
		expect(added.stderr).toContain(`In force: rule ${id} blocks 192.0.2.3, too.`);
	});
});

describe('firewall emergency --first', () => {
	test.each([
		[[], 1, 'no other rule exists'],
		[[null], 1, 'no other rule has a priority'],
		[[1, 20], 0, 'below the lowest, 1'],
		[[7], 1, 'below the lowest, 7'],
	])('goes before priorities %j with %i, which is shown first', async (there, priority, why) => {
		const {run, addFilter, addRule, rules} = await firewallInProcess();
		for (const [number, one] of there.entries())
			await addRule(await addFilter(`http.request.uri.path eq "/${number}"`), {priority: one});
		const {code, stderr} = await run(['emergency', '192.0.2.3', '--first']);
		expect(code).toBe(0);
		expect(stderr).toContain(`Priority ${priority}, before all other rules: ${why}`);
		expect(stderr.indexOf('Priority')).toBeLessThan(stderr.indexOf('Creating'));
		expect((await rules()).at(-1)).toMatchObject({priority});
	});

	test('says where no priority is left', async () => {
		const {run, addFilter, addRule} = await firewallInProcess();
		const id = await addRule(await addFilter('ssl'), {priority: 0});
		const {stderr} = await run(['emergency', '192.0.2.3', '--first']);
		expect(stderr).toContain(`No priority is smaller than 0, which rule ${id}`);
	});

	test('and a priority are wrong use', async () => {
		const {run} = await firewallInProcess();
		expect((await run(['emergency', '192.0.2.3', '--first', '--priority', '3'])).code).toBe(2);
	});
});

describe('firewall emergency --replace', () => {
	test('refuses a rule in force', async () => {
		const {run, addFilter, addRule, writes} = await firewallInProcess();
		const id = await addRule(await addFilter('ssl'));
		const {code, stderr} = await run(['emergency', '192.0.2.3', '--replace', id]);
		expect(code).toBe(2);
		expect(stderr).toContain(`Rule ${id} is in force (block), not paused.`);
		expect(writes()).toEqual([]);
	});
});

describe('where firewall rules are gone', () => {
	const zone = ['--zone', 'done.acme.example'];
	const paused = '5f1c7a0e9b3d4c28a6e4d0b7f2913c03';
	const block = '5f1c7a0e9b3d4c28a6e4d0b7f2913c02';
	const cwd = scratch();
	let service: ServedSimulator;
	let seen = 0;
	const run = (words: readonly string[]) =>
		ledge(words, {cwd, env: {...service.env, LEDGE_TIME_SCALE: '0.01'}});
	const emergency = (...words: string[]) => run(['firewall', 'emergency', ...words, ...zone, '--yes']);
	/** Runs a command as it was printed. */
	const printed = (command: string) =>
		run((command.match(/'[^']*'|\S+/g) ?? []).slice(1).map(word => word.replaceAll("'", '')));
	const custom = async () =>
		JSON.parse((await run(['rules', 'list', ...zone, '--json'])).stdout) as {
			id: string;
			expression: string;
		}[];
	const writes = () => {
		const fresh = service.writes().slice(seen);
		seen = service.writes().length;
		return fresh;
	};

	beforeAll(async () => {
		service = await serveSimulator();
	});
	beforeEach(() => void writes());

	test('a block is a custom rule before all others, and taken back as printed', async () => {
		const before = await custom();
		const done = await emergency('192.0.2.30');
		expect(done.code).toBe(0);
		expect((await custom())[0]).toMatchObject({expression: 'ip.src eq 192.0.2.30'});
		expect((await printed(`${takeBack(done)} --yes`)).code).toBe(0);
		expect(await custom()).toEqual(before);
	});

	test('addresses are added to a custom rule by one call, and taken back as printed', async () => {
		const made = await emergency('192.0.2.40');
		const before = await custom();
		const id = before[0]?.id ?? '';
		writes();
		const done = await emergency('192.0.2.41', '--add-to', id);
		expect(done.code).toBe(0);
		expect(writes()).toMatchObject([
			{method: 'PATCH', body: {expression: 'ip.src in {192.0.2.40 192.0.2.41}'}},
		]);
		expect((await printed(`${takeBack(done)} --yes`)).code).toBe(0);
		expect(await custom()).toEqual(before);
		await printed(`${takeBack(made)} --yes`);
	});

	test('a paused custom rule is replaced by one call, first of all, and taken back as printed', async () => {
		const before = await custom();
		const done = await emergency('192.0.2.50', '--replace', paused);
		expect(done.code).toBe(0);
		expect(writes()).toMatchObject([{method: 'PUT'}]);
		expect((await custom())[0]).toMatchObject({id: paused, expression: 'ip.src eq 192.0.2.50'});
		expect((await printed(`${takeBack(done)} --yes`)).code).toBe(0);
		expect(await custom()).toEqual(before);
	});

	test.each([
		['--replace of a rule in force', ['--replace', block], 2, 'not paused'],
		['--replace of none', ['--replace', 'none'], 3, 'There is no custom rule none'],
		['--add-to a rule of other things', ['--add-to', block], 2, 'more than a set of addresses'],
	])('%s sends nothing', async (_what, words, code, why) => {
		const ended = await emergency('192.0.2.60', ...words);
		expect(ended.code).toBe(code);
		expect(ended.stderr).toContain(why);
		expect(writes()).toEqual([]);
	});

	test('a full zone names the ways out before anything is sent, and they work as they are printed', async () => {
		const free = '61bf267f4af510ca281c94950d62fbea';
		const inFree = ['--zone-id', free];
		for (let number = 0; number < 5; number++)
			await run([
				'rules',
				'create',
				'--expression',
				number === 0 ? 'ip.src eq 192.0.2.1' : `http.request.uri.path eq "/${number}"`,
				'--action',
				'block',
				...(number === 4 ? ['--paused'] : []),
				...inFree,
			]);
		writes();
		const full = await run(['firewall', 'emergency', '192.0.2.70', '--custom-rule', '--yes', ...inFree]);
		expect(full.code).toBe(5);
		expect(full.stderr).toContain('cannot have one more custom rule');
		expect(writes()).toEqual([]);
		const [add = '', replace = ''] = [...full.stderr.matchAll(/ledge firewall emergency .*/g)].map(
			([one]) => one,
		);
		expect(add).toContain('--add-to');
		const added = await printed(add);
		expect(added.code).toBe(0);
		expect((await printed(`${takeBack(added)} --yes`)).code).toBe(0);
		const replaced = await printed(`${replace} --yes`);
		expect(replaced.code).toBe(0);
		const list = JSON.parse((await run(['rules', 'list', ...inFree, '--json'])).stdout) as {
			expression: string;
		}[];
		expect(list).toHaveLength(5);
		expect(list[0]?.expression).toBe('ip.src eq 192.0.2.70');
	});
});
