import type {JsonObject} from '../../text/json.ts';
import {simulatedAccount, simulatedUser} from '../accounts/identities.ts';
import type {Plan} from '../accounts/plan.ts';

const planDetails: Readonly<Record<Plan, {id: string; name: string; price: number}>> = {
	free: {id: '0feeeeeeeeeeeeeeeeeeeeeeeeeeeeee', name: 'Free Website', price: 0},
	pro: {id: '1bc1fa6247b7c8e1ab2bbbbbbbbbbbbb', name: 'Pro Plan', price: 20},
	business: {id: '2dbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', name: 'Business Plan', price: 200},
	enterprise: {id: '3eeeeeeeeeeeeeeeeeeeeeeeeeeeeeee', name: 'Enterprise Website', price: 0},
};

/** Ids of sample zones, by their role in the migration. They are stable, so that examples can name them. */
export const migrationZones = {
	acme: 'd0e032749968114a09730950255c7c0f',
	shop: '6e23b63489e7241c0d871b10a397cebb',
	pay: 'a947660370b0b679559176bf9d8aead4',
	/** Has URI-based overrides. */
	legacy: '37448c39c748f8ae404e1e10860b5954',
	/** Has more firewall rules than can be migrated. */
	bulk: 'b0a1d4c37e5f4b0e9a6c1f2d3e4b5a60',
	/** Has an expression too large to migrate. */
	long: '3f6e5d4c2b1a4e8f9d0c7b6a5f4e3d21',
	/** In validation. */
	check: 'c4e8a1f05b3d4c7e8f9a0b1c2d3e4f52',
	/** Migrating when the world is created. */
	migrating: '5d2f8e1c4a7b4d3f9e6c0a1b2c3d4e63',
	/** Migrated. */
	done: '7b3a9d2e6c5f4e1a8d7b0c1d2e3f4a74',
	/** Has little to migrate: OWASP is off, and nothing bypasses managed rules. */
	plain: '9e4c0b3f7d6a4f2b8c5e1d2c3b4a5f85',
} as const;

/**
 * A zone on each plan, a zone whose settings block the migration, two with the same name, and one for each
 * stage of the migration and for each obstacle to it.
 */
export const sampleZones: readonly JsonObject[] = [
	createZone('d0e032749968114a09730950255c7c0f', 'acme.example', 'enterprise'),
	createZone('61bf267f4af510ca281c94950d62fbea', 'acme-blog.example', 'free'),
	createZone('6e23b63489e7241c0d871b10a397cebb', 'acme-shop.example', 'pro'),
	createZone('a947660370b0b679559176bf9d8aead4', 'acme-pay.example', 'business'),
	createZone('37448c39c748f8ae404e1e10860b5954', 'acme-legacy.example', 'enterprise'),
	createZone('8311e2d173ef02ba0404f6be43393fec', 'acme-moved.example', 'pro'),
	createZone('c256443891715f74f4f9dcc73d79961c', 'acme-moved.example', 'free', 'moved'),
	createZone(migrationZones.bulk, 'bulk.acme.example', 'enterprise'),
	createZone(migrationZones.long, 'long.acme.example', 'business'),
	createZone(migrationZones.check, 'check.acme.example', 'enterprise'),
	createZone(migrationZones.migrating, 'turning.acme.example', 'business'),
	createZone(migrationZones.done, 'done.acme.example', 'pro'),
	createZone(migrationZones.plain, 'plain.acme.example', 'pro'),
];

/** Builds a zone of the account in the format of answers. */
export const buildSampleZone = (id: string, name: string, plan: Plan): JsonObject =>
	createZone(id, name, plan);

function createZone(id: string, name: string, plan: Plan, status: 'active' | 'moved' = 'active'): JsonObject {
	const creationTime = '2024-03-01T09:30:00.000000Z';
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
		created_on: creationTime,
		modified_on: creationTime,
		activated_on: creationTime,
		owner: {id: simulatedUser.id, type: 'user', email: simulatedUser.email},
		account: {id: simulatedAccount.id, name: simulatedAccount.name},
		permissions: ['#zone:read', '#waf:read', '#waf:edit'],
		plan: {
			...planDetails[plan],
			legacy_id: plan,
			currency: 'USD',
			frequency: plan === 'enterprise' ? '' : 'monthly',
			is_subscribed: plan !== 'free',
			can_subscribe: false,
		},
	};
}
