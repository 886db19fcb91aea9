import {thresholdRule} from '../../migration/configuration/mapping.ts';
import {executedRuleset} from '../../migration/configuration/override-edits.ts';
import type {Has} from '../../store/ledge-store.ts';
import {ruleUnderCursor} from '../catalogue/state.ts';
import {customRuleUnderCursor} from '../custom-rules/state.ts';
import {selectedRule} from '../firewall/listed.ts';
import type {OpenedZone} from '../firewall/state.ts';
import type {ManagedState} from '../managed/state.ts';
import {type EditRow, editRows} from '../managed-edit/edit-rows.ts';
import {rulesetIn} from '../managed-edit/host.ts';
import {limits} from '../rate-limits/rate-limits.ts';
import {actionsOf, withFound} from '../shell/action.ts';
import type {Action, Context} from '../shell/app.ts';
import {openEvents} from './opening.ts';
import type {Narrowing} from './state.ts';

type Wanted = {readonly zone: OpenedZone; readonly narrowing: Narrowing};

/** A rule that is looked at, as what events are narrowed by. */
function ofRule(source: string, id: string, description: string | undefined, ruleset?: string): Narrowing {
	return {
		part: 'rules',
		value: id,
		label: description || id,
		rule: {source, rule: id, ...(description && {description}), ...(ruleset !== undefined && {ruleset})},
	};
}

const inCustomRules = ({customRules: {data: customRules}}: Has<'customRules'>): Wanted | undefined => {
	const rule = customRuleUnderCursor(customRules);
	return customRules && rule
		? {zone: customRules.zone, narrowing: ofRule('firewallCustom', rule.id, rule.description)}
		: undefined;
};

const inFirewall = (state: Has<'firewall'>): Wanted | undefined => {
	const rule = selectedRule(state);
	return state.firewall.data && rule
		? {zone: state.firewall.data.zone, narrowing: ofRule('firewallRules', rule.id, rule.description)}
		: undefined;
};

const inRateLimits = ({rateLimits: {data: rateLimits}}: Has<'rateLimits'>): Wanted | undefined => {
	const {id, description} = limits.selected(rateLimits)?.rule ?? {};
	return rateLimits && id !== undefined
		? {zone: rateLimits.zone, narrowing: ofRule('ratelimit', id, description)}
		: undefined;
};

const inManaged = ({managed: {data: managed}}: Has<'managed'>): Wanted | undefined => {
	const row = managed && editRows(managed.configuration)[managed.cursor];
	if (!managed || !row) return undefined;
	const narrowing = ofEditRow(managed, row);
	return narrowing && {zone: managed.zone, narrowing};
};

function ofEditRow(managed: ManagedState, row: EditRow): Narrowing | undefined {
	const rule = managed.configuration.rules[row.index];
	const ruleset = rule && executedRuleset(rule);
	if (row.kind === 'override') return ofRule('firewallManaged', row.id, undefined, row.ruleset);
	if (row.kind === 'threshold') return ofRule('firewallManaged', thresholdRule, undefined, ruleset);
	if (ruleset !== undefined)
		return {part: 'rulesets', value: ruleset, label: rulesetIn({managed: managed.inForce?.managed}, ruleset)};
	return typeof rule?.id === 'string' ? ofRule('firewallManaged', rule.id, rule.description) : undefined;
}

const inCatalogue = ({
	catalogue: {data: catalogue},
	managed: {data: managed},
}: Has<'catalogue' | 'managed'>): Wanted | undefined => {
	const rule = ruleUnderCursor(catalogue);
	return managed && rule
		? {zone: managed.zone, narrowing: ofRule('firewallManaged', rule.id, rule.description, rule.ruleset.id)}
		: undefined;
};

/** The features whose lists have rules with events. */
type Rules = Has<'catalogue' | 'customRules' | 'firewall' | 'managed' | 'rateLimits'> &
	Has<'navigation', 'stack'>;

const toEvents = (
	id: string,
	group: string,
	where: Context,
	key: string,
	find: (state: Rules) => Wanted | undefined,
	isHere: (state: Rules) => boolean = () => true,
): Action =>
	actionsOf(group, [where])(id, [key], 'the security events of the rule', {
		words: ['events of the rule', 'hits', 'matches', 'what does it block'],
		isHere,
		...withFound(find, 'there is no rule here', (app, {zone, narrowing}) => openEvents(app, zone, narrowing)),
	});

/** From a rule to its security events, in every list of rules. */
export const ruleEvents: readonly Action[] = [
	toEvents(
		'custom.events',
		'Custom rules',
		'customRules',
		'v',
		inCustomRules,
		({customRules: {data: customRules}}) => !customRules?.moving,
	),
	toEvents(
		'firewall.events',
		'Firewall',
		'firewall',
		'v',
		inFirewall,
		({firewall: {data: firewall}}) => firewall?.side === 'rules',
	),
	toEvents('limits.events', 'Rate limits', 'rateLimits', 'v', inRateLimits),
	toEvents(
		'managed.events',
		'Managed rules in force',
		'managed',
		'v',
		inManaged,
		({managed: {data: managed}}) => managed?.step === 'rules',
	),
	toEvents(
		'catalogue.events',
		'Managed rules',
		'catalogue',
		'ctrl-v',
		inCatalogue,
		({navigation: {stack}}) => stack.at(-2) === 'managed',
	),
];
