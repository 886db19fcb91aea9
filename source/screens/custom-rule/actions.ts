import type {Has} from '../../store/ledge-store.ts';
import {notChangeable} from '../custom-rules/changes.ts';
import {customRuleUnderCursor} from '../custom-rules/state.ts';
import {actionsOf, withFound} from '../shell/action.ts';
import type {Action} from '../shell/app.ts';
import {openRuleForm} from '../stepped-form/rule-actions.ts';
import {customRuleKind} from './kind.ts';
import type {CustomPurpose} from './state.ts';

const listed = actionsOf('Custom rules', ['customRules']);
const isListed = ({customRules: {data: customRules}}: Has<'customRules'>): boolean =>
	customRules?.moving === undefined;
const ruleHere = ({customRules: {data: customRules}}: Has<'customRules'>) =>
	customRuleUnderCursor(customRules);

/** The actions of the custom rule list that open the form. */
export const openCustomRuleActions: readonly Action[] = [
	listed('custom.new', ['n'], 'make a custom rule', {
		elsewhere: 'at once',
		hint: 'new',
		words: ['new rule', 'add rule', 'create rule'],
		isHere: isListed,
		unavailable: notChangeable,
		run: app => openRuleForm<CustomPurpose>(app, customRuleKind, {kind: 'new'}),
	}),
	listed('custom.edit', ['e'], 'change the custom rule under the cursor', {
		hint: 'edit',
		words: ['edit', 'modify', 'rename'],
		isHere: isListed,
		...withFound(
			ruleHere,
			'there is no rule here',
			(app, rule) => openRuleForm<CustomPurpose>(app, customRuleKind, {kind: 'change', rule}),
			notChangeable,
		),
	}),
	listed('custom.copy-rule', ['D'], 'make a custom rule like the one under the cursor', {
		words: ['duplicate', 'clone', 'copy rule'],
		isHere: isListed,
		...withFound(
			ruleHere,
			'there is no rule here',
			(app, rule) => openRuleForm<CustomPurpose>(app, customRuleKind, {kind: 'new', copyOf: rule}),
			notChangeable,
		),
	}),
];
