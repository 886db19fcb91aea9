import {Box, Text} from 'ink';
import {memo, type ReactElement, useMemo} from 'react';
import {bodyRows} from '../../components/layout.ts';
import {List} from '../../components/list.tsx';
import {useTheme} from '../../components/theme.ts';
import {rulesByPlan} from '../../firewall/limits.ts';
import {doing} from '../../firewall/rules/custom-rule-words.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {planNames} from '../../service/plan.ts';
import type {Has} from '../../store/ledge-store.ts';
import {columnsOf, drawable} from '../../text/columns.ts';
import {cutEnd, fitted} from '../../text/cut.ts';
import {counted, grouped} from '../../text/figures.ts';
import {oneLine} from '../../text/one-line.ts';
import {detailColumns} from '../list/screen.ts';
import {ScrolledRows} from '../rows/lines.tsx';
import {Empty} from '../shell/empty.tsx';
import {wasRead} from '../shell/rereading.ts';
import {useLedge} from '../shell/use-ledge.ts';
import {customRuleRows} from './detail-rows.ts';
import {
	type CustomRulesState,
	customRuleUnderCursor,
	placeOfRule,
	rulesOf,
	visibleCustomRules,
} from './state.ts';

/** The custom rules of a zone in the order of their evaluation, and all of the one under the cursor. */
export function CustomRules(): ReactElement {
	const state = useLedge(state => state.customRules.data);
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	const {dim, marks} = useTheme();
	if (!state) return <Empty title="No zone is open." next="esc leads back" />;
	const why = whyEmpty(state);
	if (why) return <Empty {...why} />;
	const height = bodyRows(rows);
	if (state.detail !== undefined)
		return <Detail state={state} top={state.detail} columns={columns} height={height} />;
	const below = Math.max(3, Math.floor(height * 0.35));
	return (
		<>
			<RuleList state={state} columns={columns} height={height - below - 1} />
			<Text {...dim} wrap="truncate">
				{`   ${marks.rule.repeat(Math.max(0, columns - 6))}`}
			</Text>
			<Detail state={state} top={0} columns={columns} height={below} />
		</>
	);
}

/** What is shown instead of an empty list. */
function whyEmpty(state: CustomRulesState): Parameters<typeof Empty>[0] | undefined {
	const {reading, failure, zone, sought} = state;
	if (visibleCustomRules(state).length > 0) return undefined;
	if (rulesOf(state).length > 0)
		return {title: `No custom rule has "${sought}" in what it says.`, next: 'esc shows all of them'};
	if (failure && reading !== 'reading' && reading !== 'reading again') return {failure};
	if (!wasRead(state)) return {isUnread: true};
	return {
		title: `${zone.name} has no custom rule yet.`,
		next: 'n makes the first one, m makes them of the firewall rules',
	};
}

function Detail({
	state,
	top,
	columns,
	height,
}: {
	readonly state: CustomRulesState;
	readonly top: number;
	readonly columns: number;
	readonly height: number;
}): ReactElement {
	const {marks} = useTheme();
	const rows = useMemo(() => customRuleRows(state, detailColumns(columns), marks), [state, columns, marks]);
	return <ScrolledRows rows={rows} top={top} height={height} />;
}

/** Columns of a row, by the widest of what the rules do. */
function widthsOf(columns: number, rules: readonly RulesetRule[]) {
	const place = 4;
	const most = columns >= 100 ? 32 : 24;
	const action = Math.min(most, Math.max(6, ...rules.map(rule => columnsOf(drawable(doing(rule))))));
	return {place, action, text: columns - 4 - (place + 1) - (action + 2)};
}

function RuleList({
	state,
	columns,
	height,
}: {
	readonly state: CustomRulesState;
	readonly columns: number;
	readonly height: number;
}): ReactElement {
	const all = rulesOf(state);
	const widths = useMemo(() => widthsOf(columns, all), [columns, all]);
	const shown = visibleCustomRules(state);
	const {moving, cursor} = state;
	const describes = all.some(({description}) => description);
	return (
		<Box flexDirection="column" height={height} flexShrink={0}>
			<Text bold wrap="truncate">
				{`    ${fitted('#', widths.place, 'right')} ${fitted('ACTION', widths.action)}  ${describes ? 'DESCRIPTION, EXPRESSION' : 'EXPRESSION'}`}
			</Text>
			<List
				count={shown.length}
				cursor={cursor}
				height={height - 1}
				row={(index, isHere) => {
					const rule = shown[index];
					if (!rule) return <Text> </Text>;
					const was = placeOfRule(all, rule);
					return (
						<RuleLine
							action={doing(rule)}
							paused={rule.enabled === false}
							description={rule.description ?? ''}
							expression={rule.expression}
							place={moving ? index + 1 : was}
							was={moving && was !== index + 1 ? was : undefined}
							isMoved={moving !== undefined && moving.id === rule.id}
							isHere={isHere}
							actionColumns={widths.action}
							placeColumns={widths.place}
							room={widths.text}
						/>
					);
				}}
			/>
		</Box>
	);
}

type LineProps = {
	readonly action: string;
	readonly paused: boolean;
	readonly description: string;
	readonly expression: string;
	readonly place: number;
	/** Its place before, where that is another one. */
	readonly was: number | undefined;
	readonly isMoved: boolean;
	readonly isHere: boolean;
	readonly actionColumns: number;
	readonly placeColumns: number;
	readonly room: number;
};

/** A row as plain texts and figures, so that a row that did not change is not drawn again. */
const RuleLine = memo(
	({
		action,
		paused,
		description,
		expression,
		place,
		was,
		isMoved,
		isHere,
		actionColumns,
		placeColumns,
		room,
	}: LineProps): ReactElement => {
		const {here, dim, marks} = useTheme();
		const says = [
			...(was === undefined ? [] : [`was ${was}`]),
			...(paused ? ['paused'] : []),
			...[description, expression].filter(Boolean).map(text => oneLine(text, room)),
		];
		return (
			<Text wrap="truncate" {...(isHere ? here : paused ? dim : {})}>
				{` ${isHere ? marks.here : ' '}${isMoved ? marks.selected : ' '} `}
				{fitted(grouped(place), placeColumns, 'right')}{' '}
				{fitted(cutEnd(drawable(action), actionColumns), actionColumns)}
				{`  ${cutEnd(says.join(` ${marks.dot} `), room)}`}
			</Text>
		);
	},
);

/** What is to be known of the list first, then how many of what the plan allows, and last the id of the selected rule. */
export function customRulesStatus({
	customRules: {data: customRules},
	navigation: {viewport},
}: Has<'customRules'> & Has<'navigation', 'viewport'>): string {
	if (!customRules || (!wasRead(customRules) && rulesOf(customRules).length === 0)) return '';
	const {reading, zone, sought, moving} = customRules;
	const rules = rulesOf(customRules);
	if (moving) {
		const [from, to] = [placeOfRule(rules, moving), placeOfRule(moving.order, moving)];
		return from === to
			? `place ${from} of ${rules.length}   up and down move the rule`
			: `place ${from} → ${to} of ${rules.length}   nothing has been sent`;
	}
	const id = customRuleUnderCursor(customRules)?.id;
	const ofPlan =
		zone.plan === undefined
			? counted(rules.length, 'custom rule')
			: `${grouped(rules.length)} of ${counted(rulesByPlan[zone.plan], 'custom rule')} (${planNames[zone.plan]})`;
	const parts = [
		...(reading === 'stale' ? ['NOT READ SINCE A CHANGE: ctrl-r reads it'] : []),
		sought === ''
			? ofPlan
			: `${grouped(visibleCustomRules(customRules).length)} of ${counted(rules.length, 'custom rule')}`,
	].join('   ');
	// One column is free at each side of the line.
	const room = viewport.columns - 2;
	const whole = id === undefined ? parts : `${parts}   ${id}`;
	return columnsOf(whole) <= room ? whole : cutEnd(parts, room);
}
