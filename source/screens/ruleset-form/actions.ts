import type {StateWith} from '../../store/ledge-store.ts';
import {customRuleList} from '../custom-rules/state.ts';
import {rateLimitList} from '../rate-limits/state.ts';
import {getRulesWriteBlockedReason} from '../rulesets/list-changes.ts';
import type {ExistingRule, RuleList} from '../rulesets/rule-list.ts';
import {withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {openRuleForm} from '../stepped-form/rule-actions.ts';
import {customRuleKind, type RulesetKind, rateLimitKind} from './kind.ts';
import type {RulesetPurpose} from './state.ts';

/** Builds the actions of a list that open the form of a new rule, of the current one, and of a copy. */
function buildOpenFormActions(
	list: RuleList,
	kind: RulesetKind,
	terms: {readonly new: readonly string[]; readonly edit: readonly string[]},
): readonly Action[] {
	const {
		type: {noun, listScreen},
		defineAction,
	} = list;
	const getBlockedReason = (state: Parameters<typeof getRulesWriteBlockedReason>[1]) =>
		getRulesWriteBlockedReason(list.type, state);
	const withRule = (execute: (app: App, rule: ExistingRule) => void) =>
		withSelection(
			(state: StateWith<typeof listScreen>) => list.getSelectedRule(state[listScreen].data),
			list.noRowReason,
			execute,
			getBlockedReason,
		);
	return [
		defineAction(`${list.id}.new`, ['a'], `create a ${noun}`, {
			effect: 'prepares a write',
			paletteMode: 'at once',
			hint: 'new',
			searchTerms: terms.new,
			getUnavailableReason: getBlockedReason,
			run: app => openRuleForm<RulesetPurpose>(app, kind, {kind: 'new'}),
		}),
		// The expression is the first step: E, as for firewall rules, opens the same form.
		defineAction(`${list.id}.edit`, ['e', 'E'], `edit the ${noun} under the cursor`, {
			effect: 'prepares a write',
			hint: 'edit',
			searchTerms: [...terms.edit, 'change action', 'edit', 'edit expression', 'modify', 'rename'],
			...withRule((app, rule) => openRuleForm<RulesetPurpose>(app, kind, {kind: 'change', rule})),
		}),
		defineAction(`${list.id}.copy-rule`, ['D'], `duplicate the ${noun} under the cursor`, {
			effect: 'prepares a write',
			searchTerms: ['duplicate', 'clone', 'copy rule'],
			...withRule((app, rule) => openRuleForm<RulesetPurpose>(app, kind, {kind: 'new', copyOf: rule})),
		}),
	];
}

/** The actions of the lists of custom rules and rate limits that open a form. */
export const openRulesetFormActions: readonly Action[] = [
	...buildOpenFormActions(customRuleList, customRuleKind, {
		new: ['new rule', 'add rule', 'create rule'],
		edit: ['log instead of block', 'only log', 'challenge instead', 'captcha'],
	}),
	...buildOpenFormActions(rateLimitList, rateLimitKind, {
		new: ['new rate limit', 'add rate limit', 'throttle'],
		edit: ['change the limit', 'more requests', 'fewer requests', 'period', 'timeout'],
	}),
];
