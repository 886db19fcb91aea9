import {expect, test} from 'vitest';
import {migrationZones} from '../../../source/simulator/simulator.ts';
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

test('an account has keys, bytes and operations of its namespaces', async () => {
	using simulator = createSampleSimulator().simulator;
	const answer = await query(
		simulator,
		`query ($account: string!, $from: Date!, $to: Date!) { viewer { accounts(filter: {accountTag: $account}) {
			kvStorageAdaptiveGroups(filter: {date_geq: $from, date_leq: $to}, limit: 100, orderBy: [max_keyCount_DESC]) {
				max { keyCount byteCount } dimensions { namespaceId }
			}
			kvOperationsAdaptiveGroups(filter: {date: $to}, limit: 10, orderBy: [sum_requests_DESC]) {
				sum { requests } dimensions { actionType }
			}
		} } }`,
		{variables: {account: accountId, from: '2027-03-10', to: '2027-03-10'}},
	);
	expect(answer).toMatchObject({status: 200, errors: null});
	expect(getFirstRows(answer)).toHaveLength(6);
	expect(getFirstRows(answer)[0]).toEqual({
		max: {keyCount: 100_000, byteCount: 7_134_620},
		dimensions: {namespaceId: 'fd9e7ab1d6c2cae84b7cff436b83ca69'},
	});
});

test('a zone in validation has events of both versions, and a false positive of the new one', async () => {
	using simulator = createSampleSimulator().simulator;
	const groups = await queryEventGroups(
		simulator,
		migrationZones.check,
		[noon - hour, noon],
		'source action',
	);
	expect(groups.map(({dimensions}) => dimensions)).toEqual(
		expect.arrayContaining([
			{source: 'firewallManaged', action: 'block'},
			{source: 'waf', action: 'challenge'},
		]),
	);
	const paths = await queryEventGroups(
		simulator,
		migrationZones.check,
		[noon - hour, noon],
		'source clientRequestPath',
		'clientRequestPath: "/api/import"',
	);
	expect(paths.map(({dimensions}) => dimensions)).toEqual([
		{source: 'firewallManaged', clientRequestPath: '/api/import'},
	]);
});

test('an invalid query gives status 200 with an error', async () => {
	using simulator = createSampleSimulator().simulator;
	const answer = await query(
		simulator,
		`{ viewer { zones(filter: {zoneTag: "${migrationZones.check}"}) {
			firewallEventsAdaptive(filter: {datetime_geq: "${toTimestamp(noon - 800 * hour)}"}, limit: 10) { action }
		} } }`,
	);
	expect(answer).toEqual({
		status: 200,
		data: null,
		errors: [
			{
				message: 'cannot request data older than 2592000s',
				path: ['viewer', 'zones', '0', 'firewallEventsAdaptive'],
				extensions: {timestamp: toTimestamp(noon)},
			},
		],
	});
});
