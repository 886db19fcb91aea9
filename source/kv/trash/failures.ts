import {asFailure, Failure} from '../../failure.ts';
import {advice, adviceLines, ledge} from '../../text/advice.ts';
import {grouped} from '../../text/figures.ts';
import type {TrashReason} from './batch.ts';

/** Outcome of a failed backup, as a clause. */
const notDone: Readonly<Record<TrashReason, string>> = {
	deleted: 'nothing was deleted',
	overwritten: 'nothing was written',
};

const withoutTrash: Readonly<Record<TrashReason, string>> = {
	deleted: '--no-trash deletes permanently.',
	overwritten: '--no-trash overwrites permanently.',
};

/** Returns the subject of a sentence about the keys, and whether it is singular. */
function subject(reason: TrashReason, keys: number): readonly [what: string, isOne: boolean] {
	const isOne = keys === 1;
	if (reason === 'overwritten') return [isOne ? 'The previous value' : 'The previous values', isOne];
	return [isOne ? 'The key' : `The ${grouped(keys)} keys`, isOne];
}

/** Creates the failure `trash_full`; `room` and `capacity` in bytes. */
export function trashFull(reason: TrashReason, keys: number, room: number, capacity: number): Failure {
	const [what, isOne] = subject(reason, keys);
	return new Failure(
		'trash_full',
		`${what} ${isOne ? 'does' : 'do'} not fit in the trash, so ${notDone[reason]}.`,
		{
			why: `The trash holds at most ${capacity} bytes, of which ${room} are free.`,
			next: advice`\`${ledge('kv trash empty')}\` makes room; ${withoutTrash[reason]}`,
		},
	);
}

/** Codes of read failures that a retry cannot fix. */
const lastingFailures = [
	'answer_malformed',
	'not_found',
	'gone',
	'refused_by_service',
	'local_store_damaged',
] as const satisfies readonly Failure['code'][];

/**
 * Converts a failure of moving keys to the trash. Suggests `--no-trash` if a retry is pointless:
 * `file_failed` if they cannot be written, `not_kept` if they cannot be read. Returns other failures
 * unchanged.
 */
export function asTrashFailure(error: unknown, reason: TrashReason, keys: number): Failure {
	const failure = asFailure(error);
	const {code, message, details} = failure;
	const [what] = subject(reason, keys);
	const isRead = lastingFailures.some(one => one === code);
	if (!isRead && code !== 'file_failed') return failure;
	return new Failure(
		isRead ? 'not_kept' : 'file_failed',
		`${what} cannot be ${isRead ? 'read and ' : ''}kept in the trash, so ${notDone[reason]}.`,
		{
			...details,
			why: [message, details.why].filter(Boolean).join(' '),
			next: adviceLines(details.next, withoutTrash[reason]),
		},
	);
}

/** True if only the trash failed, so that the write is possible without it. */
export const isTrashFailure = ({code}: Failure): boolean =>
	code === 'trash_full' || code === 'file_failed' || code === 'not_kept';

/** Titles of the question before a write that cannot be undone. */
export const withoutTrashTitle: Readonly<Record<TrashReason, string>> = {
	deleted: 'Delete without the trash?',
	overwritten: 'Write without the trash?',
};
