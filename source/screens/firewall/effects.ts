import {formatSkippedName} from '../../firewall/rules/skip.ts';

/** The effect of a rule; `products`: everything it bypasses or skips. */
type Effect = {
	readonly action: string;
	readonly products?: readonly string[] | undefined;
	/** Subject of a sentence on what the rule does; "Matching requests" by default. */
	readonly affectedRequests?: string;
};

/** Describes what happens to requests when a rule stops working. */
export function describeStopEffect({action, products = []}: Effect): string {
	switch (action) {
		case 'block':
			return 'Blocked requests get through immediately, unless another rule stops them.';
		case 'challenge':
		case 'js_challenge':
		case 'managed_challenge':
			return 'Challenged requests get through immediately, without a challenge.';
		case 'allow':
			return 'Allowed requests are immediately checked by later rules again.';
		case 'bypass':
			return `Requests that bypass ${joinNames(products) || 'other products'} are immediately checked by ${products.length === 1 ? 'it' : 'them'} again.`;
		case 'skip':
			return `Requests that skip ${formatSkips(products)} are immediately checked again.`;
		case 'log':
			return 'Matching requests are no longer logged; they are handled as before.';
		default:
			return `The action ${action} no longer applies.`;
	}
}

/** Describes what happens to requests when a rule works again. */
export function describeStartEffect({
	action,
	products = [],
	affectedRequests = 'Matching requests',
}: Effect): string {
	switch (action) {
		case 'block':
			return `${affectedRequests} are blocked immediately.`;
		case 'challenge':
		case 'js_challenge':
		case 'managed_challenge':
			return `${affectedRequests} are challenged immediately.`;
		case 'allow':
			return 'Matching requests immediately get through without being checked by later rules.';
		case 'bypass':
			return `Matching requests immediately bypass ${joinNames(products) || 'other products'}.`;
		case 'skip':
			return `Matching requests immediately skip ${formatSkips(products)}.`;
		case 'log':
			return `${affectedRequests} are logged again; they are handled as before.`;
		default:
			return `The action ${action} applies again.`;
	}
}

const formatSkips = (products: readonly string[]): string =>
	joinNames(products.map(formatSkippedName)) || 'other protection';

/** Joins names for a sentence: "waf, bic and hot". */
const joinNames = (names: readonly string[]): string => new Intl.ListFormat('en-GB').format(names);

/** Says that rules which have ended have no effect, whatever their state. */
export const describeEndedRules = (count: number): string =>
	count === 1 ? 'It has ended and matches no more requests.' : 'They have ended and match no more requests.';
