import {Box} from 'ink';
import type {ReactElement} from 'react';
import {maxRulesInListOrder} from '../../../firewall/limits.ts';
import {nameKey} from '../../../keyboard/named-keys.ts';
import type {StateWith} from '../../../store/ledge-store.ts';
import {formatQuantity} from '../../../text/figures.ts';
import {hasLoaded} from '../../list/reading.ts';
import {formatListStatus, formatMarkedCount} from '../../list/screen.ts';
import {Table} from '../../list/table.tsx';
import {ListWithDetail} from '../../list/with-detail.tsx';
import {useLedge} from '../../shell/use-ledge.ts';
import {buildFirewallDetailRows} from '../detail-rows.ts';
import {
	firewallList,
	formatPlanCount,
	getFilterId,
	listMarkedFirewallRules,
	listVisibleFilters,
	listVisibleRules,
} from '../list.ts';
import {formatFirewallCounts} from '../screen.ts';
import type {FirewallState} from '../state.ts';
import {
	buildFilterColumns,
	buildRuleColumns,
	computeListWidths,
	getIdleReason,
	isRelatedFilter,
} from './columns.ts';

/** The rules and filters of a zone, their relations, and the details of the row under the cursor. */
export function Firewall(): ReactElement {
	return (
		<ListWithDetail
			list={firewallList}
			data={useLedge(state => state.firewall.data)}
			renderTable={(firewall, rowsBelow) => <Lists firewall={firewall} rowsBelow={rowsBelow} />}
			buildDetail={buildFirewallDetailRows}
			detailShare={0.35}
			getDetailHint={() => ': enter'}
			describeNoMatch={(filter, {side}) => `No ${side === 'rules' ? 'rules' : 'filters'} match "${filter}".`}
			describeEmpty={describeEmpty}
			describeNextStep={({side, rules, filters}) => {
				if (rules.length + filters.length === 0)
					return `press ${nameKey('firewall.new-rule', 'a')} to create a rule`;
				return side === 'filters'
					? 'press shift-tab for the rules'
					: `press ${nameKey('firewall.new-rule', 'a')} to create a rule, tab for the filters`;
			}}
		/>
	);
}

function describeEmpty({zone, rules, filters, side}: FirewallState): string {
	if (rules.length + filters.length === 0) return `${zone.name} has no firewall rules or filters yet.`;
	return side === 'filters'
		? `${zone.name} has no filters.`
		: `${zone.name} has no firewall rules yet, but ${formatQuantity(filters.length, 'filter')}.`;
}

/** The list with the cursor, or both; related rows are marked in the other list. */
function Lists({
	firewall,
	rowsBelow,
}: {
	readonly firewall: FirewallState;
	readonly rowsBelow: number;
}): ReactElement {
	const {columns, isSpoken} = useLedge(state => state.navigation.viewport);
	const {side, cursor, otherList} = firewall;
	const widths = computeListWidths(columns, side, isSpoken);
	const [rules, filters] = [listVisibleRules(firewall), listVisibleFilters(firewall)];
	const filterId = getFilterId(firewallList.getSelected(firewall));
	const getCursor = (list: FirewallState['side'], relatedIndex: number) =>
		side === list ? cursor : relatedIndex === -1 ? otherList.cursor : relatedIndex;
	return (
		<Box>
			{widths.rules > 0 && (
				<Box flexDirection="column" width={widths.rules}>
					<Table
						columns={buildRuleColumns(firewall, widths.rules)}
						rows={rules}
						cursor={getCursor(
							'rules',
							rules.findIndex(rule => rule.filter.id === filterId),
						)}
						rowsBelow={rowsBelow}
						width={widths.rules}
						hasCursor={side === 'rules'}
						isMarked={rule => firewallList.isMarked(side === 'rules' ? firewall : otherList, rule)}
						isDim={rule => getIdleReason(rule, firewall) !== undefined}
					/>
				</Box>
			)}
			{widths.filters > 0 && (
				<Box flexDirection="column" width={widths.filters}>
					<Table
						columns={buildFilterColumns(firewall)}
						rows={filters}
						cursor={getCursor(
							'filters',
							filters.findIndex(({id}) => id === filterId),
						)}
						rowsBelow={rowsBelow}
						width={widths.filters}
						hasCursor={side === 'filters'}
						isMarked={one => isRelatedFilter(firewall, one)}
						isDim={({paused}) => paused}
					/>
				</Box>
			)}
		</Box>
	);
}

/**
 * Formats the status line: the state of the lists, counts and limits, the order, and the selected id if there
 * is room.
 */
export function formatFirewallStatus({
	firewall: {data: firewall},
	navigation: {viewport},
}: StateWith<'firewall'> & StateWith<'navigation', 'viewport'>): string {
	if (!firewall || (!hasLoaded(firewall) && firewall.rules.length === 0)) return '';
	const {zone, rules, filters, filter, order, areWritesRetired} = firewall;
	const parts = [
		...(areWritesRetired
			? [`read-only: converted to custom rules (${nameKey('go.custom-rules', '3')})`]
			: []),
		...formatMarkedCount(listMarkedFirewallRules(firewall), listVisibleRules(firewall)),
		filter === ''
			? `${formatPlanCount(rules.length, 'rule', zone.plan)}, ${formatQuantity(filters.length, 'filter')}`
			: formatFirewallCounts(firewall),
		...(order === 'undecided' ? ['order uncertain: no rule has a priority'] : []),
		...(rules.length > maxRulesInListOrder && filter === '' ? [describeSorting(rules)] : []),
	];
	return formatListStatus(firewall, parts, firewallList.getSelected(firewall)?.id, viewport);
}

/** Describes the order in which a zone with too many rules for list order runs them. */
const describeSorting = (rules: FirewallState['rules']): string =>
	rules.some(({priority}) => priority !== null) ? 'run in order of priority' : 'run in order of action';
