import {EventEmitter} from 'node:events';
import {describe, expect, onTestFinished, test} from 'vitest';
import type {SimulatorOptions} from '../../../source/simulator/simulator.ts';
import {createScratchFolder, createVirtualClock, ledge, type RunOptions} from '../../support/run.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';

const noon = Date.UTC(2026, 10, 23, 12);
const migratedZone = 'done.acme.example';

/** Serves the sample zones at noon of a working day, with functions that run `firewall events`. */
async function serveSampleZones(options: Pick<SimulatorOptions, 'tokens'> = {}) {
	const clock = createVirtualClock(noon);
	const service = await serveSimulator({now: clock.now, ...options});
	onTestFinished(() => service.stop());
	const run = (words: readonly string[], {zone = migratedZone, ...more}: RunOptions & {zone?: string} = {}) =>
		ledge(['firewall', 'events', '--zone', zone, ...words], {
			cwd: createScratchFolder(),
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
		const {run, json, service} = await serveSampleZones();
		const {events, more, zone, since, until, clipped, missing} = await json([
			'--since',
			'1h',
			'--limit',
			'20',
		]);
		expect({zone: zone.name, since, until, clipped, missing, more}).toMatchObject({
			zone: migratedZone,
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
		const {json} = await serveSampleZones();
		const {events} = await json(['--since', '3h', '--limit', '1000']);
		const [sampleEvent] = events.filter(({rule}: {rule: {of: string}}) => rule.of === 'managed rules');
		for (const [words, isExpected] of [
			[['--rule', sampleEvent.rule.id], (event: typeof sampleEvent) => event.rule.id === sampleEvent.rule.id],
			[['--action', 'log'], (event: typeof sampleEvent) => event.action === 'log'],
			[['--source', 'firewallCustom'], (event: typeof sampleEvent) => event.source === 'firewallCustom'],
			[['--path', sampleEvent.path], (event: typeof sampleEvent) => event.path === sampleEvent.path],
			[
				['--country', sampleEvent.country.toLowerCase()],
				(event: typeof sampleEvent) => event.country === sampleEvent.country,
			],
			[['--ip', sampleEvent.address], (event: typeof sampleEvent) => event.address === sampleEvent.address],
			[['--host', sampleEvent.host], (event: typeof sampleEvent) => event.host === sampleEvent.host],
			[['--ray', `${sampleEvent.ray}-FRA`], (event: typeof sampleEvent) => event.ray === sampleEvent.ray],
		] as const) {
			const found = await json(['--since', '3h', '--limit', '1000', ...words]);
			expect(found.events, words.join(' ')).toEqual(events.filter(isExpected));
			expect(found.events.length).toBeGreaterThan(0);
		}
		const either = await json(['--since', '3h', '--limit', '1000', '--action', 'log', '--action', 'skip']);
		expect(new Set(either.events.map(({action}: {action: string}) => action))).toEqual(
			new Set(['log', 'skip']),
		);
		const timeRange = await json([
			'--since',
			'2026-11-23 10:00',
			'--until',
			'2026-11-23T11:00:00Z',
			'--limit',
			'1000',
		]);
		expect(
			timeRange.events.every(({at}: {at: string}) => at >= '2026-11-23T10' && at <= '2026-11-23T11:00:00Z'),
		).toBe(true);
	});

	test('counts by one or more columns, and the totals match the events', async () => {
		const {run, json} = await serveSampleZones();
		const {events} = await json(['--since', '6h', '--limit', '10000']);
		const groupedCounts = await json([
			'--since',
			'6h',
			'--group-by',
			'rule,path',
			'--group-by',
			'country',
			'--limit',
			'1000',
		]);
		expect(groupedCounts.groupedBy).toEqual(['rule', 'path', 'country']);
		expect(groupedCounts.groups.reduce((sum: number, {count}: {count: number}) => sum + count, 0)).toBe(
			events.length,
		);
		for (const {rule, path, country, count} of groupedCounts.groups)
			expect(
				events.filter(
					(event: (typeof groupedCounts.groups)[0]) =>
						event.rule.id === rule.id && event.path === path && event.country === country,
				),
			).toHaveLength(count);
		const counts = groupedCounts.groups.map(({count}: {count: number}) => count);
		expect(counts).toEqual(counts.toSorted((one: number, other: number) => other - one));
		const text = await run(['--since', '6h', '--group-by', 'rule', '--limit', '3']);
		expect(text.stdout).toMatch(/^COUNT {2}RULE .*RULE ID\n +\d+ .*\n +\d+ .*\n +\d+ .*\n$/);
	});

	test('counts over time, as a table and as a plot on a terminal', async () => {
		const {run, json} = await serveSampleZones();
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
		const {run, json, service} = await serveSampleZones();
		const week = await json(['--since', '7d', '--group-by', 'action']);
		expect(week).toMatchObject({clipped: true, since: '2026-11-20T12:01:00Z', estimated: false});
		await service.setFaults('sample-interval=10');
		const estimatedRun = await run(['--since', '7d', '--group-by', 'action']);
		expect(estimatedRun.stdout).toMatch(/\n *about [\d,]+ {2}block\n/);
		expect(estimatedRun.stderr).toContain("The zone's plan only keeps events since 2026-11-20 12:01:00 UTC");
		expect((await json(['--group-by', 'action'])).estimated).toBe(true);
	});

	test('suggests --group-by on a plan without single events', async () => {
		const {run, json} = await serveSampleZones();
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
		const {run, service} = await serveSampleZones();
		await service.setFaults(faults);
		for (const words of [[], ['--group-by', 'rule'], ['--follow']]) {
			const ended = await run(words);
			expect(ended.stderr).toContain(sentence);
			expect(ended.code).toBe(code);
			expect(ended.stdout).toBe('');
		}
	});

	test('accepts actions and sources as shown in the tables, and groups by column names', async () => {
		const {run, json} = await serveSampleZones();
		const countBySource = (words: readonly string[]) =>
			json(['--since', '6h', '--group-by', 'action,source', ...words]);
		const managed = await countBySource(['--action', 'Managed challenge', '--source', 'managed rules']);
		expect(managed.groups).toMatchObject([{action: 'managed_challenge', source: 'firewallManaged'}]);
		expect((await json(['--group-by', 'from,address'])).groupedBy).toEqual(['country', 'ip']);
		expect((await run(['--action', 'Managed challenge'])).stderr).toBe('');
	});

	test('warns about an unknown action or source, and names the time range if there are no events', async () => {
		const {run} = await serveSampleZones();
		const {code, stdout, stderr} = await run(['--since', '1h', '--action', 'blocked', '--source', 'custom']);
		expect(code).toBe(0);
		expect(stderr).toContain('--action "blocked" is unknown to ledge. Did you mean "block"?');
		expect(stderr).toContain('--source "custom" is unknown to ledge.');
		expect(stdout).toMatch(
			/^No matching events in \S+ from 2026-11-23 11:00:00 UTC to 2026-11-23 12:00:00 UTC\.\n$/,
		);
	});

	test('needs only the analytics permission of the zone', async () => {
		const {run, service} = await serveSampleZones({
			tokens: [
				{value: 'without', grants: ['zone:read', 'waf:read', 'account-analytics:read']},
				{value: 'only', grants: ['zone:read', 'zone-analytics:read']},
			],
		});
		const getTokenOptions = (token: string) => ({env: {...service.env, CLOUDFLARE_API_TOKEN: token}});
		const withoutPermission = await run([], getTokenOptions('without'));
		expect(withoutPermission.code).toBe(4);
		expect(withoutPermission.stderr).toContain('Zone Analytics: Read');
		const onlyAnalytics = await run(['--group-by', 'rule'], getTokenOptions('only'));
		expect(onlyAnalytics.code, onlyAnalytics.stderr).toBe(0);
		expect(onlyAnalytics.stdout).toContain('Log4j');
	});

	test('prints events without the missing fields and reports these', async () => {
		const {run, json, service} = await serveSampleZones();
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
		const {run, queries} = await serveSampleZones();
		const ended = await run(words);
		expect(ended.code).toBe(2);
		expect(ended.stderr).toContain(sentence);
		expect(queries()).toEqual([]);
	});
});

describe('firewall events --follow', () => {
	/** Follows for `minutes` of the clock, then interrupts. Each wait sets the next of the faults. */
	async function followEvents(
		minutes: number,
		faults: readonly string[] = [],
		words: readonly string[] = [],
	) {
		const {clock, run, service, json} = await serveSampleZones();
		const signals = new EventEmitter();
		const remainingFaults = [...faults];
		const {wait} = clock.client;
		const clockWithFaults = {
			...clock,
			client: {
				...clock.client,
				async wait(milliseconds: number, signal: AbortSignal) {
					await wait(milliseconds, signal);
					if (clock.now() - noon > minutes * 60_000) signals.emit('SIGINT');
					else await service.setFaults(remainingFaults.shift() ?? '');
				},
			},
		};
		const ended = await run(['--follow', '--json', ...words], {clock: clockWithFaults, events: signals});
		const printed = ended.stdout
			.split('\n')
			.filter(Boolean)
			.map(line => JSON.parse(line));
		return {ended, printed, json, clock};
	}

	const formatEvents = (events: readonly {ray: string; at: string; rule: {id: string}}[]) =>
		events.map(({ray, at, rule}) => `${at} ${ray} ${rule.id}`);

	test.each([
		['without a fault', []],
		[
			'through faults',
			['', 'analytics=error', 'analytics=budget-depleted', '', 'html=502', '', 'analytics=too-busy'],
		],
	])('prints each event once until stopped: %s', async (_, faults) => {
		const {ended, printed, json} = await followEvents(30, faults);
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
		const printedInRange = printed.filter(({at}) => at <= '2026-11-23T12:27:00Z');
		expect(formatEvents(printedInRange).toSorted()).toEqual(formatEvents(events).toSorted());
	});

	test('starts with the latest events, up to --limit', async () => {
		const {events} = await (await serveSampleZones()).json(['--limit', '3']);
		const {printed} = await followEvents(0, [], ['--limit', '3', '--since', '24h']);
		expect(formatEvents(printed)).toEqual(formatEvents(events).toReversed());
	});
});
