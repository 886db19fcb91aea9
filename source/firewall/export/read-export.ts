import {isUtf8} from 'node:buffer';
import {Failure, isFailure} from '../../failure.ts';
import {customPhase, type RulesetRule, readRuleset} from '../../rulesets/ruleset.ts';
import {isRecord} from '../../service/envelope.ts';
import {parseJsonText} from '../../text/json.ts';
import {customRulesOf} from '../rules/custom-rule.ts';
import {readFilter} from '../rules/filters.ts';
import {readRule} from '../rules/rules.ts';

/** What an export holds, as custom rules in the order of their evaluation. */
export type MadeRules = {readonly rules: readonly RulesetRule[]; readonly notes: readonly string[]};

/**
 * The custom rules of a text that `firewall export` wrote as JSON, with `--format json` or `custom-rules`. Fails with
 * `input_malformed` for any other, and for bytes that are not UTF-8; `from` names the text.
 */
export function rulesInExport(content: string | Uint8Array, from: string): MadeRules {
	const text = typeof content === 'string' ? content : utf8(content, from);
	const malformed = (why: string) =>
		new Failure('input_malformed', `${from} is not an export of firewall rules.`, {
			why,
			next: 'Write one with `ledge firewall export --output FILE`.',
		});
	let parsed: unknown;
	try {
		parsed = parseJsonText(text);
	} catch (error) {
		throw malformed(`It is not JSON: ${error instanceof Error ? error.message : String(error)}`);
	}
	if (!isRecord(parsed) || !Array.isArray(parsed.rules)) throw malformed('It has no list of rules.');
	try {
		return Array.isArray(parsed.filters)
			? ofFirewall(parsed.filters, parsed.rules)
			: {rules: withoutIds(parsed.rules), notes: []};
	} catch (error) {
		throw isFailure(error, 'answer_malformed') ? malformed(error.message) : error;
	}
}

function utf8(bytes: Uint8Array, from: string): string {
	if (!isUtf8(bytes)) throw new Failure('input_malformed', `${from} is not UTF-8 text.`);
	return new TextDecoder().decode(bytes);
}

/** Rules whose filters are beside them. */
function ofFirewall(filters: readonly unknown[], rules: readonly unknown[]): MadeRules {
	const known = new Map(filters.filter(isRecord).map(filter => [filter.id, readFilter(filter)]));
	const whole = rules.filter(isRecord).map(rule => {
		const named = isRecord(rule.filter) ? rule.filter : {};
		return readRule({...rule, filter: known.get(named.id) ?? {...named, deleted: true}});
	});
	return customRulesOf(whole);
}

/** Custom rules as they are sent, which have no ids of their own in another zone. */
const withoutIds = (rules: readonly unknown[]): readonly RulesetRule[] =>
	readRuleset({id: 'file', kind: 'zone', phase: customPhase, rules}).rules.map(({id, ref, ...rule}) =>
		ref === undefined || ref === id ? rule : {...rule, ref},
	);
