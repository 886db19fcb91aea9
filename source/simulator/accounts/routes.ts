import {buildErrorAnswer, buildSuccessAnswer, refuseRequest} from '../http/answer.ts';
import {buildPageAnswer} from '../http/pages.ts';
import type {RequestContext, Route} from '../http/route.ts';
import {buildMembership, type SimulatedAccount, simulatedUser} from './identities.ts';

/** The path of the call that verifies a token; it has its own refusal messages. */
export const tokenVerifyPath = '/user/tokens/verify';

export const accountRoutes: readonly Route[] = [
	{method: 'GET', path: '/user', answer: () => buildSuccessAnswer(simulatedUser)},
	{method: 'GET', path: tokenVerifyPath, answer: verifyToken},
	{
		method: 'GET',
		path: '/memberships',
		answer: context =>
			buildPageAnswer(context, context.accounts.map(buildMembership), {
				minSize: 5,
				maxSize: 50,
				defaultSize: 20,
			}),
	},
	{method: 'GET', path: '/accounts', grant: 'account:read', answer: listAccounts},
	{method: 'GET', path: '/accounts/:account', grant: 'account:read', answer: showAccount},
];

function verifyToken({caller}: RequestContext) {
	const {tokenId: id, status} = caller;
	if (status !== 'active') return buildSuccessAnswer({id, status});
	const message = {code: 10000, message: 'This API Token is valid and active', type: null};
	return buildSuccessAnswer({id, status}, {messages: [message]});
}

function listAccounts(context: RequestContext) {
	const name = context.query.get('name')?.toLowerCase() ?? '';
	const matchingAccounts = context.accounts.filter(account => account.name.toLowerCase().includes(name));
	return buildPageAnswer(context, matchingAccounts, {minSize: 5, maxSize: 50, defaultSize: 20});
}

function showAccount({accounts, parameters}: RequestContext) {
	return buildSuccessAnswer(
		accounts.find(({id}) => id === parameters.account) ?? refuseRequest(403, unauthorizedError),
	);
}

const hexId = /^[0-9a-f]{32}$/;

/**
 * Refuses path identifiers that are malformed, and accounts the user does not belong to: with a KV error on
 * KV routes, otherwise with an account error.
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
		'list',
		'listOperation',
	]) {
		const id = parameters[name];
		if (id !== undefined && !hexId.test(id)) refuseRequest(404, buildUnroutableErrors(path));
	}
	const requestedAccount = parameters.account;
	if (requestedAccount === undefined || accounts.some(({id}) => id === requestedAccount)) return;
	if (route.grant?.startsWith('kv:')) refuseRequest(401, authenticationError);
	refuseRequest(403, unauthorizedError);
}

/** A valid credential without access to this zone or account. */
export const unauthorizedError = {code: 9109, message: 'Unauthorized to access requested resource'};

/** The error of key-value, firewall and ruleset calls if the credential lacks access. */
export const authenticationError = {code: 10000, message: 'Authentication error'};

const buildUnroutableErrors = (path: string) => [
	{code: 7003, message: `Could not route to /client/v4${path}, perhaps your object identifier is invalid?`},
	{code: 7000, message: 'No route for that URI'},
];

export const buildUnknownRouteAnswer = (path: string) => buildErrorAnswer(404, buildUnroutableErrors(path));
