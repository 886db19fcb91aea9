import {createHash} from 'node:crypto';
import type {JsonObject} from '../../text/json.ts';

const creationTime = '2024-03-01T09:00:00.000000Z';

/** The first account of the simulated service. */
export const simulatedAccount = {
	id: '910896fde4470afb4fab0b3c5e3aaff8',
	name: 'Acme (simulated)',
	type: 'standard',
	settings: {enforce_twofactor: false},
	created_on: creationTime,
} satisfies JsonObject;

export type SimulatedAccount = Omit<typeof simulatedAccount, 'id' | 'name'> & {
	readonly id: string;
	readonly name: string;
};

/** Builds `count` accounts of the user, at least one: `simulatedAccount`, then others with stable ids. */
export const buildSimulatedAccounts = (count: number): readonly SimulatedAccount[] =>
	Array.from({length: Math.max(1, count)}, (_, index) =>
		index === 0
			? simulatedAccount
			: {
					...simulatedAccount,
					id: createHash('sha256')
						.update(`account ${index + 1}`)
						.digest('hex')
						.slice(0, 32),
					name: `Account ${index + 1} (simulated)`,
				},
	);

export const simulatedUser = {
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
	created_on: creationTime,
	modified_on: creationTime,
} satisfies JsonObject;

/** Builds the user's membership in an account, with an id derived from the account's. */
export const buildMembership = (account: SimulatedAccount) => ({
	id: account === simulatedAccount ? 'e0a7abd0ce2cf73f888bbb4639613931' : [...account.id].reverse().join(''),
	status: 'accepted',
	account: {...account},
	api_access_enabled: true,
	roles: ['Super Administrator - All Privileges'],
	permissions: {workers: {read: true, write: true}, zone: {read: true, write: true}},
});
