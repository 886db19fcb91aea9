import {Failure, type FailureDetails} from '../../failure.ts';

/** Replaces the message of a failure with the current state; the old message becomes the reason. */
export const withSentence = (
	sentence: string,
	{code, message, details}: Failure,
	extraDetails: Partial<FailureDetails> = {},
): Failure =>
	new Failure(code, sentence, {
		...details,
		why: [message, details.why].filter(Boolean).join('\n'),
		...extraDetails,
	});
