import {expect, test} from 'vitest';
import {analyticsProblems, migrationZones as zones} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {accountId} from '../asking.ts';
import {eventGroups, hour, noon, query, rowsIn, withSamples} from './asking-analytics.ts';

const both = `{ viewer { zones(filter: {zoneTag: "${zones.acme}"}) {
	first: firewallEventsAdaptiveGroups(limit: 1, filter: {date: "2027-03-10"}) { count }
	second: firewallEventsAdaptiveGroups(limit: 1, filter: {date: "2027-03-10"}) { count }
} } }`;

test.each(analyticsProblems.filter(name => name !== 'partial'))('queries fail with %s', async name => {
	const {simulator} = withSamples();
	simulator.faults.add(`analytics=${name} times=1`);
	const {status, data, errors} = await query(simulator, both);
	expect({status, data}).toEqual({status: 200, data: null});
	expect(errors?.[0]?.path?.slice(0, 3)).toEqual(['viewer', 'zones', '0']);
	expect((await query(simulator, both)).errors).toBeNull();
});

test('an answer can be partial', async () => {
	const {simulator} = withSamples();
	simulator.faults.add('analytics=partial');
	const {data, errors} = await query(simulator, both);
	expect(data).toEqual({viewer: {zones: [{first: null, second: [{count: expect.any(Number)}]}]}});
	expect(errors).toEqual([expect.objectContaining({path: ['viewer', 'zones', '0', 'first']})]);
});

const introspection = `{ __schema { types { name fields { name } inputFields { name } enumValues { name } } } }`;

test('a schema can lack datasets and dimensions, everywhere', async () => {
	const {simulator} = withSamples();
	const whole = JSON.stringify(await query(simulator, introspection));
	expect(whole).toContain('"ruleId_in"');
	expect(whole).toContain('"kvStorageAdaptiveGroups"');
	simulator.faults.add('lacks-dataset=kvStorageAdaptiveGroups lacks-dimension=ruleId,clientRequestPath');
	const less = JSON.stringify(await query(simulator, introspection));
	for (const name of ['ruleId', 'clientRequestPath', 'kvStorageAdaptiveGroups'])
		expect(less).not.toContain(name);
	expect(less).toContain('kvOperationsAdaptiveGroups');
	const asked = await query(simulator, both.replace('count', 'dimensions { ruleId }'));
	expect(asked.data).toBeNull();
	expect(asked.errors?.[0]?.message).toContain('ruleId');
});

test('sampled numbers are estimates', async () => {
	const {simulator} = withSamples();
	const range = [noon - 24 * hour, noon] as const;
	const [exact] = await eventGroups(simulator, zones.acme, range, '');
	simulator.faults.add('sample-interval=10');
	const [about] = await eventGroups(simulator, zones.acme, range, '');
	expect(Number(about?.count) % 10).toBe(0);
	expect(Math.abs(Number(about?.count) / Number(exact?.count) - 1)).toBeLessThan(0.2);
	expect(about?.count).not.toBe(exact?.count);
	const [operations] = rowsIn(
		await query(
			simulator,
			`{ viewer { accounts(filter: {accountTag: "${accountId}"}) {
				kvOperationsAdaptiveGroups(limit: 1, filter: {date: "2027-03-09"}) { sum { requests } avg { sampleInterval } }
			} } }`,
		),
	);
	expect(operations?.avg).toEqual({sampleInterval: 10});
	expect(Number((operations?.sum as JsonObject).requests) % 10).toBe(0);
});

test('events over more than three days are sampled', async () => {
	const {simulator} = withSamples();
	const intervals = async (hours: number) => {
		const answer = await query(
			simulator,
			`{ viewer { zones(filter: {zoneTag: "${zones.acme}"}) { firewallEventsAdaptiveGroups(
				limit: 1 filter: {datetime_geq: "${new Date(noon - hours * hour).toISOString()}"}
			) { avg { sampleInterval } } } } }`,
		);
		return rowsIn(answer)[0]?.avg;
	};
	expect(await intervals(72)).toEqual({sampleInterval: 1});
	expect(await intervals(73)).toEqual({sampleInterval: 10});
});
