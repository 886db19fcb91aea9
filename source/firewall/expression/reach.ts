import {analyse} from './analyse.ts';
import {holds} from './evaluate.ts';
import {readAddress} from './grammar/addresses.ts';
import type {Expression} from './grammar/tree.ts';
import {type SampleRequest, sampleTraffic} from './sample-requests.ts';

/** The share of the requests of a site from which on an expression matches nearly all of them. */
const nearlyAll = 0.9;

/**
 * True if an expression matches nearly all of what ordinary visitors of a zone send, by IPv4 or by IPv6: it is constant,
 * names what nearly all of them have (the host, TLS, GET, port 443, `/`), or only excludes what is rare. A condition
 * that names one path, country, network, program or cookie, joined by `and`, keeps an expression from it. Without a
 * zone no host counts as its own. False for what does not parse: the service refuses it, or knows what ledge does not.
 */
export function matchesNearlyAll(expression: string, zone: string | undefined): boolean {
	const tree = withoutConstants(expression);
	return tree !== undefined && sampleTraffic(zone).some(requests => holdsForNearlyAll(tree, requests));
}

/**
 * True if an expression matches all or nearly all requests from one address to a zone, by `ip.src` alone: not where it
 * looks at a path, too. False for what is not an address.
 */
export function matchesAddress(expression: string, text: string, zone: string | undefined): boolean {
	const tree = withoutConstants(expression);
	const address = readAddress(text);
	if (!tree || !address.ok) return false;
	return sampleTraffic(zone)
		.map(requests => requests.filter(({version}) => version === address.version))
		.filter(requests => requests.length > 0)
		.map(requests => requests.map(request => fromAddress(request, address)))
		.some(requests => holdsForNearlyAll(tree, requests));
}

const holdsForNearlyAll = (tree: Expression, requests: readonly SampleRequest[]): boolean =>
	requests.filter(request => holds(tree, request)).length >= requests.length * nearlyAll;

const fromAddress = (request: SampleRequest, address: ReturnType<SampleRequest['field']>): SampleRequest => ({
	...request,
	field: name => (name === 'ip.src' ? address : request.field(name)),
});

/** Constants, which ledge reads by themselves only, replace what is always true, as a service reads them anywhere. */
const standIns: Readonly<Record<string, string>> = {true: '(ssl or not ssl)', false: '(ssl and not ssl)'};

/** The tree of an expression in which constants are comparisons; `undefined` where it does not parse. */
export function withoutConstants(expression: string): Expression | undefined {
	const {tree, tokens} = analyse(expression);
	if (tree) return tree;
	const replaced = tokens
		.map(({start, end}) => expression.slice(start, end))
		.map(text => standIns[text] ?? text)
		.join('');
	return replaced === expression ? undefined : analyse(replaced).tree;
}
