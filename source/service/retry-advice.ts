import type {Advice, Failure} from '../failure.ts';
import {getRefusalBody} from './refusal.ts';

/** Returns the next step after a write that changed nothing. */
export const getRetryAdvice = (failure: Failure): Advice =>
	failure.details.next ??
	(failure.code === 'interrupted' ? 'There is nothing to undo.' : formatSendAdvice(failure));

const formatSendAdvice = (failure: Failure): string => `${getCorrectionAdvice(failure)} Then send it again.`;

/**
 * Returns what must be done after a refusal before the next command; not the advice to send the same again.
 */
export const getPrerequisiteAdvice = (failure: Failure): Advice =>
	failure.details.next === undefined || failure.next === formatSendAdvice(failure)
		? getCorrectionAdvice(failure)
		: failure.details.next;

/**
 * Returns what to correct after a refusal: what the service reports, or the usual cause if it gives no
 * reason.
 */
function getCorrectionAdvice(failure: Failure): string {
	if (getRefusalBody(failure)?.errors.some(({message}) => message !== ''))
		return failure.code === 'not_found'
			? 'Check whether the zone and the named objects still exist, and whether the token can access them.'
			: 'Correct what the service reports.';
	return 'The service gave no reason; often it is the plan of the zone, or a permission that the token lacks. Check both.';
}
