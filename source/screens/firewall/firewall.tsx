import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {bodyRows} from '../../components/layout.ts';
import {useTheme} from '../../components/theme.ts';
import {rulesByPlan, rulesInListOrder} from '../../firewall/limits.ts';
import {planNames} from '../../service/plan.ts';
import type {FirewallState} from '../../store/firewall-slice.ts';
import {selectedIn, visibleFilters, visibleRules} from '../../store/firewall-view.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {counted, grouped} from '../../text/figures.ts';
import {Empty} from '../empty.tsx';
import {useLedge} from '../use-ledge.ts';
import {Detail} from './detail.tsx';
import {FilterList} from './filter-list.tsx';
import {Gone} from './gone.tsx';
import {detailHeight, listColumns} from './lists-layout.ts';
import {RuleList} from './rule-list.tsx';

/** The rules and filters of a zone, which uses which, and all of the one under the cursor. */
export function Firewall(): ReactElement {
	const firewall = useLedge(state => state.firewall);
	const {columns, rows} = useLedge(state => state.viewport);
	const {dim, marks} = useTheme();
	if (!firewall) return <Empty title="No zone is open." next="esc leads back" />;
	const why = whyEmpty(firewall);
	if (why === 'gone') return <Gone />;
	if (why) return <Empty {...why} />;
	const height = bodyRows(rows);
	if (firewall.detail !== undefined)
		return <Detail firewall={firewall} top={firewall.detail} columns={columns} height={height} />;
	const below = detailHeight(height);
	const lists = listColumns(columns, firewall.side);
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

/** What stands in place of the lists; nothing where there is something in them. */
function whyEmpty(firewall: FirewallState): Parameters<typeof Empty>[0] | 'gone' | undefined {
	const {reading, failure, rules, filters, sought, side} = firewall;
	if (rules.length + filters.length === 0) {
		if (failure && reading !== 'reading') return failure.code === 'gone' ? 'gone' : {failure};
		if (reading !== 'read') return {title: ''};
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

/** How many of what the plan allows, what decides their order, and the id of what is selected. */
export function firewallStatus({firewall}: Pick<LedgeState, 'firewall'>): string {
	if (!firewall || (firewall.reading !== 'read' && firewall.rules.length === 0)) return '';
	const {zone, rules, filters, sought} = firewall;
	const selected = selectedIn(firewall);
	const id = selected?.kind === 'rule' ? selected.rule.id : selected?.filter.id;
	return [
		sought === '' ? quota(firewall) : narrowedTo(firewall),
		counted(filters.length, 'filter'),
		...(rules.length > rulesInListOrder
			? [`over ${rulesInListOrder}: priority decides the order, whatever ${zone.name} is set to`]
			: []),
		...(id === undefined ? [] : [id]),
	].join('   ');
}

function quota({zone: {plan}, rules}: FirewallState): string {
	if (plan === undefined) return counted(rules.length, 'rule');
	return `${grouped(rules.length)} of ${counted(rulesByPlan[plan], 'rule')} (${planNames[plan]})`;
}

const narrowedTo = (firewall: FirewallState): string =>
	`${grouped(visibleRules(firewall).length)} of ${counted(firewall.rules.length, 'rule')}, ${grouped(visibleFilters(firewall).length)} of`;
