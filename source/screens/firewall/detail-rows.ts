import type {Marks} from '../../components/theme.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {findFilterUsers} from '../../firewall/rules/users.ts';
import {bypassesWaf, noEffectText} from '../../firewall/rules/waf-bypass.ts';
import {toDrawable} from '../../text/columns.ts';
import {formatInteger} from '../../text/figures.ts';
import {buildMarkedRows, buildNamedRows, type Row} from '../rows/rows.ts';
import {buildExpressionRows, buildHeadingRow} from './expression-rows.ts';
import {
	firewallList,
	formatRulePositions,
	getListedExpression,
	getRulePosition,
	hasRuleEnded,
	isRule,
} from './list.ts';
import type {FirewallState} from './state.ts';

/**
 * Builds the details of the rule or filter under the cursor, wrapped to `columns`: its effect, the expression
 * with its problems, related rules, ids.
 */
export function buildFirewallDetailRows(
	state: FirewallState,
	columns: number,
	marks: Pick<Marks, 'warning' | 'dot'>,
): readonly Row[] {
	const row = firewallList.getSelected(state);
	if (!row) return [];
	return isRule(row)
		? buildRuleRows(state, row, columns, marks)
		: buildFilterRows(state, row, columns, marks);
}

/** Uses the wording of `firewall rule list`. */
const undecidedOrderWarning =
	'No rule has a priority. The service does not say whether the zone runs them by action, as shown here, or in the order listed.';

function buildRuleRows(
	state: FirewallState,
	rule: Rule,
	columns: number,
	marks: Pick<Marks, 'warning' | 'dot'>,
): readonly Row[] {
	const {filter} = rule;
	const expression = getListedExpression(rule);
	const otherRules = findFilterUsers(filter.id, state.rules).filter(({id}) => id !== rule.id);
	const heading = [
		`rule ${formatInteger(getRulePosition(state, rule))} of ${formatInteger(state.rules.length)}`,
		toDrawable(rule.action),
		...(rule.products?.length ? [`products ${toDrawable(rule.products.join(', '))}`] : []),
		rule.priority === null ? 'no priority' : `priority ${rule.priority}`,
	];
	return [
		buildHeadingRow(
			heading,
			rule.paused ? ['paused: has no effect'] : hasRuleEnded(rule) ? ['ended: has no effect'] : [],
			columns,
			marks,
		),
		...(expression === undefined
			? buildMarkedRows(
					marks.warning,
					'Its filter was deleted: the rule matches nothing.',
					columns,
					'warning',
				)
			: buildExpressionRows(expression, {plan: state.zone.plan}, columns, marks)),
		...('deleted' in filter || !filter.paused
			? []
			: buildMarkedRows(marks.warning, 'Its filter is paused: the rule has no effect.', columns, 'warning')),
		...(state.migrated && bypassesWaf(rule)
			? buildMarkedRows(
					marks.warning,
					`The zone has migrated: bypassing waf has ${noEffectText}.`,
					columns,
					'warning',
				)
			: []),
		...(state.order === 'undecided'
			? buildMarkedRows(marks.warning, undecidedOrderWarning, columns, 'warning')
			: []),
		...buildNamedRows('description', rule.description, columns),
		...buildNamedRows(
			'filter',
			`${filter.id} ${marks.dot} ${otherRules.length === 0 ? 'not used by other rules' : `also used by ${formatRulePositions(state, otherRules)}`}`,
			columns,
		),
		...('deleted' in filter ? [] : buildNamedRows('filter says', filter.description, columns)),
		...buildNamedRows('rule id', rule.id, columns),
		...buildNamedRows('reference', rule.ref, columns),
	];
}

function buildFilterRows(
	state: FirewallState,
	filter: Filter,
	columns: number,
	marks: Pick<Marks, 'warning' | 'dot'>,
): readonly Row[] {
	const rulesOnFilter = findFilterUsers(filter.id, state.rules);
	const usage =
		rulesOnFilter.length === 0
			? 'used by no firewall rule'
			: `used by ${formatRulePositions(state, rulesOnFilter)}`;
	return [
		buildHeadingRow(
			['filter', usage],
			filter.paused ? ['paused: its rules have no effect'] : [],
			columns,
			marks,
		),
		...buildExpressionRows(filter.expression, {plan: state.zone.plan}, columns, marks),
		...buildNamedRows('description', filter.description, columns),
		...rulesOnFilter.flatMap(rule =>
			buildNamedRows(
				`rule ${getRulePosition(state, rule)}`,
				`${rule.action}${rule.paused ? ', paused' : ''}${rule.description ? ` ${marks.dot} ${rule.description}` : ''}`,
				columns,
			),
		),
		...buildNamedRows('filter id', filter.id, columns),
		...buildNamedRows('reference', filter.ref, columns),
	];
}
