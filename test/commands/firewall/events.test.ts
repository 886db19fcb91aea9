import {EventEmitter} from 'node:events';
import {describe, expect, onTestFinished, test} from 'vitest';
import type {SimulatorOptions} from '../../../source/simulator/simulator.ts';
import {ledge, type RunOptions, scratch, virtualClock} from '../../support/run.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';

const noon = Date.UTC(2026, 10, 23, 12);
const done = 'done.acme.example';

/** Commands on the sample zones, at noon of a working day. */
async function opened(options: Pick<SimulatorOptions, 'tokens'> = {}) {
	const clock = virtualClock(noon);
	const service = await serveSimulator({now: clock.now, ...options});
	onTestFinished(() => service.stop());
	const run = (words: readonly string[], {zone = done, ...more}: RunOptions & {zone?: string} = {}) =>
		ledge(['firewall', 'events', '--zone', zone, ...words], {
			cwd: scratch(),
			clock,
			env: service.env,
			...more,
		});
	const json = async (words: readonly string[], more: RunOptions & {zone?: string} = {}) => {
		const ended = await run([...words, '--json'], more);
		expect(ended.code, ended.stderr).toBe(0);
		return JSON.parse(ended.stdout);
	};
	const queries = () => service.simulator.calls.list().filter(({path}) => path.endsWith('/graphql'));
	return {service, clock, run, json, queries};
}

describe('firewall events', () => {
	test('prints single events, each with its rule name, and writes nothing', async () => {
		const {run, json, service} = await opened();
		const {events, more, zone, since, until, clipped, missing} = await json([
			'--since',
			'1h',
			'--limit',
			'20',
		]);
		expect({zone: zone.name, since, until, clipped, missing, more}).toMatchObject({
			zone: done,
			until: '2026-11-23T12:00:00Z',
			clipped: false,
			missing: [],
			more: true,
		});
		expect(events).toHaveLength(20);
		const times = events.map(({at}: {at: string}) => at);
		expect(times).toEqual(times.toSorted().toReversed());
		for (const event of events) {
			expect(Object.keys(event)).toEqual([
				...['at', 'action', 'source', 'rule', 'ray', 'method', 'host', 'path', 'query'],
				...['address', 'country', 'network', 'agent'],
			]);
			expect(event.rule.name).toEqual(expect.any(String));
		}
		const shown = await run(['--since', '1h', '--limit', '20']);
		expect(shown.stdout.split('\n')).toHaveLength(22);
		expect(shown.stdout).toContain(events[0].ray);
		expect(service.writes()).toEqual([]);
	});

	test('prints only the events that match the filters', async () => {
		const {json} = await opened();
		const {events} = await json(['--since', '3h', '--limit', '1000']);
		const [one] = events.filter(({rule}: {rule: {of: string}}) => rule.of === 'managed rules');
		for (const [words, isMeant] of [
			[['--rule', one.rule.id], (event: typeof one) => event.rule.id === one.rule.id],
			[['--action', 'log'], (event: typeof one) => event.action === 'log'],
			[['--source', 'firewallCustom'], (event: typeof one) => event.source === 'firewallCustom'],
			[['--path', one.path], (event: typeof one) => event.path === one.path],
			[['--country', one.country.toLowerCase()], (event: typeof one) => event.country === one.country],
			[['--ip', one.address], (event: typeof one) => event.address === one.address],
			[['--host', one.host], (event: typeof one) => event.host === one.host],
			[['--ray', `${one.ray}-FRA`], (event: typeof one) => event.ray === one.ray],
		] as const) {
			const found = await json(['--since', '3h', '--limit', '1000', ...words]);
			expect(found.events, words.join(' ')).toEqual(events.filter(isMeant));
			expect(found.events.length).toBeGreaterThan(0);
		}
		const either = await json(['--since', '3h', '--limit', '1000', '--action', 'log', '--action', 'skip']);
		expect(new Set(either.events.map(({action}: {action: string}) => action))).toEqual(
			new Set(['log', 'skip']),
		);
		const until = await json([
			'--since',
			'2026-11-23 10:00',
			'--until',
			'2026-11-23T11:00:00Z',
			'--limit',
			'1000',
		]);
		expect(
			until.events.every(({at}: {at: string}) => at >= '2026-11-23T10' && at <= '2026-11-23T11:00:00Z'),
		).toBe(true);
	});

	test('counts by one or more columns, and the totals match the events', async () => {
		const {run, json} = await opened();
		const {events} = await json(['--since', '6h', '--limit', '10000']);
		const by = await json([
			'--since',
			'6h',
			'--group-by',
			'rule,path',
			'--group-by',
			'country',
			'--limit',
			'1000',
		]);
		expect(by.groupedBy).toEqual(['rule', 'path', 'country']);
		expect(by.groups.reduce((sum: number, {count}: {count: number}) => sum + count, 0)).toBe(events.length);
		for (const {rule, path, country, count} of by.groups)
			expect(
				events.filter(
					(event: (typeof by.groups)[0]) =>
						event.rule.id === rule.id && event.path === path && event.country === country,
				),
			).toHaveLength(count);
		const counts = by.groups.map(({count}: {count: number}) => count);
		expect(counts).toEqual(counts.toSorted((one: number, other: number) => other - one));
		const text = await run(['--since', '6h', '--group-by', 'rule', '--limit', '3']);
		expect(text.stdout).toMatch(/^COUNT {2}RULE .*RULE ID\n +\d+ .*\n +\d+ .*\n +\d+ .*\n$/);
	});

	test('counts over time, as a table and as a plot on a terminal', async () => {
		const {run, json} = await opened();
		const {groups, seconds} = await json(['--since', '6h', '--group-by', 'time']);
		expect(seconds).toBe(300);
		const times = groups.map(({time}: {time: string}) => time);
		expect(times).toEqual(times.toSorted());
		const text = await run(['--since', '6h', '--group-by', 'time,action']);
		expect(text.stdout).toMatch(/^COUNT {2}TIME \(UTC\) +ACTION\n/);
		const plot = await run(['--since', '6h', '--group-by', 'time,action'], {tty: {columns: 100}});
		expect(plot.stdout).toContain('block');
		expect(plot.stdout).toContain('┤');
		expect(plot.stdout).toContain('UTC');
	});

	test("reports estimates and the limit of the plan's history", async () => {
		const {run, json, service} = await opened();
		const week = await json(['--since', '7d', '--group-by', 'action']);
		expect(week).toMatchObject({clipped: true, since: '2026-11-20T12:01:00Z', estimated: false});
		await service.setFaults('sample-interval=10');
		const about = await run(['--since', '7d', '--group-by', 'action']);
		expect(about.stdout).toMatch(/\n *about [\d,]+ {2}block\n/);
		expect(about.stderr).toContain("The zone's plan only keeps events since 2026-11-20 12:01:00 UTC");
		expect((await json(['--group-by', 'action'])).estimated).toBe(true);
	});

	test('suggests --group-by on a plan without single events', async () => {
		const {run, json} = await opened();
		const zone = 'acme-blog.example';
		const single = await run([], {zone});
		expect(single.code).toBe(5);
		expect(single.stderr).toContain('Individual security events are not included in this plan.');
		expect(single.stderr).toContain('--group-by rule,path');
		const {groups, clipped} = await json(['--since', '2d', '--group-by', 'rule'], {zone});
		expect(groups.length).toBeGreaterThan(0);
		expect(clipped).toBe(true);
	});

	test.each([
		['analytics=not-authorized', 4, 'require the permission Zone Analytics: Read'],
		['analytics=too-old', 1, 'are not kept that long'],
		['analytics=range-too-large', 1, "can't be loaded for a time range this long"],
		['analytics=limit-too-large', 1, 'have more rows than one query can return'],
		['analytics=too-many-fields', 5, 'have fewer fields on this plan'],
		['analytics=budget-depleted', 1, 'Try again in 5 minutes'],
		['analytics=too-busy', 1, 'too many queries are in progress'],
		['analytics=error', 1, 'could not be loaded'],
		[
			'lacks-dataset=firewallEventsAdaptive,firewallEventsAdaptiveGroups',
			3,
			'are not available from this service',
		],
		['status=404 path=graphql', 3, 'are not available from this service'],
		['html=502 path=graphql', 1, 'could not be loaded'],
	])('fails and names the cause: %s', async (faults, code, sentence) => {
		const {run, service} = await opened();
		await service.setFaults(faults);
		for (const words of [[], ['--group-by', 'rule'], ['--follow']]) {
			const ended = await run(words);
			expect(ended.stderr).toContain(sentence);
			expect(ended.code).toBe(code);
			expect(ended.stdout).toBe('');
		}
	});

	test('accepts actions and sources as shown in the tables, and groups by column names', async () => {
		const {run, json} = await opened();
		const one = (words: readonly string[]) =>
			json(['--since', '6h', '--group-by', 'action,source', ...words]);
		const managed = await one(['--action', 'Managed challenge', '--source', 'managed rules']);
		expect(managed.groups).toMatchObject([{action: 'managed_challenge', source: 'firewallManaged'}]);
		expect((await json(['--group-by', 'from,address'])).groupedBy).toEqual(['country', 'ip']);
		expect((await run(['--action', 'Managed challenge'])).stderr).toBe('');
	});

	test('warns about an unknown action or source, and names the time range if there are no events', async () => {
		const {run} = await opened();
		const {code, stdout, stderr} = await run(['--since', '1h', '--action', 'blocked', '--source', 'custom']);
		expect(code).toBe(0);
		expect(stderr).toContain('--action "blocked" is unknown to ledge. Did you mean "block"?');
		expect(stderr).toContain('--source "custom" is unknown to ledge.');
		expect(stdout).toMatch(
			/^No matching events in \S+ from 2026-11-23 11:00:00 UTC to 2026-11-23 12:00:00 UTC\.\n$/,
		);
	});

	test('needs only the analytics permission of the zone', async () => {
		const {run, service} = await opened({
			tokens: [
				{value: 'without', grants: ['zone:read', 'waf:read', 'account-analytics:read']},
				{value: 'only', grants: ['zone:read', 'zone-analytics:read']},
			],
		});
		const as = (token: string) => ({env: {...service.env, CLOUDFLARE_API_TOKEN: token}});
		const without = await run([], as('without'));
		expect(without.code).toBe(4);
		expect(without.stderr).toContain('Zone Analytics: Read');
		const only = await run(['--group-by', 'rule'], as('only'));
		expect(only.code, only.stderr).toBe(0);
		expect(only.stdout).toContain('Log4j');
	});

	test('prints events without the missing fields and reports these', async () => {
		const {run, json, service} = await opened();
		await service.setFaults('lacks-dimension=clientRequestPath,description');
		const {events, missing} = await json(['--since', '1h']);
		expect(events[0].path).toBeNull();
		expect(events.every(({rule}: {rule: {name: unknown}}) => typeof rule.name === 'string')).toBe(true);
		expect(missing).toMatchObject([{kind: 'unknown field'}]);
		const text = await run(['--since', '1h']);
		expect(text.code).toBe(0);
		expect(text.stderr).toContain('lack clientRequestPath');
		const grouped = await run(['--group-by', 'path']);
		expect(grouped.code).toBe(1);
		expect(grouped.stderr).toContain('Security events lack clientRequestPath on this service.');
	});

	test.each([
		[['--since', 'yesterday'], 'takes a duration'],
		[['--since', '60'], 'takes a duration'],
		[['--since', '1h', '--until', '2h'], 'must start before it ends'],
		[['--ip', '192.0.2.0/24'], 'takes one address'],
		[['--country', 'Germany'], 'two-character code'],
		[['--path', 'login'], 'starting with "/"'],
		[['--group-by', 'color'], "can't be grouped"],
		[['--group-by', 'rule', '--ray', 'abc'], "can't be grouped"],
		[['--group-by', 'rule', '--follow'], "can't be grouped"],
		[['--follow', '--until', '1h'], 'no end'],
		[['--limit', '10001'], 'at most'],
	])('refuses wrong use without sending a query: %o', async (words, sentence) => {
		const {run, queries} = await opened();
		const ended = await run(words);
		expect(ended.code).toBe(2);
		expect(ended.stderr).toContain(sentence);
		expect(queries()).toEqual([]);
	});
});

describe('firewall events --follow', () => {
	/** Follows for so many minutes of the clock, and then stops it as ctrl-c does. */
	async function followed(minutes: number, faults: readonly string[] = [], words: readonly string[] = []) {
		const {clock, run, service, json} = await opened();
		const events = new EventEmitter();
		const left = [...faults];
		const {wait} = clock.client;
		const watching = {
			...clock,
			client: {
				...clock.client,
				async wait(milliseconds: number, signal: AbortSignal) {
					await wait(milliseconds, signal);
					if (clock.now() - noon > minutes * 60_000) events.emit('SIGINT');
					else await service.setFaults(left.shift() ?? '');
				},
			},
		};
		const ended = await run(['--follow', '--json', ...words], {clock: watching, events});
		const printed = ended.stdout
			.split('\n')
			.filter(Boolean)
			.map(line => JSON.parse(line));
		return {ended, printed, json, clock};
	}

	const names = (events: readonly {ray: string; at: string; rule: {id: string}}[]) =>
		events.map(({ray, at, rule}) => `${at} ${ray} ${rule.id}`);

	test.each([
		['without a fault', []],
		[
			'through faults',
			['', 'analytics=error', 'analytics=budget-depleted', '', 'html=502', '', 'analytics=too-busy'],
		],
	])('prints each event once until stopped: %s', async (_, faults) => {
		const {ended, printed, json} = await followed(30, faults);
		expect(ended.code).toBe(130);
		expect(ended.stderr).not.toContain('nterrupted');
		const {events} = await json([
			'--since',
			'2026-11-23 11:50',
			'--until',
			'2026-11-23 12:27',
			'--limit',
			'10000',
		]);
		const until = printed.filter(({at}) => at <= '2026-11-23T12:27:00Z');
		expect(names(until).toSorted()).toEqual(names(events).toSorted());
	});

	test('starts with the latest events, up to --limit', async () => {
		const {events} = await (await opened()).json(['--limit', '3']);
		const {printed} = await followed(0, [], ['--limit', '3', '--since', '24h']);
		expect(names(printed)).toEqual(names(events).toReversed());
	});
});
