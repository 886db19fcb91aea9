import type {Advice, Failure} from '../failure.ts';
import {refusedWith} from './refusal.ts';

/** What to do after a write that changed nothing. */
export const again = (failure: Failure): Advice =>
	failure.details.next ?? (failure.code === 'interrupted' ? 'Nothing has to be undone.' : sentAgain(failure));

const sentAgain = (failure: Failure): string => `${mended(failure)} Then send it again.`;

/** What has to be done first after a refusal, where the next step is another one than sending it again. */
export const beforehand = (failure: Failure): Advice =>
	failure.details.next === undefined || failure.next === sentAgain(failure)
		? mended(failure)
		: failure.details.next;

/** What to mend after a refusal: what its words name, or what is mostly behind one without words. */
function mended(failure: Failure): string {
	if (refusedWith(failure)?.errors.some(({message}) => message !== ''))
		return failure.code === 'not_found'
			? 'Check whether the zone and the objects named still exist, and whether the token may see them.'
			: 'Correct what the service names.';
	return 'The service names no reason; often it is the plan of the zone, or a permission that the token lacks. Check both.';
}
