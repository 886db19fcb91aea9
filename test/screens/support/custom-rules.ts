import {vi} from 'vitest';
import type {RulesetRule} from '../../../source/rulesets/ruleset.ts';
import {getListedRules} from '../../../source/screens/rulesets/rule-list.ts';
import {simulatedBaseUrl} from '../../../source/settings/base-url.ts';
import type {TestStore} from './store.ts';

/** A zone of the simulated service, on the Pro plan, that has custom rules in two versions and no firewall rules. */
export const migratedSampleZone = {
	id: '7b3a9d2e6c5f4e1a8d7b0c1d2e3f4a74',
	name: 'done.acme.example',
	plan: 'pro',
	label: 'zone done.acme.example',
} as const;

/** The ids of its custom rules at the start. */
export const sampleIds = {
	office: '5f1c7a0e9b3d4c28a6e4d0b7f2913c01',
	admin: '5f1c7a0e9b3d4c28a6e4d0b7f2913c02',
	login: '5f1c7a0e9b3d4c28a6e4d0b7f2913c03',
	scrapers: '5f1c7a0e9b3d4c28a6e4d0b7f2913c04',
} as const;

/** The id of the ruleset of its custom rules. */
export const rulesetId = '2d7c4f0b1a9e4e53b8d6c0a3f5e71b20';

/** Sends a request about the rulesets of the migrated zone as someone else; returns `result`. */
export async function callRulesetsAsOther<T>(
	{simulator}: Pick<TestStore, 'simulator'>,
	method: string,
	path: string,
	body?: unknown,
): Promise<T> {
	const response = await simulator.fetch(
		new Request(`${simulatedBaseUrl}/zones/${migratedSampleZone.id}/rulesets${path}`, {
			method,
			headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
			...(body !== undefined && {body: JSON.stringify(body)}),
		}),
	);
	const {success, result, errors} = (await response.json()) as {success: boolean; result: T; errors: unknown};
	if (!success) throw new Error(`${method} ${path}: ${JSON.stringify(errors)}`);
	return result;
}

/** The custom rules as the service has them. */
export const readCustomRulesAtService = async (
	testStore: Pick<TestStore, 'simulator'>,
): Promise<readonly RulesetRule[]> =>
	(await callRulesetsAsOther<{rules: RulesetRule[]}>(testStore, 'GET', `/${rulesetId}`)).rules;

/** Reads the rate limits of the migrated zone at the service. */
export const readRateLimitsAtService = async (
	testStore: Pick<TestStore, 'simulator'>,
): Promise<readonly RulesetRule[]> =>
	(await callRulesetsAsOther<{rules?: RulesetRule[]}>(testStore, 'GET', '/phases/http_ratelimit/entrypoint'))
		.rules ?? [];

/** Reads the custom rules of the migrated zone, and opens their screen. */
export async function openMigratedCustomRules(testStore: TestStore): Promise<void> {
	testStore.state().firewall.open(migratedSampleZone);
	testStore.state().customRules.open(migratedSampleZone);
	await testStore.state().customRules.load(testStore.signal);
	await testStore.state().connection.loadConnection();
	testStore.state().navigation.go('customRules');
}

export const listShownIds = ({state}: TestStore): readonly (string | undefined)[] => {
	const customRules = state().customRules.data;
	return customRules ? getListedRules(customRules).map(({id}) => id) : [];
};

/** The writes that reach the service from here on; `before` is awaited before the first one is done. */
export function watchWrites(testStore: TestStore, before?: () => Promise<unknown>) {
	const writes: {method: string; path: string; body: unknown}[] = [];
	const {fetch} = testStore.simulator;
	let isFirst = true;
	vi.spyOn(testStore.simulator, 'fetch').mockImplementation(async request => {
		if (request.method === 'GET') return fetch(request);
		const text = await request.clone().text();
		writes.push({
			method: request.method,
			path: new URL(request.url).pathname.replace(new URL(simulatedBaseUrl).pathname, ''),
			body: text === '' ? undefined : JSON.parse(text),
		});
		if (isFirst && before) {
			isFirst = false;
			vi.mocked(testStore.simulator.fetch).mockImplementation(fetch);
			await before();
		}
		return fetch(request);
	});
	return writes;
}
