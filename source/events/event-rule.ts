import {formatEventSource} from '../analytics/event-words.ts';
import type {SecurityEvent} from '../analytics/events.ts';
import type {Rule} from '../firewall/rules/rule.ts';
import {formatRulesetName} from '../migration/configuration/mapping.ts';
import type {ManagedContents} from '../migration/zone/managed-contents.ts';
import type {RulesetRule} from '../rulesets/ruleset.ts';

/** What an event or group of events reports about its rule. */
export type RuleReference = Pick<SecurityEvent, 'source'> &
	Partial<Pick<SecurityEvent, 'ruleId' | 'rulesetId' | 'description'>>;

/** Rules of a zone for looking up names. Undefined if not read. */
export type KnownRules = {
	readonly custom?: readonly RulesetRule[] | undefined;
	readonly firewall?: readonly Rule[] | undefined;
	readonly managed?: readonly ManagedContents[] | undefined;
	/** Rules that execute managed rulesets or skip parts of them. */
	readonly executing?: readonly RulesetRule[] | undefined;
	readonly rateLimits?: readonly RulesetRule[] | undefined;
};

/**
 * The kind of a rule. `previous` is a managed rule of the version before the migration; `other` is any that
 * ledge does not show.
 */
export type EventRuleKind = 'custom' | 'firewall' | 'managed' | 'previous' | 'rate limit' | 'other';

/** The rule behind an event. */
export type EventRule = {
	readonly kind: EventRuleKind;
	readonly id: string | undefined;
	/** Undefined if neither the event nor the known rules name it. */
	readonly name: string | undefined;
	/** Expression of the rule; undefined if it was not read. */
	readonly expression: string | undefined;
	/** Its managed ruleset; the name is undefined if that was not read. */
	readonly ruleset: {readonly id: string; readonly name: string | undefined} | undefined;
};

const kindBySource: Readonly<Record<string, EventRuleKind>> = {
	waf: 'previous',
	firewallManaged: 'managed',
	firewallCustom: 'custom',
	firewallRules: 'firewall',
	ratelimit: 'rate limit',
	firewallRatelimit: 'rate limit',
};

/** Returns the kind of rule behind events of a source. */
export const getRuleKind = (source: string): EventRuleKind =>
	Object.hasOwn(kindBySource, source) ? (kindBySource[source] ?? 'other') : 'other';

/** Resolves the rule behind an event, preferring the event's own name over known rules. Sends nothing. */
export function resolveEventRule(reference: RuleReference, knownRules: KnownRules): EventRule {
	const {source, ruleId: id, rulesetId, description} = reference;
	const kind = getRuleKind(source);
	const managedRuleset = kind === 'managed' ? findEventRuleset(id, rulesetId, knownRules) : undefined;
	const rule = id === undefined ? undefined : getKnownRules(kind, knownRules).find(one => one.id === id);
	return {
		kind,
		id,
		name: description || rule?.description || undefined,
		expression: rule && kind !== 'managed' ? getExpression(rule) : undefined,
		ruleset: managedRuleset,
	};
}

type KnownRule = {
	readonly id?: string | undefined;
	readonly description?: string | undefined;
	readonly expression?: string | undefined;
	readonly filter?: Rule['filter'];
};

/** Undefined if the filter of a firewall rule was deleted. */
const getExpression = ({expression, filter}: KnownRule): string | undefined =>
	expression ?? (filter && 'expression' in filter ? filter.expression : undefined);

function getKnownRules(kind: EventRuleKind, knownRules: KnownRules): readonly KnownRule[] {
	switch (kind) {
		case 'custom':
			return knownRules.custom ?? [];
		case 'firewall':
			return knownRules.firewall ?? [];
		case 'rate limit':
			return knownRules.rateLimits ?? [];
		case 'managed':
			return [
				...(knownRules.managed?.flatMap(({rules = []}) => rules) ?? []),
				...(knownRules.executing ?? []),
			];
		case 'previous':
		case 'other':
			return [];
		default:
			return kind satisfies never;
	}
}

/** Finds the managed ruleset that an event names, else the one that has the rule. */
function findEventRuleset(
	ruleId: string | undefined,
	rulesetId: string | undefined,
	{managed = []}: KnownRules,
): EventRule['ruleset'] {
	const knownRuleset = managed.find(one => one.id === rulesetId);
	const owner = knownRuleset ?? managed.find(({rules = []}) => rules.some(rule => rule.id === ruleId));
	if (owner) return {id: owner.id, name: owner.name};
	if (rulesetId === undefined) return undefined;
	const name = formatRulesetName(rulesetId);
	return {id: rulesetId, name: name === rulesetId ? undefined : name};
}

/** Formats a rule for a list: its name, else its expression, id or source. */
export const formatEventRuleName = ({source}: RuleReference, {name, expression, id}: EventRule): string =>
	name ?? expression ?? id ?? formatEventSource(source);
