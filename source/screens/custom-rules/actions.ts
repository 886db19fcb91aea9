import type {Has} from '../../store/ledge-store.ts';
import {openEmergency} from '../emergency/actions.ts';
import {actionsOf, copying, filtering, readOnly} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {goCustomRules, goFirewallRules} from '../zones/actions.ts';
import {customRuleChanges} from './changes.ts';
import {customRuleUnderCursor, rulesOf} from './state.ts';

const action = actionsOf('Custom rules', ['customRules']);

const nothing = 'there is no rule here';
const ruleHere = ({customRules: {data: customRules}}: Has<'customRules'>) =>
	customRuleUnderCursor(customRules);
const isMoving = ({customRules: {data: customRules}}: Has<'customRules'>): boolean =>
	customRules?.moving !== undefined;
const isListed = (state: Has<'customRules'>): boolean => !isMoving(state);
const needsRule = (state: Has<'customRules'>): string | undefined => (ruleHere(state) ? undefined : nothing);

/** Why the other lists of the zone cannot be shown. */
const retired = ({
	firewall: {data: firewall},
	customRules: {data: customRules},
}: Has<'firewall' | 'customRules'>): string | undefined =>
	firewall?.zone.id === customRules?.zone.id && firewall?.failure?.code === 'gone'
		? 'the service has retired firewall rules and filters here'
		: undefined;

/** Goes to the firewall rules or the filters of the same zone. */
function goToOthers(app: App, side: 'rules' | 'filters'): void {
	const {state} = app;
	const zone = state().customRules.data?.zone;
	if (!zone) return;
	state().firewall.open(zone);
	if (state().firewall.data?.side !== side) state().firewall.changeSide();
	goFirewallRules(app);
}

/** What can be done with the custom rules of a zone. */
export const customRulesActions: readonly Action[] = [
	action('custom.detail', ['enter', 'l', 'right'], 'show all of the custom rule', {
		elsewhere: 'never',
		opens: true,
		hint: 'open',
		isHere: state => isListed(state) && state.customRules.data?.detail === undefined,
		unavailable: needsRule,
		run: app => app.state().customRules.showDetail(0),
	}),
	action('custom.list', ['esc', 'enter', 'left', 'h'], 'back to the list', {
		elsewhere: 'never',
		hint: 'the list',
		isHere: state => isListed(state) && state.customRules.data?.detail !== undefined,
		run: app => app.state().customRules.showDetail(undefined),
	}),
	action('custom.all', ['esc'], 'all custom rules again', {
		elsewhere: 'never',
		isHere: state =>
			isListed(state) && state.customRules.data !== undefined && state.customRules.data.sought !== '',
		run(app) {
			app.state().work.cancelReads();
			app.state().customRules.filter('');
		},
	}),
	...customRuleChanges,
	action('custom.emergency', ['!'], 'emergency: block an address or a path now', {
		elsewhere: 'at once',
		hint: 'emergency',
		words: ['block ip', 'ban', 'deny', 'emergency block', 'block address', 'under attack', 'ddos'],
		isHere: isListed,
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
		isHere: isListed,
		unavailable: retired,
		run: app => goToOthers(app, 'rules'),
	}),
	action('custom.to-filters', ['shift-tab'], 'to the filters', {
		elsewhere: 'never',
		isHere: isListed,
		unavailable: retired,
		run: app => goToOthers(app, 'filters'),
	}),
	action('custom.filter', ['/'], 'show only the custom rules that contain a text', {
		...filtering,
		isHere: isListed,
		unavailable: ({customRules: {data: customRules}}) =>
			customRules && rulesOf(customRules).length > 0 ? undefined : 'there are no custom rules here',
	}),
	action('custom.copy', ['y'], 'copy the expression', {
		hint: 'copy',
		isHere: isListed,
		...copying(state => ruleHere(state)?.expression, nothing),
	}),
	action('custom.copy-id', ['Y'], 'copy the id of the custom rule', {
		isHere: isListed,
		...copying(state => ruleHere(state)?.id, nothing),
	}),
];

const firewall = actionsOf('Firewall', ['firewall']);

/** From the firewall rules and the filters to the custom rules of the same zone. */
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
