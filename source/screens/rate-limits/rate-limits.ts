import {formatCustomRuleAction, formatCustomRuleResponse} from '../../firewall/rules/custom-rule-words.ts';
import {
	formatRate,
	formatRateLimitTimeout,
	parseRateLimit,
	rateLimitAdvice,
} from '../../firewall/rules/rate-limit.ts';
import {pickUnknownFields, rateLimitPhase} from '../../rulesets/ruleset.ts';
import {toDrawable} from '../../text/columns.ts';
import {formatInteger} from '../../text/figures.ts';
import {formatOneLine} from '../../text/one-line.ts';
import {buildExpressionRows, buildHeadingRow} from '../firewall/expression-rows.ts';
import type {DetailBuilder} from '../list/detail.ts';
import {
	createDetailActions,
	createListActions,
	createListReader,
	createListScreen,
	formatRowCount,
	type ListScreenDefinition,
} from '../list/screen.ts';
import type {Column} from '../list/table.tsx';
import {buildNamedRows, buildTextRows} from '../rows/rows.ts';
import {createActionFactory, withSelection} from '../shell/action.ts';
import type {Action} from '../shell/app.ts';
import {rateLimitChanges} from './changes.ts';
import {createRateLimitsSlice} from './slice.ts';
import {type PositionedLimit, type RateLimitsState, rateLimitList} from './state.ts';

/** Builds the details of the rate limit under the cursor, wrapped to `columns`. */
export const buildRateLimitRows: DetailBuilder<RateLimitsState> = (data, columns, marks) => {
	const currentLimit = rateLimitList.getSelected(data);
	if (!currentLimit) return [];
	const {rule, position} = currentLimit;
	const {ratelimit: _, ...unknown} = pickUnknownFields(rule);
	const limit = parseRateLimit(rule);
	const unknownFields = {...unknown, ...limit.unknownFields};
	const heading = [
		`rate limit ${formatInteger(position)} of ${formatInteger(data.rows.length)}`,
		toDrawable(formatCustomRuleAction(rule)),
		formatRate(limit) ?? 'limit unknown',
	];
	return [
		buildHeadingRow(heading, rule.enabled === false ? ['off: has no effect'] : [], columns, marks),
		...buildExpressionRows(rule.expression, {plan: data.zone.plan, phase: rateLimitPhase}, columns, marks),
		...buildNamedRows('counted by', limit.characteristics.join(', ') || undefined, columns),
		...buildNamedRows('action for', formatRateLimitTimeout(limit), columns),
		...buildNamedRows('counts', limit.countingExpression, columns),
		...buildNamedRows('description', rule.description, columns),
		...buildNamedRows('response', formatCustomRuleResponse(rule), columns),
		...buildNamedRows(
			'others',
			Object.keys(unknownFields).length > 0 ? JSON.stringify(unknownFields) : undefined,
			columns,
		),
		...buildNamedRows('rule id', rule.id, columns),
		...buildNamedRows('reference', rule.ref === rule.id ? undefined : rule.ref, columns),
		...buildTextRows(`To create, edit or move rate limits: ${rateLimitAdvice.next}`, columns, 'dim'),
	];
};

/** Creates the width of a column that is shown only on terminals of 120 columns or more. */
const createWideOnlyWidth = (width: number) => (columns: number) => (columns >= 120 ? width : 0);

const rateLimitColumns: readonly Column<PositionedLimit>[] = [
	{
		title: '#',
		isEssential: true,
		getWidth: () => 4,
		align: 'right',
		getText: ({position}) => formatInteger(position),
	},
	{
		title: '',
		isEssential: true,
		getWidth: () => 3,
		getText: ({rule}) => (rule.enabled === false ? 'off' : 'on'),
	},
	{
		title: 'ACTION',
		getWidth: columns => (columns >= 80 ? 18 : 10),
		gap: 2,
		getText: ({rule}) => formatCustomRuleAction(rule),
	},
	{
		title: 'LIMIT',
		isEssential: true,
		getWidth: () => 22,
		gap: 2,
		getText: ({rule}) => formatRate(parseRateLimit(rule)) ?? '',
	},
	{
		title: 'BY',
		getWidth: createWideOnlyWidth(30),
		gap: 2,
		getText: ({rule}) => parseRateLimit(rule).characteristics.join(', '),
	},
	{
		title: 'FOR',
		getWidth: createWideOnlyWidth(18),
		gap: 2,
		getText: ({rule}) => formatRateLimitTimeout(parseRateLimit(rule)) ?? '',
	},
	{
		title: 'EXPRESSION',
		gap: 2,
		getText: ({rule}) => formatOneLine(rule.expression, 400),
		getLook: ({rule}) => (rule.enabled === false ? 'dim' : {}),
	},
];

/** Reads the rate limits of the open zone. */
const readRateLimits = createListReader(rateLimitList, 'rate limits');

const rateLimitsActions: readonly Action[] = [
	...createDetailActions(rateLimitList),
	...rateLimitChanges,
	rateLimitList.defineAction(
		'limits.change',
		['e', 'a', 'O'],
		'show where rate limits are created, edited and moved',
		{
			searchTerms: ['edit', 'new', 'move', 'create'],
			run: ({state}) =>
				state().messages.warn(
					'Not on this screen. Create, edit and move rate limits with `ledge rules export` and `ledge rules apply`.',
				),
		},
	),
	...createListActions(rateLimitList, 'filter the rate limits by text', [
		{shortcut: 'y', noun: 'the expression', hint: 'copy', getText: ({rule}) => rule.expression},
		{shortcut: 'Y', noun: 'the rate limit id', getText: ({rule}) => rule.id},
	]),
];

export const rateLimitsScreen: ListScreenDefinition = createListScreen(rateLimitList, {
	label: 'the rate limits',
	buildPath: parentPath => [...parentPath, 'rate limits'],
	actions: rateLimitsActions,
	createSlice: createRateLimitsSlice,
	reload: readRateLimits,
	buildDetail: buildRateLimitRows,
	view: {
		getColumns: () => rateLimitColumns,
		detailHint: ': enter',
		describeEmpty: ({zone}) => `${zone.name} has no rate limit rules.`,
	},
	formatStatus: data => (data.reading === 'read' ? formatRowCount(rateLimitList, data, 'rate limit') : ''),
});

/** Opens the rate limits from the rules of a zone. */
export const rateLimitEntryActions: readonly Action[] = (['customRules', 'firewall'] as const).map(
	listScreen =>
		createActionFactory(listScreen === 'customRules' ? 'Custom rules' : 'Firewall', [listScreen])(
			`${listScreen === 'customRules' ? 'custom' : 'firewall'}.rate-limits`,
			['L'],
			'show the rate limit rules of the zone',
			{
				searchTerms: ['rate limiting', 'rate limits', 'throttle', 'http_ratelimit', 'too many requests'],
				isActive: ({customRules}) =>
					customRules.data?.movingRuleId === undefined || listScreen === 'firewall',
				...withSelection(
					state => state[listScreen].data?.zone,
					'no zone is open',
					(app, zone) => {
						app.state().rateLimits.open(zone);
						app.state().navigation.go('rateLimits');
						readRateLimits(app);
					},
				),
			},
		),
);
