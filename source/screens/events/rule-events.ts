import {thresholdRuleId} from '../../migration/configuration/mapping.ts';
import {findExecutedRulesetId} from '../../migration/configuration/override-edits.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {getCurrentCatalogueRule} from '../catalogue/state.ts';
import {customRuleList} from '../custom-rules/state.ts';
import {firewallList} from '../firewall/list.ts';
import type {ManagedState} from '../managed/state.ts';
import {buildEditRows, type EditRow} from '../managed-edit/edit-rows.ts';
import {getRulesetName} from '../managed-edit/editor.ts';
import {rateLimitList} from '../rate-limits/state.ts';
import type {RuleList} from '../rulesets/rule-list.ts';
import {createActionFactory, withSelection} from '../shell/action.ts';
import type {Action} from '../shell/app.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {openEvents} from './opening.ts';
import type {Narrowing} from './state.ts';

/** Builds the event filter for a rule. */
function buildRuleNarrowing(
	source: string,
	id: string,
	description: string | undefined,
	rulesetId?: string,
): Narrowing {
	return {
		part: 'rules',
		value: id,
		label: description || id,
		rule: {
			source,
			ruleId: id,
			...(description && {description}),
			...(rulesetId !== undefined && {rulesetId}),
		},
	};
}

function buildEditRowNarrowing(managed: ManagedState, row: EditRow): Narrowing | undefined {
	const rule = managed.configuration.rules[row.index];
	const ruleset = rule && findExecutedRulesetId(rule);
	if (row.kind === 'override') return buildRuleNarrowing('firewallManaged', row.id, undefined, row.ruleset);
	if (row.kind === 'threshold')
		return buildRuleNarrowing('firewallManaged', thresholdRuleId, undefined, ruleset);
	if (ruleset !== undefined)
		return {
			part: 'rulesets',
			value: ruleset,
			label: getRulesetName({catalogue: managed.activeRules?.catalogue}, ruleset),
		};
	return typeof rule?.id === 'string'
		? buildRuleNarrowing('firewallManaged', rule.id, rule.description)
		: undefined;
}

const title = 'show the security events of the rule';
const searchTerms = ['events of the rule', 'hits', 'matches', 'what does it block'];

/** Builds the part of an action that opens the events of the found rule. */
const withRuleEvents = (
	find: (state: LedgeState) => {readonly zone: ZoneWithLabel; readonly narrowing: Narrowing} | undefined,
) => withSelection(find, 'no rule selected', (app, {zone, narrowing}) => openEvents(app, zone, narrowing));

/** Defines the action of a list of rules. `source`: of their events. */
const defineListEvents = (list: RuleList, source: string): Action =>
	list.defineAction(`${list.id}.events`, ['v'], title, {
		searchTerms,
		...list.withCurrentRow((app, {id, description}, {zone}) => {
			if (id !== undefined) openEvents(app, zone, buildRuleNarrowing(source, id, description));
		}),
	});

/** Opens the security events of a rule, from every list of rules. */
export const ruleEventActions: readonly Action[] = [
	defineListEvents(customRuleList, 'firewallCustom'),
	firewallList.defineAction('firewall.events', ['v'], title, {
		searchTerms,
		isActive: ({firewall: {data: firewall}}) => firewall?.side === 'rules',
		...firewallList.withCurrentRow((app, row, {zone}) =>
			openEvents(app, zone, buildRuleNarrowing('firewallRules', row.id, row.description)),
		),
	}),
	defineListEvents(rateLimitList, 'ratelimit'),
	createActionFactory('Active managed rules', ['managed'])('managed.events', ['v'], title, {
		searchTerms,
		isActive: ({managed: {data: managed}}) => managed?.step === 'rules',
		...withRuleEvents(({managed: {data: managed}}) => {
			const row = managed && buildEditRows(managed.configuration)[managed.cursor];
			const narrowing = row && buildEditRowNarrowing(managed, row);
			return narrowing && {zone: managed.zone, narrowing};
		}),
	}),
	createActionFactory('Managed rules', ['catalogue'])('catalogue.events', ['ctrl-v'], title, {
		searchTerms,
		isActive: ({navigation: {stack}}) => stack.at(-2) === 'managed',
		...withRuleEvents(({catalogue: {data: catalogue}, managed: {data: managed}}) => {
			const rule = getCurrentCatalogueRule(catalogue);
			if (!managed || !rule) return undefined;
			return {
				zone: managed.zone,
				narrowing: buildRuleNarrowing('firewallManaged', rule.id, rule.description, rule.ruleset.id),
			};
		}),
	}),
];
