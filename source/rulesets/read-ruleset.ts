import {isRecord} from '../service/envelope.ts';
import {malformed, optionalText, readList, text} from '../service/reading.ts';
import {isJsonObject} from '../text/json.ts';
import type {Ruleset, RulesetRule} from './ruleset.ts';

/** A ruleset out of an answer; those of a list have no rules. */
export function readRuleset(result: unknown): Ruleset {
	if (!isRecord(result)) throw malformed('ruleset');
	const description = optionalText(result, 'description');
	const updated = optionalText(result, 'last_updated');
	return {
		id: text(result, 'id', 'a ruleset'),
		name: optionalText(result, 'name') ?? '',
		kind: text(result, 'kind', 'a ruleset'),
		phase: text(result, 'phase', 'a ruleset'),
		version: optionalText(result, 'version') ?? '',
		...(description !== undefined && {description}),
		...(updated !== undefined && {last_updated: updated}),
		// One without rules has no such field.
		rules: result.rules === undefined ? [] : readList(result.rules, 'a rule', readRulesetRule),
	};
}

/** What a rule is and does. Rules of managed rulesets have no expression: theirs is empty. */
export function readRulesetRule(item: Readonly<Record<string, unknown>>): RulesetRule {
	const {action_parameters: parameters, enabled, logging} = item;
	const more = Object.fromEntries(Object.entries(item).filter(([name]) => !known.has(name)));
	const id = optionalText(item, 'id');
	const ref = optionalText(item, 'ref');
	const description = optionalText(item, 'description');
	return {
		...(id && {id}),
		...(ref && {ref}),
		action: text(item, 'action', 'a rule'),
		...(isJsonObject(parameters) && {action_parameters: parameters}),
		expression: optionalText(item, 'expression') ?? '',
		...(description !== undefined && {description}),
		...(typeof enabled === 'boolean' && {enabled}),
		...(isRecord(logging) && typeof logging.enabled === 'boolean' && {logging: {enabled: logging.enabled}}),
		...(isJsonObject(more) && Object.keys(more).length > 0 && {more}),
	};
}

/** The fields of a rule that are read, and those that the service makes by itself and takes from nobody. */
const known: ReadonlySet<string> = new Set([
	'id',
	'ref',
	'action',
	'action_parameters',
	'expression',
	'description',
	'enabled',
	'logging',
	'version',
	'last_updated',
	'categories',
]);
