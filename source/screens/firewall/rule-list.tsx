import {Box, Text} from 'ink';
import {memo, type ReactElement} from 'react';
import {List} from '../../components/list.tsx';
import {useTheme} from '../../components/theme.ts';
import type {Rule} from '../../firewall/rule.ts';
import type {FirewallState} from '../../store/firewall-slice.ts';
import {expressionOf, filterIdOf, isAtRest, selectedIn, visibleRules} from '../../store/firewall-view.ts';
import {drawable} from '../../text/columns.ts';
import {cutEnd, fitted} from '../../text/cut.ts';
import {ruleColumns} from './lists-layout.ts';

/** The rules in the order of their evaluation; those on the filter that the person is on are marked. */
export function RuleList({
	firewall,
	columns,
	height,
}: {
	readonly firewall: FirewallState;
	readonly columns: number;
	readonly height: number;
}): ReactElement {
	const {dim} = useTheme();
	const widths = ruleColumns(columns);
	const rules = visibleRules(firewall);
	const isFront = firewall.side === 'rules';
	const filter = filterIdOf(selectedIn(firewall));
	const users = new Map<string, number>();
	const places = new Map<string, number>();
	for (const [index, rule] of firewall.rules.entries()) {
		users.set(rule.filter.id, (users.get(rule.filter.id) ?? 0) + 1);
		places.set(rule.id, index + 1);
	}
	const related = rules.findIndex(rule => rule.filter.id === filter);
	const cursor = isFront || related === -1 ? firewall.cursors.rules : related;
	return (
		<Box flexDirection="column" width={columns}>
			<Text {...(isFront ? {bold: true} : dim)} wrap="truncate">
				{`    ${fitted('#', widths.place, 'right')} ${fitted('ACTION', widths.action)} ${fitted(widths.priority > 5 ? 'PRIORITY' : 'PRIO', widths.priority, 'right')}  ${fitted('EXPRESSION', widths.expression)}${widths.users > 0 ? ` ${fitted('FILTER', widths.users)}` : ''}`}
			</Text>
			<List
				count={rules.length}
				cursor={cursor}
				height={height - 1}
				row={(index, isCursor) => {
					const rule = rules[index];
					if (!rule) return <Text> </Text>;
					const isHere = isFront && isCursor;
					return (
						<RuleLine
							{...lineOf(rule)}
							place={places.get(rule.id) ?? 0}
							users={users.get(rule.filter.id) ?? 0}
							relation={isHere || rule.filter.id !== filter ? '' : isFront ? 'same filter' : 'uses it'}
							isHere={isHere}
							columns={columns}
						/>
					);
				}}
			/>
		</Box>
	);
}

/** What a row shows, as plain texts and figures, so that a row that did not change is not drawn anew. */
type Line = {
	readonly action: string;
	readonly priority: number | null;
	readonly state: 'in force' | 'paused' | 'filter paused' | 'filter deleted';
	readonly expression: string;
};

function lineOf(rule: Rule): Line {
	const expression = expressionOf(rule);
	return {
		action: rule.action,
		priority: rule.priority,
		state:
			expression === undefined
				? 'filter deleted'
				: rule.paused
					? 'paused'
					: isAtRest(rule)
						? 'filter paused'
						: 'in force',
		expression: expression ?? '',
	};
}

const RuleLine = memo(
	({
		action,
		priority,
		state,
		expression,
		place,
		users,
		relation,
		isHere,
		columns,
	}: Line & {
		readonly place: number;
		readonly users: number;
		readonly relation: string;
		readonly isHere: boolean;
		readonly columns: number;
	}): ReactElement => {
		const {here, dim, warning, marks} = useTheme();
		const widths = ruleColumns(columns);
		const rests = state !== 'in force';
		const word = rests ? `${state === 'filter deleted' ? `${marks.warning} ` : ''}${state} ` : '';
		const text = cutEnd(oneLine(expression, widths.expression), widths.expression - word.length);
		return (
			<Text wrap="truncate" {...(isHere ? here : rests ? dim : {})}>
				{` ${isHere ? marks.here : ' '}${relation === '' ? ' ' : marks.selected} `}
				{fitted(String(place), widths.place, 'right')} {fitted(drawable(action), widths.action)}{' '}
				{fitted(priority === null ? marks.none : String(priority), widths.priority, 'right')}
				{'  '}
				<Text {...(state === 'filter deleted' ? warning : {})}>{word}</Text>
				{fitted(text, widths.expression - word.length)}
				{widths.users > 0 ? ` ${relation || (users > 1 ? `of ${users} rules` : '')}` : ''}
			</Text>
		);
	},
);

/** The beginning of an expression on one line. */
export const oneLine = (expression: string, columns: number): string =>
	drawable(
		expression
			.slice(0, columns * 4)
			.replace(/\s+/g, ' ')
			.trim(),
	);
