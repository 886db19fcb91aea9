import {isUtf8} from 'node:buffer';
import {Failure, isFailure} from '../../failure.ts';
import {customPhase, type RulesetRule, readRuleset} from '../../rulesets/ruleset.ts';
import {isJsonObject, parseJsonText} from '../../text/json.ts';
import {toCustomRules} from '../rules/custom-rule.ts';
import type {Filter} from '../rules/filter.ts';
import {readFilter} from '../rules/filters.ts';
import type {Rule} from '../rules/rule.ts';
import {readRule} from '../rules/rules.ts';

/** The contents of an export, converted to custom rules in order of evaluation. */
export type ConvertedRules = {readonly rules: readonly RulesetRule[]; readonly notes: readonly string[]};

/**
 * Parses the JSON of `firewall export` (`--format json` or `custom-rules`) into custom rules. `sourceLabel`
 * names the text in messages. Throws `input_malformed` for any other text, and for bytes that are not UTF-8.
 */
export function parseRulesExport(content: string | Uint8Array, sourceLabel: string): ConvertedRules {
	const text = typeof content === 'string' ? content : decodeUtf8(content, sourceLabel);
	const createMalformedFailure = (why: string) =>
		new Failure('input_malformed', `${sourceLabel} is not a firewall rules export.`, {
			why,
			next: 'Create one with `ledge firewall export --output FILE`.',
		});
	let json: unknown;
	try {
		json = parseJsonText(text);
	} catch (error) {
		throw createMalformedFailure(`It is not JSON: ${error instanceof Error ? error.message : String(error)}`);
	}
	if (!isJsonObject(json) || !Array.isArray(json.rules))
		throw createMalformedFailure('It has no list of rules.');
	try {
		return Array.isArray(json.filters)
			? toCustomRules(readExportedFirewall(json.filters, json.rules).rules)
			: {rules: dropRuleIds(json.rules), notes: []};
	} catch (error) {
		throw isFailure(error, 'answer_malformed') ? createMalformedFailure(error.message) : error;
	}
}

function decodeUtf8(bytes: Uint8Array, sourceLabel: string): string {
	if (!isUtf8(bytes)) throw new Failure('input_malformed', `${sourceLabel} is not UTF-8 text.`);
	return new TextDecoder().decode(bytes);
}

/** Reads the filters and firewall rules of an export; rules get their filters by id. */
export function readExportedFirewall(
	filterItems: readonly unknown[],
	ruleItems: readonly unknown[],
): {readonly filters: readonly Filter[]; readonly rules: readonly Rule[]} {
	const filters = filterItems.filter(isJsonObject).map(readFilter);
	const filtersById = new Map(filters.map(filter => [filter.id, filter]));
	const rules = ruleItems.filter(isJsonObject).map(rule => {
		const filterReference = isJsonObject(rule.filter) ? rule.filter : {};
		return readRule({
			...rule,
			filter: filtersById.get(String(filterReference.id)) ?? {...filterReference, deleted: true},
		});
	});
	return {filters, rules};
}

/** Removes ids, which belong to the original zone. */
const dropRuleIds = (rules: readonly unknown[]): readonly RulesetRule[] =>
	readRuleset({id: 'file', kind: 'zone', phase: customPhase, rules}).rules.map(({id, ref, ...rule}) =>
		ref === undefined || ref === id ? rule : {...rule, ref},
	);
