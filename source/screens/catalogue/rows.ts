import type {Marks} from '../../components/theme.ts';
import {type CatalogueRule, effectOf, executing, stateInWords} from '../../managed/catalogue.ts';
import {drawable} from '../../text/columns.ts';
import {cutEnd, fitted} from '../../text/cut.ts';
import {counted} from '../../text/figures.ts';
import {exactFact, fact, type Look, type Piece, type Row, said, spaced} from '../rows/rows.ts';
import {type CatalogueState, markedRules, ruleUnderCursor, unknownMarked} from './state.ts';

/** The effect of a rule in this configuration. */
type Here = {readonly text: string; readonly differs: boolean};

/** Returns the effect of a rule in the configuration; undefined without one. */
function hereOf({of: {configuration}}: CatalogueState, rule: CatalogueRule): Here | undefined {
	if (!configuration) return undefined;
	const executes = executing(configuration.rules, rule.ruleset.id);
	if (!executes) return {text: 'not deployed', differs: true};
	const effect = effectOf(executes, rule);
	return {
		text: stateInWords(effect),
		differs: effect.action !== rule.action || effect.enabled !== rule.enabled,
	};
}

/** Minimum columns for separate columns of tags and local effects. */
const leastOwn = 100;

/** Computes the widths of the columns, without gaps; 0 hides a column. */
function columnsIn({of: {configuration}}: CatalogueState, columns: number) {
	const isOwn = columns >= leastOwn;
	const does = isOwn ? 23 : configuration ? 20 : 15;
	const here = isOwn && configuration ? 17 : 0;
	const tags = isOwn ? 18 : 0;
	const taken = [tags, does, here].filter(width => width > 0).reduce((sum, width) => sum + width + 2, 0);
	return {does, here, tags, name: columns - margin - taken};
}

/** Columns before each row (cursor and mark) and after it. */
const margin = 6;

const cells = (texts: readonly (readonly [text: string, width: number])[]): string =>
	texts
		.filter(([, width]) => width > 0)
		.map(([text, width]) => fitted(cutEnd(drawable(text), width), width))
		.join('  ');

export function titleRow(state: CatalogueState, columns: number): Row {
	const {name, tags, does, here} = columnsIn(state, columns);
	const text = cells([
		['NAME', name],
		['TAGS', tags],
		[here === 0 && state.of.configuration ? 'DEFAULT → HERE' : 'DEFAULT', does],
		['HERE', here],
	]);
	return [{text: `     ${text}`, look: 'dim'}];
}

export function ruleRow(
	state: CatalogueState,
	rule: CatalogueRule,
	isHere: boolean,
	columns: number,
	marks: Pick<Marks, 'here' | 'selected'>,
): Row {
	const {name, tags, does, here} = columnsIn(state, columns);
	const effect = hereOf(state, rule);
	const differs = effect?.differs ? effect.text : '';
	const isMarked = state.of.picks === 'several' && state.marked.has(rule.id);
	const look = isHere ? 'here' : 'plain';
	const byDefault = stateInWords(rule);
	return [
		{text: ` ${isHere ? marks.here : ' '} ${isMarked ? marks.selected : ' '} `, look: 'here'},
		{text: cells([[nameOf(rule), name]]), look},
		...cell(rule.categories.join(' '), tags, isHere ? 'here' : 'dim'),
		...(here === 0 && differs !== ''
			? cell(`${byDefault} → ${differs}`, does, 'warning')
			: cell(byDefault, does, look)),
		...cell(differs, here, 'warning'),
	];
}

/** Builds a cell with the gap before it; empty if its column is hidden. */
const cell = (text: string, width: number, look: Look): readonly Piece[] =>
	width === 0 ? [] : [{text: `  ${cells([[text, width]])}`, look}];

const nameOf = ({description, id}: CatalogueRule): string => description || id;

/** The origin of a rule's effect, in words. */
const byWords = {
	rule: 'by an override of the rule',
	category: 'by an override of a category',
	ruleset: 'by the override of all the ruleset',
} as const;

/** Builds the details of the rule under the cursor, then the marked rules, wrapped to `columns`. */
export function detailRows(state: CatalogueState, columns: number): readonly Row[] {
	const rule = ruleUnderCursor(state);
	return spaced(rule ? rowsOf(state, rule, columns) : [], rowsOfMarked(state, columns));
}

function rowsOf(state: CatalogueState, rule: CatalogueRule, columns: number): readonly Row[] {
	const {id, ruleset, categories, score_threshold: threshold} = rule;
	return [
		...exactFact('id', id, columns),
		...fact('name', rule.description || 'none', columns),
		...fact('does', doesInWords(state, rule), columns, hereOf(state, rule)?.differs ? 'warning' : 'plain'),
		...(threshold === undefined || threshold === 0
			? []
			: fact('acts from', `a score of ${threshold} on`, columns)),
		...fact('tags', categories.join(', ') || 'none', columns),
		...fact('ruleset', ruleset.name, columns),
	];
}

/** Describes the effect: "block by default; here log, by an override of the rule". */
function doesInWords({of: {configuration}}: CatalogueState, rule: CatalogueRule): string {
	const byDefault = `${stateInWords(rule)} by default`;
	if (!configuration) return byDefault;
	const executes = executing(configuration.rules, rule.ruleset.id);
	if (!executes) return `${byDefault}; its ruleset is not deployed here`;
	if (executes.enabled === false) return `${byDefault}; here off, because its ruleset is off`;
	const effect = effectOf(executes, rule);
	return effect.by === undefined
		? byDefault
		: `${byDefault}; here ${stateInWords(effect)}, ${byWords[effect.by]}`;
}

function rowsOfMarked(state: CatalogueState, columns: number): readonly Row[] {
	if (state.of.picks !== 'several') return [];
	const marked = markedRules(state);
	const unknown = unknownMarked(state);
	return [
		...(marked.length === 0 ? [] : said(`${counted(marked.length, 'rule')} marked`, columns, 'head')),
		...marked.flatMap(rule => said(nameOf(rule), columns, 'plain', 2)),
		...unknown.flatMap(id =>
			said(`${id} is in none of these rulesets, and is not picked.`, columns, 'warning'),
		),
	];
}
