/** What a rule does, as far as its effect goes; `products` are all that it goes around. */
type Effect = {readonly action: string; readonly products?: readonly string[] | undefined};

/** What becomes of requests when a rule stops working. */
export function whenOff({action, products = []}: Effect): string {
	switch (action) {
		case 'block':
			return 'What it blocks gets through at once, unless another rule holds it.';
		case 'challenge':
		case 'js_challenge':
		case 'managed_challenge':
			return 'What it challenges gets through without a challenge at once.';
		case 'allow':
			return 'What it lets through meets the rules after it again, at once.';
		case 'bypass':
			return `Requests that it leads around ${products.join(', ') || 'other products'} meet them again at once.`;
		case 'skip':
			return `Requests that skip ${listed(products)} because of it meet them again at once.`;
		case 'log':
			return 'It no longer logs; requests are handled as before.';
		default:
			return `Its action, ${action}, no longer applies.`;
	}
}

/** What becomes of requests when a rule works again. */
export function whenOn({action, products = []}: Effect): string {
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
			return `Requests that it matches skip ${listed(products)} at once.`;
		case 'log':
			return 'It logs again; requests are handled as before.';
		default:
			return `Its action, ${action}, applies again.`;
	}
}

const listed = (products: readonly string[]): string =>
	products.map(name => (name === 'remaining' ? 'the custom rules after it' : name)).join(', ') ||
	'other protection';
