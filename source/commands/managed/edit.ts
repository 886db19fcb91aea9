import {Failure} from '../../failure.ts';
import {editsFrom} from '../../managed/edit-words.ts';
import {proposeEdits} from '../../managed/proposal.ts';
import {editSentence} from '../../migration/configuration/edits.ts';
import type {CommandContext} from '../shell/context.ts';
import type {EditOptions} from './managed.ts';
import {carryOut} from './write.ts';
import {openToWrite} from './zone.ts';

/** `managed edit`: sends all given options as one change. */
export async function editManaged(context: CommandContext, options: EditOptions): Promise<void> {
	const {deploy, remove, on, off, ruleset, category, rule, paranoia, threshold, thresholdAction} = options;
	const words = {deploy, remove, on, off, ruleset, category, rule, paranoia, threshold, thresholdAction};
	if (Object.values(words).every(one => one === undefined))
		throw new Failure('usage', 'Nothing to change was named.', {
			next: 'Give at least one of --deploy, --remove, --on, --off, --ruleset, --category, --rule, --paranoia, --threshold and --threshold-action.',
		});
	const opened = await openToWrite(context);
	const edits = editsFrom(words, opened.inForce);
	await carryOut(context, opened, proposeEdits(opened.inForce, edits), {
		what: `edit managed rules: ${edits.map(edit => editSentence(edit)).join(' ')}`,
		confirmed: options.confirm,
	});
}
