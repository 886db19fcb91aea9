import {formatActionWords} from '../migration/configuration/edits.ts';
import {findExecutedRulesetId} from '../migration/configuration/override-edits.ts';
import type {ConfiguredRule} from '../migration/configuration/rule-overrides.ts';
import type {ManagedContents, ManagedRule} from '../migration/zone/managed-contents.ts';

/** A rule of a managed ruleset, with its ruleset. */
export type CatalogueRule = ManagedRule & {readonly ruleset: Pick<ManagedContents, 'id' | 'name'>};

/** Lists the rules of all readable managed rulesets, or of one, in the service's order. */
export const listCatalogueRules = (
	catalogue: readonly ManagedContents[],
	rulesetId?: string,
): readonly CatalogueRule[] =>
	catalogue
		.filter(({id}) => rulesetId === undefined || id === rulesetId)
		.flatMap(({id, name, rules = []}) => rules.map(rule => ({...rule, ruleset: {id, name}})));

/** Shorter words match too many rules. */
const minWordLength = 3;

/** Words in old names that match unrelated rules. */
const vagueWords: ReadonlySet<string> = new Set([
	'attack',
	'attacks',
	'generic',
	'rule',
	'rules',
	'security',
]);

/**
 * Finds the words of an old name that identify rules: words that some rule has all of, added from the rarest
 * to the most frequent. Drops words that all rules have and general ones such as "attacks". Empty if none is
 * left.
 */
export function findSearchWords(name: string, rules: readonly CatalogueRule[]): string {
	const words = name
		.split(/\s+/)
		.filter(word => word.length >= minWordLength && !vagueWords.has(word.toLowerCase()));
	const candidates = words
		.map(word => ({word, hits: findRulesByWords([word], rules).length}))
		.filter(({hits}) => hits > 0 && hits < rules.length)
		.toSorted((one, other) => one.hits - other.hits);
	let matchingWords: readonly string[] = [];
	for (const {word} of candidates)
		if (findRulesByWords([...matchingWords, word], rules).length > 0)
			matchingWords = [...matchingWords, word];
	return words.filter(word => matchingWords.includes(word)).join(' ');
}

/** Search advice for an empty result. */
export const searchAdvice =
	'The search covers names and tags, such as sqli, not the paths and fields that rules check.';

/** Ranks of a match between a word and a rule; lower is better. */
const exactId = 0;
const wholeWord = 1;
const wordStart = 2;
const insideText = 3;

/**
 * Finds the rules with every word of a query in their id, name, tags, default action or ruleset. Best first:
 * exact id, then whole words, then word beginnings, then anywhere; ties keep their order. An empty query
 * returns all.
 */
export function searchCatalogue(query: string, rules: readonly CatalogueRule[]): readonly CatalogueRule[] {
	const words = query.split(/\s+/).filter(Boolean);
	return words.length === 0 ? rules : findRulesByWords(words, rules);
}

/** Finds the rules that have every word, best match first. */
function findRulesByWords(
	words: readonly string[],
	rules: readonly CatalogueRule[],
): readonly CatalogueRule[] {
	// Copied from a sentence, a word has quotes and punctuation around it.
	const searchWords = words.map(word => word.replaceAll(/^["'(]+|["'),;:.]+$/g, '').toLowerCase());
	return rules
		.flatMap(rule => {
			const ranks = searchWords.map(word => computeRank(word, rule));
			return ranks.every(rank => rank !== undefined) ? [{rule, rank: Math.max(...ranks)}] : [];
		})
		.toSorted((one, other) => one.rank - other.rank)
		.map(({rule}) => rule);
}

function computeRank(word: string, rule: CatalogueRule): number | undefined {
	const {id} = rule;
	if (id === word) return exactId;
	const {texts, parts} = getSearchTexts(rule);
	if (parts.includes(word)) return wholeWord;
	if (id.startsWith(word) || parts.some(part => part.startsWith(word))) return wordStart;
	return texts.some(text => text.includes(word)) ? insideText : undefined;
}

/**
 * Searchable texts of a rule besides its id, in lower case. `texts` are whole texts; `parts` are these and
 * their single words.
 */
type SearchTexts = {readonly texts: readonly string[]; readonly parts: readonly string[]};

/** Cache: each keystroke searches all rules. */
const searchTexts = new WeakMap<CatalogueRule, SearchTexts>();

function getSearchTexts(rule: CatalogueRule): SearchTexts {
	const cached = searchTexts.get(rule);
	if (cached) return cached;
	const {description, categories, action, enabled, ruleset} = rule;
	const texts = [description, ...categories, action, ...(enabled ? [] : ['off']), ruleset.name].map(text =>
		text.toLowerCase(),
	);
	const newTexts = {texts, parts: texts.flatMap(text => [text, ...text.split(/[^\p{L}\p{N}]+/u)])};
	searchTexts.set(rule, newTexts);
	return newTexts;
}

/**
 * If a query is a rule id that no searched ruleset has, returns a sentence that says so and which other
 * ruleset has it, else undefined. Claims nothing about rulesets whose rules could not be read.
 */
export function describeUnknownRuleId(
	query: string,
	catalogue: readonly ManagedContents[],
	rulesetId?: string,
): string | undefined {
	const id = query.trim().toLowerCase();
	if (!/^[0-9a-f]{32}$/.test(id)) return undefined;
	const owners = listRulesetsWith(catalogue, 'rule', id);
	const searchedRulesets = catalogue.filter(
		one => one.rules && (rulesetId === undefined || one.id === rulesetId),
	);
	if (searchedRulesets.length === 0 || owners.some(one => searchedRulesets.includes(one))) return undefined;
	const [owner] = owners;
	const ownerNote = owner ? ` ${owner.name} contains it.` : '';
	return `${searchedRulesets.map(({name}) => name).join(', ')} ${searchedRulesets.length === 1 ? 'does' : 'do'} not contain rule ${id}.${ownerNote}`;
}

/** Lists the rulesets that have a rule with this id, or a category of this name. */
export const listRulesetsWith = (
	catalogue: readonly ManagedContents[],
	kind: 'rule' | 'category',
	name: string,
): readonly ManagedContents[] =>
	catalogue.filter(({rules = []}) =>
		rules.some(rule => (kind === 'rule' ? rule.id === name : rule.categories.includes(name))),
	);

/**
 * Resolves a number of the OWASP ruleset ("942100", which begins the rule's name) to the rule id; returns
 * other words unchanged.
 */
export const resolveRuleNumber = (word: string, {rules = []}: Pick<ManagedContents, 'rules'>): string =>
	/^\d{6}$/.test(word)
		? (rules.find(({description}) => description.startsWith(`${word}:`))?.id ?? word)
		: word;

/** Finds the first rule that executes a ruleset. */
export const findExecutingRule = (
	rules: readonly ConfiguredRule[],
	rulesetId: string,
): ConfiguredRule | undefined => rules.find(rule => findExecutedRulesetId(rule) === rulesetId);

/** Formats the state of a managed rule, as in "block" or "off (managed challenge)". */
export const formatManagedState = ({
	action,
	enabled,
}: {
	readonly action: string;
	readonly enabled: boolean;
}): string => (enabled ? formatActionWords(action) : `off (${formatActionWords(action)})`);
