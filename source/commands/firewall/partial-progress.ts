import type {Failure} from '../../failure.ts';

/**
 * Adds to a failure which of several writes were done before it, and which were not tried. `failedIndex`:
 * index of the failed id in `ids`; `doneIds`: by default all ids before it.
 */
export function withPartialProgress(
	failure: Failure,
	pastVerb: string,
	ids: readonly string[],
	failedIndex: number,
	doneIds: readonly string[] = ids.slice(0, failedIndex),
): Failure {
	if (ids.length === 1) return failure;
	const [failedId, ...untriedIds] = ids.slice(failedIndex);
	const doneNote =
		doneIds.length === 0 ? `${pastVerb} none before it` : `${pastVerb} before it: ${doneIds.join(', ')}`;
	const untriedNote = untriedIds.length === 0 ? '' : ` Not tried: ${untriedIds.join(', ')}.`;
	return failure.withDetails({
		left: [failure.details.left, `Failed at ${failedId}. ${doneNote}.${untriedNote}`]
			.filter(Boolean)
			.join('\n'),
	});
}
