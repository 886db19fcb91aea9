import {Failure} from '../failure.ts';
import type {Edit} from '../migration/configuration/edits.ts';
import type {Skips} from '../migration/configuration/exceptions.ts';
import {overrideActions, paranoiaLevels} from '../migration/configuration/mapping.ts';
import {executedRuleset, type OverrideChange} from '../migration/configuration/override-edits.ts';
import {didYouMean, listed} from '../text/closest-name.ts';
import {idOfNumbered} from './catalogue.ts';
import type {InForce} from './in-force.ts';
import {partNamed, rulesetNamed} from './names.ts';

/** Changes of the managed rules as options of `ledge managed edit`. */
type EditWords = {
	readonly deploy?: readonly string[] | undefined;
	readonly remove?: readonly string[] | undefined;
	readonly on?: readonly string[] | undefined;
	readonly off?: readonly string[] | undefined;
	/** `RULESET=VALUES` */
	readonly ruleset?: readonly string[] | undefined;
	/** `[RULESET:]NAME=VALUES` */
	readonly category?: readonly string[] | undefined;
	/** `[RULESET:]ID=VALUES` */
	readonly rule?: readonly string[] | undefined;
	readonly paranoia?: number | undefined;
	readonly threshold?: number | undefined;
	readonly thresholdAction?: string | undefined;
};

type Known = Pick<InForce, 'managed' | 'configuration'>;

/**
 * Parses options into edits in the order of application: rulesets, then overrides, then removals. Fails with
 * `usage` for invalid words and `not_found` for an id or category that no ruleset has.
 */
export function editsFrom(words: EditWords, known: Known): readonly Edit[] {
	const {deploy = [], remove = [], on = [], off = [], ruleset = [], category = [], rule = []} = words;
	const {paranoia, threshold, thresholdAction} = words;
	const deployed = deploy.map(word => rulesetNamed(word, known));
	const rules = [...known.configuration.rules.map(executedRuleset), ...deployed];
	return [
		...deployed.map((id): Edit => ({kind: 'ruleset deployed', ruleset: id})),
		...on.flatMap(word => turned(rules, rulesetNamed(word, known), true)),
		...off.flatMap(word => turned(rules, rulesetNamed(word, known), false)),
		...ruleset.map((word): Edit => {
			const [name, change] = setting(word, '--ruleset');
			return {kind: 'ruleset override', ruleset: rulesetNamed(name, known), ...change};
		}),
		...category.map((word): Edit => {
			const [name, change] = setting(word, '--category');
			const part = partNamed(name, 'category', withDeployed(known, rules));
			return {kind: 'category override', ruleset: part.ruleset, category: part.name, ...change};
		}),
		...rule.map((word): Edit => {
			const [name, change] = setting(word, '--rule');
			const part = partNamed(name, 'rule', withDeployed(known, rules));
			return {kind: 'managed rule override', ruleset: part.ruleset, id: part.name, ...change};
		}),
		...(paranoia === undefined ? [] : [paranoiaEdit(paranoia)]),
		...(threshold === undefined ? [] : [{kind: 'score threshold', points: threshold} as const]),
		...(thresholdAction === undefined
			? []
			: [{kind: 'threshold action', action: actionNamed(thresholdAction)} as const]),
		...removed(
			rules,
			remove.map(word => rulesetNamed(word, known)),
		),
	];
}

/** The state after the rulesets are deployed. */
const withDeployed = (known: Known, rules: readonly (string | undefined)[]): Known => ({
	...known,
	configuration: {
		...known.configuration,
		rules: rules.map(id => ({action: 'execute', expression: 'true', action_parameters: {id: id ?? ''}})),
	},
});

function turned(rules: readonly (string | undefined)[], ruleset: string, enabled: boolean): readonly Edit[] {
	return placesOf(rules, ruleset).map(rule => ({kind: 'rule enabled', rule, enabled}));
}

/** Removes from last to first, so that earlier places stay valid. */
function removed(rules: readonly (string | undefined)[], rulesets: readonly string[]): readonly Edit[] {
	return [...new Set(rulesets.flatMap(ruleset => placesOf(rules, ruleset)))]
		.toSorted((one, other) => other - one)
		.map(rule => ({kind: 'rule removed', rule}));
}

function placesOf(rules: readonly (string | undefined)[], ruleset: string): readonly number[] {
	const places = rules.flatMap((id, index) => (id === ruleset ? [index] : []));
	if (places.length > 0) return places;
	throw new Failure('usage', `The managed ruleset ${ruleset} is not deployed.`, {
		why: 'No rule in force executes it.',
		next: 'Deploy it first: --deploy.',
	});
}

/** Parses `NAME=VALUES`. */
function setting(word: string, option: string): readonly [string, OverrideChange] {
	const at = word.lastIndexOf('=');
	if (at > 0) return [word.slice(0, at), changeFrom(word.slice(at + 1))];
	throw new Failure('usage', `${option} takes a name and a value; this is "${word}".`, {
		next: `Write them with = between: ${option} ${word || 'NAME'}=log. The values are ${valueWords.join(', ')}.`,
	});
}

const valueWords = ['on', 'off', 'default', ...overrideActions];

/** Parses `on`, `off`, an action, both with a comma, or `default`, which removes the override. */
const changeFrom = (words: string): OverrideChange =>
	Object.assign({}, ...words.split(',').map(word => oneChange(word.trim())));

function oneChange(word: string): OverrideChange {
	if (word === 'default') return {action: 'default', enabled: 'default'};
	if (word === 'on' || word === 'off') return {enabled: word === 'on'};
	const action = overrideActions.find(known => known === word);
	if (action) return {action};
	throw new Failure('usage', `"${word}" is not a value of an override.`, {
		why: `There are: ${listed(valueWords)}.`,
		next: `${didYouMean(word, valueWords)}Give one, or on with an action: on,log.`,
	});
}

function paranoiaEdit(given: number): Edit {
	const level = paranoiaLevels.find(one => one === given);
	if (level) return {kind: 'paranoia level', level};
	throw new Failure('usage', `${given} is not a paranoia level.`, {
		next: `Give one of ${paranoiaLevels.join(', ')}.`,
	});
}

function actionNamed(word: string) {
	const actions = [...overrideActions, 'default'] as const;
	const action = actions.find(one => one === word);
	if (action) return action;
	throw new Failure('usage', `"${word}" is not an action of the OWASP ruleset.`, {
		why: `There are: ${listed(actions)}.`,
		next: `${didYouMean(word, actions)}Give one of them with --threshold-action.`,
	});
}

/**
 * Parses the words of `--skip`: `all`, comma-separated rulesets, or rules of a ruleset as `RULESET:ID,ID`.
 * Looks up ids without a ruleset in the catalogue; numbers of the OWASP ruleset count as ids.
 */
export function skipsFrom(words: readonly string[], known: Known): Skips {
	if (words.includes('all')) {
		if (words.length === 1) return {kind: 'all'};
		throw mixed('all managed rules and some of them');
	}
	const rules: Record<string, readonly string[]> = {};
	const rulesets: string[] = [];
	const addRules = (ruleset: string, ids: readonly string[]) => {
		rules[ruleset] = [...new Set([...(rules[ruleset] ?? []), ...ids])];
	};
	for (const word of words) {
		const at = word.indexOf(':');
		if (at >= 0) {
			const ruleset = rulesetNamed(word.slice(0, at), known);
			const contents = known.managed?.find(({id}) => id === ruleset) ?? {};
			addRules(
				ruleset,
				listOf(word.slice(at + 1)).map(one => idOfNumbered(one, contents)),
			);
		}
		for (const one of at >= 0 ? [] : listOf(word)) {
			if (isRuleId(one, known)) {
				const {ruleset, name} = partNamed(one, 'rule', known);
				addRules(ruleset, [name]);
			} else rulesets.push(rulesetNamed(one, known));
		}
	}
	if (rulesets.length > 0 && Object.keys(rules).length > 0) throw mixed('whole rulesets and single rules');
	return rulesets.length > 0 ? {kind: 'rulesets', ids: [...new Set(rulesets)]} : {kind: 'rules', rules};
}

const isRuleId = (word: string, {managed = []}: Known): boolean =>
	managed.some(({rules = []}) => rules.some(({id}) => id === idOfNumbered(word, {rules})));

const listOf = (words: string): readonly string[] =>
	words
		.split(',')
		.map(word => word.trim())
		.filter(word => word !== '');

const mixed = (what: string): Failure =>
	new Failure('usage', `One exception cannot skip ${what}.`, {next: 'Make an exception for each.'});
