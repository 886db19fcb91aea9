import {configurationOf} from '../../managed/in-force.ts';
import {propose} from '../../managed/proposal.ts';
import {idsOf} from '../firewall/options.ts';
import {rulesOfVersion, versionNamed} from '../rulesets/versions.ts';
import type {CommandContext} from '../shell/context.ts';
import type {RestoreOptions} from './managed.ts';
import {carryOut} from './write.ts';
import {managedArea, openToWrite} from './zone.ts';

/** `managed restore`: restores all or some rules of an earlier version, after showing the changes. */
export async function restoreManaged(
	context: CommandContext,
	{rule: only, confirm}: RestoreOptions,
	word: string,
): Promise<void> {
	const opened = await openToWrite(context);
	const {inForce} = opened;
	const then = await versionNamed(context, opened, managedArea, word);
	const ids = only === undefined ? undefined : new Set(idsOf(only, 'managed rule'));
	const rules = rulesOfVersion(opened, managedArea, then, ids);
	const wanted = configurationOf({...then, rules});
	await carryOut(context, opened, propose(inForce, wanted), {
		what: `restore version ${word} of the managed rules`,
		confirmed: confirm,
		isAsked: true,
	});
}
