import type {StateWith} from '../../store/ledge-store.ts';
import {createBlockNowAction} from '../emergency/actions.ts';
import {createDetailActions, createListActions} from '../list/screen.ts';
import {buildRuleListChanges} from '../rulesets/list-changes.ts';
import {createActionFactory} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {switchToCustomRules, switchToFirewallRules} from '../zones/actions.ts';
import {customRuleList} from './state.ts';

const {defineAction} = customRuleList;

/** Explains why firewall rules and filters are unavailable; undefined if they are available. */
const getRetiredReason = ({
	firewall: {data: firewall},
	customRules: {data: customRules},
}: StateWith<'firewall' | 'customRules'>): string | undefined =>
	firewall?.zone.id === customRules?.zone.id && firewall?.failure?.code === 'gone'
		? 'the service has retired firewall rules and filters here'
		: undefined;

/** Opens the firewall rules or the filters of the same zone. */
function goToFirewallSide(app: App, side: 'rules' | 'filters'): void {
	const {state} = app;
	const zone = state().customRules.data?.zone;
	if (!zone) return;
	state().firewall.open(zone);
	if (state().firewall.data?.side !== side) state().firewall.switchSide();
	switchToFirewallRules(app);
}

/** The actions of the custom rules. */
export const customRulesActions: readonly Action[] = [
	...createDetailActions(customRuleList),
	...buildRuleListChanges(customRuleList),
	createBlockNowAction(customRuleList, 'customRules'),
	defineAction('custom.to-rules', ['tab'], 'go to the firewall rules', {
		paletteMode: 'never',
		hint: 'firewall rules',
		getUnavailableReason: getRetiredReason,
		run: app => goToFirewallSide(app, 'rules'),
	}),
	defineAction('custom.to-filters', ['shift-tab'], 'go to the filters', {
		paletteMode: 'never',
		getUnavailableReason: getRetiredReason,
		run: app => goToFirewallSide(app, 'filters'),
	}),
	...createListActions(customRuleList, 'filter the custom rules by text', [
		{shortcut: 'y', noun: 'the expression', hint: 'copy', getText: ({expression}) => expression},
		{shortcut: 'Y', noun: 'the custom rule id', getText: ({id}) => id},
	]),
];

const firewallAction = createActionFactory('Firewall', ['firewall']);

/** Opens the custom rules from the firewall rules and the filters of the same zone. */
export const customRulesEntryActions: readonly Action[] = [
	firewallAction('firewall.to-custom', ['tab'], 'go to the custom rules', {
		paletteMode: 'never',
		hint: 'custom rules',
		searchTerms: ['custom rules', 'rulesets'],
		isActive: ({firewall: {data: firewall}}) => firewall?.side === 'filters' && firewall.detail === undefined,
		run: switchToCustomRules,
	}),
	firewallAction('firewall.back-to-custom', ['shift-tab'], 'go to the custom rules', {
		paletteMode: 'never',
		isActive: ({firewall: {data: firewall}}) =>
			firewall?.side !== 'filters' && firewall?.detail === undefined,
		run: switchToCustomRules,
	}),
];
