import {simulatedBaseUrl} from '../../../source/settings/base-url.ts';
import type {TestStore} from './store.ts';

/** A zone of the simulated service, on the Pro plan, without filters and rules in the samples. */
export const shop = {
	id: '8311e2d173ef02ba0404f6be43393fec',
	name: 'acme-moved.example',
	plan: 'pro',
	label: 'zone acme-moved.example',
} as const;

/** Sends a request about the shop as someone else; returns `result`. */
export async function callMovedZoneAsOther<T>(
	{simulator}: Pick<TestStore, 'simulator'>,
	method: string,
	path: string,
	body?: unknown,
): Promise<T> {
	const response = await simulator.fetch(
		new Request(`${simulatedBaseUrl}/zones/${shop.id}${path}`, {
			method,
			headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
			...(body !== undefined && {body: JSON.stringify(body)}),
		}),
	);
	const {success, result, errors} = (await response.json()) as {
		success: boolean;
		result: T;
		errors: unknown;
	};
	if (!success) throw new Error(`${method} ${path}: ${JSON.stringify(errors)}`);
	return result;
}

/** Creates a filter in the shop; returns its id. */
export async function createShopFilter(testStore: TestStore, expression: string): Promise<string> {
	const [created] = await callMovedZoneAsOther<{id: string}[]>(testStore, 'POST', '/filters', [{expression}]);
	return created?.id ?? '';
}

/** Creates a rule in the shop; returns its id. */
export async function createShopRule(
	testStore: TestStore,
	filterId: string,
	settings: Readonly<Record<string, unknown>> = {},
): Promise<string> {
	const [created] = await callMovedZoneAsOther<{id: string}[]>(testStore, 'POST', '/firewall/rules', [
		{filter: {id: filterId}, action: 'block', ...settings},
	]);
	return created?.id ?? '';
}

/** Creates three rules on two filters in the shop, and reads them. The first and third share a filter. */
export async function openShopFirewall(testStore: TestStore) {
	const sharedFilterId = await createShopFilter(testStore, 'ip.src eq 192.0.2.1');
	const ownFilterId = await createShopFilter(testStore, 'http.host eq "shop.example"');
	const firstRuleId = await createShopRule(testStore, sharedFilterId, {
		priority: 10,
		description: 'the first',
	});
	const secondRuleId = await createShopRule(testStore, ownFilterId, {priority: 20, action: 'challenge'});
	const thirdRuleId = await createShopRule(testStore, sharedFilterId, {action: 'allow'});
	testStore.state().firewall.open(shop);
	await testStore.state().firewall.load(testStore.signal);
	return {
		shared: sharedFilterId,
		own: ownFilterId,
		first: firstRuleId,
		second: secondRuleId,
		third: thirdRuleId,
	};
}
