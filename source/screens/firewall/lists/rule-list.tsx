import {Box, Text} from 'ink';
import {memo, type ReactElement, useMemo} from 'react';
import {List} from '../../../components/list.tsx';
import {useTheme} from '../../../components/theme.ts';
import type {Rule} from '../../../firewall/rules/rule.ts';
import {bypassesWaf} from '../../../firewall/rules/waf-bypass.ts';
import {drawable} from '../../../text/columns.ts';
import {cutEnd, fitted} from '../../../text/cut.ts';
import {oneLine} from '../../../text/one-line.ts';
import {expressionOf, filterIdOf, isAtRest, selectedIn, visibleRules} from '../listed.ts';
import {type RuleColumns, ruleColumns} from './layout.ts';
import {ColumnNames, type ListProps} from './parts.tsx';

/** The rules in the order of their evaluation; those on the filter that the person is on are marked. */
export function RuleList({firewall, columns, height}: ListProps): ReactElement {
	const widths = useMemo(() => ruleColumns(columns, firewall.rules), [columns, firewall.rules]);
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
			<ColumnNames
				isFront={isFront}
				names={`${fitted('#', widths.place, 'right')} ${fitted('ACTION', widths.action)} ${fitted(widths.priority > 5 ? 'PRIORITY' : 'PRIO', widths.priority, 'right')}  ${fitted(describes(firewall.rules) ? 'DESCRIPTION, EXPRESSION' : 'EXPRESSION', widths.text)}${widths.users > 0 ? ` ${fitted('FILTER', widths.users)}` : ''}`}
			/>
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
							{...lineOf(rule, firewall.migrated === true)}
							place={places.get(rule.id) ?? 0}
							users={users.get(rule.filter.id) ?? 0}
							relation={isHere || rule.filter.id !== filter ? '' : isFront ? 'same' : 'uses it'}
							isHere={isHere}
							widths={widths}
						/>
					);
				}}
			/>
		</Box>
	);
}

/** What a row shows, as plain texts and figures, so that a row that did not change is not drawn again. */
type Line = {
	readonly action: string;
	readonly priority: number | null;
	readonly state: 'in force' | 'paused' | 'filter paused' | 'filter deleted' | 'no effect';
	readonly description: string;
	readonly expression: string;
};

/** In a zone that has migrated such a rule does nothing; a rule that bypasses more still does. */
const isBypassOfWafAlone = (rule: Rule): boolean => bypassesWaf(rule) && rule.products?.length === 1;

const describes = (rules: readonly Rule[]): boolean => rules.some(({description}) => description);

function lineOf(rule: Rule, migrated: boolean): Line {
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
						: migrated && isBypassOfWafAlone(rule)
							? 'no effect'
							: 'in force',
		description: rule.description ?? '',
		expression: expression ?? '',
	};
}

const RuleLine = memo(
	({
		action,
		priority,
		state,
		description,
		expression,
		place,
		users,
		relation,
		isHere,
		widths,
	}: Line & {
		readonly place: number;
		readonly users: number;
		readonly relation: string;
		readonly isHere: boolean;
		readonly widths: RuleColumns;
	}): ReactElement => {
		const {here, dim, warning, marks} = useTheme();
		const rests = state !== 'in force';
		const word = rests
			? `${state === 'filter deleted' || state === 'no effect' ? `${marks.warning} ` : ''}${state} `
			: '';
		const room = widths.text - word.length;
		// What someone called it tells rules apart, where the expressions begin alike.
		const says = [description, expression].filter(Boolean).map(text => oneLine(text, room));
		const text = cutEnd(says.join(` ${marks.dot} `), room);
		return (
			<Text wrap="truncate" {...(isHere ? here : rests ? dim : {})}>
				{` ${isHere ? marks.here : ' '}${relation === '' ? ' ' : marks.selected} `}
				{fitted(String(place), widths.place, 'right')} {fitted(drawable(action), widths.action)}{' '}
				{fitted(priority === null ? marks.none : String(priority), widths.priority, 'right')}
				{'  '}
				<Text {...(state === 'filter deleted' || state === 'no effect' ? warning : {})}>{word}</Text>
				{fitted(text, room)}
				{widths.users > 0 ? ` ${usedBy(relation, users, widths.users)}` : ''}
			</Text>
		);
	},
);

/** What the filter of a rule has to do with the one in front; else how many rules share it. */
function usedBy(relation: string, users: number, columns: number): string {
	if (relation !== '') return relation === 'same' && columns > 11 ? 'same filter' : relation;
	if (users < 2) return '';
	return columns > 11 ? `of ${users} rules` : cutEnd(`${users} rules`, columns);
}
