import type {Marks} from '../../components/theme.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {usersOf} from '../../firewall/rules/users.ts';
import {bypassesWaf, withoutEffect} from '../../firewall/rules/waf-bypass.ts';
import {drawable} from '../../text/columns.ts';
import {grouped} from '../../text/figures.ts';
import {fact, marked, type Row} from '../rows/rows.ts';
import {headed, rowsOfExpression} from './expression-rows.ts';
import {expressionOf, firewallList, isRule, placeOf, rulesInWords} from './listed.ts';
import type {FirewallState} from './state.ts';

/**
 * Builds the details of the rule or filter under the cursor, wrapped to `columns`: its effect, the expression
 * with its problems, related rules, ids.
 */
export function detailRows(
	state: FirewallState,
	columns: number,
	marks: Pick<Marks, 'warning' | 'dot'>,
): readonly Row[] {
	const row = firewallList.selected(state);
	if (!row) return [];
	return isRule(row) ? rowsOfRule(state, row, columns, marks) : rowsOfFilter(state, row, columns, marks);
}

/** The wording of `firewall rule list`. */
const undecided =
	'No rule has a priority: whether the zone takes them by their actions, as shown here, or as they were listed, the service does not tell.';

function rowsOfRule(
	state: FirewallState,
	rule: Rule,
	columns: number,
	marks: Pick<Marks, 'warning' | 'dot'>,
): readonly Row[] {
	const {filter} = rule;
	const expression = expressionOf(rule);
	const others = usersOf(filter.id, state.rules).filter(({id}) => id !== rule.id);
	const heading = [
		`rule ${grouped(placeOf(state, rule))} of ${grouped(state.rules.length)}`,
		drawable(rule.action),
		...(rule.products?.length ? [`around ${drawable(rule.products.join(', '))}`] : []),
		rule.priority === null ? 'no priority' : `priority ${rule.priority}`,
	];
	return [
		headed(heading, rule.paused ? ['paused: it does nothing'] : [], columns, marks),
		...(expression === undefined
			? marked(marks.warning, 'Its filter was deleted: the rule matches nothing.', columns, 'warning')
			: rowsOfExpression(expression, {plan: state.zone.plan}, columns, marks)),
		...('deleted' in filter || !filter.paused
			? []
			: marked(marks.warning, 'Its filter is paused: the rule does nothing.', columns, 'warning')),
		...(state.migrated && bypassesWaf(rule)
			? marked(
					marks.warning,
					`The zone has migrated: bypassing waf has ${withoutEffect}.`,
					columns,
					'warning',
				)
			: []),
		...(state.order === 'undecided' ? marked(marks.warning, undecided, columns, 'warning') : []),
		...fact('description', rule.description, columns),
		...fact(
			'filter',
			`${filter.id} ${marks.dot} ${others.length === 0 ? 'no other rule uses it' : `${rulesInWords(state, others)} ${others.length === 1 ? 'uses' : 'use'} it, too`}`,
			columns,
		),
		...('deleted' in filter ? [] : fact('says', filter.description, columns)),
		...fact('rule id', rule.id, columns),
		...fact('reference', rule.ref, columns),
	];
}

function rowsOfFilter(
	state: FirewallState,
	filter: Filter,
	columns: number,
	marks: Pick<Marks, 'warning' | 'dot'>,
): readonly Row[] {
	const users = usersOf(filter.id, state.rules);
	const used = users.length === 0 ? 'used by no firewall rule' : `used by ${rulesInWords(state, users)}`;
	return [
		headed(['filter', used], filter.paused ? ['paused: its rules do nothing'] : [], columns, marks),
		...rowsOfExpression(filter.expression, {plan: state.zone.plan}, columns, marks),
		...fact('description', filter.description, columns),
		...users.flatMap(rule =>
			fact(
				`rule ${placeOf(state, rule)}`,
				`${rule.action}${rule.paused ? ', paused' : ''}${rule.description ? ` ${marks.dot} ${rule.description}` : ''}`,
				columns,
			),
		),
		...fact('filter id', filter.id, columns),
		...fact('reference', filter.ref, columns),
	];
}
