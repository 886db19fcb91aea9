import {withoutConstants} from '../expression/expressions.ts';
import {describeEarlierRules, type EarlierRule, findEarlierRules} from './earlier-rules.ts';
import type {EmergencyDraft} from './emergency-draft.ts';
import type {FirewallZone, Rule} from './rule.ts';

/** What an emergency rule does not protect from. */
type EmergencyLimit = {
	readonly about: 'earlier rule' | 'order unknown' | 'access rules' | 'challenge' | 'elsewhere' | 'past';
	readonly sentence: string;
};

/** How it will stand: a firewall rule among the others of its zone, or the first custom rule. */
export type EmergencyForm = 'firewall rule' | 'custom rule';

/**
 * What gets through all the same once an emergency rule is in force, as far as the rules of the zone tell and follows
 * from what a rule is: `rules` is `undefined` where they were not read. */
export function emergencyLimits(
	draft: EmergencyDraft,
	zone: Pick<FirewallZone, 'name'>,
	rules: readonly Rule[] | undefined,
	form: EmergencyForm,
): readonly EmergencyLimit[] {
	return [
		...(form === 'custom rule' ? [] : rules ? ofRulesBefore(rulesBefore(draft, rules)) : [orderUnknown]),
		accessRules,
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
	sentence: 'What earlier rules let through: the rules of the zone have not been read yet.',
};

const accessRules: EmergencyLimit = {
	about: 'access rules',
	sentence: 'What IP access rules let through: ledge does not read them.',
};

const challenge: EmergencyLimit = {
	about: 'challenge',
	sentence: 'Whoever passes the challenge gets through.',
};

/** The firewall rules that would run before a new one, and let some of its requests through; none while it is typed. */
export const rulesBefore = (draft: EmergencyDraft, rules: readonly Rule[]): readonly EarlierRule[] =>
	withoutConstants(draft.filter.expression) === undefined
		? []
		: findEarlierRules(
				{id: '', action: draft.action, priority: draft.priority ?? null},
				draft.filter.expression,
				rules,
			);

const ofRulesBefore = (earlier: readonly EarlierRule[]): readonly EmergencyLimit[] =>
	describeEarlierRules(earlier).map(sentence => ({about: 'earlier rule', sentence}));
