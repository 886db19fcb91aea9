import {describe, expect, test} from 'vitest';
import {startFirewallInProcess} from '../../support/firewall-in-process.ts';
import {everyThirdUnlessFull} from '../../support/full.ts';
import type {EndedRun, RunOptions} from '../../support/run.ts';

const broadExpressions = [
	'true',
	'ip.src ne 192.0.2.1',
	'not ip.src in {192.0.2.0/24}',
	'ip.src in {0.0.0.0/0}',
	'http.host contains ""',
] as const;

type PreparedWrite = {
	readonly words: readonly string[];
	/** True once the write has taken effect. */
	hasTakenEffect(): Promise<boolean>;
};

/** Prepare the writes that let a rule act on all traffic. */
const writes: Record<
	string,
	(firewall: Awaited<ReturnType<typeof startFirewallInProcess>>, expression: string) => Promise<PreparedWrite>
> = {
	async emergency({rules}, expression) {
		return {
			words: ['emergency', '--expression', expression],
			hasTakenEffect: async () => (await rules()).length === 1,
		};
	},
	async 'rule create'({rules}, expression) {
		return {
			words: ['rule', 'create', '--expression', expression, '--action', 'allow'],
			hasTakenEffect: async () => (await rules()).length === 1,
		};
	},
	async 'rule create on a filter'({rules, addFilter}, expression) {
		const filter = await addFilter(expression);
		return {
			words: ['rule', 'create', '--filter-id', filter, '--action', 'bypass', '--products', 'waf'],
			hasTakenEffect: async () => (await rules()).length === 1,
		};
	},
	async 'rule update: its expression'({addFilter, addRule, filters}, expression) {
		const rule = await addRule(await addFilter('ip.src eq 192.0.2.1'));
		return {
			words: ['rule', 'update', rule, '--expression', expression],
			hasTakenEffect: async () => (await filters()).some(one => one.expression === expression),
		};
	},
	async 'rule update: its action'({addFilter, addRule, rules}, expression) {
		const rule = await addRule(await addFilter(expression), {action: 'challenge'});
		return {
			words: ['rule', 'update', rule, '--action', 'block'],
			hasTakenEffect: async () => (await rules())[0]?.action === 'block',
		};
	},
	async 'rule update: its filter'({addFilter, addRule, rules}, expression) {
		const rule = await addRule(await addFilter('ip.src eq 192.0.2.1'));
		const filter = await addFilter(expression);
		return {
			words: ['rule', 'update', rule, '--filter-id', filter],
			hasTakenEffect: async () => (await rules())[0]?.filter.id === filter,
		};
	},
	async 'rule resume'({addFilter, addRule, rules}, expression) {
		const rule = await addRule(await addFilter(expression), {paused: true});
		return {
			words: ['rule', 'resume', rule],
			hasTakenEffect: async () => (await rules())[0]?.paused === false,
		};
	},
	async 'filter update: its expression'({addFilter, addRule, filters}, expression) {
		const filter = await addFilter('ip.src eq 192.0.2.1');
		await addRule(filter);
		return {
			words: ['filter', 'update', filter, '--expression', expression],
			hasTakenEffect: async () => (await filters()).some(one => one.expression === expression),
		};
	},
	async 'filter update: in force again'({addFilter, addRule, filters}, expression) {
		const filter = await addFilter(expression, {paused: true});
		await addRule(filter);
		return {
			words: ['filter', 'update', filter, '--no-paused'],
			hasTakenEffect: async () => (await filters())[0]?.paused === false,
		};
	},
	async 'emergency as a custom rule'({service}, expression) {
		await service.setFaults('path=/firewall/rules status=410; path=/filters status=410');
		return {
			words: ['emergency', '--expression', expression],
			hasTakenEffect: async () =>
				service.writes().some(({path, status}) => path.includes('/rulesets') && status === 200),
		};
	},
};

const getStderr = ({stderr}: EndedRun): string => stderr;

describe.each(Object.entries(writes))('%s, for a rule on all traffic', (_name, prepare) => {
	test.each(
		everyThirdUnlessFull(broadExpressions),
	)('needs --confirm with the zone name: %s', async expression => {
		const firewall = await startFirewallInProcess('pro');
		const {words, hasTakenEffect} = await prepare(firewall, expression);
		const run = (more: readonly string[], options?: RunOptions) => firewall.run([...words, ...more], options);

		for (const more of [[], ['--yes'], ['--yes', '--json'], ['--yes', '--confirm', 'other.example']]) {
			const refused = await run(more);
			expect(refused.code).toBe(2);
			expect(getStderr(refused)).toContain('all or nearly all traffic');
			expect(getStderr(refused)).toContain(`--confirm ${firewall.zone.name}`);
			expect(firewall.takeWrites()).toEqual([]);
		}
		const [option = ''] = /--confirm \S+/.exec((await run(['--yes'])).stderr) ?? [];
		const confirmed = await run(['--yes', ...option.split(' ')]);
		expect(confirmed).toMatchObject({code: 0});
		expect(await hasTakenEffect()).toBe(true);
	});
});

describe('on a terminal', () => {
	test('ledge asks for the zone name, and a different name sends nothing', async () => {
		const firewall = await startFirewallInProcess('pro');
		const words = ['emergency', '--expression', 'true'];
		const declined = await firewall.run(words, {tty: true, input: 'acme\n'});
		expect(declined.code).toBe(1);
		expect(firewall.takeWrites()).toEqual([]);
		const typed = await firewall.run(words, {tty: true, input: `${firewall.zone.name}\n`});
		expect(typed.code).toBe(0);
		expect(await firewall.rules()).toHaveLength(1);
	});
});

test('a wrong --confirm name sends nothing, even if no confirmation is needed', async () => {
	const firewall = await startFirewallInProcess('pro');
	const words = ['rule', 'create', '--expression', 'ip.src eq 192.0.2.1', '--action', 'block'];
	const refused = await firewall.run([...words, '--confirm', 'other.example', '--yes']);
	expect(refused.code).toBe(2);
	expect(refused.stderr).toContain(
		`The zone is ${firewall.zone.name}, not "other.example"; nothing was sent.`,
	);
	expect(firewall.takeWrites()).toEqual([]);
	expect((await firewall.run([...words, '--confirm', firewall.zone.name])).code).toBe(0);
});

describe('no confirmation is needed', () => {
	test.each([
		['what it matches is named', ['emergency', '--expression', 'ip.src eq 192.0.2.1']],
		['it only logs', ['rule', 'create', '--expression', 'true', '--action', 'log']],
		['paused', ['rule', 'create', '--expression', 'true', '--action', 'block', '--paused']],
		['it is only planned', ['emergency', '--expression', 'true', '--dry-run']],
	])('if %s', async (_what, words) => {
		const firewall = await startFirewallInProcess('enterprise');
		expect((await firewall.run(words)).code).toBe(0);
	});

	test('to describe a rule that already acts on all traffic', async () => {
		const firewall = await startFirewallInProcess('pro');
		const rule = await firewall.addRule(await firewall.addFilter('true'));
		expect((await firewall.run(['rule', 'update', rule, '--description', 'closed for now'])).code).toBe(0);
		expect((await firewall.run(['rule', 'pause', rule, '--yes'])).code).toBe(0);
	});
});
