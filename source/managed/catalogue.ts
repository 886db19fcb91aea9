import {actionInWords} from '../migration/configuration/edits.ts';
import {executedRuleset} from '../migration/configuration/override-edits.ts';
import {
	type ConfiguredRule,
	overridden,
	overrideLayers,
	overridesIn,
} from '../migration/configuration/rule-overrides.ts';
import type {ManagedContents, ManagedRule} from '../migration/zone/managed-contents.ts';
import {fuzzy} from '../text/fuzzy.ts';
import type {JsonObject} from '../text/json.ts';

/** A rule of a managed ruleset, with the ruleset that it is in. */
export type CatalogueRule = ManagedRule & {readonly ruleset: Pick<ManagedContents, 'id' | 'name'>};

/** All rules of the managed rulesets that could be read, or of one of them, in the order of the service. */
export const catalogueRules = (
	managed: readonly ManagedContents[],
	ruleset?: string,
): readonly CatalogueRule[] =>
	managed
		.filter(({id}) => ruleset === undefined || id === ruleset)
		.flatMap(({id, name, rules = []}) => rules.map(rule => ({...rule, ruleset: {id, name}})));

/** Shorter words are found in too much. */
const shortestTelling = 3;

/** Words of old names that rules about anything have. */
const vagueWords: ReadonlySet<string> = new Set([
	'attack',
	'attacks',
	'generic',
	'rule',
	'rules',
	'security',
]);

/**
 * The words of an old name that lead to rules: those that some rules have all of, chosen from the rarest to the most
 * frequent. Words that all rules have, and those as general as "attacks", lead nowhere. Empty where no word is left.
 */
export function searchableWords(name: string, rules: readonly CatalogueRule[]): string {
	const words = name
		.split(/\s+/)
		.filter(word => word.length >= shortestTelling && !vagueWords.has(word.toLowerCase()));
	const telling = words
		.map(word => ({word, hits: withWords([word], rules).length}))
		.filter(({hits}) => hits > 0 && hits < rules.length)
		.toSorted((one, other) => one.hits - other.hits);
	let kept: readonly string[] = [];
	for (const {word} of telling) if (withWords([...kept, word], rules).length > 0) kept = [...kept, word];
	return words.filter(word => kept.includes(word)).join(' ');
}

/** What to search for where nothing is found. */
export const searchAdvice =
	'Names and tags are searched, not the paths and fields that rules test: try wordpress, or sqli.';

/** How well a word fits a rule: lower is better. */
const exactly = 0;
const asWord = 1;
const asBeginning = 2;
const within = 3;

/**
 * The rules that have every word of a query in their id, name, tags, default action or ruleset, the best first: those whose
 * id it is, then those that have the words as words, then as beginnings of some, then anywhere; among equals in the order
 * given. Where none has, those whose name holds the letters of the query in their order. An empty query finds all.
 */
export function searchCatalogue(query: string, rules: readonly CatalogueRule[]): readonly CatalogueRule[] {
	const words = query.split(/\s+/).filter(Boolean);
	if (words.length === 0) return rules;
	const found = withWords(words, rules);
	if (found.length > 0) return found;
	return fuzzy(query, rules, ({description}) => description).map(({candidate}) => candidate);
}

/** The rules that have every word, the best first. */
function withWords(words: readonly string[], rules: readonly CatalogueRule[]): readonly CatalogueRule[] {
	const sought = words.map(word => word.toLowerCase());
	return rules
		.flatMap(rule => {
			const ranks = sought.map(word => rankOf(word, rule));
			return ranks.every(rank => rank !== undefined) ? [{rule, rank: Math.max(...ranks)}] : [];
		})
		.toSorted((one, other) => one.rank - other.rank)
		.map(({rule}) => rule);
}

function rankOf(word: string, rule: CatalogueRule): number | undefined {
	const {id} = rule;
	if (id === word) return exactly;
	const {texts, parts} = searchedOf(rule);
	if (parts.includes(word)) return asWord;
	if (id.startsWith(word) || parts.some(part => part.startsWith(word))) return asBeginning;
	return texts.some(text => text.includes(word)) ? within : undefined;
}

/** What a rule is found by beside its id, in small letters: whole texts, and these with the words of them. */
type Searched = {readonly texts: readonly string[]; readonly parts: readonly string[]};

/** A rule is searched at every key. */
const searched = new WeakMap<CatalogueRule, Searched>();

function searchedOf(rule: CatalogueRule): Searched {
	const before = searched.get(rule);
	if (before) return before;
	const {description, categories, action, enabled, ruleset} = rule;
	const texts = [description, ...categories, action, ...(enabled ? [] : ['off']), ruleset.name].map(text =>
		text.toLowerCase(),
	);
	const made = {texts, parts: texts.flatMap(text => [text, ...text.split(/[^\p{L}\p{N}]+/u)])};
	searched.set(rule, made);
	return made;
}

/**
 * Where a query is an id that none of the searched rulesets has: the sentence that reports it, and which other one has it;
 * otherwise `undefined`. Of a ruleset whose rules could not be read nothing is claimed.
 */
export function missingRule(
	query: string,
	managed: readonly ManagedContents[],
	ruleset?: string,
): string | undefined {
	const id = query.trim().toLowerCase();
	if (!/^[0-9a-f]{32}$/.test(id)) return undefined;
	const having = rulesetsWith(managed, 'rule', id);
	const read = managed.filter(one => one.rules && (ruleset === undefined || one.id === ruleset));
	if (read.length === 0 || having.some(one => read.includes(one))) return undefined;
	const [first] = having;
	const elsewhere = first ? ` ${first.name} has it.` : '';
	return `${read.map(({name}) => name).join(', ')} ${read.length === 1 ? 'has' : 'have'} no rule ${id}.${elsewhere}`;
}

/** What a managed ruleset has under a name that a person may have typed: a rule by its id, or a category. */
export const rulesetsWith = (
	managed: readonly ManagedContents[],
	what: 'rule' | 'category',
	name: string,
): readonly ManagedContents[] =>
	managed.filter(({rules = []}) =>
		rules.some(rule => (what === 'rule' ? rule.id === name : rule.categories.includes(name))),
	);

/** The id of the rule that a number of the OWASP ruleset means: "942100", with which its name begins; else the word itself. */
export const idOfNumbered = (word: string, {rules = []}: Pick<ManagedContents, 'rules'>): string =>
	/^\d{6}$/.test(word)
		? (rules.find(({description}) => description.startsWith(`${word}:`))?.id ?? word)
		: word;

/** The action of rules that only add to the score of a request. */
const scoring = 'score';

/** What a rule of a managed ruleset does where it is executed, and what decides that. */
type Effect = {
	readonly action: string;
	readonly enabled: boolean;
	/** What overrides the action or whether it is on; nothing where both are as the ruleset has them. */
	readonly by: 'rule' | 'category' | 'ruleset' | undefined;
};

/**
 * What a managed rule does by a rule that executes its ruleset: an override of the rule counts before those of its
 * categories, of which the last counts, and those before the override of all the ruleset.
 */
export function effectOf(executing: ConfiguredRule, rule: ManagedRule): Effect {
	const layers = overrideLayers(overridesIn(executing), rule);
	const set = <Value>(part: (override: JsonObject) => Value | undefined) => {
		for (const by of ['rule', 'category', 'ruleset'] as const) {
			const value = layers[by].map(part).findLast(one => one !== undefined);
			if (value !== undefined) return {by, value};
		}
		return undefined;
	};
	const action = set(override => overridden(override).action);
	const enabled = set(override => overridden(override).enabled);
	return {
		// Rules that only add to a score do nothing else, whatever holds for all of their ruleset.
		action: rule.action === scoring ? scoring : (action?.value ?? rule.action),
		enabled: (executing.enabled ?? true) && (enabled?.value ?? rule.enabled),
		by: enabled?.by ?? (rule.action === scoring ? undefined : action?.by),
	};
}

/** The rule that executes a ruleset; the first where several do, `undefined` where none does. */
export const executing = (rules: readonly ConfiguredRule[], ruleset: string): ConfiguredRule | undefined =>
	rules.find(rule => executedRuleset(rule) === ruleset);

/** What a managed rule does, in words: "block", "off (managed challenge)". */
export const stateInWords = ({
	action,
	enabled,
}: {
	readonly action: string;
	readonly enabled: boolean;
}): string => (enabled ? actionInWords(action) : `off (${actionInWords(action)})`);
