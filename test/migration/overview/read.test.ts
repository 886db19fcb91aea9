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
import {
	buildEnvelope,
	buildErrorResponse,
	createScriptedClient,
	neverAbortedSignal,
	type SentRequest,
} from '../../service/scripted-transport.ts';
import {zone} from '../support/answers.ts';

const createZones = (count: number): readonly MigrationZone[] =>
	Array.from({length: count}, (_, at) => ({
		...zone,
		id: `${at}`.padStart(32, '0'),
		name: `zone-${at}.example`,
	}));

const withoutJournals = () => ({value: undefined});

type ScriptedResponse = Response | Error | Promise<Response>;

/** A service whose zones can migrate and have three custom rules, except for `overrideResponse`. */
function createService(
	overrideResponse: (path: string, request: SentRequest) => ScriptedResponse | undefined = () => undefined,
) {
	const scripted = createScriptedClient([
		request => {
			const {pathname} = new URL(request.url);
			const overriddenResponse = overrideResponse(pathname, request);
			if (overriddenResponse instanceof Error) throw overriddenResponse;
			if (overriddenResponse) return overriddenResponse;
			if (pathname.endsWith('/check')) return buildEnvelope({compatible: true, migration_state: 'start'});
			if (pathname.endsWith('/status'))
				return buildEnvelope({
					migration_state: 'start',
					old_waf_status: 'enabled',
					new_waf_status: 'disabled',
				});
			if (pathname.endsWith('/entrypoint'))
				return buildEnvelope({
					id: 'r',
					kind: 'zone',
					phase: 'http_request_firewall_custom',
					version: '1',
					rules: ['1', '2', '3'].map(id => ({id, action: 'block', expression: 'ssl'})),
				});
			return buildEnvelope([], {result_info: {page: 1, per_page: 100, count: 0, total_count: 0}});
		},
	]);
	return scripted;
}

async function read(
	{client}: Pick<ReturnType<typeof createService>, 'client'>,
	zonesToRead: readonly MigrationZone[],
	signal = neverAbortedSignal,
	journals: Parameters<typeof readOverviews>[2] = withoutJournals,
) {
	const overviews: ZoneOverview[] = [];
	await readOverviews(client, zonesToRead, journals, overview => void overviews.push(overview), signal);
	return overviews.toSorted((one, other) => (one.zone.id < other.zone.id ? -1 : 1));
}

test('a zone is read with five requests, without repeats', async () => {
	const scripted = createService();
	const overviews = await read(scripted, createZones(9));
	expect(overviews.map(({zone: {name}}) => name)).toEqual(createZones(9).map(({name}) => name));
	expect(buildOverviewCells(overviews[0] ?? {zone})).toMatchObject({
		migration: 'eligible',
		custom: '3/1,000',
	});
	expect(scripted.sent).toHaveLength(9 * 5);
	expect(new Set(scripted.sent.map(({url}) => url)).size).toBe(9 * 5);
	expect(scripted.sent.every(({method}) => method === 'GET')).toBe(true);
});

test('at most four zones are read at the same time', async () => {
	const requestCounts = new Map<string, number>();
	let maxZonesAtOnce = 0;
	const scripted = createService(path => {
		const id = path.split('/')[4] ?? '';
		requestCounts.set(id, (requestCounts.get(id) ?? 0) + 1);
		maxZonesAtOnce = Math.max(maxZonesAtOnce, [...requestCounts.values()].filter(count => count < 5).length);
		return undefined;
	});
	await read(scripted, createZones(12));
	expect(maxZonesAtOnce).toBe(4);
});

describe('failed readings', () => {
	const forbidden = () => buildErrorResponse(403, [{code: 10000, message: 'not for this credential'}]);

	test('of the custom rules do not hide whether the zone is eligible', async () => {
		const overviews = await read(
			createService(path => (path.includes('/rulesets/') ? forbidden() : undefined)),
			createZones(2),
		);
		for (const one of overviews)
			expect(buildOverviewCells(one)).toMatchObject({
				migration: 'eligible',
				old: 'enabled',
				custom: 'unknown',
			});
	});

	test('of the migration do not hide the custom rules', async () => {
		const overviews = await read(
			createService(path => (path.includes('/waf_migration/') ? forbidden() : undefined)),
			createZones(2),
		);
		for (const one of overviews)
			expect(buildOverviewCells(one)).toMatchObject({
				migration: 'unknown',
				old: 'unknown',
				custom: '3/1,000',
			});
	});

	test('of one zone do not affect another', async () => {
		const [forbiddenZone = zone] = createZones(1);
		const overviews = await read(
			createService(path => (path.includes(forbiddenZone.id) ? forbidden() : undefined)),
			createZones(3),
		);
		expect(overviews.map(getZoneProgress)).toEqual(['unknown', 'eligible', 'eligible']);
	});
});

test('a zone without a ruleset for custom rules has zero custom rules', async () => {
	const overviews = await read(
		createService(path =>
			path.includes('/rulesets/')
				? buildErrorResponse(404, [{code: 10003, message: 'could not find entrypoint ruleset in the phase'}])
				: undefined,
		),
		createZones(1),
	);
	expect(buildOverviewCells(overviews[0] ?? {zone}).custom).toBe('0/1,000');
});

test('an unreachable service is not called for zone after zone', async () => {
	const down = new Failure('unreachable', 'service.test cannot be reached.');
	const scripted = createService(() => down);
	const overviews = await read(scripted, createZones(40));
	expect(overviews).toHaveLength(40);
	expect(overviews.every(one => getZoneProgress(one) === 'unknown')).toBe(true);
	expect(new Set(scripted.sent.map(({url}) => url.split('/')[6])).size).toBeLessThanOrEqual(4);
});

test('a rejected credential fails the whole reading, not one zone', async () => {
	const scripted = createService(() =>
		buildErrorResponse(401, [{code: 10000, message: 'Authentication error'}]),
	);
	const failure = await failureOf(read(scripted, createZones(20)));
	expect(isFailure(failure) && failure.details.http).toBe(401);
	expect(scripted.sent.length).toBeLessThanOrEqual(4 * 3);
});

test('stopping ends the requests', async () => {
	const stop = new AbortController();
	const scripted = createService(path => {
		if (path.includes(createZones(7)[6]?.id ?? '')) stop.abort();
		return undefined;
	});
	const failure = await failureOf(read(scripted, createZones(40), stop.signal));
	expect(isFailure(failure, 'interrupted')).toBe(true);
	const sentCount = scripted.sent.length;
	expect(sentCount).toBeLessThan(11 * 5);
	await new Promise(setImmediate);
	expect(scripted.sent).toHaveLength(sentCount);
});

describe('the journals of this machine', () => {
	const place = 'https://service.test';

	test('count only for their own zones', async () => {
		using workspace = makeWorkspace();
		const [first = zone, second = zone, third = zone] = createZones(3);
		const put = {
			mode: 'pending',
			fingerprint: 'f'.repeat(64),
			at: 1,
			before: {stage: 'previous', version: undefined, fingerprint: undefined},
		} as const;
		for (const one of [first, second]) {
			const journal = await openMigrationJournal(workspace.environment, {place, zone: one});
			await journal.saveRecord({state: 'deploy in doubt', put});
			await journal.close();
		}
		const damagedFolder = getMigrationFolder(workspace.environment, {place, zone: second}) ?? '';
		writeFileSync(join(damagedFolder, 'journal.ndjson'), 'no journal\n');
		const journals = readJournals(workspace.environment, place);
		const overviews = await read(createService(), [first, second, third], neverAbortedSignal, journals);
		expect(overviews.map(getZoneProgress)).toEqual(['in doubt', 'in doubt', 'eligible']);
		expect(overviews.map(one => buildOverviewCells(one).about[0])).toEqual([
			'the response to the last PUT was lost',
			expect.stringContaining('journal'),
			undefined,
		]);
	});

	test('that cannot be read count for the zone of their folder, not for one whose id ends like it', async () => {
		using workspace = makeWorkspace();
		const [first = zone] = createZones(1);
		const other = {...first, id: `1-${first.id}`};
		const journal = await openMigrationJournal(workspace.environment, {place, zone: other});
		await journal.close();
		const damagedFolder = getMigrationFolder(workspace.environment, {place, zone: other}) ?? '';
		writeFileSync(join(damagedFolder, 'journal.ndjson'), 'no journal\n');
		const journals = readJournals(workspace.environment, place);
		expect(journals(first)).toEqual({value: undefined});
		expect(journals(other)).toHaveProperty('value.failure');
	});

	test("that cannot be listed leave the service's responses intact", async () => {
		using workspace = makeWorkspace();
		workspace.writeFile('state', '');
		const journals = readJournals({LEDGE_STATE_DIR: workspace.state}, place);
		workspace.writeFile('other', '');
		const overviews = await read(createService(), createZones(1), neverAbortedSignal, journals);
		expect(overviews.map(getZoneProgress)).toEqual(['eligible']);
		expect(overviews[0]?.journal).toHaveProperty('failure');
	});
});
