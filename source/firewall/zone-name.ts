import {Failure} from '../failure.ts';
import {quoteShellWord} from '../text/shell-word.ts';

/** What has the name that confirms a write: a zone, or a list. */
export type ConfirmedTarget = {readonly name: string; readonly noun?: 'zone' | 'list'};

/**
 * Failure of a write that needs the name of its target and got none or another one. `reasons` are sentences; if
 * empty, only the wrong name is reported.
 */
export const createZoneNameFailure = (
	{name, noun = 'zone'}: ConfirmedTarget,
	reasons: readonly string[],
	typedName: string | undefined,
): Failure =>
	new Failure(
		'unconfirmed',
		typedName === undefined
			? 'Not confirmed, so nothing was sent.'
			: `The ${noun} is ${name}, not "${typedName}"; nothing was sent.`,
		{
			why: reasons.join('\n') || undefined,
			next: `To confirm, pass the ${noun}'s name: --confirm ${quoteShellWord(name)} (--yes is not enough).`,
		},
	);
