import {thresholdRule} from '../../migration/configuration/mapping.ts';
import {executedRuleset} from '../../migration/configuration/override-edits.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {ruleUnderCursor} from '../catalogue/state.ts';
import {customRuleList} from '../custom-rules/state.ts';
import {firewallList} from '../firewall/listed.ts';
import type {OpenedZone} from '../firewall/state.ts';
import type {ManagedState} from '../managed/state.ts';
import {type EditRow, editRows} from '../managed-edit/edit-rows.ts';
import {rulesetIn} from '../managed-edit/host.ts';
import {limits} from '../rate-limits/rate-limits.ts';
import {actionsOf, withFound} from '../shell/action.ts';
import type {Action} from '../shell/app.ts';
import {openEvents} from './opening.ts';
import type {Narrowing} from './state.ts';

/** Builds the event filter for a rule. */
function ofRule(source: string, id: string, description: string | undefined, ruleset?: string): Narrowing {
	return {
		part: 'rules',
		value: id,
		label: description || id,
		rule: {source, rule: id, ...(description && {description}), ...(ruleset !== undefined && {ruleset})},
	};
}

function ofEditRow(managed: ManagedState, row: EditRow): Narrowing | undefined {
	const rule = managed.configuration.rules[row.index];
	const ruleset = rule && executedRuleset(rule);
	if (row.kind === 'override') return ofRule('firewallManaged', row.id, undefined, row.ruleset);
	if (row.kind === 'threshold') return ofRule('firewallManaged', thresholdRule, undefined, ruleset);
	if (ruleset !== undefined)
		return {part: 'rulesets', value: ruleset, label: rulesetIn({managed: managed.inForce?.managed}, ruleset)};
	return typeof rule?.id === 'string' ? ofRule('firewallManaged', rule.id, rule.description) : undefined;
}

const title = 'the security events of the rule';
const words = ['events of the rule', 'hits', 'matches', 'what does it block'];

/** Builds the part of an action that opens the events of the found rule. */
const opening = (
	find: (state: LedgeState) => {readonly zone: OpenedZone; readonly narrowing: Narrowing} | undefined,
) => withFound(find, 'there is no rule here', (app, {zone, narrowing}) => openEvents(app, zone, narrowing));

/** Opens the security events of a rule, from every list of rules. */
export const ruleEvents: readonly Action[] = [
	customRuleList.action('custom.events', ['v'], title, {
		words,
		...customRuleList.onRow((app, {id, description}, {zone}) => {
			if (id !== undefined) openEvents(app, zone, ofRule('firewallCustom', id, description));
		}),
	}),
	firewallList.action('firewall.events', ['v'], title, {
		words,
		isHere: ({firewall: {data: firewall}}) => firewall?.side === 'rules',
		...firewallList.onRow((app, row, {zone}) =>
			openEvents(app, zone, ofRule('firewallRules', row.id, row.description)),
		),
	}),
	limits.action('limits.events', ['v'], title, {
		words,
		...limits.onRow((app, {rule: {id, description}}, {zone}) => {
			if (id !== undefined) openEvents(app, zone, ofRule('ratelimit', id, description));
		}),
	}),
	actionsOf('Managed rules in force', ['managed'])('managed.events', ['v'], title, {
		words,
		isHere: ({managed: {data: managed}}) => managed?.step === 'rules',
		...opening(({managed: {data: managed}}) => {
			const row = managed && editRows(managed.configuration)[managed.cursor];
			const narrowing = row && ofEditRow(managed, row);
			return narrowing && {zone: managed.zone, narrowing};
		}),
	}),
	actionsOf('Managed rules', ['catalogue'])('catalogue.events', ['ctrl-v'], title, {
		words,
		isHere: ({navigation: {stack}}) => stack.at(-2) === 'managed',
		...opening(({catalogue: {data: catalogue}, managed: {data: managed}}) => {
			const rule = ruleUnderCursor(catalogue);
			if (!managed || !rule) return undefined;
			return {
				zone: managed.zone,
				narrowing: ofRule('firewallManaged', rule.id, rule.description, rule.ruleset.id),
			};
		}),
	}),
];
