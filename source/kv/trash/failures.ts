import {Failure, toFailure} from '../../failure.ts';
import {buildAdvice, buildCommand, joinAdviceLines} from '../../text/advice.ts';
import {formatInteger} from '../../text/figures.ts';
import type {TrashReason} from './batch.ts';

/** A clause that says what a failed backup left undone. */
const unchangedClauses: Readonly<Record<TrashReason, string>> = {
	deleted: 'nothing was deleted',
	overwritten: 'nothing was written',
};

const noTrashAdvice: Readonly<Record<TrashReason, string>> = {
	deleted: '--no-trash deletes permanently.',
	overwritten: '--no-trash overwrites permanently.',
};

/** Returns the subject of a sentence about the keys, and whether it is singular. */
function describeSubject(reason: TrashReason, keyCount: number): readonly [what: string, isOne: boolean] {
	const isSingular = keyCount === 1;
	if (reason === 'overwritten')
		return [isSingular ? 'The previous value' : 'The previous values', isSingular];
	return [isSingular ? 'The key' : `The ${formatInteger(keyCount)} keys`, isSingular];
}

/** Creates the failure `trash_full`; `capacity` in bytes. */
export function createTrashFullFailure(
	reason: TrashReason,
	keyCount: number,
	freeBytes: number,
	capacity: number,
): Failure {
	const [subject, isSingular] = describeSubject(reason, keyCount);
	return new Failure(
		'trash_full',
		`${subject} ${isSingular ? 'does' : 'do'} not fit in the trash, so ${unchangedClauses[reason]}.`,
		{
			why: `The trash holds at most ${capacity} bytes, of which ${freeBytes} are free.`,
			next: buildAdvice`\`${buildCommand('kv trash empty')}\` makes room; ${noTrashAdvice[reason]}`,
		},
	);
}

/** Codes of read failures that a retry cannot fix. */
const permanentFailureCodes = [
	'answer_malformed',
	'not_found',
	'gone',
	'refused_by_service',
	'local_store_damaged',
] as const satisfies readonly Failure['code'][];

/**
 * Converts a failure of copying keys to the trash. Suggests `--no-trash` if a retry is pointless:
 * `file_failed` if the keys cannot be written, `not_kept` if they cannot be read. Returns other failures
 * unchanged.
 */
export function toTrashFailure(error: unknown, reason: TrashReason, keyCount: number): Failure {
	const failure = toFailure(error);
	const {code, message, details} = failure;
	const [subject] = describeSubject(reason, keyCount);
	const isReadFailure = permanentFailureCodes.some(one => one === code);
	if (!isReadFailure && code !== 'file_failed') return failure;
	return new Failure(
		isReadFailure ? 'not_kept' : 'file_failed',
		`${subject} cannot be ${isReadFailure ? 'read and ' : ''}kept in the trash, so ${unchangedClauses[reason]}.`,
		{
			...details,
			why: [message, details.why].filter(Boolean).join(' '),
			next: joinAdviceLines(details.next, noTrashAdvice[reason]),
		},
	);
}

/** True if only the trash failed, so that the write is possible without it. */
export const isTrashFailure = ({code}: Failure): boolean =>
	code === 'trash_full' || code === 'file_failed' || code === 'not_kept';

/** The question whether to write without the trash, which cannot be undone. */
export const skipTrashQuestions: Readonly<Record<TrashReason, string>> = {
	deleted: 'Delete without the trash?',
	overwritten: 'Write without the trash?',
};
