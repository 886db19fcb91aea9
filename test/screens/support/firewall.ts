import {simulatedBaseUrl} from '../../../source/service/connect.ts';
import type {TestStore} from './store.ts';

/** A zone of the simulated service, on the Pro plan, to which the samples give no filter and no rule. */
export const shop = {
	id: '8311e2d173ef02ba0404f6be43393fec',
	name: 'acme-moved.example',
	plan: 'pro',
	label: 'zone acme-moved.example',
} as const;

/** Sends a request to the simulated service behind the back of the store; gives `result`. */
export async function behind<T>(
	{simulator}: Pick<TestStore, 'simulator'>,
	method: string,
	path: string,
	body?: unknown,
): Promise<T> {
	const answer = await simulator.fetch(
		new Request(`${simulatedBaseUrl}/zones/${shop.id}${path}`, {
			method,
			headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
			...(body !== undefined && {body: JSON.stringify(body)}),
		}),
	);
	const {success, result, errors} = (await answer.json()) as {
		success: boolean;
		result: T;
		errors: unknown;
	};
	if (!success) throw new Error(`${method} ${path}: ${JSON.stringify(errors)}`);
	return result;
}

/** Makes a filter in the shop; gives its id. */
export async function filterMade(space: TestStore, expression: string): Promise<string> {
	const [made] = await behind<{id: string}[]>(space, 'POST', '/filters', [{expression}]);
	return made?.id ?? '';
}

/** Makes a rule in the shop; gives its id. */
export async function ruleMade(
	space: TestStore,
	filter: string,
	settings: Readonly<Record<string, unknown>> = {},
): Promise<string> {
	const [made] = await behind<{id: string}[]>(space, 'POST', '/firewall/rules', [
		{filter: {id: filter}, action: 'block', ...settings},
	]);
	return made?.id ?? '';
}

/** A shop with three rules on two filters, opened and read: the first and the third rule share one. */
export async function openedShop(space: TestStore) {
	const shared = await filterMade(space, 'ip.src eq 192.0.2.1');
	const own = await filterMade(space, 'http.host eq "shop.example"');
	const first = await ruleMade(space, shared, {priority: 10, description: 'the first'});
	const second = await ruleMade(space, own, {priority: 20, action: 'challenge'});
	const third = await ruleMade(space, shared, {action: 'allow'});
	space.state().firewall.open(shop);
	await space.state().firewall.load(space.signal);
	return {shared, own, first, second, third};
}
