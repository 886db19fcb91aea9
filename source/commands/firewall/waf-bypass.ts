import type {FirewallZone, Rule, RuleDraft} from '../../firewall/rules/rule.ts';
import {bypassesWaf, formatWafBypassWarning} from '../../firewall/rules/waf-bypass.ts';
import {isMigrated} from '../../migration/zone/calls.ts';
import type {CommandContext} from '../shell/context.ts';
import type {OpenedZone} from './zone.ts';

/** Warns that a bypass of the managed rules has no effect in a migrated zone. */
export async function warnOfWafBypass(
	{output}: CommandContext,
	{client, zone}: OpenedZone,
	draft: RuleDraft,
): Promise<void> {
	if (bypassesWaf(draft) && (await isMigrated(client, zone.id)))
		output.warn(formatWafBypassWarning(draft, zone));
}

/** True if some rules bypass the managed rules and the zone has migrated: these bypasses have no effect. */
export const shouldMarkWafBypass = async (
	{client, zone}: {readonly client: OpenedZone['client']; readonly zone: Pick<FirewallZone, 'id'>},
	rules: readonly Rule[],
): Promise<boolean> => rules.some(bypassesWaf) && (await isMigrated(client, zone.id));
