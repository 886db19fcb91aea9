import {analyse} from './analyse.ts';
import {matchesRequest} from './evaluate.ts';
import {parseIpAddress} from './grammar/addresses.ts';
import type {Expression} from './grammar/tree.ts';
import {getSampleTraffic, type SampleRequest} from './sample-requests.ts';

/** Share of the sample requests of a site above which an expression matches nearly all traffic. */
const nearlyAllShare = 0.9;

/**
 * True if an expression matches nearly all ordinary traffic of a zone over IPv4 or IPv6: it is constant,
 * names what nearly all requests have (the host, TLS, GET, port 443, `/`), or only excludes rare cases. A
 * condition on one path, country, network, program or cookie, joined with `and`, makes it false. Without a
 * zone, no host counts as its own. False if the expression cannot be parsed.
 */
export function matchesNearlyAll(expression: string, zone: string | undefined): boolean {
	const tree = parseAllowingConstants(expression);
	return tree !== undefined && getSampleTraffic(zone).some(requests => matchesMostRequests(tree, requests));
}

/**
 * True if an expression matches nearly all requests from one address to a zone, because of `ip.src` alone and
 * not, for example, only on one path. False if `text` is not an address.
 */
export function matchesAddress(expression: string, text: string, zone: string | undefined): boolean {
	const tree = parseAllowingConstants(expression);
	const address = parseIpAddress(text);
	if (!tree || !address.ok) return false;
	return getSampleTraffic(zone)
		.map(requests => requests.filter(({version}) => version === address.version))
		.filter(requests => requests.length > 0)
		.map(requests => requests.map(request => withAddress(request, address)))
		.some(requests => matchesMostRequests(tree, requests));
}

const matchesMostRequests = (tree: Expression, requests: readonly SampleRequest[]): boolean =>
	requests.filter(request => matchesRequest(tree, request)).length >= requests.length * nearlyAllShare;

const withAddress = (request: SampleRequest, address: ReturnType<SampleRequest['field']>): SampleRequest => ({
	...request,
	field: name => (name === 'ip.src' ? address : request.field(name)),
});

/**
 * Replacements for constants, which the parser accepts only as whole expressions, while the service accepts
 * them anywhere.
 */
const constantReplacements: Readonly<Record<string, string>> = {
	true: '(ssl or not ssl)',
	false: '(ssl and not ssl)',
};

/**
 * Parses an expression after replacing constants with equivalent comparisons; undefined if it cannot be
 * parsed.
 */
export function parseAllowingConstants(expression: string): Expression | undefined {
	const {tree, tokens} = analyse(expression);
	if (tree) return tree;
	const replacedText = tokens
		.map(({start, end}) => expression.slice(start, end))
		.map(text => constantReplacements[text] ?? text)
		.join('');
	return replacedText === expression ? undefined : analyse(replacedText).tree;
}
