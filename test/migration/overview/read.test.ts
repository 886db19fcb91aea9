import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {Failure, isFailure} from '../../../source/failure.ts';
import {getMigrationFolder} from '../../../source/migration/journal/folder.ts';
import {openMigrationJournal} from '../../../source/migration/journal/journal.ts';
import {getZoneProgress, type ZoneOverview} from '../../../source/migration/overview/overview.ts';
import {readJournals, readOverviews} from '../../../source/migration/overview/read.ts';
import {buildOverviewCells} from '../../../source/migration/overview/words.ts';
import type {MigrationZone} from '../../../source/migration/zone/migration-zone.ts';
import {failureOf, makeWorkspace} from '../../kv/support/workspace.ts';
import {envelope, never, refused, type Sent, scriptedClient} from '../../service/scripted-transport.ts';
import {zone} from '../support/answers.ts';

const zones = (count: number): readonly MigrationZone[] =>
	Array.from({length: count}, (_, at) => ({
		...zone,
		id: `${at}`.padStart(32, '0'),
		name: `zone-${at}.example`,
	}));

const withoutJournals = () => ({value: undefined});

type Answer = Response | Error | Promise<Response>;

/** A service in which every zone can migrate and has three custom rules, but for what a function answers. */
function service(otherwise: (path: string, request: Sent) => Answer | undefined = () => undefined) {
	const made = scriptedClient([
		request => {
			const {pathname} = new URL(request.url);
			const other = otherwise(pathname, request);
			if (other instanceof Error) throw other;
			if (other) return other;
			if (pathname.endsWith('/check')) return envelope({compatible: true, migration_state: 'start'});
			if (pathname.endsWith('/status'))
				return envelope({migration_state: 'start', old_waf_status: 'enabled', new_waf_status: 'disabled'});
			if (pathname.endsWith('/entrypoint'))
				return envelope({
					id: 'r',
					kind: 'zone',
					phase: 'http_request_firewall_custom',
					version: '1',
					rules: ['1', '2', '3'].map(id => ({id, action: 'block', expression: 'ssl'})),
				});
			return envelope([], {result_info: {page: 1, per_page: 100, count: 0, total_count: 0}});
		},
	]);
	return made;
}

async function read(
	{client}: Pick<ReturnType<typeof service>, 'client'>,
	of: readonly MigrationZone[],
	signal = never,
	journals: Parameters<typeof readOverviews>[2] = withoutJournals,
) {
	const found: ZoneOverview[] = [];
	await readOverviews(client, of, journals, overview => void found.push(overview), signal);
	return found.toSorted((one, other) => (one.zone.id < other.zone.id ? -1 : 1));
}

test('a zone is read with five requests, without repeats', async () => {
	const made = service();
	const found = await read(made, zones(9));
	expect(found.map(({zone: {name}}) => name)).toEqual(zones(9).map(({name}) => name));
	expect(buildOverviewCells(found[0] ?? {zone})).toMatchObject({migration: 'eligible', custom: '3/1000'});
	expect(made.sent).toHaveLength(9 * 5);
	expect(new Set(made.sent.map(({url}) => url)).size).toBe(9 * 5);
	expect(made.sent.every(({method}) => method === 'GET')).toBe(true);
});

test('at most four zones are read at the same time', async () => {
	const under = new Map<string, number>();
	let most = 0;
	const made = service(path => {
		const id = path.split('/')[4] ?? '';
		under.set(id, (under.get(id) ?? 0) + 1);
		most = Math.max(most, [...under.values()].filter(count => count < 5).length);
		return undefined;
	});
	await read(made, zones(12));
	expect(most).toBe(4);
});

describe('failed readings', () => {
	const forbidden = () => refused(403, [{code: 10000, message: 'not for this credential'}]);

	test('of the custom rules do not hide whether the zone is eligible', async () => {
		const found = await read(
			service(path => (path.includes('/rulesets/') ? forbidden() : undefined)),
			zones(2),
		);
		for (const one of found)
			expect(buildOverviewCells(one)).toMatchObject({
				migration: 'eligible',
				old: 'enabled',
				custom: 'unknown',
			});
	});

	test('of the migration do not hide the custom rules', async () => {
		const found = await read(
			service(path => (path.includes('/waf_migration/') ? forbidden() : undefined)),
			zones(2),
		);
		for (const one of found)
			expect(buildOverviewCells(one)).toMatchObject({migration: 'unknown', old: 'unknown', custom: '3/1000'});
	});

	test('of one zone do not affect another', async () => {
		const [gone = zone] = zones(1);
		const found = await read(
			service(path => (path.includes(gone.id) ? forbidden() : undefined)),
			zones(3),
		);
		expect(found.map(getZoneProgress)).toEqual(['unknown', 'eligible', 'eligible']);
	});
});

test('a zone without a ruleset for custom rules has zero custom rules', async () => {
	const found = await read(
		service(path =>
			path.includes('/rulesets/')
				? refused(404, [{code: 10003, message: 'could not find entrypoint ruleset in the phase'}])
				: undefined,
		),
		zones(1),
	);
	expect(buildOverviewCells(found[0] ?? {zone}).custom).toBe('0/1000');
});

test('an unreachable service is not called for zone after zone', async () => {
	const down = new Failure('unreachable', 'service.test cannot be reached.');
	const made = service(() => down);
	const found = await read(made, zones(40));
	expect(found).toHaveLength(40);
	expect(found.every(one => getZoneProgress(one) === 'unknown')).toBe(true);
	expect(new Set(made.sent.map(({url}) => url.split('/')[6])).size).toBeLessThanOrEqual(4);
});

test('a rejected credential fails the whole reading, not one zone', async () => {
	const made = service(() => refused(401, [{code: 10000, message: 'Authentication error'}]));
	const failure = await failureOf(read(made, zones(20)));
	expect(isFailure(failure) && failure.details.http).toBe(401);
	expect(made.sent.length).toBeLessThanOrEqual(4 * 3);
});

test('stopping ends the requests', async () => {
	const stop = new AbortController();
	const made = service(path => {
		if (path.includes(zones(7)[6]?.id ?? '')) stop.abort();
		return undefined;
	});
	const failure = await failureOf(read(made, zones(40), stop.signal));
	expect(isFailure(failure, 'interrupted')).toBe(true);
	const sent = made.sent.length;
	expect(sent).toBeLessThan(11 * 5);
	await new Promise(setImmediate);
	expect(made.sent).toHaveLength(sent);
});

describe('the journals of this machine', () => {
	const place = 'https://service.test';

	test('count only for their own zones', async () => {
		using workspace = makeWorkspace();
		const [first = zone, second = zone, third = zone] = zones(3);
		const put = {
			mode: 'pending',
			fingerprint: 'f'.repeat(64),
			at: 1,
			before: {stage: 'previous', version: undefined, fingerprint: undefined},
		} as const;
		for (const one of [first, second]) {
			const opened = await openMigrationJournal(workspace.environment, {place, zone: one});
			await opened.saveRecord({state: 'deploy in doubt', put});
			await opened.close();
		}
		const damaged = getMigrationFolder(workspace.environment, {place, zone: second}) ?? '';
		writeFileSync(join(damaged, 'journal.ndjson'), 'no journal\n');
		const journals = readJournals(workspace.environment, place);
		const found = await read(service(), [first, second, third], never, journals);
		expect(found.map(getZoneProgress)).toEqual(['in doubt', 'in doubt', 'eligible']);
		expect(found.map(one => buildOverviewCells(one).about[0])).toEqual([
			'the response to the last PUT was lost',
			expect.stringContaining('journal'),
			undefined,
		]);
	});

	test('that cannot be read count for the zone of their folder, not for one whose id ends like it', async () => {
		using workspace = makeWorkspace();
		const [first = zone] = zones(1);
		const other = {...first, id: `1-${first.id}`};
		const opened = await openMigrationJournal(workspace.environment, {place, zone: other});
		await opened.close();
		const damaged = getMigrationFolder(workspace.environment, {place, zone: other}) ?? '';
		writeFileSync(join(damaged, 'journal.ndjson'), 'no journal\n');
		const journals = readJournals(workspace.environment, place);
		expect(journals(first)).toEqual({value: undefined});
		expect(journals(other)).toHaveProperty('value.failure');
	});

	test("that cannot be listed leave the service's answers intact", async () => {
		using workspace = makeWorkspace();
		workspace.file('state', '');
		const journals = readJournals({LEDGE_STATE_DIR: workspace.state}, place);
		workspace.file('other', '');
		const found = await read(service(), zones(1), never, journals);
		expect(found.map(getZoneProgress)).toEqual(['eligible']);
		expect(found[0]?.journal).toHaveProperty('failure');
	});
});
