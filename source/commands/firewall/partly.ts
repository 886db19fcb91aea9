import type {Failure} from '../../failure.ts';

/** Adds to a failure in the middle of several writes which were done and which were not tried. */
export function withPartialProgress(
	failure: Failure,
	done: string,
	ids: readonly string[],
	count: number,
	before: readonly string[] = ids.slice(0, count),
): Failure {
	if (ids.length === 1) return failure;
	const [failed, ...rest] = ids.slice(count);
	const doneNote = before.length === 0 ? 'None before it' : `${done} before it: ${before.join(', ')}`;
	const untriedNote = rest.length === 0 ? '' : ` Not tried: ${rest.join(', ')}.`;
	return failure.withDetails({
		left: [failure.details.left, `It failed at ${failed}. ${doneNote}.${untriedNote}`]
			.filter(Boolean)
			.join('\n'),
	});
}
