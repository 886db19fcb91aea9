import {formatCustomRuleAction, formatCustomRuleResponse} from '../../firewall/rules/custom-rule-words.ts';
import {hasEnded} from '../../firewall/rules/end-time.ts';
import {formatRate, formatRateLimitTimeout, parseRateLimit} from '../../firewall/rules/rate-limit.ts';
import {pickUnknownFields, type RulesetRule, rateLimitPhase} from '../../rulesets/ruleset.ts';
import {toDrawable} from '../../text/columns.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {buildExpressionRows, buildHeadingRow} from '../firewall/expression-rows.ts';
import type {DetailBuilder} from '../list/detail.ts';
import {
	createDetailActions,
	createListActions,
	createListReader,
	type ListScreenDefinition,
} from '../list/screen.ts';
import type {Column} from '../list/table.tsx';
import {buildNamedRows} from '../rows/rows.ts';
import {buildRuleListChanges} from '../rulesets/list-changes.ts';
import {createRuleListScreen} from '../rulesets/list-screen.ts';
import {
	findRulePosition,
	getListedRules,
	type RuleListSlice,
	type RuleListState,
} from '../rulesets/rule-list.ts';
import {createActionFactory, withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {rateLimitList} from './state.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly rateLimits: RuleListSlice;
	}
}

/** Builds the details of the rate limit under the cursor, wrapped to `columns`. */
export const buildRateLimitRows: DetailBuilder<RuleListState> = (state, columns, marks) => {
	const rule = rateLimitList.getSelected(state);
	if (!rule) return [];
	const {ratelimit: _, ...unknown} = pickUnknownFields(rule);
	const limit = parseRateLimit(rule);
	const unknownFields = {...unknown, ...limit.unknownFields};
	const {expression, enabled, description, id, ref} = rule;
	const rules = getListedRules(state);
	const heading = [
		`rate limit ${formatInteger(findRulePosition(rules, rule))} of ${formatInteger(rules.length)}`,
		toDrawable(formatCustomRuleAction(rule)),
		formatRate(limit) ?? 'limit unknown',
	];
	return [
		buildHeadingRow(
			heading,
			enabled === false ? ['paused: has no effect'] : hasEnded(expression) ? ['ended: has no effect'] : [],
			columns,
			marks,
		),
		...buildExpressionRows(expression, {plan: state.zone.plan, phase: rateLimitPhase}, columns, marks),
		...buildNamedRows('counted per', limit.characteristics.join(', ') || undefined, columns),
		...buildNamedRows('action for', formatRateLimitTimeout(limit), columns),
		...buildNamedRows('counts', limit.countingExpression, columns),
		...buildNamedRows('description', description, columns),
		...buildNamedRows('response', formatCustomRuleResponse(rule), columns),
		...buildNamedRows(
			'others',
			Object.keys(unknownFields).length > 0 ? JSON.stringify(unknownFields) : undefined,
			columns,
		),
		...buildNamedRows('rule id', id, columns),
		...buildNamedRows('reference', ref === id ? undefined : ref, columns),
	];
};

/** Creates the width of a column that is shown only on terminals of 120 columns or more. */
const createWideOnlyWidth = (width: number) => (columns: number) => (columns >= 120 ? width : 0);

const rateLimitColumns: readonly Column<RulesetRule>[] = [
	{
		title: 'ACTION',
		getWidth: columns => (columns >= 80 ? 18 : 10),
		getText: formatCustomRuleAction,
	},
	{
		title: 'LIMIT',
		isEssential: true,
		getWidth: () => 22,
		gap: 2,
		getText: rule => formatRate(parseRateLimit(rule)) ?? '',
	},
	{
		title: 'PER',
		getWidth: createWideOnlyWidth(30),
		gap: 2,
		getText: rule => parseRateLimit(rule).characteristics.join(', '),
	},
	{
		title: 'FOR',
		getWidth: createWideOnlyWidth(21),
		gap: 2,
		getText: rule => formatRateLimitTimeout(parseRateLimit(rule)) ?? '',
	},
];

/** Reads the rate limits of the open zone. */
const readRateLimits = createListReader(rateLimitList, 'rate limits');

const rateLimitsActions: readonly Action[] = [
	...createDetailActions(rateLimitList),
	...buildRuleListChanges(rateLimitList),
	...createListActions(rateLimitList, 'filter the rate limits by text', [
		{shortcut: 'y', noun: 'the expression', hint: 'copy', getText: ({expression}) => expression},
		{shortcut: 'Y', noun: 'the rate limit id', getText: ({id}) => id},
	]),
];

export const rateLimitsScreen: ListScreenDefinition = createRuleListScreen(rateLimitList, {
	label: 'the rate limits',
	buildPath: (_before, {rateLimits: {data}}) => ['ledge', 'rate limits', data?.zone.name ?? ''],
	actions: rateLimitsActions,
	reload: readRateLimits,
	buildDetail: buildRateLimitRows,
	buildColumns: () => rateLimitColumns,
	formatCount: state => formatQuantity(getListedRules(state).length, 'rate limit'),
});

/** Opens the rate limits of a zone, and reads them. */
export function openZoneRateLimits(app: App, zone: RuleListState['zone']): void {
	app.state().rateLimits.open(zone);
	app.state().navigation.go('rateLimits');
	readRateLimits(app);
}

/** Opens the rate limits from the rules of a zone. */
export const rateLimitEntryActions: readonly Action[] = (['customRules', 'firewall'] as const).map(
	listScreen =>
		createActionFactory(listScreen === 'customRules' ? 'Custom rules' : 'Firewall', [listScreen])(
			`${listScreen === 'customRules' ? 'custom' : 'firewall'}.rate-limits`,
			['L'],
			'show the rate limit rules of the zone',
			{
				hint: 'rate limits',
				searchTerms: ['rate limiting', 'rate limits', 'throttle', 'http_ratelimit', 'too many requests'],
				isActive: ({customRules}) =>
					customRules.data?.movingRuleId === undefined || listScreen === 'firewall',
				...withSelection(state => state[listScreen].data?.zone, 'no zone is open', openZoneRateLimits),
			},
		),
);
