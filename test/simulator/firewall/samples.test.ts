import {describe, expect, test} from 'vitest';
import {type ZonePlan, zonePlans} from '../../../source/service/plan.ts';
import {createSimulator} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {createFirewall, createZoneCalls, getListedObjects} from './firewall.ts';

const createSampleCalls = (plan: ZonePlan) => createZoneCalls(createSimulator({rateLimit: false}), plan);

async function readContents(plan: ZonePlan) {
	const {filters: callFilters, rules: callRules} = createSampleCalls(plan);
	return {
		filters: getListedObjects(await callFilters('GET', '?per_page=100')),
		rules: getListedObjects(await callRules('GET', '?per_page=100')),
	};
}

const countUsers = (filter: JsonObject, rules: readonly JsonObject[]) =>
	rules.filter(rule => (rule.filter as JsonObject).id === filter.id).length;

describe('the samples', () => {
	test.each(zonePlans)('of %s are accepted by an empty zone of that plan', async plan => {
		const {filters, rules} = await readContents(plan);
		const emptyZone = createFirewall(plan);
		const filtersResponse = await emptyZone.filters(
			'POST',
			'',
			filters.map(({id: _, ...filter}) => filter),
		);
		expect(filtersResponse.errors).toEqual([]);
		const ids = new Map(
			filters.map(({id}, index) => [id, getListedObjects(filtersResponse)[index]?.id ?? null]),
		);
		const rulesWithFilter = rules.filter(({filter}) => !('deleted' in (filter as JsonObject)));
		const rulesResponse = await emptyZone.rules(
			'POST',
			'',
			rulesWithFilter.map(({id: _, filter, ...rule}) => ({
				...rule,
				filter: {id: ids.get((filter as JsonObject).id) ?? ''},
			})),
		);
		expect(rulesResponse.errors).toEqual([]);
		expect(rulesResponse.result).toHaveLength(rulesWithFilter.length);
	});

	test('of acme.example show every case', async () => {
		const {filters, rules} = await readContents('enterprise');
		expect([filters.length, rules.length]).toEqual([12, 12]);
		const userCounts = filters.map(filter => countUsers(filter, rules));
		expect(userCounts.filter(count => count === 0)).toHaveLength(1);
		expect(userCounts.filter(count => count === 2)).toHaveLength(1);
		expect(filters.filter(({paused}) => paused)).toHaveLength(1);
		expect(rules.filter(({paused}) => paused)).toHaveLength(1);
		expect(rules.filter(({action}) => action === 'bypass')).toMatchObject([{products: ['waf', 'rateLimit']}]);
		const actions = rules.map(({action}) => action);
		expect(new Set(actions).size).toBe(7);
	});

	test('leave room for one rule on acme-blog.example', async () => {
		const {rules} = await readContents('free');
		expect(rules).toHaveLength(4);
	});

	test('of acme-pay.example include a rule whose filter was deleted', async () => {
		const {rules} = await readContents('business');
		const rulesWithoutFilter = rules.filter(({filter}) => 'deleted' in (filter as JsonObject));
		expect(rulesWithoutFilter).toMatchObject([{filter: {deleted: true}}]);
		expect(Object.keys(rulesWithoutFilter[0]?.filter as JsonObject).sort()).toEqual(['deleted', 'id']);
	});

	test('have the same ids in every world', async () => {
		expect(await readContents('pro')).toEqual(await readContents('pro'));
	});

	test('are missing if samples are turned off', async () => {
		const {readExpressions, countRules} = createFirewall('enterprise');
		expect([await readExpressions(), await countRules()]).toEqual([[], 0]);
	});
});
