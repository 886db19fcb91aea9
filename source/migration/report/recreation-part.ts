import type {JsonObject} from '../../text/json.ts';
import {buildPageRuleExpression} from '../plan/expected.ts';
import type {UnmigratedSetting} from '../plan/not-migrated.ts';
import {parseWafOverride, type WafOverride} from '../zone/override.ts';
import {type PreviousManagedRules, parsePreviousRules} from '../zone/previous-rules.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import {buildMarkdownSection, escapeMarkdown, formatCodeBlock, formatMarkdownList} from './markdown.ts';

const recreationTitle = 'To recreate manually';
const overridesTitle = 'URI-based overrides';

/**
 * Builds the part about settings to recreate manually: everything that is not migrated, and deleted
 * overrides.
 */
export function buildRecreationPart(
	snapshot: Snapshot,
	notMigrated: readonly UnmigratedSetting[] | undefined,
	deletedOverrides: readonly JsonObject[],
): string[] {
	const overrides = [
		...new Map([...snapshot.overrides, ...deletedOverrides].map(raw => [raw.id, raw])).values(),
	];
	const previous = parsePreviousRules(snapshot);
	const unreadNotes = listUnreadNotes(previous, deletedOverrides.length > 0);
	const remaining = (notMigrated ?? []).filter(({id}) => !overrides.some(raw => raw.id === id));
	if (!notMigrated && overrides.length === 0)
		return buildMarkdownSection(
			recreationTitle,
			...unreadNotes,
			'Unknown: the active rules could not be read.',
		);
	if (remaining.length === 0 && overrides.length === 0)
		return buildMarkdownSection(
			recreationTitle,
			...unreadNotes,
			unreadNotes.length > 0 ? 'Nothing found in what could be read.' : 'Nothing found.',
		);
	return buildMarkdownSection(
		recreationTitle,
		...unreadNotes,
		formatMarkdownList(remaining.map(formatNotMigrated)),
		...(overrides.length === 0
			? []
			: [
					`### ${overridesTitle}`,
					'They are not migrated: the new version has no such overrides. Recreate each one as a rule in the entry point ruleset whose expression tests the URL: `skip` rules, before the execute rules, for what was disabled; otherwise another rule that executes the managed ruleset with these settings. Rules have different ids in the new version.',
					...overrides.map(raw => formatOverrideSection(parseWafOverride(raw), previous)),
				]),
	);
}

/** Lists what may be missing from the list, because it could not be read before the migration. */
const listUnreadNotes = (
	{unreadReasons: {overrides, packages, firewallRules, pageRules}}: PreviousManagedRules,
	hasBackup: boolean,
): readonly string[] =>
	[
		{what: overridesTitle, reason: overrides, isInBackup: hasBackup},
		{what: 'previous managed rules', reason: packages},
		{what: 'firewall rules', reason: firewallRules},
		{what: 'page rules', reason: pageRules},
	].flatMap(({what, reason, isInBackup = false}) =>
		reason === undefined
			? []
			: [
					isInBackup
						? `**${what}: ${reason}.** Those in earlier backups are listed here; they may no longer exist.`
						: `**${what}: ${reason}.** Their settings are not in this list.`,
				],
	);

const formatNotMigrated = ({what, id, setting, next}: UnmigratedSetting): string =>
	`**${escapeMarkdown(what)}** (${escapeMarkdown(id)}): ${escapeMarkdown(setting)}\n  ${escapeMarkdown(next)}`;

function formatOverrideSection(override: WafOverride, {packages}: PreviousManagedRules): string {
	const {id, description, urls, groups, rules, rewriteAction, paused, priority} = override;
	const groupNames = new Map(packages.flatMap(one => one.groups.map(group => [group.id, group.name])));
	const ruleNames = new Map(packages.flatMap(one => one.rules.map(rule => [rule.id, rule.description])));
	const formatNameAndId = (name: string | undefined, key: string) =>
		name ? `"${escapeMarkdown(name)}" (${escapeMarkdown(key)})` : escapeMarkdown(key);
	return [
		`#### Override ${escapeMarkdown(id)}${description ? `: ${escapeMarkdown(description)}` : ''}`,
		formatMarkdownList([
			`URLs: ${urls.map(escapeMarkdown).join(', ') || 'none'}`,
			...Object.entries(groups).map(
				([key, action]) => `group ${formatNameAndId(groupNames.get(key), key)}: ${escapeMarkdown(action)}`,
			),
			...Object.entries(rules).map(
				([key, action]) => `rule ${formatNameAndId(ruleNames.get(key), key)}: ${escapeMarkdown(action)}`,
			),
			...Object.entries(rewriteAction).map(
				([from, to]) => `action ${escapeMarkdown(from)} became ${escapeMarkdown(to)}`,
			),
			`${paused ? 'paused' : 'active'}${priority === undefined ? '' : `, priority ${priority}`}`,
		]),
		...(urls.length === 0
			? []
			: [
					'Expression that tests its URLs:',
					formatCodeBlock(urls.map(buildPageRuleExpression).join(' or\n')),
				]),
	].join('\n\n');
}
