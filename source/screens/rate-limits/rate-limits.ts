import {answerOf, doing} from '../../firewall/rules/custom-rule-words.ts';
import {rateLimitOf, rateWords, readOnlyRateLimits, timeoutWords} from '../../firewall/rules/rate-limit.ts';
import {type RulesetRule, rateLimitPhase, unknownFields} from '../../rulesets/ruleset.ts';
import {drawable} from '../../text/columns.ts';
import {grouped} from '../../text/figures.ts';
import {oneLine} from '../../text/one-line.ts';
import {headed, rowsOfExpression} from '../firewall/expression-rows.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {declareList} from '../list/declared.ts';
import {type Detail, detailActions, listActions, listScreen, readingOf} from '../list/screen.ts';
import {createZoneList, type ZoneListed, type ZoneListSlice} from '../list/slice.ts';
import type {Column} from '../list/table.tsx';
import type {ListView} from '../list/with-detail.tsx';
import {fact, said} from '../rows/rows.ts';
import {actionsOf, withFound} from '../shell/action.ts';
import type {Action} from '../shell/app.ts';
import {onZone, type ScreenDefinition} from '../shell/screen.ts';

/** A rate limit with its place in the order of evaluation, from 1. */
type PlacedLimit = {readonly rule: RulesetRule; readonly place: number};

/** The rate limits of a zone, read-only. */
type RateLimitsState = ZoneListed<PlacedLimit, OpenedZone>;

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly rateLimits: ZoneListSlice<RateLimitsState>;
	}
}

/** The list of rate limits, searchable by the text of a rule. */
export const limits = declareList({
	slice: state => state.rateLimits,
	screen: 'rateLimits',
	group: 'Rate limits',
	id: 'limits',
	row: 'rate limit',
	key: ({rule, place}: PlacedLimit) => rule.id ?? String(place),
	texts: ({rule: {expression, action, description, ref, id}}) => [expression, action, description, ref, id],
});

export const createRateLimitsSlice = createZoneList(limits, {}, async (session, {zone}, signal) => {
	const {rateLimits: read} = await import('../../firewall/rules/rate-limit.ts');
	const ruleset = await read(await session.client(), zone.id, signal);
	return {rows: (ruleset?.rules ?? []).map((rule, index) => ({rule, place: index + 1}))};
});

/** Builds the details of the rate limit under the cursor, wrapped to `columns`. */
export const rateLimitRows: Detail<RateLimitsState> = (data, columns, marks) => {
	const found = limits.selected(data);
	if (!found) return [];
	const {rule, place} = found;
	const {ratelimit: _, ...unknown} = unknownFields(rule);
	const limit = rateLimitOf(rule);
	const others = {...unknown, ...limit.others};
	const heading = [
		`rate limit ${grouped(place)} of ${grouped(data.rows.length)}`,
		drawable(doing(rule)),
		rateWords(limit) ?? 'limit unknown',
	];
	return [
		headed(heading, rule.enabled === false ? ['off: it does nothing'] : [], columns, marks),
		...rowsOfExpression(rule.expression, {plan: data.zone.plan, phase: rateLimitPhase}, columns, marks),
		...fact('counted by', limit.characteristics.join(', ') || undefined, columns),
		...fact('action for', timeoutWords(limit), columns),
		...fact('counts', limit.counting, columns),
		...fact('description', rule.description, columns),
		...fact('answer', answerOf(rule), columns),
		...fact('others', Object.keys(others).length > 0 ? JSON.stringify(others) : undefined, columns),
		...fact('rule id', rule.id, columns),
		...fact('reference', rule.ref === rule.id ? undefined : rule.ref, columns),
		...said(`${readOnlyRateLimits.why} ${readOnlyRateLimits.next}`, columns, 'dim'),
	];
};

/** Creates the width of a column that needs a terminal of at least 120 columns. */
const onWide = (width: number) => (columns: number) => (columns >= 120 ? width : 0);

const columns: readonly Column<PlacedLimit>[] = [
	{title: '#', width: () => 4, align: 'right', text: ({place}) => String(place)},
	{title: '', width: () => 3, text: ({rule}) => (rule.enabled === false ? 'off' : 'on')},
	{title: 'ACTION', width: columns => (columns >= 80 ? 18 : 10), gap: 2, text: ({rule}) => doing(rule)},
	{title: 'LIMIT', width: () => 22, gap: 2, text: ({rule}) => rateWords(rateLimitOf(rule)) ?? ''},
	{title: 'BY', width: onWide(30), gap: 2, text: ({rule}) => rateLimitOf(rule).characteristics.join(', ')},
	{title: 'FOR', width: onWide(18), gap: 2, text: ({rule}) => timeoutWords(rateLimitOf(rule)) ?? ''},
	{
		title: 'EXPRESSION',
		gap: 2,
		text: ({rule}) => oneLine(rule.expression, 400),
		look: ({rule}) => (rule.enabled === false ? 'dim' : {}),
	},
];

/** The view of the rate limits in order of evaluation, with the details of the one under the cursor. */
export const rateLimitsView: ListView<PlacedLimit, RateLimitsState> = {
	list: limits,
	columns: () => columns,
	detail: rateLimitRows,
	notOpen: 'No zone is open.',
	narrowed: filter => `No rate limit has "${filter}" in what it says.`,
	none: ({zone}) => `${zone.name} has no rate limit rules.`,
};

/** Reads the rate limits of the open zone. */
export const readRateLimits = readingOf(limits, 'rate limits');

export const rateLimitsScreen: ScreenDefinition = listScreen(limits, {
	called: 'the rate limits',
	path: before => [...before, 'rate limits'],
	actsOn: (_before, {rateLimits}) => onZone(rateLimits.data?.zone),
	reload: readRateLimits,
	detail: rateLimitRows,
});

/** Opens the rate limits from the rules of a zone. */
export const toRateLimits: readonly Action[] = (['customRules', 'firewall'] as const).map(where =>
	actionsOf(where === 'customRules' ? 'Custom rules' : 'Firewall', [where])(
		`${where === 'customRules' ? 'custom' : 'firewall'}.rate-limits`,
		['L'],
		'the rate limit rules of the zone, read-only',
		{
			words: ['rate limiting', 'rate limits', 'throttle', 'http_ratelimit', 'too many requests'],
			isHere: ({customRules}) => customRules.data?.moving === undefined || where === 'firewall',
			...withFound(
				state => state[where].data?.zone,
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

/** The actions of the rate limits, which are read-only. */
export const rateLimitsActions: readonly Action[] = [
	...detailActions(limits),
	limits.action(
		'limits.change',
		['e', 'n', 'd', 'p', 'o'],
		'why rate limits cannot be changed here, and where they can',
		{
			words: ['edit', 'new', 'delete', 'pause', 'move', 'create'],
			run: ({state}) =>
				state().messages.warn(
					'Read-only here. The dashboard changes it: Security, WAF, Rate limiting rules.',
				),
		},
	),
	...listActions(limits, 'show only the rate limits that contain a text', [
		{key: 'y', what: 'the expression', hint: 'copy', text: ({rule}) => rule.expression},
		{key: 'Y', what: 'the id of the rate limit', text: ({rule}) => rule.id},
	]),
];
