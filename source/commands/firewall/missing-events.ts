import type {EventFilter} from '../../analytics/event-query.ts';
import {type AnalyticsProblem, formatMissingLine, securityEventsSubject} from '../../analytics/problem.ts';
import type {CommandContext} from '../shell/context.ts';
import {formatUtcSecond} from './events-text.ts';

/** Milliseconds by which the first event may start later than requested without a warning. */
const startToleranceMs = 120_000;

type TimeStart = Pick<EventFilter, 'since'>;

/** True if the events that were read start later than requested. */
export const isTimeClipped = (covered: TimeStart, requested: TimeStart): boolean =>
	covered.since - requested.since > startToleranceMs;

/** Warns of what is missing. `since`: the first available time, if later than requested. */
export function warnOfMissingEvents(
	{output}: CommandContext,
	problems: readonly AnalyticsProblem[],
	since: number | undefined,
): void {
	for (const line of new Set(problems.map(problem => formatMissingLine(securityEventsSubject, problem))))
		output.warn(line);
	if (since === undefined) return;
	const isPlanLimit = problems.every(({kind}) => kind === 'unknown field' || kind === 'too many fields');
	output.warn(
		isPlanLimit
			? `The zone's plan only keeps events since ${formatUtcSecond(since)}; earlier ones are not shown.`
			: `Events before ${formatUtcSecond(since)} could not be loaded.`,
	);
}
