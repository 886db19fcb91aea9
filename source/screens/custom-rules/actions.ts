import type {Has} from '../../store/ledge-store.ts';
import {openEmergency} from '../emergency/actions.ts';
import {detailActions, listActions} from '../list/screen.ts';
import {actionsOf, readOnly} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {goCustomRules, goFirewallRules} from '../zones/actions.ts';
import {customRuleChanges} from './changes.ts';
import {customRuleList} from './state.ts';

const {action} = customRuleList;

/** Explains why firewall rules and filters are unavailable; undefined if they are available. */
const retired = ({
	firewall: {data: firewall},
	customRules: {data: customRules},
}: Has<'firewall' | 'customRules'>): string | undefined =>
	firewall?.zone.id === customRules?.zone.id && firewall?.failure?.code === 'gone'
		? 'the service has retired firewall rules and filters here'
		: undefined;

/** Opens the firewall rules or the filters of the same zone. */
function goToOthers(app: App, side: 'rules' | 'filters'): void {
	const {state} = app;
	const zone = state().customRules.data?.zone;
	if (!zone) return;
	state().firewall.open(zone);
	if (state().firewall.data?.side !== side) state().firewall.changeSide();
	goFirewallRules(app);
}

/** The actions of the custom rules. */
export const customRulesActions: readonly Action[] = [
	...detailActions(customRuleList),
	...customRuleChanges,
	action('custom.emergency', ['!'], 'emergency: block an address or a path now', {
		elsewhere: 'at once',
		hint: 'emergency',
		words: ['block ip', 'ban', 'deny', 'emergency block', 'block address', 'under attack', 'ddos'],
		unavailable: state => readOnly(state) ?? (state.customRules.data ? undefined : 'no zone is open'),
		run(app) {
			const zone = app.state().customRules.data?.zone;
			if (zone) app.state().firewall.open(zone);
			openEmergency(app);
		},
	}),
	action('custom.to-rules', ['tab'], 'to the firewall rules', {
		elsewhere: 'never',
		hint: 'firewall rules',
		unavailable: retired,
		run: app => goToOthers(app, 'rules'),
	}),
	action('custom.to-filters', ['shift-tab'], 'to the filters', {
		elsewhere: 'never',
		unavailable: retired,
		run: app => goToOthers(app, 'filters'),
	}),
	...listActions(customRuleList, 'show only the custom rules that contain a text', [
		{key: 'y', what: 'the expression', hint: 'copy', text: ({expression}) => expression},
		{key: 'Y', what: 'the id of the custom rule', text: ({id}) => id},
	]),
];

const firewall = actionsOf('Firewall', ['firewall']);

/** Opens the custom rules from the firewall rules and the filters of the same zone. */
export const toCustomRules: readonly Action[] = [
	firewall('firewall.to-custom', ['tab'], 'to the custom rules', {
		elsewhere: 'never',
		hint: 'custom rules',
		words: ['custom rules', 'rulesets'],
		isHere: ({firewall: {data: lists}}) => lists?.side === 'filters' && lists.detail === undefined,
		run: goCustomRules,
	}),
	firewall('firewall.back-to-custom', ['shift-tab'], 'to the custom rules', {
		elsewhere: 'never',
		isHere: ({firewall: {data: lists}}) => lists?.side !== 'filters' && lists?.detail === undefined,
		run: goCustomRules,
	}),
];
