import type {JsonObject} from '../../json.ts';

const since = '2024-03-01T09:00:00.000000Z';

/** The only account of the simulated service (decision 21). */
export const account = {
	id: '910896fde4470afb4fab0b3c5e3aaff8',
	name: 'Acme (simulated)',
	type: 'standard',
	settings: {enforce_twofactor: false},
	created_on: since,
} satisfies JsonObject;

/** The only user. */
export const user = {
	id: '777429f440b7a34ff23b5c77eeef1bb0',
	email: 'operator@acme.example',
	first_name: 'Alex',
	last_name: 'Operator',
	username: 'operator',
	telephone: null,
	country: null,
	zipcode: null,
	two_factor_authentication_enabled: false,
	suspended: false,
	created_on: since,
	modified_on: since,
} satisfies JsonObject;

/** What makes the user a member of the account. */
export const membership = {
	id: 'e0a7abd0ce2cf73f888bbb4639613931',
	status: 'accepted',
	account: {...account},
	api_access_enabled: true,
	roles: ['Super Administrator - All Privileges'],
	permissions: {workers: {read: true, write: true}, zone: {read: true, write: true}},
} satisfies JsonObject;
