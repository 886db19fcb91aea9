/** The effect of a rule; `products`: everything it bypasses or skips. */
type Effect = {readonly action: string; readonly products?: readonly string[] | undefined};

/** Describes what happens to requests when a rule stops working. */
export function describeStopEffect({action, products = []}: Effect): string {
	switch (action) {
		case 'block':
			return 'Requests it blocks get through immediately, unless another rule stops them.';
		case 'challenge':
		case 'js_challenge':
		case 'managed_challenge':
			return 'Requests it challenges immediately get through without a challenge.';
		case 'allow':
			return 'Requests it allows are checked by the later rules again, immediately.';
		case 'bypass':
			return `Requests that bypass ${products.join(', ') || 'other products'} are immediately checked by them again.`;
		case 'skip':
			return `Requests that skip ${formatSkips(products)} because of it are immediately checked again.`;
		case 'log':
			return 'It no longer logs; requests are handled as before.';
		default:
			return `Its action, ${action}, no longer applies.`;
	}
}

/** Describes what happens to requests when a rule works again. */
export function describeStartEffect({action, products = []}: Effect): string {
	switch (action) {
		case 'block':
			return 'What it matches is blocked at once.';
		case 'challenge':
		case 'js_challenge':
		case 'managed_challenge':
			return 'What it matches is challenged at once.';
		case 'allow':
			return 'What it matches is let through at once, past the rules after it.';
		case 'bypass':
			return `What it matches goes around ${products.join(', ') || 'other products'} at once.`;
		case 'skip':
			return `Requests that it matches skip ${formatSkips(products)} at once.`;
		case 'log':
			return 'It logs again; requests are handled as before.';
		default:
			return `Its action, ${action}, applies again.`;
	}
}

const formatSkips = (products: readonly string[]): string =>
	products.map(name => (name === 'remaining' ? 'the custom rules after it' : name)).join(', ') ||
	'other protection';
