import {Failure} from '../../failure.ts';
import {parseEditWords} from '../../managed/edit-words.ts';
import {proposeEdits} from '../../managed/proposal.ts';
import {formatEditSentence} from '../../migration/configuration/edits.ts';
import type {CommandContext} from '../shell/context.ts';
import type {ManagedEditOptions} from './managed.ts';
import {sendManagedChange} from './write.ts';
import {openManagedForWriting} from './zone.ts';

/** `managed edit`: sends all given options as one change. */
export async function editManaged(context: CommandContext, options: ManagedEditOptions): Promise<void> {
	const {deploy, remove, on, off, ruleset, category, rule, paranoia, threshold, thresholdAction} = options;
	const words = {deploy, remove, on, off, ruleset, category, rule, paranoia, threshold, thresholdAction};
	if (Object.values(words).every(one => one === undefined))
		throw new Failure('usage', 'Nothing to change was named.', {
			next: 'Give at least one of --deploy, --remove, --on, --off, --ruleset, --category, --rule, --paranoia, --threshold and --threshold-action.',
		});
	const opened = await openManagedForWriting(context);
	const edits = parseEditWords(words, opened.inForce);
	await sendManagedChange(context, opened, proposeEdits(opened.inForce, edits), {
		what: `edit managed rules: ${edits.map(edit => formatEditSentence(edit)).join(' ')}`,
		confirmed: options.confirm,
	});
}
