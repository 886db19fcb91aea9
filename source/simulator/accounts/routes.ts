import {done, refuse, refused} from '../http/answer.ts';
import {pageOf} from '../http/pages.ts';
import type {Ask, Route} from '../http/route.ts';
import {membershipOf, type SimulatedAccount, user} from './identities.ts';

/** The path of the call that verifies a token; its refusals have messages of their own. */
export const tokenCheck = '/user/tokens/verify';

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
 * Refuses path identifiers that are malformed, and accounts the user does not belong to: with the KV error
 * for KV routes, otherwise with that of accounts.
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

/** A valid credential without access to this zone or account. */
export const notGranted = {code: 9109, message: 'Unauthorized to access requested resource'};

/** What key-value, firewall and rulesets calls answer if the credential lacks access. */
export const notAuthenticated = {code: 10000, message: 'Authentication error'};

const unroutable = (path: string) => [
	{code: 7003, message: `Could not route to /client/v4${path}, perhaps your object identifier is invalid?`},
	{code: 7000, message: 'No route for that URI'},
];

export const unknownRoute = (path: string) => refused(404, unroutable(path));
