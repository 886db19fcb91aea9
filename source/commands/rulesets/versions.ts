import {Failure} from '../../failure.ts';
import {listRulesetVersions, readRulesetVersion} from '../../rulesets/calls.ts';
import {restoreRulesetRules} from '../../rulesets/edit.ts';
import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import {formatTable, type TextColumn} from '../../terminal/table.ts';
import type {CommandContext} from '../shell/context.ts';
import type {OpenedRuleset, PhaseTexts, RulesetFormatters} from './phase-texts.ts';

/** Prints all stored versions, newest first, or the rules of one version. */
export async function printVersions(
	context: CommandContext,
	openedRuleset: OpenedRuleset,
	phaseTexts: PhaseTexts & RulesetFormatters,
	versionArgument: string | undefined,
): Promise<void> {
	const {client, zone, ruleset} = openedRuleset;
	const {output, signal} = context;
	if (versionArgument !== undefined) {
		const {rules} = await loadRulesetVersion(context, openedRuleset, phaseTexts, versionArgument);
		if (output.json) return output.writeJson(rules.map((rule, index) => phaseTexts.toJson(rule, index + 1)));
		return output.writeText(phaseTexts.formatRules(rules, output));
	}
	const versions = ruleset ? await listRulesetVersions(client, zone.id, ruleset.id, signal) : [];
	const sortedVersions = versions.toSorted((one, other) => Number(other.version) - Number(one.version));
	if (output.json)
		return output.writeJson(
			sortedVersions.map(({version, last_updated}) => ({
				version,
				last_updated,
				inForce: version === ruleset?.version,
			})),
		);
	await output.writeText(formatTable(buildVersionColumns(ruleset?.version ?? ''), sortedVersions));
}

const buildVersionColumns = (activeVersion: string): readonly TextColumn<Ruleset>[] => [
	{title: 'VERSION', align: 'right', cell: ({version}) => version},
	{title: 'CREATED', cell: ({last_updated: createdAt}) => createdAt ?? '-'},
	{title: 'NOTE', cell: ({version}) => (version === activeVersion ? 'active' : '-')},
];

/** Reads one version of the rules. Fails with `usage` for an invalid number, and with `not_found`. */
export async function loadRulesetVersion(
	{signal}: CommandContext,
	{client, zone, ruleset}: OpenedRuleset,
	{rulesNoun, formatCommand}: PhaseTexts,
	versionArgument: string,
): Promise<Ruleset> {
	const next = `To list the versions: \`${formatCommand(zone, ['versions'])}\``;
	if (!/^\d+$/.test(versionArgument))
		throw new Failure('usage', `"${versionArgument}" is not a version: versions are whole numbers.`, {next});
	const storedVersion =
		ruleset && (await readRulesetVersion(client, zone.id, ruleset.id, versionArgument, signal));
	if (storedVersion) return storedVersion;
	throw new Failure(
		'not_found',
		`The service has no version ${versionArgument} of the ${rulesNoun} of ${zone.label}.`,
		{
			next,
		},
	);
}

/**
 * Returns the rules after restoring an earlier version: all rules, or only `selectedIds`. Fails with
 * `not_found` if an id is in neither version.
 */
export function getRestoredRules(
	{zone, ruleset}: OpenedRuleset,
	{rulesNoun, formatCommand}: PhaseTexts,
	earlierVersion: Ruleset,
	selectedIds: ReadonlySet<string> | undefined,
): readonly RulesetRule[] {
	const currentRules = ruleset?.rules ?? [];
	for (const id of selectedIds ?? [])
		if (![...currentRules, ...earlierVersion.rules].some(rule => rule.id === id))
			throw new Failure(
				'not_found',
				`Rule ${id} is neither in the current ${rulesNoun} nor in version ${earlierVersion.version}.`,
				{
					next: `To list the rules of that version: \`${formatCommand(zone, ['versions', earlierVersion.version])}\``,
				},
			);
	return restoreRulesetRules(currentRules, earlierVersion.rules, selectedIds);
}
