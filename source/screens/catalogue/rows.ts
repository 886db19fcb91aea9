import type {Marks} from '../../components/theme.ts';
import {type CatalogueRule, findExecutingRule, formatManagedState} from '../../managed/catalogue.ts';
import {getManagedRuleEffect} from '../../migration/configuration/managed-effect.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd, fitText} from '../../text/cut.ts';
import {formatQuantity} from '../../text/figures.ts';
import {
	buildNamedRows,
	buildTextRows,
	buildVerbatimNamedRows,
	joinWithBlankRows,
	type Look,
	type Piece,
	type Row,
} from '../rows/rows.ts';
import {
	type CatalogueState,
	getCurrentCatalogueRule,
	listMarkedRules,
	listUnknownMarkedIds,
} from './state.ts';

/** What a rule does in the zone's configuration. */
type ConfiguredEffect = {readonly text: string; readonly differsFromDefault: boolean};

/** Returns what a rule does in the zone's configuration; undefined if the request has none. */
function getConfiguredEffect(
	{request: {configuration}}: CatalogueState,
	rule: CatalogueRule,
): ConfiguredEffect | undefined {
	if (!configuration) return undefined;
	const executingRule = findExecutingRule(configuration.rules, rule.ruleset.id);
	if (!executingRule) return {text: 'not deployed', differsFromDefault: true};
	const effect = getManagedRuleEffect(executingRule, rule);
	return {
		text: formatEffectBesideDefault(effect, rule),
		differsFromDefault: effect.action !== rule.action || effect.enabled !== rule.enabled,
	};
}

/** Formats what a rule does here, shown after its default: a rule that is off is only "off". */
const formatEffectBesideDefault = (
	effect: Pick<CatalogueRule, 'action' | 'enabled'>,
	rule: CatalogueRule,
): string => (!effect.enabled && effect.action === rule.action ? 'off' : formatManagedState(effect));

/** Minimum width of the table to show tags and configured effects in columns of their own. */
const minSeparateWidth = 100;

/** Computes the widths of the columns, without gaps; 0 hides a column. */
function computeColumnWidths({request: {configuration}}: CatalogueState, columns: number) {
	const hasSeparateColumns = columns >= minSeparateWidth;
	const defaultWidth = hasSeparateColumns ? 23 : configuration ? 20 : 15;
	const configuredWidth = hasSeparateColumns && configuration ? 17 : 0;
	const tagsWidth = hasSeparateColumns ? 18 : 0;
	const takenColumns = [tagsWidth, defaultWidth, configuredWidth]
		.filter(width => width > 0)
		.reduce((sum, width) => sum + width + 2, 0);
	return {defaultWidth, configuredWidth, tagsWidth, nameWidth: columns - margin - takenColumns};
}

/** Columns before each row (cursor and mark) and after it. */
const margin = 6;

const formatCells = (texts: readonly (readonly [text: string, width: number])[]): string =>
	texts
		.filter(([, width]) => width > 0)
		.map(([text, width]) => fitText(cutEnd(toDrawable(text), width), width))
		.join('  ');

export function buildTitleRow(state: CatalogueState, columns: number): Row {
	const {nameWidth, tagsWidth, defaultWidth, configuredWidth} = computeColumnWidths(state, columns);
	const text = formatCells([
		['NAME', nameWidth],
		['TAGS', tagsWidth],
		[configuredWidth === 0 && state.request.configuration ? 'DEFAULT → HERE' : 'DEFAULT', defaultWidth],
		['HERE', configuredWidth],
	]);
	return [{text: `     ${text}`, look: 'dim'}];
}

export function buildRuleRow(
	state: CatalogueState,
	rule: CatalogueRule,
	isCurrent: boolean,
	columns: number,
	marks: Pick<Marks, 'current' | 'selected'>,
): Row {
	const {nameWidth, tagsWidth, defaultWidth, configuredWidth} = computeColumnWidths(state, columns);
	const effect = getConfiguredEffect(state, rule);
	const configuredText = effect?.differsFromDefault ? effect.text : '';
	const isMarked = state.request.pickMode === 'several' && state.markedIds.has(rule.id);
	const look = isCurrent ? 'here' : 'plain';
	const defaultText = formatManagedState(rule);
	return [
		{text: ` ${isCurrent ? marks.current : ' '} ${isMarked ? marks.selected : ' '} `, look: 'here'},
		{text: formatCells([[getRuleName(rule), nameWidth]]), look},
		...buildCell(rule.categories.join(' '), tagsWidth, isCurrent ? 'here' : 'dim'),
		...(configuredWidth === 0 && configuredText !== ''
			? buildCell(`${defaultText} → ${configuredText}`, defaultWidth, 'warning')
			: buildCell(defaultText, defaultWidth, look)),
		...buildCell(configuredText, configuredWidth, 'warning'),
	];
}

/** Builds a cell with the gap before it; empty if `width` is 0, which hides the column. */
const buildCell = (text: string, width: number, look: Look): readonly Piece[] =>
	width === 0 ? [] : [{text: `  ${formatCells([[text, width]])}`, look}];

const getRuleName = ({description, id}: CatalogueRule): string => description || id;

/** The origin of a rule's effect, in words. */
const originWords = {
	rule: 'set by a rule override',
	category: 'set by a category override',
	ruleset: 'set by the ruleset override',
} as const;

/**
 * Builds the details of the rule under the cursor, then the marked rules, wrapped to `columns`. If there is
 * little room, some of the marked rules come first, so that they are not cut.
 */
export function buildCatalogueDetailRows(
	state: CatalogueState,
	columns: number,
	isShort: boolean,
): readonly Row[] {
	const rule = getCurrentCatalogueRule(state);
	const ruleRows = rule ? buildCurrentRuleRows(state, rule, columns) : [];
	return isShort
		? [...buildMarkedRows(state, columns, maxShortMarks), ...ruleRows]
		: joinWithBlankRows(ruleRows, buildMarkedRows(state, columns));
}

/** Marked rules that are named if there is little room. */
const maxShortMarks = 2;

function buildCurrentRuleRows(state: CatalogueState, rule: CatalogueRule, columns: number): readonly Row[] {
	const {id, ruleset, categories, score_threshold: threshold} = rule;
	return [
		...buildVerbatimNamedRows('id', id, columns),
		...buildNamedRows('name', rule.description || 'none', columns),
		...buildNamedRows(
			'does',
			describeEffect(state, rule),
			columns,
			getConfiguredEffect(state, rule)?.differsFromDefault ? 'warning' : 'plain',
		),
		...(threshold === undefined || threshold === 0
			? []
			: buildNamedRows('acts at', `a score of ${threshold} or more`, columns)),
		...buildNamedRows('tags', categories.join(', ') || 'none', columns),
		...buildNamedRows('ruleset', ruleset.name, columns),
	];
}

/** Describes the effect: "block by default; here log, set by a rule override". */
function describeEffect({request: {configuration}}: CatalogueState, rule: CatalogueRule): string {
	const defaultText = `${formatManagedState(rule)} by default`;
	if (!configuration) return defaultText;
	const executingRule = findExecutingRule(configuration.rules, rule.ruleset.id);
	if (!executingRule) return `${defaultText}; its ruleset is not deployed here`;
	if (executingRule.enabled === false) return `${defaultText}; off here because its ruleset is off`;
	const effect = getManagedRuleEffect(executingRule, rule);
	return effect.by === undefined
		? defaultText
		: `${defaultText}; here ${formatEffectBesideDefault(effect, rule)}, ${originWords[effect.by]}`;
}

function buildMarkedRows(
	state: CatalogueState,
	columns: number,
	maxRules = Number.POSITIVE_INFINITY,
): readonly Row[] {
	if (state.request.pickMode !== 'several') return [];
	const markedRules = listMarkedRules(state);
	const unknownIds = listUnknownMarkedIds(state);
	const hiddenCount = Math.max(0, markedRules.length - maxRules);
	const hiddenNote = hiddenCount === 0 ? '' : `; the first ${maxRules}:`;
	return [
		...(markedRules.length === 0
			? []
			: buildTextRows(
					`${formatQuantity(markedRules.length, 'rule')} selected${hiddenNote}`,
					columns,
					'head',
				)),
		...markedRules
			.slice(0, markedRules.length - hiddenCount)
			.flatMap(rule =>
				maxRules === Number.POSITIVE_INFINITY
					? buildTextRows(getRuleName(rule), columns, 'plain', 2)
					: [[{text: `  ${cutEnd(toDrawable(getRuleName(rule)), columns - 2)}`, look: 'plain' as const}]],
			),
		...unknownIds.flatMap(id =>
			buildTextRows(`${id} is not in any of these rulesets and won't be picked.`, columns, 'warning'),
		),
	];
}
