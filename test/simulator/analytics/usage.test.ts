import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {createSimulator, type Simulator} from '../../../source/simulator/simulator.ts';
import {accountId, ask, json, makeNamespace, request} from '../asking.ts';
import {getFirstRows, noon, query} from './asking-analytics.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'ledge-usage-'));
});
afterEach(() => rmSync(folder, {recursive: true}));

const clock = {now: noon};
const openSimulator = () =>
	createSimulator({now: () => clock.now, samples: false, state: join(folder, 'world.sqlite')});

const queryOperations = async (simulator: Simulator) =>
	getFirstRows(
		await query(
			simulator,
			`{ viewer { accounts(filter: {accountTag: "${accountId}"}) { kvOperationsAdaptiveGroups(
				limit: 10 filter: {date: "2027-03-10"} orderBy: [actionType_ASC]
			) { sum { requests } dimensions { actionType } } } } }`,
		),
	);

test('requests to the store are counted by kind and visible to every process minutes later', async () => {
	clock.now = noon;
	{
		using simulator = openSimulator();
		const namespace = await makeNamespace(simulator);
		const value = await simulator.fetch(request(`${namespace}/values/one`, {method: 'PUT', body: '1'}));
		expect(value.status).toBe(200);
		await ask(
			simulator,
			`${namespace}/bulk`,
			json('PUT', [
				{key: 'two', value: '2'},
				{key: 'three', value: '3'},
			]),
		);
		await simulator.fetch(request(`${namespace}/values/one`));
		await simulator.fetch(request(`${namespace}/values/none`));
		await ask(simulator, `${namespace}/keys`);
		await ask(simulator, `${namespace}/bulk/delete`, json('POST', ['two', 'three']));
		expect(await queryOperations(simulator)).toEqual([]);
	}
	clock.now += 4 * 60_000;
	using simulator = openSimulator();
	expect(await queryOperations(simulator)).toEqual([
		{sum: {requests: 2}, dimensions: {actionType: 'delete'}},
		{sum: {requests: 1}, dimensions: {actionType: 'list'}},
		{sum: {requests: 1}, dimensions: {actionType: 'read'}},
		{sum: {requests: 3}, dimensions: {actionType: 'write'}},
	]);
});

test('a namespace outside the samples reports its own keys and bytes for today', async () => {
	clock.now = noon;
	using simulator = openSimulator();
	const namespace = await makeNamespace(simulator);
	await simulator.fetch(request(`${namespace}/values/key`, {method: 'PUT', body: '12345'}));
	const rows = getFirstRows(
		await query(
			simulator,
			`{ viewer { accounts(filter: {accountTag: "${accountId}"}) { kvStorageAdaptiveGroups(
				limit: 10 filter: {date_geq: "2027-03-01", date_leq: "2027-03-10"}
			) { max { keyCount byteCount } dimensions { date } } } } }`,
		),
	);
	expect(rows).toEqual([{max: {keyCount: 1, byteCount: 8}, dimensions: {date: '2027-03-10'}}]);
});
