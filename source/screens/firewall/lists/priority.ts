import {checkDraft} from '../../../firewall/rules/checks.ts';
import {findFirewallRuleZoneNameReasons} from '../../../firewall/rules/name-reasons.ts';
import {sortForEvaluation} from '../../../firewall/rules/order.ts';
import type {Rule} from '../../../firewall/rules/rule.ts';
import {formatInteger, formatQuantity, parseFigure} from '../../../text/figures.ts';
import {cutToLine, listFirst} from '../../rows/dialog-lines.ts';
import type {App} from '../../shell/app.ts';
import {askBeforeWrite} from '../../shell/confirmation.ts';
import {getRulePosition} from '../list.ts';
import type {FirewallState} from '../state.ts';
import type {NewPriority} from '../writes.ts';
import {describeRule, describeRules, formatRulePosition} from './rule-words.ts';
import {runWrites} from './targets.ts';

/** Parses an entered priority; null for an empty text, NaN if it is invalid. */
const parsePriority = (value: string): number | null =>
	value.trim() === '' ? null : (parseFigure(value) ?? Number.NaN);

/** Returns what is wrong with the priority entered for the first of `count` rules. */
function checkPriority(value: string, count: number): string | undefined {
	const priority = parsePriority(value);
	if (Number.isNaN(priority)) return 'Enter a whole number, 0 or higher, or nothing for no priority.';
	const lastPriority = priority === null ? null : priority + count - 1;
	// Only the priority is checked; action and filter are placeholders.
	const draft = {action: 'block', filter: {id: ''}, priority: lastPriority} as const;
	return checkDraft(draft, {plan: undefined}).find(({about}) => about === 'priority')?.sentence;
}

const applyPriorities = (rules: readonly Rule[], priorities: readonly NewPriority[]): readonly Rule[] => {
	const prioritiesById = new Map(priorities.map(({rule, priority}) => [rule.id, priority]));
	return rules.map(rule => {
		const priority = prioritiesById.get(rule.id);
		return priority === undefined ? rule : {...rule, priority};
	});
};

/** Describes the position that another priority would give a rule, and its neighbours there. */
export function describeNewPosition(
	state: FirewallState,
	rule: Rule,
	priority: number | null,
): readonly string[] {
	const newOrder = sortForEvaluation(applyPriorities(state.rules, [{rule, priority}]));
	const index = newOrder.findIndex(({id}) => id === rule.id);
	const [previous, next] = [newOrder[index - 1], newOrder[index + 1]];
	const intro = index + 1 === getRulePosition(state, rule) ? 'It stays at' : 'It moves to';
	return [
		`${intro} position ${formatInteger(index + 1)} of ${formatInteger(newOrder.length)}${previous || next ? ':' : '.'}`,
		...(previous ? [`after   ${describeRule(state, previous)}`] : []),
		...(next ? [`before  ${describeRule(state, next)}`] : []),
	];
}

/** Describes the priorities and positions that several rules get, a line each. */
function describeNewPositions(state: FirewallState, priorities: readonly NewPriority[]): readonly string[] {
	const newOrder = sortForEvaluation(applyPriorities(state.rules, priorities));
	return listFirst(
		priorities.map(({rule, priority}) => {
			const position = newOrder.findIndex(({id}) => id === rule.id) + 1;
			const priorityText = priority === null ? 'no priority' : `priority ${priority}`;
			return cutToLine(`position ${formatInteger(position)}, ${priorityText}: ${describeRule(state, rule)}`);
		}),
	);
}

/** Asks for the priority of rules, which keep their order among each other. */
export function askPriority(app: App, rules: readonly Rule[], state: FirewallState): void {
	const [first] = rules;
	if (!first) return;
	const isOne = rules.length === 1;
	app.state().dialog.openField({
		title: isOne
			? `Priority of ${formatRulePosition(state, first)}`
			: `Priority of ${formatQuantity(rules.length, 'rule')}`,
		lines: [
			...describeRules(state, rules),
			...(isOne
				? []
				: ['The first rule gets this number, the others the next ones, in their current order.']),
			'Lower numbers run first. Leave empty for no priority, to run after all rules that have one. The new position is shown before anything is sent.',
		],
		value: first.priority === null ? '' : String(first.priority),
		actionLabel: 'preview position',
		check: value => checkPriority(value, rules.length),
		submit(value) {
			const firstPriority = parsePriority(value);
			const priorities = rules.map((rule, index) => ({
				rule,
				priority: firstPriority === null ? null : firstPriority + index,
			}));
			confirmPriorities(app, priorities, state);
		},
	});
}

function confirmPriorities(app: App, priorities: readonly NewPriority[], state: FirewallState): void {
	const changes = priorities.filter(({rule, priority}) => priority !== rule.priority);
	const [first] = changes;
	if (!first) {
		app
			.state()
			.messages.say(
				priorities.length === 1 ? 'It already has this priority.' : 'They already have these priorities.',
			);
		return;
	}
	const isOne = priorities.length === 1;
	const {rule, priority} = first;
	const ids = changes.map(change => change.rule.id);
	const skippedIds = priorities.flatMap(change => (changes.includes(change) ? [] : [change.rule.id]));
	const question = {
		title: isOne
			? priority === null
				? `Remove the priority of ${formatRulePosition(state, rule)}?`
				: `Set the priority of ${formatRulePosition(state, rule)} to ${priority}?`
			: `${priority === null ? 'Remove' : 'Set'} the priorities of ${formatQuantity(changes.length, 'rule')}?`,
		reasons: findFirewallRuleZoneNameReasons(state.zone, state.rules, applyPriorities(state.rules, changes)),
		lines: [
			...(isOne
				? [...describeRules(state, [rule]), ...describeNewPosition(state, rule, priority)]
				: describeNewPositions(state, changes)),
			'This takes effect immediately.',
		],
		actionLabel: `${priority === null ? 'remove' : 'set'} ${isOne ? 'priority' : 'priorities'}`,
	};
	askBeforeWrite(app.state(), state.zone, question, () =>
		runWrites(app, {kind: 'rule', ids, skippedIds}, 'setting the priority of', (firewall, signal, progress) =>
			firewall.setPriorities(changes, signal, progress),
		),
	);
}
