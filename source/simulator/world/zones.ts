import type {JsonObject} from '../../json.ts';
import type {Plan} from '../../service/plan.ts';
import {account, user} from './identities.ts';

const plans: Readonly<Record<Plan, {id: string; name: string; price: number}>> = {
	free: {id: '0feeeeeeeeeeeeeeeeeeeeeeeeeeeeee', name: 'Free Website', price: 0},
	pro: {id: '1bc1fa6247b7c8e1ab2bbbbbbbbbbbbb', name: 'Pro Plan', price: 20},
	business: {id: '2dbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', name: 'Business Plan', price: 200},
	enterprise: {id: '3eeeeeeeeeeeeeeeeeeeeeeeeeeeeeee', name: 'Enterprise Website', price: 0},
};

/** A zone of each plan, one more for trouble with the migration, and one name that stands for two zones. */
export const sampleZones: readonly JsonObject[] = [
	zone('d0e032749968114a09730950255c7c0f', 'acme.example', 'enterprise'),
	zone('61bf267f4af510ca281c94950d62fbea', 'acme-blog.example', 'free'),
	zone('6e23b63489e7241c0d871b10a397cebb', 'acme-shop.example', 'pro'),
	zone('a947660370b0b679559176bf9d8aead4', 'acme-pay.example', 'business'),
	zone('37448c39c748f8ae404e1e10860b5954', 'acme-legacy.example', 'enterprise'),
	zone('8311e2d173ef02ba0404f6be43393fec', 'acme-moved.example', 'pro'),
	zone('c256443891715f74f4f9dcc73d79961c', 'acme-moved.example', 'free', 'moved'),
];

function zone(id: string, name: string, plan: Plan, status: 'active' | 'moved' = 'active'): JsonObject {
	const since = '2024-03-01T09:30:00.000000Z';
	return {
		id,
		name,
		status,
		paused: false,
		type: 'full',
		development_mode: 0,
		name_servers: ['ada.ns.acme.example', 'bob.ns.acme.example'],
		original_name_servers: null,
		original_registrar: null,
		original_dnshost: null,
		created_on: since,
		modified_on: since,
		activated_on: since,
		owner: {id: user.id, type: 'user', email: user.email},
		account: {id: account.id, name: account.name},
		permissions: ['#zone:read', '#waf:read', '#waf:edit'],
		plan: {
			...plans[plan],
			legacy_id: plan,
			currency: 'USD',
			frequency: plan === 'enterprise' ? '' : 'monthly',
			is_subscribed: plan !== 'free',
			can_subscribe: false,
		},
	};
}
