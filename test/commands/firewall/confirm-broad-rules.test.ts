import {describe, expect, test} from 'vitest';
import {firewallInProcess} from '../../support/firewall-in-process.ts';
import {someOf} from '../../support/full.ts';
import type {Ended, RunOptions} from '../../support/run.ts';

const broad = [
	'true',
	'ip.src ne 192.0.2.1',
	'not ip.src in {192.0.2.0/24}',
	'ip.src in {0.0.0.0/0}',
	'http.host contains ""',
] as const;

type Written = {
	readonly words: readonly string[];
	/** Whether what it writes is in force now. */
	done(): Promise<boolean>;
};

/** A write that lets a rule act on all traffic, and the words for it. */
const writes: Record<
	string,
	(at: Awaited<ReturnType<typeof firewallInProcess>>, expression: string) => Promise<Written>
> = {
	async emergency({rules}, expression) {
		return {
			words: ['emergency', '--expression', expression],
			done: async () => (await rules()).length === 1,
		};
	},
	async 'rule create'({rules}, expression) {
		return {
			words: ['rule', 'create', '--expression', expression, '--action', 'allow'],
			done: async () => (await rules()).length === 1,
		};
	},
	async 'rule create on a filter'({rules, addFilter}, expression) {
		const filter = await addFilter(expression);
		return {
			words: ['rule', 'create', '--filter-id', filter, '--action', 'bypass', '--products', 'waf'],
			done: async () => (await rules()).length === 1,
		};
	},
	async 'rule update: its expression'({addFilter, addRule, filters}, expression) {
		const rule = await addRule(await addFilter('ip.src eq 192.0.2.1'));
		return {
			words: ['rule', 'update', rule, '--expression', expression],
			done: async () => (await filters()).some(one => one.expression === expression),
		};
	},
	async 'rule update: its action'({addFilter, addRule, rules}, expression) {
		const rule = await addRule(await addFilter(expression), {action: 'challenge'});
		return {
			words: ['rule', 'update', rule, '--action', 'block'],
			done: async () => (await rules())[0]?.action === 'block',
		};
	},
	async 'rule update: its filter'({addFilter, addRule, rules}, expression) {
		const rule = await addRule(await addFilter('ip.src eq 192.0.2.1'));
		const filter = await addFilter(expression);
		return {
			words: ['rule', 'update', rule, '--filter-id', filter],
			done: async () => (await rules())[0]?.filter.id === filter,
		};
	},
	async 'rule resume'({addFilter, addRule, rules}, expression) {
		const rule = await addRule(await addFilter(expression), {paused: true});
		return {
			words: ['rule', 'resume', rule],
			done: async () => (await rules())[0]?.paused === false,
		};
	},
	async 'filter update: its expression'({addFilter, addRule, filters}, expression) {
		const filter = await addFilter('ip.src eq 192.0.2.1');
		await addRule(filter);
		return {
			words: ['filter', 'update', filter, '--expression', expression],
			done: async () => (await filters()).some(one => one.expression === expression),
		};
	},
	async 'filter update: in force again'({addFilter, addRule, filters}, expression) {
		const filter = await addFilter(expression, {paused: true});
		await addRule(filter);
		return {
			words: ['filter', 'update', filter, '--no-paused'],
			done: async () => (await filters())[0]?.paused === false,
		};
	},
	async 'emergency as a custom rule'({service}, expression) {
		await service.setFaults('path=/firewall/rules status=410; path=/filters status=410');
		return {
			words: ['emergency', '--expression', expression],
			done: async () =>
				service.writes().some(({path, status}) => path.includes('/rulesets') && status === 200),
		};
	},
};

const errorIn = ({stderr}: Ended): string => stderr;

describe.each(Object.entries(writes))('%s of a rule for all traffic', (_name, begin) => {
	test.each(someOf(broad))('%s', async expression => {
		const at = await firewallInProcess('pro');
		const {words, done} = await begin(at, expression);
		const run = (more: readonly string[], options?: RunOptions) => at.run([...words, ...more], options);

		for (const more of [[], ['--yes'], ['--yes', '--json'], ['--yes', '--confirm', 'other.example']]) {
			const refused = await run(more);
			expect(refused.code).toBe(2);
			expect(errorIn(refused)).toContain('all or nearly all traffic');
			expect(errorIn(refused)).toContain(`--confirm ${at.zone.name}`);
			expect(at.writes()).toEqual([]);
		}
		const [option = ''] = /--confirm \S+/.exec((await run(['--yes'])).stderr) ?? [];
		const confirmed = await run(['--yes', ...option.split(' ')]);
		expect(confirmed).toMatchObject({code: 0});
		expect(await done()).toBe(true);
	});
});

describe('on a terminal', () => {
	test('ledge asks for the zone name, and a different name sends nothing', async () => {
		const at = await firewallInProcess('pro');
		const words = ['emergency', '--expression', 'true'];
		const declined = await at.run(words, {tty: true, input: 'acme\n'});
		expect(declined.code).toBe(1);
		expect(at.writes()).toEqual([]);
		const typed = await at.run(words, {tty: true, input: `${at.zone.name}\n`});
		expect(typed.code).toBe(0);
		expect(await at.rules()).toHaveLength(1);
	});
});

test('a wrong --confirm name sends nothing, even if no confirmation is needed', async () => {
	const at = await firewallInProcess('pro');
	const words = ['rule', 'create', '--expression', 'ip.src eq 192.0.2.1', '--action', 'block'];
	const refused = await at.run([...words, '--confirm', 'other.example', '--yes']);
	expect(refused.code).toBe(2);
	expect(refused.stderr).toContain(`The zone is ${at.zone.name}, not "other.example"; nothing was sent.`);
	expect(at.writes()).toEqual([]);
	expect((await at.run([...words, '--confirm', at.zone.name])).code).toBe(0);
});

describe('no confirmation is needed', () => {
	test.each([
		['what it matches is named', ['emergency', '--expression', 'ip.src eq 192.0.2.1']],
		['it only logs', ['rule', 'create', '--expression', 'true', '--action', 'log']],
		['paused', ['rule', 'create', '--expression', 'true', '--action', 'block', '--paused']],
		['it is only planned', ['emergency', '--expression', 'true', '--dry-run']],
	])('if %s', async (_what, words) => {
		const at = await firewallInProcess('enterprise');
		expect((await at.run(words)).code).toBe(0);
	});

	test('to describe a rule that already acts on all traffic', async () => {
		const at = await firewallInProcess('pro');
		const rule = await at.addRule(await at.addFilter('true'));
		expect((await at.run(['rule', 'update', rule, '--description', 'closed for now'])).code).toBe(0);
		expect((await at.run(['rule', 'pause', rule, '--yes'])).code).toBe(0);
	});
});
