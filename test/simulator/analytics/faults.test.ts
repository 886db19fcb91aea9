import {expect, test} from 'vitest';
import {analyticsProblems, migrationZones as zones} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {accountId} from '../asking.ts';
import {
	createSampleSimulator,
	getFirstRows,
	hour,
	noon,
	query,
	queryEventGroups,
} from './asking-analytics.ts';

const twoDatasetQuery = `{ viewer { zones(filter: {zoneTag: "${zones.acme}"}) {
	first: firewallEventsAdaptiveGroups(limit: 1, filter: {date: "2027-03-10"}) { count }
	second: firewallEventsAdaptiveGroups(limit: 1, filter: {date: "2027-03-10"}) { count }
} } }`;

test.each(analyticsProblems.filter(name => name !== 'partial'))('queries fail with %s', async name => {
	const {simulator} = createSampleSimulator();
	simulator.faults.add(`analytics=${name} times=1`);
	const {status, data, errors} = await query(simulator, twoDatasetQuery);
	expect({status, data}).toEqual({status: 200, data: null});
	expect(errors?.[0]?.path?.slice(0, 3)).toEqual(['viewer', 'zones', '0']);
	expect((await query(simulator, twoDatasetQuery)).errors).toBeNull();
});

test('an answer can be partial', async () => {
	const {simulator} = createSampleSimulator();
	simulator.faults.add('analytics=partial');
	const {data, errors} = await query(simulator, twoDatasetQuery);
	expect(data).toEqual({viewer: {zones: [{first: null, second: [{count: expect.any(Number)}]}]}});
	expect(errors).toEqual([expect.objectContaining({path: ['viewer', 'zones', '0', 'first']})]);
});

const introspection = `{ __schema { types { name fields { name } inputFields { name } enumValues { name } } } }`;

test('a schema can lack datasets and dimensions, and queries that name them fail', async () => {
	const {simulator} = createSampleSimulator();
	const fullSchema = JSON.stringify(await query(simulator, introspection));
	expect(fullSchema).toContain('"ruleId_in"');
	expect(fullSchema).toContain('"kvStorageAdaptiveGroups"');
	simulator.faults.add('lacks-dataset=kvStorageAdaptiveGroups lacks-dimension=ruleId,clientRequestPath');
	const reducedSchema = JSON.stringify(await query(simulator, introspection));
	for (const name of ['ruleId', 'clientRequestPath', 'kvStorageAdaptiveGroups'])
		expect(reducedSchema).not.toContain(name);
	expect(reducedSchema).toContain('kvOperationsAdaptiveGroups');
	const refusedAnswer = await query(simulator, twoDatasetQuery.replace('count', 'dimensions { ruleId }'));
	expect(refusedAnswer.data).toBeNull();
	expect(refusedAnswer.errors?.[0]?.message).toContain('ruleId');
});

test('sampled numbers are estimates', async () => {
	const {simulator} = createSampleSimulator();
	const range = [noon - 24 * hour, noon] as const;
	const [exact] = await queryEventGroups(simulator, zones.acme, range, '');
	simulator.faults.add('sample-interval=10');
	const [estimate] = await queryEventGroups(simulator, zones.acme, range, '');
	expect(Number(estimate?.count) % 10).toBe(0);
	expect(Math.abs(Number(estimate?.count) / Number(exact?.count) - 1)).toBeLessThan(0.2);
	expect(estimate?.count).not.toBe(exact?.count);
	const [operations] = getFirstRows(
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
	const {simulator} = createSampleSimulator();
	const querySampleInterval = async (hours: number) => {
		const answer = await query(
			simulator,
			`{ viewer { zones(filter: {zoneTag: "${zones.acme}"}) { firewallEventsAdaptiveGroups(
				limit: 1 filter: {datetime_geq: "${new Date(noon - hours * hour).toISOString()}"}
			) { avg { sampleInterval } } } } }`,
		);
		return getFirstRows(answer)[0]?.avg;
	};
	expect(await querySampleInterval(72)).toEqual({sampleInterval: 1});
	expect(await querySampleInterval(73)).toEqual({sampleInterval: 10});
});
