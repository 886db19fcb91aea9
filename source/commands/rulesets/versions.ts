import {Failure} from '../../failure.ts';
import {listRulesetVersions, readRulesetVersion} from '../../rulesets/calls.ts';
import {restoreRulesetRules} from '../../rulesets/edit.ts';
import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import {formatTable, type TextColumn} from '../../terminal/table.ts';
import type {CommandContext} from '../shell/context.ts';
import type {OpenedRuleset, RulesetArea, RulesetText} from './area.ts';

/** Prints all stored versions, newest first, or the rules of one. */
export async function printVersions(
	context: CommandContext,
	opened: OpenedRuleset,
	area: RulesetArea & RulesetText,
	word: string | undefined,
): Promise<void> {
	const {client, zone, ruleset} = opened;
	const {output, signal} = context;
	if (word !== undefined) {
		const {rules} = await loadRulesetVersion(context, opened, area, word);
		if (output.json) return output.value(rules.map((rule, index) => area.value(rule, index + 1)));
		return output.text(area.table(rules, output));
	}
	const versions = ruleset ? await listRulesetVersions(client, zone.id, ruleset.id, signal) : [];
	const newest = versions.toSorted((one, other) => Number(other.version) - Number(one.version));
	if (output.json)
		return output.value(
			newest.map(({version, last_updated}) => ({
				version,
				last_updated,
				inForce: version === ruleset?.version,
			})),
		);
	await output.text(formatTable(buildVersionColumns(ruleset?.version ?? ''), newest));
}

const buildVersionColumns = (now: string): readonly TextColumn<Ruleset>[] => [
	{title: 'VERSION', align: 'right', cell: ({version}) => version},
	{title: 'MADE', cell: ({last_updated: made}) => made ?? '-'},
	{title: 'NOTE', cell: ({version}) => (version === now ? 'in force' : '-')},
];

/** Reads one version of the rules. Fails with `usage` for an invalid number, and with `not_found`. */
export async function loadRulesetVersion(
	{signal}: CommandContext,
	{client, zone, ruleset}: OpenedRuleset,
	{rules, command}: RulesetArea,
	word: string,
): Promise<Ruleset> {
	const next = `See \`${command(zone, ['versions'])}\` for those there are.`;
	if (!/^\d+$/.test(word))
		throw new Failure('usage', `"${word}" is not a version: versions are whole numbers.`, {next});
	const found = ruleset && (await readRulesetVersion(client, zone.id, ruleset.id, word, signal));
	if (found) return found;
	throw new Failure('not_found', `The service has no version ${word} of the ${rules} of ${zone.label}.`, {
		next,
	});
}

/**
 * Returns the rules after restoring a version, all of them or only the given ids. Fails with `not_found` for
 * an id in neither.
 */
export function getRestoredRules(
	{zone, ruleset}: OpenedRuleset,
	{rules, command}: RulesetArea,
	then: Ruleset,
	only: ReadonlySet<string> | undefined,
): readonly RulesetRule[] {
	const now = ruleset?.rules ?? [];
	for (const id of only ?? [])
		if (![...now, ...then.rules].some(rule => rule.id === id))
			throw new Failure(
				'not_found',
				`There is no rule ${id} among the ${rules} now, and none in version ${then.version}.`,
				{
					next: `See \`${command(zone, ['versions', then.version])}\` for the rules of that version.`,
				},
			);
	return restoreRulesetRules(now, then.rules, only);
}
