import {Failure} from '../../failure.ts';
import {rulesCommand} from '../../firewall/continuation.ts';
import {rulesetVersion, rulesetVersions} from '../../rulesets/calls.ts';
import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import {table} from '../../terminal/table.ts';
import {type OpenedRules, openRules} from '../firewall/custom-rules.ts';
import {idsOf} from '../firewall/options.ts';
import type {CommandContext} from '../shell/context.ts';
import {customRuleTable, customRuleText, ruleValue, versionColumns} from './text.ts';

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
	const {client, zone, ruleset} = opened;
	if (word !== undefined) {
		const {rules} = await versionThere(context, opened, word);
		if (context.output.json)
			return context.output.value(rules.map((rule, index) => ruleValue(rule, index + 1)));
		return context.output.text(customRuleTable(rules, context.output));
	}
	const versions = ruleset ? await rulesetVersions(client, zone.id, ruleset.id, context.signal) : [];
	const newest = versions.toSorted((one, other) => Number(other.version) - Number(one.version));
	if (context.output.json)
		return context.output.value(
			newest.map(({version, last_updated}) => ({
				version,
				last_updated,
				inForce: version === ruleset?.version,
			})),
		);
	await context.output.text(table(versionColumns(ruleset?.version ?? ''), newest));
}

/** One version of the custom rules; it fails where the service does not have it. */
export async function versionThere(
	{signal}: CommandContext,
	{client, zone, ruleset}: OpenedRules,
	word: string,
): Promise<Ruleset> {
	if (!/^\d+$/.test(word))
		throw new Failure('usage', `"${word}" is not a version: versions are whole numbers.`, {
			next: `See \`${rulesCommand(zone, ['versions'])}\` for those there are.`,
		});
	const found = ruleset && (await rulesetVersion(client, zone.id, ruleset.id, word, signal));
	if (found) return found;
	throw new Failure('not_found', `The service has no version ${word} of the custom rules of ${zone.label}.`, {
		next: `See \`${rulesCommand(zone, ['versions'])}\` for those there are.`,
	});
}
