import {analyse} from './analyse.ts';
import {holds} from './evaluate.ts';
import {readAddress} from './grammar/addresses.ts';
import type {Expression} from './grammar/tree.ts';
import {sampleRequests} from './sample-requests.ts';

/** The share of all requests from which on an expression matches nearly all traffic. */
const nearlyAll = 0.9;

/**
 * Whether an expression matches all or nearly all traffic of IPv4 or of IPv6: it is constant, or only excludes what is not
 * meant. A condition that names what is meant, joined by `and`, keeps an expression from it. Asks nobody.
 */
function reachesNearlyAll(tree: Expression): boolean {
	return ([4, 6] as const).some(version => {
		const requests = sampleRequests.filter(request => request.version === version);
		const held = requests.filter(request => holds(tree, request));
		return held.length >= requests.length * nearlyAll;
	});
}

/** The same of a text. What does not parse is not judged: the service refuses it, or knows what ledge does not. */
export function matchesNearlyAll(expression: string, _zone: string | undefined): boolean {
	const tree = withoutConstants(expression);
	return tree !== undefined && reachesNearlyAll(tree);
}

/**
 * Whether an expression matches all or nearly all requests from one address, by `ip.src` alone: not where it looks at a
 * path, too. `false` for what is not an address.
 */
export function matchesAddress(expression: string, text: string): boolean {
	const tree = withoutConstants(expression);
	const address = readAddress(text);
	if (!tree || !address.ok) return false;
	const requests = sampleRequests.filter(request => request.version === address.version);
	const held = requests.filter(request =>
		holds(tree, {...request, field: name => (name === 'ip.src' ? address : request.field(name))}),
	);
	return held.length >= requests.length * nearlyAll;
}

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
