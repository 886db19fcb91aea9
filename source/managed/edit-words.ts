import {Failure} from '../failure.ts';
import type {ConfigurationEdit} from '../migration/configuration/edits.ts';
import type {Skips} from '../migration/configuration/exceptions.ts';
import {overrideActions, paranoiaLevels} from '../migration/configuration/mapping.ts';
import {findExecutedRulesetId, type OverrideChange} from '../migration/configuration/override-edits.ts';
import {formatDidYouMean, formatNameList} from '../text/closest-name.ts';
import {resolveRuleNumber} from './catalogue.ts';
import {resolveRuleset, resolveRulesetPart} from './names.ts';
import type {ManagedRulesState} from './state.ts';

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

type RulesState = Pick<ManagedRulesState, 'catalogue' | 'configuration'>;

/**
 * Parses options into edits in the order of application: rulesets, then overrides, then removals. Fails with
 * `usage` for invalid words and `not_found` for an id or category that no ruleset has.
 */
export function parseEditWords(options: EditWords, state: RulesState): readonly ConfigurationEdit[] {
	const {deploy = [], remove = [], on = [], off = [], ruleset = [], category = [], rule = []} = options;
	const {paranoia, threshold, thresholdAction} = options;
	const deployedIds = deploy.map(word => resolveRuleset(word, state));
	const rulesetIdsByRule = [...state.configuration.rules.map(findExecutedRulesetId), ...deployedIds];
	return [
		...deployedIds.map((id): ConfigurationEdit => ({kind: 'ruleset deployed', ruleset: id})),
		...on.flatMap(word => buildEnableEdits(rulesetIdsByRule, resolveRuleset(word, state), true)),
		...off.flatMap(word => buildEnableEdits(rulesetIdsByRule, resolveRuleset(word, state), false)),
		...ruleset.map((word): ConfigurationEdit => {
			const [name, change] = parseSetting(word, '--ruleset');
			return {kind: 'ruleset override', ruleset: resolveRuleset(name, state), ...change};
		}),
		...category.map((word): ConfigurationEdit => {
			const [name, change] = parseSetting(word, '--category');
			const part = resolveRulesetPart(name, 'category', withDeployedRulesets(state, rulesetIdsByRule));
			return {kind: 'category override', ruleset: part.rulesetId, category: part.idOrName, ...change};
		}),
		...rule.map((word): ConfigurationEdit => {
			const [name, change] = parseSetting(word, '--rule');
			const part = resolveRulesetPart(name, 'rule', withDeployedRulesets(state, rulesetIdsByRule));
			return {kind: 'managed rule override', ruleset: part.rulesetId, id: part.idOrName, ...change};
		}),
		...(paranoia === undefined ? [] : [buildParanoiaEdit(paranoia)]),
		...(threshold === undefined ? [] : [{kind: 'score threshold', points: threshold} as const]),
		...(thresholdAction === undefined
			? []
			: [{kind: 'threshold action', action: parseOwaspAction(thresholdAction)} as const]),
		...buildRemovalEdits(
			rulesetIdsByRule,
			remove.map(word => resolveRuleset(word, state)),
		),
	];
}

/** Returns the state as if exactly these rulesets were deployed. */
const withDeployedRulesets = (
	state: RulesState,
	rulesetIds: readonly (string | undefined)[],
): RulesState => ({
	...state,
	configuration: {
		...state.configuration,
		rules: rulesetIds.map(id => ({action: 'execute', expression: 'true', action_parameters: {id: id ?? ''}})),
	},
});

function buildEnableEdits(
	rulesetIds: readonly (string | undefined)[],
	rulesetId: string,
	enabled: boolean,
): readonly ConfigurationEdit[] {
	return findRuleIndexes(rulesetIds, rulesetId).map(rule => ({kind: 'rule enabled', rule, enabled}));
}

/** Removes from last to first, so that the indexes of earlier rules stay valid. */
function buildRemovalEdits(
	rulesetIds: readonly (string | undefined)[],
	rulesets: readonly string[],
): readonly ConfigurationEdit[] {
	return [...new Set(rulesets.flatMap(ruleset => findRuleIndexes(rulesetIds, ruleset)))]
		.toSorted((one, other) => other - one)
		.map(rule => ({kind: 'rule removed', rule}));
}

function findRuleIndexes(rulesetIds: readonly (string | undefined)[], rulesetId: string): readonly number[] {
	const indexes = rulesetIds.flatMap((id, index) => (id === rulesetId ? [index] : []));
	if (indexes.length > 0) return indexes;
	throw new Failure('usage', `The managed ruleset ${rulesetId} is not deployed.`, {
		why: 'No active rule executes it.',
		next: 'Deploy it first: --deploy.',
	});
}

/** Parses `NAME=VALUES`. */
function parseSetting(word: string, option: string): readonly [string, OverrideChange] {
	const separatorIndex = word.lastIndexOf('=');
	if (separatorIndex > 0)
		return [word.slice(0, separatorIndex), parseOverride(word.slice(separatorIndex + 1))];
	throw new Failure('usage', `${option} takes a name and a value, not "${word}".`, {
		next: `Separate them with =: ${option} ${word || 'NAME'}=log. Valid values: ${valueWords.join(', ')}.`,
	});
}

const valueWords = ['on', 'off', 'default', ...overrideActions];

/**
 * Parses `on` or `off`, an action, one of each separated by a comma, or `default`, which removes the
 * override.
 */
const parseOverride = (text: string): OverrideChange =>
	Object.assign({}, ...text.split(',').map(word => parseOverrideWord(word.trim())));

function parseOverrideWord(word: string): OverrideChange {
	if (word === 'default') return {action: 'default', enabled: 'default'};
	if (word === 'on' || word === 'off') return {enabled: word === 'on'};
	const action = overrideActions.find(action => action === word);
	if (action) return {action};
	throw new Failure('usage', `"${word}" is not a valid override value.`, {
		why: `Valid values: ${formatNameList(valueWords)}.`,
		next: `${formatDidYouMean(word, valueWords)}Use one of them, or on with an action: on,log.`,
	});
}

function buildParanoiaEdit(requestedLevel: number): ConfigurationEdit {
	const level = paranoiaLevels.find(candidate => candidate === requestedLevel);
	if (level) return {kind: 'paranoia level', level};
	throw new Failure('usage', `${requestedLevel} is not a valid paranoia level.`, {
		next: `Use one of ${paranoiaLevels.join(', ')}.`,
	});
}

function parseOwaspAction(word: string) {
	const actions = [...overrideActions, 'default'] as const;
	const action = actions.find(one => one === word);
	if (action) return action;
	throw new Failure('usage', `"${word}" is not an action of the OWASP ruleset.`, {
		why: `Valid actions: ${formatNameList(actions)}.`,
		next: `${formatDidYouMean(word, actions)}Use one of them with --threshold-action.`,
	});
}

/**
 * Parses the words of `--skip`: `all`, comma-separated rulesets, or rules of a ruleset as `RULESET:ID,ID`.
 * Looks up ids without a ruleset in the catalogue; numbers of the OWASP ruleset count as ids.
 */
export function parseSkipWords(skipWords: readonly string[], state: RulesState): Skips {
	if (skipWords.includes('all')) {
		if (skipWords.length === 1) return {kind: 'all'};
		throw createMixedFailure('all managed rules and some of them');
	}
	const rules: Record<string, readonly string[]> = {};
	const rulesets: string[] = [];
	const addRules = (ruleset: string, ids: readonly string[]) => {
		rules[ruleset] = [...new Set([...(rules[ruleset] ?? []), ...ids])];
	};
	for (const word of skipWords) {
		const colonIndex = word.indexOf(':');
		if (colonIndex >= 0) {
			const ruleset = resolveRuleset(word.slice(0, colonIndex), state);
			const contents = state.catalogue?.find(({id}) => id === ruleset) ?? {};
			addRules(
				ruleset,
				splitList(word.slice(colonIndex + 1)).map(one => resolveRuleNumber(one, contents)),
			);
		}
		for (const part of colonIndex >= 0 ? [] : splitList(word)) {
			if (isRuleId(part, state)) {
				const {rulesetId, idOrName} = resolveRulesetPart(part, 'rule', state);
				addRules(rulesetId, [idOrName]);
			} else rulesets.push(resolveRuleset(part, state));
		}
	}
	if (rulesets.length > 0 && Object.keys(rules).length > 0)
		throw createMixedFailure('whole rulesets and single rules');
	return rulesets.length > 0 ? {kind: 'rulesets', ids: [...new Set(rulesets)]} : {kind: 'rules', rules};
}

const isRuleId = (word: string, {catalogue = []}: RulesState): boolean =>
	catalogue.some(({rules = []}) => rules.some(({id}) => id === resolveRuleNumber(word, {rules})));

const splitList = (text: string): readonly string[] =>
	text
		.split(',')
		.map(word => word.trim())
		.filter(word => word !== '');

const createMixedFailure = (what: string): Failure =>
	new Failure('usage', `One exception can't skip ${what}.`, {next: 'Create a separate exception for each.'});
