import {proposeConfiguration} from '../../managed/proposal.ts';
import {toConfiguration} from '../../managed/state.ts';
import {parseIds} from '../firewall/options.ts';
import {getRestoredRules, loadRulesetVersion} from '../rulesets/versions.ts';
import type {CommandContext} from '../shell/context.ts';
import type {ManagedRestoreOptions} from './managed.ts';
import {sendManagedChange} from './write.ts';
import {managedPhaseTexts, openManagedForWriting} from './zone.ts';

/** `managed restore`: restores all or some rules of an earlier version, after showing the changes. */
export async function restoreManaged(
	context: CommandContext,
	{rule: ruleArguments, confirm}: ManagedRestoreOptions,
	version: string,
): Promise<void> {
	const managedZone = await openManagedForWriting(context);
	const {managedState} = managedZone;
	const earlierVersion = await loadRulesetVersion(context, managedZone, managedPhaseTexts, version);
	const ids = ruleArguments === undefined ? undefined : new Set(parseIds(ruleArguments, 'managed rule'));
	const rules = getRestoredRules(managedZone, managedPhaseTexts, earlierVersion, ids);
	const targetConfiguration = toConfiguration({...earlierVersion, rules});
	const proposal = proposeConfiguration(managedState, targetConfiguration, {allowUnknown: true});
	await sendManagedChange(context, managedZone, proposal, {
		auditText: `restore version ${version} of the managed rules`,
		confirmOption: confirm,
		alwaysAsks: true,
	});
}
