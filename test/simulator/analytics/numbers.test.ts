import fc from 'fast-check';
import {expect, test} from 'vitest';
import {migrationZones as zones} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {accountId} from '../asking.ts';
import {eventGroups, hour, noon, query, rowsIn, time, withSamples} from './asking-analytics.ts';

const dimensions = [
	'action',
	'source',
	'ruleId',
	'clientCountryName',
	'clientIP',
	'clientRequestPath',
	'datetimeHour',
	'datetimeMinute',
	'datetimeFiveMinutes',
	'date',
] as const;

const sum = (rows: readonly JsonObject[], of: (row: JsonObject) => unknown): number =>
	rows.reduce((total, row) => total + Number(of(row)), 0);

test('groups by any dimensions add up to the same count, without duplicates', async () => {
	const {simulator} = withSamples({rateLimit: false});
	const range = [noon - 3 * hour, noon] as const;
	const [all] = await eventGroups(simulator, zones.check, range, '');
	await fc.assert(
		fc.asyncProperty(fc.subarray([...dimensions], {minLength: 1}), async chosen => {
			const rows = await eventGroups(simulator, zones.check, range, chosen.join(' '));
			expect(sum(rows, ({count}) => count)).toBe(all?.count);
			const names = rows.map(row => JSON.stringify(row.dimensions));
			expect(new Set(names).size).toBe(names.length);
			for (const row of rows) expect(Object.keys(row.dimensions as JsonObject)).toEqual(chosen);
		}),
		{numRuns: 40},
	);
});

test('a period has as many events as its parts', async () => {
	const {simulator} = withSamples({rateLimit: false});
	const counted = async (from: number, to: number) =>
		sum(await eventGroups(simulator, zones.acme, [from, to], ''), ({count}) => count);
	const start = noon - 5 * hour;
	await fc.assert(
		fc.asyncProperty(fc.integer({min: 1, max: 4 * 3600}), async seconds => {
			const middle = start + seconds * 1000;
			const whole = await counted(start, start + 4 * hour + 1000);
			expect((await counted(start, middle)) + (await counted(middle, start + 4 * hour + 1000))).toBe(whole);
		}),
		{numRuns: 25},
	);
});

test('two simulators have the same numbers', async () => {
	const text = `{ viewer { zones(filter: {zoneTag: "${zones.check}"}) {
		firewallEventsAdaptive(limit: 200, orderBy: [datetime_DESC], filter: {datetime_geq: "${time(noon - hour)}"}) {
			datetime rayName clientIP ruleId
		}
	} accounts(filter: {accountTag: "${accountId}"}) {
		kvOperationsAdaptiveGroups(limit: 900, filter: {date_geq: "2027-03-01", date_leq: "2027-03-10"}) {
			sum { requests } quantiles { latencyMsP50 latencyMsP99 } dimensions { date actionType namespaceId }
		}
		kvStorageAdaptiveGroups(limit: 900, filter: {date_geq: "2027-03-01", date_leq: "2027-03-10"}) {
			max { keyCount } dimensions { date namespaceId }
		}
	} } }`;
	const [one, other] = [withSamples(), withSamples()];
	const answer = await query(one.simulator, text);
	expect(answer.errors).toBeNull();
	expect(await query(other.simulator, text)).toEqual(answer);
});

const operations = async (filter: string, by: string) => {
	const {simulator} = withSamples();
	return rowsIn(
		await query(
			simulator,
			`{ viewer { accounts(filter: {accountTag: "${accountId}"}) { kvOperationsAdaptiveGroups(
				limit: 10000 filter: {${filter}} orderBy: [${by === '' ? 'sum_requests' : by}_DESC]
			) { sum { requests } avg { sampleInterval } ${by === '' ? '' : `dimensions { ${by} }`} } } } }`,
		),
	);
};
const requests = (row: JsonObject) => (row.sum as JsonObject).requests;

test.each([
	'datetimeHour',
	'datetimeFiveMinutes',
	'datetimeMinute',
	'actionType',
	'namespaceId',
])('operations by %s add up to those of the day', async by => {
	const [day] = await operations('date: "2027-03-09"', '');
	const parts = await operations('date: "2027-03-09"', by);
	expect(Number(day && requests(day))).toBeGreaterThan(1_000_000);
	expect(parts.length).toBeGreaterThan(3);
	expect(sum(parts, requests)).toBe(Number(day && requests(day)));
});

test('operations vary by hour, and one namespace is unused', async () => {
	const hours = await operations('date: "2027-03-09" actionType: "read"', 'datetimeHour');
	expect(hours).toHaveLength(24);
	const at = (moment: string) =>
		Number(requests(hours.find(row => (row.dimensions as JsonObject).datetimeHour === moment) ?? {sum: {}}));
	expect(at('2027-03-09T15:00:00Z')).toBeGreaterThan(2 * at('2027-03-09T03:00:00Z'));
	const namespaces = await operations('date: "2027-03-09"', 'namespaceId');
	const used = namespaces.map(row => (row.dimensions as JsonObject).namespaceId);
	expect(used).not.toContain('e5ffc653f39f4aeab3b9f8e46cd0e1f8');
	expect(used).toHaveLength(5);
});

test('a period of whole hours has exactly the operations of those hours', async () => {
	const between = async (from: string, to: string) =>
		sum(await operations(`datetime_geq: "${from}" datetime_lt: "${to}"`, 'datetimeMinute'), requests);
	const whole = await between('2027-03-09T10:00:00Z', '2027-03-09T12:00:00Z');
	const [first, second] = [
		await between('2027-03-09T10:00:00Z', '2027-03-09T10:37:00Z'),
		await between('2027-03-09T10:37:00Z', '2027-03-09T12:00:00Z'),
	];
	expect(first + second).toBe(whole);
});

test('a period with bounds inside an hour has the same operations in any grouping', async () => {
	const filter = 'datetime_gt: "2027-03-09T10:12:30Z" datetime_leq: "2027-03-09T13:47:00Z"';
	const [all] = await operations(filter, '');
	for (const by of ['datetimeMinute', 'datetimeFifteenMinutes', 'datetimeHour', 'date', 'actionType'])
		expect(sum(await operations(filter, by), requests)).toBe(Number(all && requests(all)));
	const hours = await operations(filter, 'datetimeHour');
	expect(hours).toHaveLength(4);
});

test("31 days of key counts lead up to today's", async () => {
	const {simulator} = withSamples();
	const rows = rowsIn(
		await query(
			simulator,
			`{ viewer { accounts(filter: {accountTag: "${accountId}"}) { kvStorageAdaptiveGroups(
				limit: 10000 filter: {date_geq: "2027-02-08", date_leq: "2027-03-10", namespaceId: "7ce064d8b26f93391d8a14e4c40b28bb"}
				orderBy: [date_ASC]
			) { max { keyCount byteCount } dimensions { date } } } } }`,
		),
	);
	const keys = rows.map(row => Number((row.max as JsonObject).keyCount));
	expect(keys).toHaveLength(31);
	expect(keys.at(-1)).toBe(480);
	expect(keys[0]).toBeGreaterThan(300);
	expect(keys[0]).toBeLessThan(460);
});
