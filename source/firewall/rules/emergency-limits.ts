import type {EmergencyDraft} from './emergency.ts';
import type {Extension} from './emergency-extension.ts';
import {evaluationOrder} from './order.ts';
import {type FirewallZone, isInForce, type Rule} from './rule.ts';

/** What an emergency rule does not protect from. */
type EmergencyLimit = {
	readonly about:
		| 'let through before'
		| 'challenged before'
		| 'decided before'
		| 'order unknown'
		| 'challenge'
		| 'elsewhere'
		| 'past';
	readonly sentence: string;
};

/** How it will stand: a firewall rule among the others of its zone, or the first custom rule. */
export type EmergencyForm = 'firewall rule' | 'custom rule';

/**
 * What gets through all the same once an emergency rule is in force, as far as the rules of the zone tell and follows
 * from what a rule is: `rules` is `undefined` where they were not read. Addresses that are added to a rule
 * (`extension`) have the place of that rule.
 */
export function emergencyLimits(
	draft: EmergencyDraft,
	zone: Pick<FirewallZone, 'name'>,
	rules: readonly Rule[] | undefined,
	form: EmergencyForm,
	extension?: Extension,
): readonly EmergencyLimit[] {
	return [
		...(extension
			? ofExtension(extension, rules)
			: form === 'custom rule'
				? []
				: rules
					? ofRulesBefore(draft.action, rulesBefore(draft, rules))
					: [orderUnknown]),
		...(draft.action === 'block' ? [] : [challenge]),
		{
			about: 'elsewhere',
			sentence: `Requests that do not come through ${zone.name} at the service: to the server by its own address, to other zones.`,
		},
		{about: 'past', sentence: 'What was let through before it is in force.'},
	];
}

const orderUnknown: EmergencyLimit = {
	about: 'order unknown',
	sentence: 'Rules that go before it and let requests through: the rules of the zone are not read yet.',
};

const challenge: EmergencyLimit = {
	about: 'challenge',
	sentence: 'Whoever passes the challenge gets through.',
};

/**
 * The rules that are evaluated before it, are in force, and end the evaluation without a block: `log` and `bypass` do
 * not end it, so that they let nothing past it. What has no priority goes last, blocks after all others.
 */
export function rulesBefore(draft: EmergencyDraft, rules: readonly Rule[]): readonly Rule[] {
	const own: Rule = {
		id: '',
		paused: false,
		action: draft.action,
		priority: draft.priority ?? null,
		filter: {id: '', deleted: true},
	};
	return weakerBefore(evaluationOrder([...rules, own]), own);
}

const weakerBefore = (order: readonly Rule[], own: Rule): readonly Rule[] =>
	order
		.slice(0, order.indexOf(own))
		.filter(rule => isInForce(rule) && !['block', 'log', 'bypass'].includes(rule.action));

function ofExtension(extension: Extension, rules: readonly Rule[] | undefined): readonly EmergencyLimit[] {
	const {id} = extension;
	if (extension.form === 'custom rule') {
		const all = extension.entry.rules;
		const before = all.slice(
			0,
			all.findIndex(rule => rule.id === id),
		);
		const acting = before.filter(({enabled}) => enabled !== false);
		return ofRulesBefore(
			'block',
			acting.flatMap(({id: other = '', action, description}) =>
				action === 'skip' || challenges.has(action)
					? [{id: other, action: action === 'skip' ? 'allow' : action, description}]
					: [],
			),
		);
	}
	const own = rules?.find(rule => rule.id === id);
	return rules && own ? ofRulesBefore('block', weakerBefore(evaluationOrder(rules), own)) : [orderUnknown];
}

const challenges: ReadonlySet<string> = new Set(['challenge', 'js_challenge', 'managed_challenge']);

type Named = Pick<Rule, 'id' | 'action' | 'description'>;

function ofRulesBefore(own: string, before: readonly Named[]): readonly EmergencyLimit[] {
	const passing = before.filter(({action}) => action === 'allow');
	const strange = before.filter(({action}) => action !== 'allow' && !challenges.has(action));
	const challenging = own === 'block' ? before.filter(({action}) => challenges.has(action)) : [];
	const limit = (
		about: EmergencyLimit['about'],
		found: readonly Named[],
		does: (subject: string, s: string) => string,
	): readonly EmergencyLimit[] =>
		found.length === 0
			? []
			: [{about, sentence: does(`What ${inShort(found)}`, found.length === 1 ? 's' : '')}];
	return [
		...limit('let through before', passing, (what, s) => `${what} let${s} through: ${goes(s)} before it.`),
		...limit(
			'challenged before',
			challenging,
			(what, s) => `${what} only challenge${s}: ${goes(s)} before it.`,
		),
		...limit(
			'decided before',
			strange,
			(what, s) => `${what} decide${s}: ${goes(s)} before it, and ledge does not know the action.`,
		),
	];
}

const goes = (s: string): string => (s === '' ? 'they go' : 'it goes');

/** Rules that are named; of more than two, the others are counted. */
const mostNamed = 2;

function inShort(rules: readonly Named[]): string {
	const names = rules
		.slice(0, mostNamed)
		.map(({action, description, id}) => `${action} ${description ? `"${shortened(description)}"` : id}`);
	const more = rules.length - names.length;
	const all = more > 0 ? [...names, `${more} more`] : names;
	return `the rule${rules.length === 1 ? '' : 's'} ${[all.slice(0, -1).join(', '), all.at(-1)].filter(Boolean).join(' and ')}`;
}

/** A description can have 500 characters. */
function shortened(description: string): string {
	const characters = [...description];
	return characters.length > 40 ? `${characters.slice(0, 39).join('')}…` : description;
}
