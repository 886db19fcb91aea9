import {describe, expect, test} from 'vitest';
import {type ZonePlan, zonePlans} from '../../../source/service/plan.ts';
import {createSimulator} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {callsOf, firewall, listed} from './firewall.ts';

const sampled = (plan: ZonePlan) => callsOf(createSimulator({rateLimit: false}), plan);

async function contents(plan: ZonePlan) {
	const {filters, rules} = sampled(plan);
	return {
		filters: listed(await filters('GET', '?per_page=100')),
		rules: listed(await rules('GET', '?per_page=100')),
	};
}

const usersOf = (filter: JsonObject, rules: readonly JsonObject[]) =>
	rules.filter(rule => (rule.filter as JsonObject).id === filter.id).length;

describe('the samples', () => {
	test.each(zonePlans)('of %s are accepted by an empty zone of that plan', async plan => {
		const {filters, rules} = await contents(plan);
		const empty = firewall(plan);
		const made = await empty.filters(
			'POST',
			'',
			filters.map(({id: _, ...filter}) => filter),
		);
		expect(made.errors).toEqual([]);
		const ids = new Map(filters.map(({id}, index) => [id, listed(made)[index]?.id ?? null]));
		const kept = rules.filter(({filter}) => !('deleted' in (filter as JsonObject)));
		const again = await empty.rules(
			'POST',
			'',
			kept.map(({id: _, filter, ...rule}) => ({
				...rule,
				filter: {id: ids.get((filter as JsonObject).id) ?? ''},
			})),
		);
		expect(again.errors).toEqual([]);
		expect(again.result).toHaveLength(kept.length);
	});

	test('of acme.example show every case', async () => {
		const {filters, rules} = await contents('enterprise');
		expect([filters.length, rules.length]).toEqual([12, 12]);
		const users = filters.map(filter => usersOf(filter, rules));
		expect(users.filter(count => count === 0)).toHaveLength(1);
		expect(users.filter(count => count === 2)).toHaveLength(1);
		expect(filters.filter(({paused}) => paused)).toHaveLength(1);
		expect(rules.filter(({paused}) => paused)).toHaveLength(1);
		expect(rules.filter(({action}) => action === 'bypass')).toMatchObject([{products: ['waf', 'rateLimit']}]);
		const actions = rules.map(({action}) => action);
		expect(new Set(actions).size).toBe(7);
	});

	test('leave room for one rule on acme-blog.example', async () => {
		const {rules} = await contents('free');
		expect(rules).toHaveLength(4);
	});

	test('hold a rule whose filter was deleted', async () => {
		const {rules} = await contents('business');
		const gone = rules.filter(({filter}) => 'deleted' in (filter as JsonObject));
		expect(gone).toMatchObject([{filter: {deleted: true}}]);
		expect(Object.keys(gone[0]?.filter as JsonObject).sort()).toEqual(['deleted', 'id']);
	});

	test('have the same ids in every world', async () => {
		expect(await contents('pro')).toEqual(await contents('pro'));
	});

	test('are left out with the other samples', async () => {
		const {expressions, ruleCount} = firewall('enterprise');
		expect([await expressions(), await ruleCount()]).toEqual([[], 0]);
	});
});
