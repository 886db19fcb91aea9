import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {bodyRows} from '../../../components/layout.ts';
import {useTheme} from '../../../components/theme.ts';
import {rulesByPlan, rulesInListOrder} from '../../../firewall/limits.ts';
import {planNames} from '../../../service/plan.ts';
import type {Has} from '../../../store/ledge-store.ts';
import {columnsOf} from '../../../text/columns.ts';
import {cutEnd} from '../../../text/cut.ts';
import {counted, grouped} from '../../../text/figures.ts';
import {Empty} from '../../shell/empty.tsx';
import {wasRead} from '../../shell/rereading.ts';
import {useLedge} from '../../shell/use-ledge.ts';
import {idOf, selectedIn, visibleFilters, visibleRules} from '../listed.ts';
import type {FirewallState} from '../state.ts';
import {Detail} from './detail.tsx';
import {FilterList} from './filter-list.tsx';
import {detailHeight, listColumns} from './layout.ts';
import {RuleList} from './rule-list.tsx';

/** The rules and filters of a zone, which uses which, and all of the one under the cursor. */
export function Firewall(): ReactElement {
	const firewall = useLedge(state => state.firewall.data);
	const {columns, rows, isSpoken} = useLedge(state => state.navigation.viewport);
	const {dim, marks} = useTheme();
	if (!firewall) return <Empty title="No zone is open." next="esc leads back" />;
	const why = whyEmpty(firewall);
	if (why) return <Empty {...why} />;
	const height = bodyRows(rows);
	if (firewall.detail !== undefined)
		return <Detail firewall={firewall} top={firewall.detail} columns={columns} height={height} />;
	const below = detailHeight(height);
	const lists = listColumns(columns, firewall.side, isSpoken);
	return (
		<>
			<Box height={height - below - 1} flexShrink={0}>
				{lists.rules > 0 && (
					<RuleList firewall={firewall} columns={lists.rules} height={height - below - 1} />
				)}
				{lists.filters > 0 && (
					<FilterList firewall={firewall} columns={lists.filters} height={height - below - 1} />
				)}
			</Box>
			<Text {...dim} wrap="truncate">
				{`   ${marks.rule.repeat(Math.max(0, columns - 6))}`}
			</Text>
			<Detail firewall={firewall} top={0} columns={columns} height={below} />
		</>
	);
}

/** What is shown instead of empty lists. */
function whyEmpty(firewall: FirewallState): Parameters<typeof Empty>[0] | undefined {
	const {reading, failure, rules, filters, sought, side} = firewall;
	if (rules.length + filters.length === 0) {
		if (failure && reading !== 'reading' && reading !== 'reading again') return {failure};
		if (!wasRead(firewall)) return {isUnread: true};
		return {
			title: `${firewall.zone.name} has no firewall rule and no filter yet.`,
			next: 'n makes the first rule',
		};
	}
	const shown = side === 'rules' ? visibleRules(firewall) : visibleFilters(firewall);
	if (shown.length > 0) return undefined;
	if (sought !== '')
		return {
			title: `No ${side === 'rules' ? 'rule' : 'filter'} has "${sought}" in what it says.`,
			next: 'tab looks at the other list, esc shows all of both',
		};
	return side === 'rules'
		? {
				title: `${firewall.zone.name} has no firewall rule yet, but ${counted(filters.length, 'filter')}.`,
				next: 'n makes a rule, tab shows the filters',
			}
		: {title: `${firewall.zone.name} has no filter.`, next: 'tab shows the rules'};
}

/**
 * What is to be known of the lists first, then how many of what the plan allows, what decides their order, and last
 * the id of what is selected, where there is room for it.
 */
export function firewallStatus({
	firewall: {data: firewall},
	navigation: {viewport},
}: Has<'firewall'> & Has<'navigation', 'viewport'>): string {
	if (!firewall || (!wasRead(firewall) && firewall.rules.length === 0)) return '';
	const {rules, reading, order} = firewall;
	const id = idOf(selectedIn(firewall));
	const parts = [
		...(reading === 'stale' ? ['NOT READ SINCE A CHANGE: ctrl-r reads it'] : []),
		counts(firewall),
		...(order === 'undecided' ? ['order not certain: no rule has a priority'] : []),
		...(rules.length > rulesInListOrder ? [`over ${rulesInListOrder}: priority decides the order`] : []),
	].join('   ');
	// One column is free at each side of the line.
	const room = viewport.columns - 2;
	const all = id === undefined ? parts : `${parts}   ${id}`;
	return columnsOf(all) <= room ? all : cutEnd(parts, room);
}

/** "3 of 20 rules (Pro), 2 filters"; while they are narrowed how many of both are left. */
function counts(firewall: FirewallState): string {
	const {zone, rules, filters, sought} = firewall;
	const ofPlan =
		zone.plan === undefined ? '' : ` of ${counted(rulesByPlan[zone.plan], 'rule')} (${planNames[zone.plan]})`;
	if (sought === '')
		return `${ofPlan === '' ? counted(rules.length, 'rule') : grouped(rules.length) + ofPlan}, ${counted(filters.length, 'filter')}`;
	const left = [visibleRules(firewall).length, visibleFilters(firewall).length].map(grouped);
	return `${left[0]} of ${counted(rules.length, 'rule')}, ${left[1]} of ${counted(filters.length, 'filter')}`;
}
