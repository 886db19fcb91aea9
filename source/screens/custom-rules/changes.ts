import {doing} from '../../firewall/rules/custom-rule-words.ts';
import {skippedBy} from '../../firewall/rules/skip.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import {changeSentence} from '../../rulesets/change.ts';
import {moveTo} from '../../rulesets/edit.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import type {Has} from '../../store/ledge-store.ts';
import {drawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {whenOff, whenOn} from '../firewall/effects.ts';
import {getWriteBlockedReason, rulesetActions} from '../rulesets/actions.ts';
import {withFound} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {
	type CustomRulesState,
	customRuleList,
	customRuleUnderCursor,
	placeOfRule,
	type RuleThere,
	rulesOf,
} from './state.ts';

const {action, isHere: isListed} = customRuleList;
const isMoving = ({customRules: {data}}: Has<'customRules'>): boolean => data?.moving !== undefined;

/** Explains why custom rules cannot be changed here; undefined if they can. */
export const notChangeable = (
	state: Has<'customRules' | 'connection'> & Has<'work', 'list'>,
): string | undefined => getWriteBlockedReason(state, state.customRules.data, 'custom rules');

const ruleHere = ({customRules: {data}}: Has<'customRules'>) => customRuleUnderCursor(data);

/** Builds the part of an action that works on the rule under the cursor. */
const onRule = (work: (app: App, rule: RuleThere) => void, refused = notChangeable) =>
	withFound(ruleHere, customRuleList.none, work, refused);

/** Describes a rule unmistakably: "rule 3 (block): Scrapers". */
const inWords = (state: CustomRulesState, rule: RulesetRule): string =>
	`rule ${placeOfRule(rulesOf(state), rule)} (${drawable(doing(rule))}): ${cutEnd(drawable(rule.description || rule.expression), 160)}`;

/** Describes a rule for a dialog, with its expression below a description. */
const inFull = (state: CustomRulesState, rule: RulesetRule): readonly string[] => [
	inWords(state, rule),
	...(rule.description ? [cutEnd(drawable(rule.expression), 400)] : []),
];

const effectOf = (rule: RulesetRule) => ({action: rule.action, products: skippedBy(rule)});

function pauseRule({state}: App, rule: RuleThere): void {
	const {data, plan, write} = state().customRules;
	if (!data) return;
	const paused = rule.enabled !== false;
	const inForce = paused ? 'paused' : 'in force again';
	write(
		{
			plan: plan(rulesOf(data).map(one => (one.id === rule.id ? {...one, enabled: !paused} : one))),
			label: `${paused ? 'pausing' : 'resuming'} custom rule ${rule.id}`,
			what: `${paused ? 'pause' : 'resume'} custom rule ${rule.id}`,
			done: () => `The rule is ${inForce}: ${formatRuleName(rule)}.`,
			unknown: `whether the rule is ${inForce}`,
		},
		{
			title: paused ? 'Pause this rule?' : 'Put this rule in force again?',
			lines: [...inFull(data, rule), paused ? whenOff(effectOf(rule)) : whenOn(effectOf(rule))],
			does: paused ? 'pause it' : 'resume it',
		},
	);
}

function deleteRule({state}: App, rule: RuleThere): void {
	const {data, plan, write} = state().customRules;
	if (!data) return;
	write(
		{
			plan: plan(rulesOf(data).filter(({id}) => id !== rule.id)),
			label: `deleting custom rule ${rule.id}`,
			what: `delete custom rule ${rule.id}`,
			done: () => `Rule deleted: ${formatRuleName({...rule, action: doing(rule)})}.`,
			unknown: 'whether the rule is deleted',
		},
		{
			title: 'Delete this rule?',
			lines: [
				...inFull(data, rule),
				rule.enabled === false ? 'It does nothing now: it is paused.' : whenOff(effectOf(rule)),
				'u restores it right afterwards, V at any time: earlier versions still have it.',
			],
			does: 'delete it',
		},
	);
}

/** Sends the order of the preview. Enter was the confirmation, unless the zone's name is needed. */
function sendMove({state}: App): void {
	const {data, plan, write, endMove} = state().customRules;
	if (data?.moving === undefined) return;
	const {moving: id, rows: order} = data;
	// If two rules swap places, either could have moved; this names the one that did.
	const planned = plan(order, moveTo(order, id));
	if (!planned.send) endMove();
	write(
		{
			plan: planned,
			label: `moving custom rule ${id}`,
			what: `move custom rule ${id} to place ${placeOfRule(order, {id})}`,
			done: ({rules}) => `Rule moved to place ${placeOfRule(rules, {id})} of ${rules.length}: ${id}.`,
			unknown: 'at which place the rule is',
		},
		{does: 'send the new order'},
	);
}

/** The changes offered in the list, each after its effect on requests was shown. */
export const customRuleChanges: readonly Action[] = [
	action('custom.pause', ['p'], 'pause the custom rule', {
		hint: 'pause',
		words: ['disable', 'turn off'],
		isHere: state => isListed(state) && ruleHere(state)?.enabled !== false,
		...onRule(pauseRule),
	}),
	action('custom.resume', ['p'], 'put the paused custom rule in force again', {
		hint: 'resume',
		words: ['enable', 'turn on', 'unpause'],
		isHere: state => isListed(state) && ruleHere(state)?.enabled === false,
		...onRule(pauseRule),
	}),
	action('custom.delete', ['d'], 'delete the custom rule', {
		hint: 'delete',
		words: ['remove'],
		destroys: true,
		...onRule(deleteRule),
	}),
	action('custom.move', ['o'], 'move the custom rule: change the order', {
		hint: 'move',
		words: ['reorder', 'order', 'priority', 'position'],
		...onRule(
			({state}) => state().customRules.beginMove(),
			state =>
				notChangeable(state) ??
				(state.customRules.data?.rows.length === 1 ? 'it is the only rule' : undefined),
		),
	}),
	action('custom.drop-move', ['esc'], 'leave the order as it is', {
		elsewhere: 'never',
		hint: 'leave it',
		isHere: isMoving,
		run: app => app.state().customRules.endMove(),
	}),
	action('custom.send-move', ['enter'], 'send the new order', {
		elsewhere: 'never',
		hint: 'send the new order',
		destroys: true,
		isHere: isMoving,
		unavailable: notChangeable,
		run: sendMove,
	}),
	...rulesetActions({
		called: 'custom rules',
		screen: 'customRules',
		ids: {versions: 'custom.versions', undo: 'custom.undo'},
		group: 'Custom rules',
		where: ['customRules'],
		isHere: isListed,
		isUndoHere: isListed,
		read: ({customRules: {data: customRules}}) => customRules,
		blocked: notChangeable,
		sentence: changeSentence,
	}),
];
