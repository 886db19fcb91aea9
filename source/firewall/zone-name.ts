import {Failure} from '../failure.ts';
import {quoteShellWord} from '../text/shell-word.ts';

/**
 * Failure of a write that needs the zone's name and got none or another one. `reasons` are sentences; if
 * empty, only the wrong name is reported.
 */
export const createZoneNameFailure = (
	{name}: {readonly name: string},
	reasons: readonly string[],
	typedName: string | undefined,
): Failure =>
	new Failure(
		'unconfirmed',
		typedName === undefined
			? 'Not confirmed, so nothing was sent.'
			: `The zone is ${name}, not "${typedName}"; nothing was sent.`,
		{
			why: reasons.join('\n') || undefined,
			next: `To confirm, pass the zone's name: --confirm ${quoteShellWord(name)} (--yes is not enough).`,
		},
	);
