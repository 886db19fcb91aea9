import type {AnswerDifference} from './answer-shapes.ts';

/** `note`: works, but worth knowing. `skipped`: could not be checked, because something else is missing. */
type CheckState = 'ok' | 'note' | 'failed' | 'skipped';

/**
 * The result of a check, for a bug report: no secrets, no text of the service, no names or titles of the
 * account's objects.
 */
export type Check = {
	/** A stable name, for `--json`. */
	readonly name: string;
	readonly title: string;
	readonly state: CheckState;
	/** What was found, in one phrase. */
	readonly finding: string;
	readonly next?: string | undefined;
	/** The permission that reading needs. */
	readonly permission?: string | undefined;
	readonly http?: number | undefined;
	/** Numeric error or notice codes of the service. */
	readonly codes?: readonly number[] | undefined;
	readonly ray?: string | undefined;
	/** Where the answer differs from what ledge expects. */
	readonly differences?: readonly AnswerDifference[] | undefined;
	/** Number of distinct fields in the answer that ledge does not read. */
	readonly unknownFields?: number | undefined;
};

/** What a check says besides its name and title. */
export type CheckResult = Omit<Check, 'name' | 'title'>;

/** The part of an id that tells objects apart in a report without naming them. */
export const shortenId = (id: string): string => (id.length > 8 ? `${id.slice(0, 8)}…` : id);
