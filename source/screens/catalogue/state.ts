import {
	type CatalogueRule,
	describeUnknownRuleId,
	listCatalogueRules,
	searchCatalogue,
} from '../../managed/catalogue.ts';
import type {ManagedConfiguration} from '../../migration/configuration/configuration.ts';
import type {ManagedContents} from '../../migration/zone/managed-contents.ts';
import {createSelectedLine, getBufferText, type TextBuffer} from '../../text/buffer/buffer.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {moveCursor} from '../list/list.ts';
import type {RangeStart} from '../list/range.ts';

/** The purpose of the browser of managed rules. */
export type CatalogueRequest = {
	/** A question, or a title. */
	readonly title: string;
	/** The searchable rulesets. */
	readonly rulesets: readonly ManagedContents[];
	/** Id of the ruleset that is searched first; all are searched if undefined. */
	readonly rulesetId?: string | undefined;
	/** The configuration that determines the effect of rules. */
	readonly configuration?: Pick<ManagedConfiguration, 'rules'> | undefined;
	/** The initial search text. */
	readonly query?: string | undefined;
	readonly pickMode: 'nothing' | 'one' | 'several';
	/** Ids of the initially marked rules. */
	readonly initialMarks?: readonly string[] | undefined;
	/** What enter does with the picked rules: "override". */
	readonly verb?: string | undefined;
	/** Called after the screen is left without a pick. */
	readonly onLeave?: (() => void) | undefined;
	/** Called after the screen is left, with the rules in the order of the service. */
	onPick?(rules: readonly CatalogueRule[]): void;
};

/** The searched rules: all, those of one ruleset, or the marked ones. */
type Scope =
	| {readonly kind: 'all'}
	| {readonly kind: 'marked'}
	| {readonly kind: 'ruleset'; readonly id: string};

export type CatalogueState = {
	readonly request: CatalogueRequest;
	/** Every rule of every ruleset that could be read. */
	readonly allRules: readonly CatalogueRule[];
	readonly scope: Scope;
	/** The search text. */
	readonly line: TextBuffer;
	/** Number of rules in the scope. */
	readonly searchedCount: number;
	/** The rules that match, best first. */
	readonly matches: readonly CatalogueRule[];
	/** Index in `matches`. */
	readonly cursor: number;
	/** Ids of the marked rules. */
	readonly markedIds: ReadonlySet<string>;
	/** Where a range of marks begins. */
	readonly rangeStart?: RangeStart<string> | undefined;
};

/** Maximum length of a search, in UTF-16 code units. Longer ones find nothing and are slow. */
export const maxQueryLength = 500;

export function createCatalogue(request: CatalogueRequest): CatalogueState {
	const {rulesets, rulesetId, query = '', initialMarks = []} = request;
	const isListed = rulesets.some(({id}) => id === rulesetId);
	return withSearch({
		request,
		allRules: listCatalogueRules(rulesets),
		scope: rulesetId !== undefined && isListed ? {kind: 'ruleset', id: rulesetId} : {kind: 'all'},
		line: createSelectedLine(query),
		searchedCount: 0,
		matches: [],
		cursor: 0,
		markedIds: new Set(initialMarks),
	});
}

/** Runs the search, and keeps the cursor in its results. */
export function withSearch(state: CatalogueState): CatalogueState {
	const {allRules, scope, line, markedIds, cursor} = state;
	const rules =
		scope.kind === 'all'
			? allRules
			: allRules.filter(({id, ruleset}) =>
					scope.kind === 'marked' ? markedIds.has(id) : ruleset.id === scope.id,
				);
	const matches = searchCatalogue(getBufferText(line), rules);
	return {
		...state,
		searchedCount: rules.length,
		matches,
		cursor: moveCursor(cursor, 0, matches.length),
	};
}

/** Returns the next scope: all rulesets, each ruleset, the marked rules, and all again. */
export function getNextScope(
	{request: {rulesets, pickMode}, scope}: CatalogueState,
	direction: 1 | -1,
): Scope {
	const scopes: readonly Scope[] = [
		{kind: 'all'},
		...rulesets.map(({id}) => ({kind: 'ruleset' as const, id})),
		...(pickMode === 'several' ? [{kind: 'marked' as const}] : []),
	];
	const getScopeName = (one: Scope) => (one.kind === 'ruleset' ? one.id : one.kind);
	const index = scopes.findIndex(one => getScopeName(one) === getScopeName(scope));
	return scopes.at((index + direction) % scopes.length) ?? {kind: 'all'};
}

/** Formats the scope: "all rulesets", "OWASP Core Ruleset". */
export function formatSearchScope({request: {rulesets}, scope}: CatalogueState): string {
	switch (scope.kind) {
		case 'all':
			return 'all rulesets';
		case 'marked':
			return 'selected rules';
		case 'ruleset':
			return rulesets.find(({id}) => id === scope.id)?.name ?? scope.id;
		default:
			return scope satisfies never;
	}
}

export const getCurrentCatalogueRule = (state: CatalogueState | undefined): CatalogueRule | undefined =>
	state?.matches[state.cursor];

/** Lists the marked rules, in the order of the service. */
export const listMarkedRules = ({allRules, markedIds}: CatalogueState): readonly CatalogueRule[] =>
	allRules.filter(({id}) => markedIds.has(id));

/** Explains why the search finds no rule; undefined if it finds one. */
export function describeNoMatch(state: CatalogueState): string | undefined {
	const {request, line, scope, matches, searchedCount} = state;
	if (matches.length > 0) return undefined;
	const query = getBufferText(line).trim();
	const missingReason = describeUnknownRuleId(
		query,
		request.rulesets,
		scope.kind === 'ruleset' ? scope.id : undefined,
	);
	if (missingReason !== undefined && scope.kind !== 'marked') return missingReason;
	const ruleNoun = {
		all: 'managed rule',
		marked: 'selected rule',
		ruleset: `rule in ${formatSearchScope(state)}`,
	}[scope.kind];
	if (searchedCount > 0) return `No ${ruleNoun} matches "${query}".`;
	return scope.kind === 'marked' ? 'No rules selected.' : 'The rules of these rulesets could not be read.';
}

/** Names the searched rulesets that could not be read, in a sentence; undefined if all were read. */
export function describeUnreadRulesets({request: {rulesets}, scope}: CatalogueState): string | undefined {
	const names = rulesets
		.filter(
			({id, rules}) => !rules && (scope.kind === 'all' || (scope.kind === 'ruleset' && scope.id === id)),
		)
		.map(({name}) => name);
	return names.length === 0
		? undefined
		: `Not searched, because they could not be read: ${names.join(', ')}.`;
}

/** Lists the initially marked ids that no ruleset has. */
export const listUnknownMarkedIds = ({
	allRules,
	request: {initialMarks = []},
}: CatalogueState): readonly string[] => initialMarks.filter(id => !allRules.some(rule => rule.id === id));

/** Returns the rules that enter picks, or a sentence why it cannot. */
export function resolvePick(state: CatalogueState): readonly CatalogueRule[] | string {
	const {request} = state;
	const currentRule = getCurrentCatalogueRule(state);
	const markedRules = request.pickMode === 'several' ? listMarkedRules(state) : [];
	if (markedRules.length > 0) return markedRules;
	if (!currentRule) return describeNoMatch(state) ?? 'No rule selected.';
	// A user who removed all marks wants none, not the rule under the cursor.
	if (request.pickMode === 'several' && (request.initialMarks ?? []).length > 0) return 'No rules selected.';
	return [currentRule];
}

/**
 * Formats the counts: "12 of 652 rules, 2 off by default · 3 selected". `dot` separates them. Narrow screens
 * leave out those that are off.
 */
export function formatSearchCounts(state: CatalogueState, dot: string, isNarrow: boolean): string {
	const {matches, searchedCount, request} = state;
	const offCount = matches.filter(({enabled}) => !enabled).length;
	const total = formatQuantity(searchedCount, 'rule');
	const count = [
		matches.length === searchedCount ? total : `${formatInteger(matches.length)} of ${total}`,
		...(offCount > 0 && !isNarrow ? [`${formatInteger(offCount)} off by default`] : []),
	].join(', ');
	const markedCount = listMarkedRules(state).length;
	return request.pickMode === 'several' && markedCount > 0
		? `${count} ${dot} ${markedCount} selected`
		: count;
}
