import {sourceInWords} from '../analytics/event-words.ts';
import type {SecurityEvent} from '../analytics/events.ts';
import type {Rule} from '../firewall/rules/rule.ts';
import {rulesetName} from '../migration/configuration/mapping.ts';
import type {ManagedContents} from '../migration/zone/managed-contents.ts';
import type {RulesetRule} from '../rulesets/ruleset.ts';

/** What an event, or a group of events, reports about the rule behind it. */
export type RuleReference = Pick<SecurityEvent, 'source'> &
	Partial<Pick<SecurityEvent, 'rule' | 'ruleset' | 'description'>>;

/** Rules of a zone that were read: names are looked up among them. What was not read is `undefined`. */
export type KnownRules = {
	readonly custom?: readonly RulesetRule[] | undefined;
	readonly firewall?: readonly Rule[] | undefined;
	readonly managed?: readonly ManagedContents[] | undefined;
	/** The rules of the zone that execute managed rulesets or skip some of them. */
	readonly executing?: readonly RulesetRule[] | undefined;
	readonly rateLimits?: readonly RulesetRule[] | undefined;
};

/** `other`: not a rule that ledge shows. */
export type RuleKind = 'custom' | 'firewall' | 'managed' | 'previous' | 'rate limit' | 'other';

/** The rule behind an event. */
export type RuleBehind = {
	readonly kind: RuleKind;
	readonly id: string | undefined;
	/** What it is called; `undefined` where neither the event nor the rules that were read name it. */
	readonly name: string | undefined;
	/** Which requests a rule of the zone is for; `undefined` where it was not read. */
	readonly expression: string | undefined;
	/** The managed ruleset that it is in; its name is `undefined` where it was not read. */
	readonly ruleset: {readonly id: string; readonly name: string | undefined} | undefined;
};

const kinds: Readonly<Record<string, RuleKind>> = {
	waf: 'previous',
	firewallManaged: 'managed',
	firewallCustom: 'custom',
	firewallRules: 'firewall',
	ratelimit: 'rate limit',
	firewallRatelimit: 'rate limit',
};

/** What kind of rule events of a source are from. */
export const kindOfSource = (source: string): RuleKind =>
	Object.hasOwn(kinds, source) ? (kinds[source] ?? 'other') : 'other';

/** The rule behind an event: named by the event itself, else by the rules that were read. Nothing is asked for. */
export function ruleBehind(reference: RuleReference, known: KnownRules): RuleBehind {
	const {source, rule: id, ruleset, description} = reference;
	const kind = kindOfSource(source);
	const within = kind === 'managed' ? rulesetOf(id, ruleset, known) : undefined;
	const rule = id === undefined ? undefined : rulesOf(kind, known).find(one => one.id === id);
	return {
		kind,
		id,
		name: description || rule?.description || undefined,
		expression: rule && kind !== 'managed' ? expressionOf(rule) : undefined,
		ruleset: within,
	};
}

type KnownRule = {
	readonly id?: string | undefined;
	readonly description?: string | undefined;
	readonly expression?: string | undefined;
	readonly filter?: Rule['filter'];
};

/** `undefined` where the filter of a firewall rule was deleted. */
const expressionOf = ({expression, filter}: KnownRule): string | undefined =>
	expression ?? (filter && 'expression' in filter ? filter.expression : undefined);

function rulesOf(kind: RuleKind, known: KnownRules): readonly KnownRule[] {
	switch (kind) {
		case 'custom':
			return known.custom ?? [];
		case 'firewall':
			return known.firewall ?? [];
		case 'rate limit':
			return known.rateLimits ?? [];
		case 'managed':
			return [...(known.managed?.flatMap(({rules = []}) => rules) ?? []), ...(known.executing ?? [])];
		case 'previous':
		case 'other':
			return [];
		default:
			return kind satisfies never;
	}
}

/** The managed ruleset that an event names; where that was not read, the ruleset that has the rule. */
function rulesetOf(
	id: string | undefined,
	named: string | undefined,
	{managed = []}: KnownRules,
): RuleBehind['ruleset'] {
	const known = managed.find(one => one.id === named);
	const having = known ?? managed.find(({rules = []}) => rules.some(rule => rule.id === id));
	if (having) return {id: having.id, name: having.name};
	if (named === undefined) return undefined;
	const name = rulesetName(named);
	return {id: named, name: name === named ? undefined : name};
}

/** How a rule is called in a list: by its name, else its expression, else its id, else what it comes from. */
export const calledIn = ({source}: RuleReference, {name, expression, id}: RuleBehind): string =>
	name ?? expression ?? id ?? sourceInWords(source);
