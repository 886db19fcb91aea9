import type {JsonObject} from '../../text/json.ts';
import {pageRuleExpression} from '../plan/expected.ts';
import type {NotMigrated} from '../plan/left-behind.ts';
import {readOverride, type WafOverride} from '../zone/override.ts';
import {type Previous, previousOf} from '../zone/previous-rules.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import {codeBlock, inline, list, part} from './markdown.ts';

const byHandTitle = 'To be recreated by hand';
const overridesTitle = 'URI-based overrides';

/** Builds the part with settings to recreate manually: everything not migrated, and deleted overrides. */
export function byHand(
	snapshot: Snapshot,
	notMigrated: readonly NotMigrated[] | undefined,
	deleted: readonly JsonObject[],
): string[] {
	const overrides = [...new Map([...snapshot.overrides, ...deleted].map(raw => [raw.id, raw])).values()];
	const previous = previousOf(snapshot);
	const unread = unreadLines(previous, deleted.length > 0);
	const left = (notMigrated ?? []).filter(({id}) => !overrides.some(raw => raw.id === id));
	if (!notMigrated && overrides.length === 0)
		return part(byHandTitle, ...unread, 'Unknown: the rules in force could not be read.');
	if (left.length === 0 && overrides.length === 0)
		return part(
			byHandTitle,
			...unread,
			unread.length > 0 ? 'Nothing found in what could be read.' : 'Nothing found.',
		);
	return part(
		byHandTitle,
		...unread,
		list(left.map(notMigratedLine)),
		...(overrides.length === 0
			? []
			: [
					`### ${overridesTitle}`,
					'They are not migrated: the new version has no such overrides. Recreate each one as a rule of the entry point ruleset whose expression tests the URL: `skip` rules for what was disabled, before the rules that execute; else one more rule that executes the managed ruleset with these settings. Rules have other ids in the new version.',
					...overrides.map(raw => overrideText(readOverride(raw), previous)),
				]),
	);
}

/** Lists what may be missing because it could not be read before the migration. */
const unreadLines = (
	{unread: {overrides, packages, firewallRules, pageRules}}: Previous,
	hasEarlier: boolean,
): readonly string[] =>
	[
		{what: overridesTitle, reason: overrides, inEarlier: hasEarlier},
		{what: 'previous managed rules', reason: packages},
		{what: 'firewall rules', reason: firewallRules},
		{what: 'page rules', reason: pageRules},
	].flatMap(({what, reason, inEarlier = false}) =>
		reason === undefined
			? []
			: [
					inEarlier
						? `**${what}: ${reason}.** Those in earlier backups are listed here; they may no longer exist.`
						: `**${what}: ${reason}.** What they did is not in this list.`,
				],
	);

const notMigratedLine = ({what, id, setting, next}: NotMigrated): string =>
	`**${inline(what)}** (${inline(id)}): ${inline(setting)}\n  ${inline(next)}`;

function overrideText(override: WafOverride, {packages}: Previous): string {
	const {id, description, urls, groups, rules, rewriteAction, paused, priority} = override;
	const groupNames = new Map(packages.flatMap(one => one.groups.map(group => [group.id, group.name])));
	const ruleNames = new Map(packages.flatMap(one => one.rules.map(rule => [rule.id, rule.description])));
	const named = (name: string | undefined, of: string) =>
		name ? `"${inline(name)}" (${inline(of)})` : inline(of);
	return [
		`#### Override ${inline(id)}${description ? `: ${inline(description)}` : ''}`,
		list([
			`URLs: ${urls.map(inline).join(', ') || 'none'}`,
			...Object.entries(groups).map(
				([of, action]) => `group ${named(groupNames.get(of), of)}: ${inline(action)}`,
			),
			...Object.entries(rules).map(
				([of, action]) => `rule ${named(ruleNames.get(of), of)}: ${inline(action)}`,
			),
			...Object.entries(rewriteAction).map(([from, to]) => `action ${inline(from)} became ${inline(to)}`),
			`${paused ? 'paused' : 'in force'}${priority === undefined ? '' : `, priority ${priority}`}`,
		]),
		...(urls.length === 0
			? []
			: ['What tests its URLs:', codeBlock(urls.map(pageRuleExpression).join(' or\n'))]),
	].join('\n\n');
}
