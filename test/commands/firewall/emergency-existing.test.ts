import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {startFirewallInProcess} from '../../support/firewall-in-process.ts';
import {createScratchFolder, type EndedRun, ledge} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';

const getUndoCommand = ({stderr}: EndedRun): string => /To undo: (.*)/.exec(stderr)?.[1] ?? '';

describe('firewall emergency --first', () => {
	test.each([
		[[], 1, 'there are no other rules'],
		[[null], 1, 'no other rule has a priority'],
		[[1, 20], 0, 'below the current lowest, 1'],
		[[7], 1, 'below the current lowest, 7'],
	])('runs before priorities %j, and shows its priority %i first', async (priorities, priority, why) => {
		const {run, addFilter, addRule, rules} = await startFirewallInProcess();
		for (const [number, otherPriority] of priorities.entries())
			await addRule(await addFilter(`http.request.uri.path eq "/${number}"`), {priority: otherPriority});
		const {code, stderr} = await run(['emergency', '192.0.2.3', '--first']);
		expect(code).toBe(0);
		expect(stderr).toContain(`Priority ${priority}, before all other rules: ${why}`);
		expect(stderr.indexOf('Priority')).toBeLessThan(stderr.indexOf('Creating'));
		expect((await rules()).at(-1)).toMatchObject({priority});
	});

	test('reports that no smaller priority is left', async () => {
		const {run, addFilter, addRule} = await startFirewallInProcess();
		const id = await addRule(await addFilter('ssl'), {priority: 0, action: 'challenge'});
		const {stderr} = await run(['emergency', '192.0.2.3', '--first']);
		expect(stderr).toContain(`No priority is lower than 0, and rule ${id}`);
	});

	test('cannot be combined with --priority', async () => {
		const {run} = await startFirewallInProcess();
		expect((await run(['emergency', '192.0.2.3', '--first', '--priority', '3'])).code).toBe(2);
	});
});

describe('in a zone without firewall rules', () => {
	const zoneOption = ['--zone', 'done.acme.example'];
	const cwd = createScratchFolder();
	let service: ServedSimulator;
	let seenWriteCount = 0;
	const run = (words: readonly string[]) =>
		ledge(words, {cwd, env: {...service.env, LEDGE_TIME_SCALE: '0.01'}});
	const emergency = (...words: string[]) => run(['firewall', 'emergency', ...words, ...zoneOption, '--yes']);
	/** Runs a command as it was printed. */
	const runPrinted = (command: string) =>
		run((command.match(/'[^']*'|\S+/g) ?? []).slice(1).map(word => word.replaceAll("'", '')));
	const listCustomRules = async () =>
		JSON.parse((await run(['rules', 'list', ...zoneOption, '--json'])).stdout) as {
			id: string;
			expression: string;
		}[];
	const takeNewWrites = () => {
		const fresh = service.writes().slice(seenWriteCount);
		seenWriteCount = service.writes().length;
		return fresh;
	};

	beforeAll(async () => {
		service = await serveSimulator();
	});
	beforeEach(() => void takeNewWrites());

	test('a block becomes the first custom rule, and the printed command removes it', async () => {
		const before = await listCustomRules();
		const done = await emergency('192.0.2.30');
		expect(done.code).toBe(0);
		expect((await listCustomRules())[0]).toMatchObject({expression: 'ip.src eq 192.0.2.30'});
		expect((await runPrinted(`${getUndoCommand(done)} --yes`)).code).toBe(0);
		expect(await listCustomRules()).toEqual(before);
	});

	test('a full zone is reported before anything is sent, with a working command to make room', async () => {
		const freeZoneId = '61bf267f4af510ca281c94950d62fbea';
		const freeZoneOption = ['--zone-id', freeZoneId];
		for (let number = 0; number < 5; number++)
			await run([
				'rules',
				'create',
				'--expression',
				number === 0 ? 'ip.src eq 192.0.2.1' : `http.request.uri.path eq "/${number}"`,
				'--action',
				'block',
				...(number === 4 ? ['--paused'] : []),
				...freeZoneOption,
			]);
		takeNewWrites();
		const refused = await run([
			'firewall',
			'emergency',
			'192.0.2.70',
			'--custom-rule',
			'--yes',
			...freeZoneOption,
		]);
		expect(refused.code).toBe(5);
		expect(refused.stderr).toContain("the zone can't have another custom rule");
		expect(takeNewWrites()).toEqual([]);
		const deletion = /ledge rules delete .*/.exec(refused.stderr)?.[0] ?? '';
		expect((await runPrinted(`${deletion} --yes`)).code).toBe(0);
		const block = ['firewall', 'emergency', '192.0.2.70', '--custom-rule', '--yes', ...freeZoneOption];
		expect((await run(block)).code).toBe(0);
		const list = JSON.parse((await run(['rules', 'list', ...freeZoneOption, '--json'])).stdout) as {
			expression: string;
		}[];
		expect(list).toHaveLength(5);
		expect(list[0]?.expression).toBe('ip.src eq 192.0.2.70');
	});
});
