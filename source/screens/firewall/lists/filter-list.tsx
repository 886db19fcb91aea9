import {Box, Text} from 'ink';
import {memo, type ReactElement} from 'react';
import {List} from '../../../components/list.tsx';
import {useTheme} from '../../../components/theme.ts';
import {drawable} from '../../../text/columns.ts';
import {cutEnd, fitted} from '../../../text/cut.ts';
import {oneLine} from '../../../text/one-line.ts';
import {filterIdOf, selectedIn, visibleFilters} from '../listed.ts';
import {filterColumns} from './layout.ts';
import {ColumnNames, type ListProps} from './parts.tsx';

/** The filters, and how many rules use each; the one of the rule that the person is on is marked. */
export function FilterList({firewall, columns, height}: ListProps): ReactElement {
	const widths = filterColumns(columns);
	const filters = visibleFilters(firewall);
	const isFront = firewall.side === 'filters';
	const selected = isFront ? undefined : filterIdOf(selectedIn(firewall));
	const users = new Map<string, number>();
	for (const rule of firewall.rules) users.set(rule.filter.id, (users.get(rule.filter.id) ?? 0) + 1);
	const related = filters.findIndex(({id}) => id === selected);
	return (
		<Box flexDirection="column" width={columns}>
			<ColumnNames
				isFront={isFront}
				names={`${fitted('USED BY', widths.users)} ${fitted('FILTER', widths.expression)}${widths.description > 0 ? ' DESCRIPTION' : ''}`}
			/>
			<List
				count={filters.length}
				cursor={related === -1 ? firewall.cursors.filters : related}
				height={height - 1}
				row={(index, isCursor) => {
					const filter = filters[index];
					return filter ? (
						<FilterLine
							expression={filter.expression}
							description={filter.description ?? ''}
							paused={filter.paused}
							users={users.get(filter.id) ?? 0}
							isRelated={filter.id === selected}
							isHere={isFront && isCursor}
							columns={columns}
						/>
					) : (
						<Text> </Text>
					);
				}}
			/>
		</Box>
	);
}

const FilterLine = memo(
	({
		expression,
		description,
		paused,
		users,
		isRelated,
		isHere,
		columns,
	}: {
		readonly expression: string;
		readonly description: string;
		readonly paused: boolean;
		readonly users: number;
		readonly isRelated: boolean;
		readonly isHere: boolean;
		readonly columns: number;
	}): ReactElement => {
		const {here, dim, marks} = useTheme();
		const widths = filterColumns(columns);
		const counted = users === 0 ? 'no rule' : users === 1 ? '1 rule' : `${users} rules`;
		const text = `${paused ? 'paused ' : ''}${oneLine(expression, widths.expression)}`;
		return (
			<Text wrap="truncate" {...(isHere ? here : paused ? dim : {})}>
				{` ${isHere ? marks.here : ' '}${isRelated ? marks.selected : ' '} `}
				{fitted(isRelated ? 'its filter' : counted, widths.users)} {fitted(text, widths.expression)}
				{widths.description > 0 ? ` ${cutEnd(drawable(description), widths.description)}` : ''}
			</Text>
		);
	},
);
