import type {StateWith} from '../../store/ledge-store.ts';
import {getRulesWriteBlockedReason} from '../rulesets/list-changes.ts';
import {customRuleList} from '../custom-rules/state.ts';
import {createActionFactory, withSelection} from '../shell/action.ts';
import type {Action} from '../shell/app.ts';
import {openRuleForm} from '../stepped-form/rule-actions.ts';
import {customRuleKind} from './kind.ts';
import type {CustomPurpose} from './state.ts';

const listAction = createActionFactory('Custom rules', ['customRules']);
const isNotMovingRule = ({customRules: {data: customRules}}: StateWith<'customRules'>): boolean =>
	customRules?.movingRuleId === undefined;
const getBlockedReason = (state: Parameters<typeof getRulesWriteBlockedReason>[1]) =>
	getRulesWriteBlockedReason(customRuleList.type, state);
const findTargetRule = ({customRules: {data: customRules}}: StateWith<'customRules'>) =>
	customRuleList.getSelectedRule(customRules);

/** The actions of the custom rule list that open the form. */
export const openCustomRuleActions: readonly Action[] = [
	listAction('custom.new', ['a'], 'create a custom rule', {
		effect: 'prepares a write',
		paletteMode: 'at once',
		hint: 'new',
		searchTerms: ['new rule', 'add rule', 'create rule'],
		isActive: isNotMovingRule,
		getUnavailableReason: getBlockedReason,
		run: app => openRuleForm<CustomPurpose>(app, customRuleKind, {kind: 'new'}),
	}),
	// The expression is the first step: E, as for firewall rules, opens the same form.
	listAction('custom.edit', ['e', 'E'], 'edit the custom rule under the cursor', {
		effect: 'prepares a write',
		hint: 'edit',
		searchTerms: [
			'log instead of block',
			'only log',
			'challenge instead',
			'captcha',
			'change action',
			'edit',
			'edit expression',
			'modify',
			'rename',
		],
		isActive: isNotMovingRule,
		...withSelection(
			findTargetRule,
			'no rule selected',
			(app, rule) => openRuleForm<CustomPurpose>(app, customRuleKind, {kind: 'change', rule}),
			getBlockedReason,
		),
	}),
	listAction('custom.copy-rule', ['D'], 'duplicate the custom rule under the cursor', {
		effect: 'prepares a write',
		searchTerms: ['duplicate', 'clone', 'copy rule'],
		isActive: isNotMovingRule,
		...withSelection(
			findTargetRule,
			'no rule selected',
			(app, rule) => openRuleForm<CustomPurpose>(app, customRuleKind, {kind: 'new', copyOf: rule}),
			getBlockedReason,
		),
	}),
];
