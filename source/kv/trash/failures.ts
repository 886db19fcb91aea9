import {asFailure, Failure} from '../../failure.ts';
import {advice, adviceLines, ledge} from '../../text/advice.ts';
import {grouped} from '../../text/figures.ts';
import type {TrashReason} from './batch.ts';

/** What did not happen because the previous values could not be kept. */
const notDone: Readonly<Record<TrashReason, string>> = {
	deleted: 'nothing was deleted',
	overwritten: 'nothing was written',
};

const withoutTrash: Readonly<Record<TrashReason, string>> = {
	deleted: '--no-trash deletes permanently.',
	overwritten: '--no-trash overwrites permanently.',
};

/** The subject of a sentence about what is kept, and whether it is singular. */
function subject(reason: TrashReason, keys: number): readonly [what: string, isOne: boolean] {
	const isOne = keys === 1;
	if (reason === 'overwritten') return [isOne ? 'The previous value' : 'The previous values', isOne];
	return [isOne ? 'The key' : `The ${grouped(keys)} keys`, isOne];
}

/** The failure `trash_full`; `room` and `capacity` in bytes. */
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

/** Codes of reads that retrying cannot fix. */
const lastingFailures = [
	'answer_malformed',
	'not_found',
	'gone',
	'refused_by_service',
	'local_store_damaged',
] as const satisfies readonly Failure['code'][];

/**
 * The failure of keeping keys in the trash, which names `--no-trash` where trying again is no use: `file_failed` where
 * they cannot be written, `not_kept` where they cannot be read. All others stay as they are.
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

/** Questions before a write that cannot be undone. */
export const withoutTrashTitle: Readonly<Record<TrashReason, string>> = {
	deleted: 'Delete without the trash?',
	overwritten: 'Write without the trash?',
};
