import {Failure} from '../../failure.ts';
import {rulesCommand} from '../../firewall/continuation.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {customRules, type OpenedRules, openRules} from '../firewall/custom-rules.ts';
import {idsOf} from '../firewall/options.ts';
import {printVersions} from '../rulesets/versions.ts';
import type {CommandContext} from '../shell/context.ts';
import {customRuleTable, customRuleText, ruleValue} from './text.ts';

/** The rule of an id; it fails where the zone has none. */
export function ruleThere({rules, zone}: OpenedRules, id: string): RulesetRule & {readonly id: string} {
	const found = rules.find(rule => rule.id === id);
	if (found) return {...found, id};
	throw new Failure('not_found', `There is no custom rule ${id} in ${zone.label}.`, {
		next: `See \`${rulesCommand(zone, ['list'])}\` for what there is.`,
	});
}

/** `rules list`. */
export async function listRules(context: CommandContext): Promise<void> {
	const {rules} = await openRules(context, {writes: false});
	if (context.output.json)
		return context.output.value(rules.map((rule, index) => ruleValue(rule, index + 1)));
	await context.output.text(customRuleTable(rules, context.output));
}

/** `rules get`. */
export async function getRule(context: CommandContext, word: string): Promise<void> {
	const [id = ''] = idsOf([word], 'rule');
	const opened = await openRules(context, {writes: false});
	const rule = ruleThere(opened, id);
	const place = opened.rules.findIndex(one => one.id === id) + 1;
	if (context.output.json) return context.output.value(context.marked(ruleValue(rule, place)));
	await context.output.text(customRuleText(rule, place, opened.rules.length));
}

/** `rules versions`: all that the service still has, the newest first, or the rules of one. */
export async function listVersions(context: CommandContext, word: string | undefined): Promise<void> {
	const opened = await openRules(context, {writes: false});
	const text = {table: customRuleTable, value: ruleValue};
	await printVersions(context, opened, {...customRules, ...text}, word);
}
