import fc from 'fast-check';
import {expect, test} from 'vitest';
import {migrationZones as zones} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {accountId} from '../asking.ts';
import {
	createSampleSimulator,
	getFirstRows,
	hour,
	noon,
	query,
	queryEventGroups,
	toTimestamp,
} from './asking-analytics.ts';

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

const sum = (rows: readonly JsonObject[], getValue: (row: JsonObject) => unknown): number =>
	rows.reduce((total, row) => total + Number(getValue(row)), 0);

test('groups by any dimensions add up to the same count, without duplicates', async () => {
	const {simulator} = createSampleSimulator({rateLimit: false});
	const range = [noon - 3 * hour, noon] as const;
	const [all] = await queryEventGroups(simulator, zones.check, range, '');
	await fc.assert(
		fc.asyncProperty(fc.subarray([...dimensions], {minLength: 1}), async chosenDimensions => {
			const rows = await queryEventGroups(simulator, zones.check, range, chosenDimensions.join(' '));
			expect(sum(rows, ({count}) => count)).toBe(all?.count);
			const names = rows.map(row => JSON.stringify(row.dimensions));
			expect(new Set(names).size).toBe(names.length);
			for (const row of rows) expect(Object.keys(row.dimensions as JsonObject)).toEqual(chosenDimensions);
		}),
		{numRuns: 40},
	);
});

test('a period has as many events as its parts', async () => {
	const {simulator} = createSampleSimulator({rateLimit: false});
	const countEvents = async (from: number, to: number) =>
		sum(await queryEventGroups(simulator, zones.acme, [from, to], ''), ({count}) => count);
	const start = noon - 5 * hour;
	await fc.assert(
		fc.asyncProperty(fc.integer({min: 1, max: 4 * 3600}), async seconds => {
			const middle = start + seconds * 1000;
			const whole = await countEvents(start, start + 4 * hour + 1000);
			expect((await countEvents(start, middle)) + (await countEvents(middle, start + 4 * hour + 1000))).toBe(
				whole,
			);
		}),
		{numRuns: 25},
	);
});

test('two simulators have the same numbers', async () => {
	const text = `{ viewer { zones(filter: {zoneTag: "${zones.check}"}) {
		firewallEventsAdaptive(limit: 200, orderBy: [datetime_DESC], filter: {datetime_geq: "${toTimestamp(noon - hour)}"}) {
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
	const [one, other] = [createSampleSimulator(), createSampleSimulator()];
	const answer = await query(one.simulator, text);
	expect(answer.errors).toBeNull();
	expect(await query(other.simulator, text)).toEqual(answer);
});

const queryOperations = async (filter: string, groupDimension: string) => {
	const {simulator} = createSampleSimulator();
	return getFirstRows(
		await query(
			simulator,
			`{ viewer { accounts(filter: {accountTag: "${accountId}"}) { kvOperationsAdaptiveGroups(
				limit: 10000 filter: {${filter}} orderBy: [${groupDimension === '' ? 'sum_requests' : groupDimension}_DESC]
			) { sum { requests } avg { sampleInterval } ${groupDimension === '' ? '' : `dimensions { ${groupDimension} }`} } } } }`,
		),
	);
};
const getRequests = (row: JsonObject) => (row.sum as JsonObject).requests;

test.each([
	'datetimeHour',
	'datetimeFiveMinutes',
	'datetimeMinute',
	'actionType',
	'namespaceId',
])('operations by %s add up to those of the day', async groupDimension => {
	const [day] = await queryOperations('date: "2027-03-09"', '');
	const parts = await queryOperations('date: "2027-03-09"', groupDimension);
	expect(Number(day && getRequests(day))).toBeGreaterThan(1_000_000);
	expect(parts.length).toBeGreaterThan(3);
	expect(sum(parts, getRequests)).toBe(Number(day && getRequests(day)));
});

test('operations vary by hour, and one namespace is unused', async () => {
	const hours = await queryOperations('date: "2027-03-09" actionType: "read"', 'datetimeHour');
	expect(hours).toHaveLength(24);
	const getRequestsAt = (moment: string) =>
		Number(
			getRequests(hours.find(row => (row.dimensions as JsonObject).datetimeHour === moment) ?? {sum: {}}),
		);
	expect(getRequestsAt('2027-03-09T15:00:00Z')).toBeGreaterThan(2 * getRequestsAt('2027-03-09T03:00:00Z'));
	const namespaces = await queryOperations('date: "2027-03-09"', 'namespaceId');
	const usedNamespaceIds = namespaces.map(row => (row.dimensions as JsonObject).namespaceId);
	expect(usedNamespaceIds).not.toContain('e5ffc653f39f4aeab3b9f8e46cd0e1f8');
	expect(usedNamespaceIds).toHaveLength(5);
});

test('a period of whole hours has exactly the operations of those hours', async () => {
	const countBetween = async (from: string, to: string) =>
		sum(await queryOperations(`datetime_geq: "${from}" datetime_lt: "${to}"`, 'datetimeMinute'), getRequests);
	const whole = await countBetween('2027-03-09T10:00:00Z', '2027-03-09T12:00:00Z');
	const [first, second] = [
		await countBetween('2027-03-09T10:00:00Z', '2027-03-09T10:37:00Z'),
		await countBetween('2027-03-09T10:37:00Z', '2027-03-09T12:00:00Z'),
	];
	expect(first + second).toBe(whole);
});

test('a period with bounds inside an hour has the same operations in any grouping', async () => {
	const filter = 'datetime_gt: "2027-03-09T10:12:30Z" datetime_leq: "2027-03-09T13:47:00Z"';
	const [all] = await queryOperations(filter, '');
	for (const groupDimension of [
		'datetimeMinute',
		'datetimeFifteenMinutes',
		'datetimeHour',
		'date',
		'actionType',
	])
		expect(sum(await queryOperations(filter, groupDimension), getRequests)).toBe(
			Number(all && getRequests(all)),
		);
	const hours = await queryOperations(filter, 'datetimeHour');
	expect(hours).toHaveLength(4);
});

test("31 days of key counts lead up to today's", async () => {
	const {simulator} = createSampleSimulator();
	const rows = getFirstRows(
		await query(
			simulator,
			`{ viewer { accounts(filter: {accountTag: "${accountId}"}) { kvStorageAdaptiveGroups(
				limit: 10000 filter: {date_geq: "2027-02-08", date_leq: "2027-03-10", namespaceId: "7ce064d8b26f93391d8a14e4c40b28bb"}
				orderBy: [date_ASC]
			) { max { keyCount byteCount } dimensions { date } } } } }`,
		),
	);
	const keyCounts = rows.map(row => Number((row.max as JsonObject).keyCount));
	expect(keyCounts).toHaveLength(31);
	expect(keyCounts.at(-1)).toBe(480);
	expect(keyCounts[0]).toBeGreaterThan(300);
	expect(keyCounts[0]).toBeLessThan(460);
});
