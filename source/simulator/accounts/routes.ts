import {done, refuse, refused} from '../http/answer.ts';
import {pageOf} from '../http/pages.ts';
import type {Ask, Route} from '../http/route.ts';
import {membershipOf, type SimulatedAccount, user} from './identities.ts';

/** The call that tests a token: it refuses in its own words. */
export const tokenCheck = '/user/tokens/verify';

/** The user, the tokens and the accounts. */
export const accountRoutes: readonly Route[] = [
	{method: 'GET', path: '/user', answer: () => done(user)},
	{method: 'GET', path: tokenCheck, answer: verifyToken},
	{
		method: 'GET',
		path: '/memberships',
		answer: ask => pageOf(ask, ask.accounts.map(membershipOf), {least: 5, most: 50, usual: 20}),
	},
	{method: 'GET', path: '/accounts', grant: 'account:read', answer: listAccounts},
	{method: 'GET', path: '/accounts/:account', grant: 'account:read', answer: showAccount},
];

function verifyToken({caller}: Ask) {
	const {tokenId: id, status} = caller;
	if (status !== 'active') return done({id, status});
	const message = {code: 10000, message: 'This API Token is valid and active', type: null};
	return done({id, status}, {messages: [message]});
}

function listAccounts(ask: Ask) {
	const name = ask.query.get('name')?.toLowerCase() ?? '';
	const found = ask.accounts.filter(account => account.name.toLowerCase().includes(name));
	return pageOf(ask, found, {least: 5, most: 50, usual: 20});
}

function showAccount({accounts, parameters}: Ask) {
	return done(accounts.find(({id}) => id === parameters.account) ?? refuse(403, notGranted));
}

const hexId = /^[0-9a-f]{32}$/;

/**
 * Refuses identifiers in the path that have the wrong form, and an account that the user does not belong to
: in the words of the KV part for its routes, else in those of accounts.
 */
export function checkIdentifiers(
	route: Route,
	path: string,
	parameters: Readonly<Record<string, string>>,
	accounts: readonly SimulatedAccount[],
): void {
	for (const name of [
		'account',
		'zone',
		'filter',
		'rule',
		'ruleset',
		'package',
		'group',
		'override',
		'pageRule',
	]) {
		const id = parameters[name];
		if (id !== undefined && !hexId.test(id)) refuse(404, unroutable(path));
	}
	const named = parameters.account;
	if (named === undefined || accounts.some(({id}) => id === named)) return;
	if (route.grant?.startsWith('kv:')) refuse(401, notAuthenticated);
	refuse(403, notGranted);
}

/** A valid credential, but not for this zone or account. */
export const notGranted = {code: 9109, message: 'Unauthorized to access requested resource'};

/** What key-value, firewall and rulesets calls say where the credential does not reach. */
export const notAuthenticated = {code: 10000, message: 'Authentication error'};

const unroutable = (path: string) => [
	{code: 7003, message: `Could not route to /client/v4${path}, perhaps your object identifier is invalid?`},
	{code: 7000, message: 'No route for that URI'},
];

/** What an address without a route gets. */
export const unknownRoute = (path: string) => refused(404, unroutable(path));
