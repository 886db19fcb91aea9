import {type Advice, Failure} from '../../failure.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {Rule} from '../rules/rule.ts';

/** A firewall rule that was to be deleted but is kept, and why. */
export type KeptRule = {readonly rule: Rule; readonly reason: string};

/** Formats a sentence that a firewall rule is kept, with the reason. */
export const describeKeptRule = ({rule: {id, action}, reason}: KeptRule): string =>
	`Kept rule ${id} (${action}): ${reason}.`;

/** Creates the failure of a deletion that kept some rules. */
export const createKeptRulesFailure = (
	{name}: {readonly name: string},
	keptRules: readonly KeptRule[],
	deletedCount: number,
	next: Advice = 'Check what changed, then try again.',
): Failure =>
	new Failure(
		'changed_meanwhile',
		`${formatQuantity(keptRules.length, 'firewall rule')} of ${name} ${keptRules.length === 1 ? 'was' : 'were'} not deleted.`,
		{
			why: keptRules.map(describeKeptRule).join('\n'),
			left: `Deleted: ${formatQuantity(deletedCount, 'firewall rule')}.`,
			next,
		},
	);
