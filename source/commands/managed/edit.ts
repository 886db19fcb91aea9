import {Failure} from '../../failure.ts';
import {parseEditWords} from '../../managed/edit-words.ts';
import {proposeEdits} from '../../managed/proposal.ts';
import {formatEditSentence} from '../../migration/configuration/edits.ts';
import type {CommandContext} from '../shell/context.ts';
import type {ManagedEditOptions} from './managed.ts';
import {sendManagedChange} from './write.ts';
import {openManagedForWriting} from './zone.ts';

/** `managed edit`: sends the changes of all options as one change. */
export async function editManaged(context: CommandContext, options: ManagedEditOptions): Promise<void> {
	const {deploy, remove, on, off, ruleset, category, rule, paranoia, threshold, thresholdAction} = options;
	const editOptions = {
		deploy,
		remove,
		on,
		off,
		ruleset,
		category,
		rule,
		paranoia,
		threshold,
		thresholdAction,
	};
	if (Object.values(editOptions).every(value => value === undefined))
		throw new Failure('usage', 'Nothing to change.', {
			next: 'Give at least one of --deploy, --remove, --on, --off, --ruleset, --category, --rule, --paranoia, --threshold and --threshold-action.',
		});
	const managedZone = await openManagedForWriting(context);
	const edits = parseEditWords(editOptions, managedZone.managedState);
	await sendManagedChange(context, managedZone, proposeEdits(managedZone.managedState, edits), {
		auditText: `edit managed rules: ${edits.map(edit => formatEditSentence(edit)).join(' ')}`,
		confirmOption: options.confirm,
	});
}
