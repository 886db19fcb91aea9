import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import type {Configuration} from './configuration.ts';
import {actionInWords, type Edit, editSentence} from './edits.ts';
import {readSkips, type Skips, skipsInWords} from './exceptions.ts';
import {managedRulesets, rulesetName, thresholdInWords, thresholdRule} from './mapping.ts';
import {executedRuleset} from './override-edits.ts';
import type {ConfiguredRule} from './rule-overrides.ts';

/** Names a rule by its ruleset, its description, or its index. */
export function ruleName(rules: readonly ConfiguredRule[], index: number): string {
	const rule = rules[index];
	if (!rule) return `rule ${index + 1}`;
	const ruleset = executedRuleset(rule);
	if (ruleset !== undefined) {
		const name = rulesetName(ruleset);
		const before = rules.slice(0, index).filter(one => executedRuleset(one) === ruleset).length;
		return before > 0 ? `${name} (${before + 1})` : name;
	}
	const said = rule.description ? `"${rule.description}"` : rule.expression;
	return rule.action === 'skip' ? `exception ${said}` : `${rule.action} ${said}`;
}

/**
 * Like `formatConfiguredRuleName`, but adds the expression to a description, because descriptions are not
 * unique.
 */
export function ruleNameInFull(rule: ConfiguredRule): string {
	const name = ruleName([rule], 0);
	const isWhole = executedRuleset(rule) !== undefined || !rule.description;
	return isWhole ? name : `${name} where ${rule.expression}`;
}

/** Describes what a rule does, in one line. */
export function ruleInWords(rule: ConfiguredRule): string {
	const ruleset = executedRuleset(rule);
	const skips = readSkips(rule);
	const does = ruleset
		? `runs ${rulesetName(ruleset)}`
		: skips
			? `skips ${skipsInWords(skips)}`
			: `${actionInWords(rule.action)} ${rule.action_parameters ? JSON.stringify(rule.action_parameters) : ''}`.trim();
	const where = rule.expression === 'true' ? 'for all traffic' : `where ${rule.expression}`;
	return `${does} ${where}${rule.enabled === false ? ', off' : ''}`;
}

/**
 * Lists what a canonical rule says, by the name of each part, so that two rules can be compared part by part.
 */
export function aspectsOf(rule: ConfiguredRule): ReadonlyMap<string, string> {
	const said = new Map<string, string>();
	const say = (name: string, text: string): void => {
		let unique = name;
		for (let count = 2; said.has(unique); count++) unique = `${name} (${count})`;
		said.set(unique, text);
	};
	const {action, expression, description, enabled, logging, action_parameters: parameters, ...others} = rule;
	say('action', actionInWords(action));
	say('expression', expression);
	if (description !== undefined) say('description', description === '' ? 'none' : `"${description}"`);
	if (enabled !== undefined) say('on or off', onOff(enabled));
	if (logging !== undefined) say('logging', loggingInWords(logging));
	sayRest(others, '', say);
	const skips = readSkips(rule);
	if (skips) say('skips', skipsInFull(skips));
	else if (parameters) sayParameters(parameters, action, say);
	return said;
}

type Say = (name: string, text: string) => void;

function sayParameters(parameters: JsonObject, action: string, say: Say): void {
	const {overrides, ...others} = parameters;
	sayRest(others, action === 'execute' ? '' : 'skips ', say);
	if (overrides === undefined) return;
	if (!isJsonObject(overrides)) {
		say('overrides', JSON.stringify(overrides));
		return;
	}
	const {rules, categories, ...whole} = overrides;
	if (Object.keys(whole).length > 0) say('all its rules', entryInWords(whole));
	else if (rules === undefined && categories === undefined) say('overrides', 'none');
	sayEntries(categories, 'category', say);
	sayEntries(rules, 'id', say);
}

function sayEntries(list: JsonValue | undefined, key: 'id' | 'category', say: Say): void {
	if (list === undefined) return;
	const noun = key === 'id' ? 'managed rule' : 'category';
	if (!Array.isArray(list)) say(`${noun} overrides`, JSON.stringify(list));
	else if (list.length === 0) say(`${noun} overrides`, 'none');
	for (const entry of Array.isArray(list) ? list : []) {
		if (!isJsonObject(entry) || typeof entry[key] !== 'string') {
			say(`${noun} overrides`, JSON.stringify(entry));
			continue;
		}
		const {[key]: name, ...says} = entry;
		say(name === thresholdRule ? 'score threshold' : `${noun} ${name}`, entryInWords(says));
	}
}

/** Formats what an override sets: "off", "log", "block, Medium, 40 or higher". */
function entryInWords({enabled, action, score_threshold: score, ...others}: JsonObject): string {
	const parts = [
		...(enabled === undefined
			? []
			: [typeof enabled === 'boolean' ? onOff(enabled) : JSON.stringify(enabled)]),
		...(action === undefined
			? []
			: [typeof action === 'string' ? actionInWords(action) : JSON.stringify(action)]),
		...(score === undefined
			? []
			: [typeof score === 'number' ? thresholdInWords(score) : `${JSON.stringify(score)} or higher`]),
		...(Object.keys(others).length > 0 ? [JSON.stringify(others)] : []),
	];
	return parts.join(', ') || 'nothing changed';
}

function sayRest(fields: JsonObject, before: string, say: Say): void {
	for (const [name, value] of Object.entries(fields))
		say(`${before}${name}`, typeof value === 'string' ? value : JSON.stringify(value));
}

const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off');

const loggingInWords = (logging: JsonValue): string =>
	isJsonObject(logging) && typeof logging.enabled === 'boolean' && Object.keys(logging).length === 1
		? onOff(logging.enabled)
		: JSON.stringify(logging);

/** Lists all ids: two exceptions may skip the same number of different rules. */
function skipsInFull(skips: Skips): string {
	if (skips.kind !== 'rules')
		return skips.kind === 'all' ? skipsInWords(skips) : skips.ids.map(named).join(', ');
	return Object.entries(skips.rules)
		.map(([ruleset, ids]) => `${ids.join(', ')} of ${named(ruleset)}`)
		.join('; ');
}

const named = (id: string): string =>
	Object.values(managedRulesets).some(one => one.id === id) ? rulesetName(id) : id;

type RulesetContents = {
	readonly id: string;
	readonly rules?: readonly {readonly id: string; readonly description: string}[] | undefined;
};

/**
 * Formats an edit like `formatEditSentence`, but adds the name of a rule given only by index or id. `before`:
 * the configuration the edit applies to; `managed`: the managed rulesets of the zone. Contains raw data.
 */
export function describeEdit(
	edit: Edit,
	{rules}: Pick<Configuration, 'rules'>,
	managed: readonly RulesetContents[] = [],
): string {
	const sentence = editSentence(edit);
	if (edit.kind === 'managed rule override') {
		const contents = managed.find(({id}) => id === edit.ruleset);
		const name = contents?.rules?.find(({id}) => id === edit.id)?.description;
		return name ? sentence.replace(edit.id, () => `"${name}" (${edit.id})`) : sentence;
	}
	if (!('rule' in edit)) return sentence;
	const rule = rules[edit.rule];
	const place = `ule ${edit.rule + 1}`;
	return rule ? sentence.replace(place, () => `${place} (${ruleNameInFull(rule)})`) : sentence;
}
