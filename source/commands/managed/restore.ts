import {toConfiguration} from '../../managed/in-force.ts';
import {proposeConfiguration} from '../../managed/proposal.ts';
import {parseIds} from '../firewall/options.ts';
import {getRestoredRules, loadRulesetVersion} from '../rulesets/versions.ts';
import type {CommandContext} from '../shell/context.ts';
import type {ManagedRestoreOptions} from './managed.ts';
import {sendManagedChange} from './write.ts';
import {managedArea, openManagedForWriting} from './zone.ts';

/** `managed restore`: restores all or some rules of an earlier version, after showing the changes. */
export async function restoreManaged(
	context: CommandContext,
	{rule: only, confirm}: ManagedRestoreOptions,
	word: string,
): Promise<void> {
	const opened = await openManagedForWriting(context);
	const {inForce} = opened;
	const earlier = await loadRulesetVersion(context, opened, managedArea, word);
	const ids = only === undefined ? undefined : new Set(parseIds(only, 'managed rule'));
	const rules = getRestoredRules(opened, managedArea, earlier, ids);
	const targetConfiguration = toConfiguration({...earlier, rules});
	await sendManagedChange(context, opened, proposeConfiguration(inForce, targetConfiguration), {
		what: `restore version ${word} of the managed rules`,
		confirmed: confirm,
		alwaysAsks: true,
	});
}
