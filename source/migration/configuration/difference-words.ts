import {isDeepStrictEqual} from 'node:util';
import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import type {ManagedConfiguration} from './configuration.ts';
import {type ConfigurationEdit, formatActionWords, formatEditSentence} from './edits.ts';
import {formatSkips, parseSkips, type Skips} from './exceptions.ts';
import {
	formatRulesetName,
	formatScoreThreshold,
	getParanoiaCategory,
	managedRulesets,
	type ParanoiaLevel,
	paranoiaLevels,
	thresholdRuleId,
} from './mapping.ts';
import {findExecutedRulesetId, withParanoiaLevel} from './override-edits.ts';
import type {ConfiguredRule} from './rule-overrides.ts';

/** Names a rule by its ruleset, its description, or its index. */
export function formatConfiguredRuleName(rules: readonly ConfiguredRule[], index: number): string {
	const rule = rules[index];
	if (!rule) return `rule ${index + 1}`;
	const rulesetId = findExecutedRulesetId(rule);
	if (rulesetId !== undefined) {
		const name = formatRulesetName(rulesetId);
		const precedingCount = rules
			.slice(0, index)
			.filter(one => findExecutedRulesetId(one) === rulesetId).length;
		return precedingCount > 0 ? `${name} (${precedingCount + 1})` : name;
	}
	const subject = rule.description ? `"${rule.description}"` : rule.expression;
	return rule.action === 'skip' ? `exception ${subject}` : `${rule.action} ${subject}`;
}

/**
 * Like `formatConfiguredRuleName`, but appends the expression if the rule is named by its description:
 * descriptions are not unique.
 */
export function formatFullRuleName(rule: ConfiguredRule): string {
	const name = formatConfiguredRuleName([rule], 0);
	const isUnique = findExecutedRulesetId(rule) !== undefined || !rule.description;
	return isUnique ? name : `${name} where ${rule.expression}`;
}

/** Describes what a rule does, in one line. */
export function describeConfiguredRule(rule: ConfiguredRule): string {
	const rulesetId = findExecutedRulesetId(rule);
	const skips = parseSkips(rule);
	const effect = rulesetId
		? `runs ${formatRulesetName(rulesetId)}`
		: skips
			? `skips ${formatSkips(skips)}`
			: `${formatActionWords(rule.action)} ${rule.action_parameters ? JSON.stringify(rule.action_parameters) : ''}`.trim();
	const scope = rule.expression === 'true' ? 'for all traffic' : `where ${rule.expression}`;
	return `${effect} ${scope}${rule.enabled === false ? ', off' : ''}`;
}

/**
 * Lists the properties of a canonical rule as text, by property name, so that two rules can be compared one
 * property at a time. `ruleNames`: see `collectManagedRuleNames`.
 */
export function listRuleAspects(
	rule: ConfiguredRule,
	ruleNames?: ManagedRuleNames,
): ReadonlyMap<string, string> {
	const aspects = new Map<string, string>();
	const addAspect = (name: string, text: string): void => {
		let uniqueName = name;
		for (let count = 2; aspects.has(uniqueName); count++) uniqueName = `${name} (${count})`;
		aspects.set(uniqueName, text);
	};
	const {
		action,
		expression,
		description,
		enabled,
		logging,
		action_parameters: parameters,
		...otherFields
	} = rule;
	addAspect('action', formatActionWords(action));
	addAspect('expression', expression);
	if (description !== undefined) addAspect('description', description === '' ? 'none' : `"${description}"`);
	if (enabled !== undefined) addAspect('state', formatOnOff(enabled));
	if (logging !== undefined) addAspect('logging', formatLogging(logging));
	addFieldAspects(otherFields, '', addAspect);
	const skips = parseSkips(rule);
	if (skips) addAspect('skips', formatSkippedIds(skips, ruleNames));
	else if (parameters) addParameterAspects(parameters, action, addAspect, ruleNames);
	return aspects;
}

type AddAspect = (name: string, text: string) => void;

function addParameterAspects(
	parameters: JsonObject,
	action: string,
	addAspect: AddAspect,
	ruleNames: ManagedRuleNames = new Map(),
): void {
	const {overrides, ...otherParameters} = parameters;
	addFieldAspects(otherParameters, action === 'execute' ? '' : 'skips ', addAspect);
	if (overrides === undefined) return;
	if (!isJsonObject(overrides)) {
		addAspect('overrides', JSON.stringify(overrides));
		return;
	}
	const {rules, categories, ...rulesetOverride} = overrides;
	if (Object.keys(rulesetOverride).length > 0) addAspect('all rules', formatOverride(rulesetOverride));
	else if (rules === undefined && categories === undefined) addAspect('overrides', 'none');
	const level =
		action === 'execute' && parameters.id === managedRulesets.owasp.id
			? findExactLevel(overrides)
			: undefined;
	if (level !== undefined) addAspect('paranoia level', `PL${level}`);
	addOverrideAspects(
		level === undefined || !Array.isArray(categories)
			? categories
			: removeEmpty(categories.filter(one => !isParanoiaEntry(one))),
		'category',
		addAspect,
		ruleNames,
	);
	addOverrideAspects(rules, 'id', addAspect, ruleNames);
}

const isParanoiaEntry = (entry: JsonValue): boolean =>
	isJsonObject(entry) && paranoiaLevels.some(level => entry.category === getParanoiaCategory(level));

const removeEmpty = (entries: readonly JsonValue[]): JsonValue | undefined =>
	entries.length === 0 ? undefined : [...entries];

/** Finds the paranoia level whose category overrides these are, all of them and nothing else. */
function findExactLevel({categories}: JsonObject): ParanoiaLevel | undefined {
	const entries = Array.isArray(categories) ? categories.filter(isParanoiaEntry) : [];
	if (entries.length === 0) return undefined;
	return paranoiaLevels.find(level => isDeepStrictEqual(entries, withParanoiaLevel({}, level).categories));
}

function addOverrideAspects(
	list: JsonValue | undefined,
	key: 'id' | 'category',
	addAspect: AddAspect,
	ruleNames: ManagedRuleNames,
): void {
	if (list === undefined) return;
	const noun = key === 'id' ? 'managed rule' : 'category';
	if (!Array.isArray(list)) addAspect(`${noun} overrides`, JSON.stringify(list));
	else if (list.length === 0) addAspect(`${noun} overrides`, 'none');
	for (const entry of Array.isArray(list) ? list : []) {
		if (!isJsonObject(entry) || typeof entry[key] !== 'string') {
			addAspect(`${noun} overrides`, JSON.stringify(entry));
			continue;
		}
		const {[key]: name, ...settings} = entry;
		if (name === thresholdRuleId) addThresholdAspects(settings, addAspect);
		else addAspect(`${noun} ${formatNamedId(name, ruleNames)}`, formatOverride(settings));
	}
}

/** Tells the threshold from what happens at it, so that a change names the one that changed. */
function addThresholdAspects(settings: JsonObject, addAspect: AddAspect): void {
	const {score_threshold: scoreThreshold, ...otherSettings} = settings;
	const isOnlyThreshold = Object.keys(otherSettings).length === 0;
	if (scoreThreshold !== undefined || isOnlyThreshold)
		addAspect(
			'score threshold',
			formatOverride(scoreThreshold === undefined ? {} : {score_threshold: scoreThreshold}),
		);
	if (!isOnlyThreshold) addAspect('action at the score threshold', formatOverride(otherSettings));
}

/** Formats what an override sets: "off", "log", "block, Medium, 40 or higher". */
function formatOverride({
	enabled,
	action,
	score_threshold: scoreThreshold,
	...otherSettings
}: JsonObject): string {
	const parts = [
		...(enabled === undefined
			? []
			: [typeof enabled === 'boolean' ? formatOnOff(enabled) : JSON.stringify(enabled)]),
		...(action === undefined
			? []
			: [typeof action === 'string' ? formatActionWords(action) : JSON.stringify(action)]),
		...(scoreThreshold === undefined
			? []
			: [
					typeof scoreThreshold === 'number'
						? formatScoreThreshold(scoreThreshold)
						: `${JSON.stringify(scoreThreshold)} or higher`,
				]),
		...(Object.keys(otherSettings).length > 0 ? [JSON.stringify(otherSettings)] : []),
	];
	return parts.join(', ') || 'no settings';
}

function addFieldAspects(fields: JsonObject, prefix: string, addAspect: AddAspect): void {
	for (const [name, value] of Object.entries(fields))
		addAspect(`${prefix}${name}`, typeof value === 'string' ? value : JSON.stringify(value));
}

const formatOnOff = (isOn: boolean): string => (isOn ? 'on' : 'off');

const formatLogging = (logging: JsonValue): string =>
	isJsonObject(logging) && typeof logging.enabled === 'boolean' && Object.keys(logging).length === 1
		? formatOnOff(logging.enabled)
		: JSON.stringify(logging);

/** Lists all ids, because two exceptions may skip the same number of different rules. */
function formatSkippedIds(skips: Skips, ruleNames: ManagedRuleNames = new Map()): string {
	if (skips.kind !== 'rules')
		return skips.kind === 'all' ? formatSkips(skips) : skips.ids.map(formatRulesetId).join(', ');
	return Object.entries(skips.rules)
		.map(
			([rulesetId, ids]) =>
				`${ids.map(id => formatNamedId(id, ruleNames)).join(', ')} of ${formatRulesetId(rulesetId)}`,
		)
		.join('; ');
}

const formatRulesetId = (id: string): string =>
	Object.values(managedRulesets).some(one => one.id === id) ? formatRulesetName(id) : id;

type RulesetContents = {
	readonly id: string;
	readonly rules?: readonly {readonly id: string; readonly description: string}[] | undefined;
};

/** Names of managed rules by id. */
export type ManagedRuleNames = ReadonlyMap<string, string>;

/** Collects the names of managed rules; texts that use them shorten the ids. */
export const collectManagedRuleNames = (catalogue: readonly RulesetContents[] = []): ManagedRuleNames =>
	new Map(catalogue.flatMap(({rules = []}) => rules.map(({id, description}) => [id, description] as const)));

/** Shortens an id that stands beside a name. */
export const shortenRuleId = (id: string): string => (id.length > 8 ? `${id.slice(0, 8)}…` : id);

function formatNamedId(id: unknown, ruleNames: ManagedRuleNames): string {
	const name = ruleNames.get(String(id));
	return name ? `"${name}" (${shortenRuleId(String(id))})` : String(id);
}

/**
 * Formats an edit like `formatEditSentence`, and adds the name of a rule that the edit identifies only by
 * index or id. The edit applies to the given configuration. `catalogue`: the managed rulesets of the zone.
 * The text is not escaped.
 */
export function describeEdit(
	edit: ConfigurationEdit,
	{rules}: Pick<ManagedConfiguration, 'rules'>,
	catalogue: readonly RulesetContents[] = [],
): string {
	const sentence = formatEditSentence(edit);
	if (edit.kind === 'managed rule override') {
		const namedId = formatNamedId(edit.id, collectManagedRuleNames(catalogue));
		return sentence.replace(edit.id, () => namedId);
	}
	if (!('rule' in edit)) return sentence;
	const rule = rules[edit.rule];
	const rulePhrase = `rule ${edit.rule + 1}`;
	return rule ? sentence.replace(rulePhrase, () => `${rulePhrase} (${formatFullRuleName(rule)})`) : sentence;
}
