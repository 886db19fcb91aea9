import {nameKey} from '../../keyboard/named-keys.ts';
import {formatExpiredCount} from '../../kv/expired-count.ts';
import {canResumeAfter} from '../../kv/job/job.ts';
import {describeLongWork} from '../../kv/long-work.ts';
import type {TransferProgress} from '../../kv/transfer/job.ts';
import {formatDuration} from '../../terminal/progress.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import type {Fact} from '../rows/facts.ts';
import type {Wait} from '../shell/work-slice.ts';
import {formatTransferFigures, type TransferState} from './state.ts';

/** Builds the facts of a transfer, one per line. `now` is in milliseconds of the clock that `waits` use. */
export function buildTransferFacts(
	{keys, from, to, stage}: TransferState,
	waits: readonly Wait[],
	now: number,
): Fact[] {
	const sourceAndTargetFacts: Fact[] = [
		...(keys === undefined ? [] : [{name: 'keys', text: keys}]),
		{name: 'from', text: from, isPath: true},
		...(to === '' ? [] : [{name: 'to', text: to, isPath: true}]),
	];
	switch (stage.state) {
		case 'opening':
			return sourceAndTargetFacts;
		case 'running': {
			const {progress, cancelled} = stage;
			const name = cancelled ? 'cancelling' : progress.paused ? 'paused' : 'running';
			return [
				...sourceAndTargetFacts,
				buildTransferProgressFact(name, progress),
				// The reason for a wait may end with a path, so a long line is cut in the middle.
				{name: '', text: formatTransferPace(progress, waits, now), isPath: waits.length > 0},
				...buildLongTimeFacts(progress),
				...buildUntransferredFacts(progress),
			];
		}
		case 'stopped':
			return stage.progress
				? [
						...sourceAndTargetFacts,
						buildTransferProgressFact('stopped', stage.progress),
						...buildUntransferredFacts(stage.progress),
					]
				: sourceAndTargetFacts;
		case 'done': {
			const {done, doneBefore, bytes, milliseconds, failedFile} = stage.result;
			const seconds = milliseconds / 1000;
			const rate =
				seconds >= 1 ? ` · ${formatInteger(Math.round((done - doneBefore) / seconds))} a second` : '';
			return [
				...sourceAndTargetFacts,
				{
					name: 'done',
					text: `${formatQuantity(done, 'key')}, ${formatQuantity(bytes, 'byte')} of values`,
					look: stage.result.refused + stage.result.both > 0 ? 'warning' : 'good',
				},
				...(doneBefore > 0 ? [{name: '', text: `${formatInteger(doneBefore)} before the interruption`}] : []),
				{name: 'took', text: `${formatDuration(seconds)}${rate}`},
				...buildUntransferredFacts(stage.result),
				...(failedFile ? [{name: 'saved in', text: failedFile, isPath: true}] : []),
			];
		}
		default:
			return stage satisfies never;
	}
}

/** Lists why the transfer stopped and how to continue. */
export function listTransferSentences({stage}: TransferState): string[] {
	if (stage.state !== 'stopped') return [];
	const {message, next, details, code} = stage.failure;
	return [
		code === 'interrupted' ? undefined : message,
		details.why,
		details.left,
		next,
		stage.progress?.isRecorded && canResumeAfter(stage.failure)
			? `You can also resume it from Jobs (${nameKey('go.jobs', '7')}).`
			: undefined,
	].filter(text => text !== undefined);
}

/** Builds the estimate of the time that the quota allows, if that time is long. */
function buildLongTimeFacts({work, settled, total}: TransferProgress): Fact[] {
	const text = describeLongWork(work, settled, total);
	return text === undefined ? [] : [{name: '', text}];
}

function buildTransferProgressFact(name: string, progress: TransferProgress): Fact {
	const {settled, total} = progress;
	return {
		name,
		text: `${formatTransferFigures(progress)} ${(total ?? settled) === 1 ? 'key' : 'keys'}`,
		...(total !== undefined && {share: total === 0 ? 1 : settled / total}),
	};
}

function formatTransferPace(
	{rate, settled, total, bytes, paused}: TransferProgress,
	waits: readonly Wait[],
	now: number,
): string {
	const values = `${formatQuantity(bytes, 'byte')} of values`;
	if (paused) return values;
	const longestWaitMs = Math.max(0, ...waits.map(({endsAt}) => endsAt - now));
	if (longestWaitMs > 0) return `waiting ${formatDuration(longestWaitMs / 1000)}: ${waits[0]?.why ?? ''}`;
	return [
		...(rate > 0 ? [`${formatInteger(Math.round(rate))} a second`] : []),
		...(total !== undefined && rate > 0 && settled < total
			? [`${formatDuration((total - settled) / rate)} left`]
			: []),
		values,
	].join(' · ');
}

type UntransferredCounts = Pick<TransferProgress, 'gone' | 'expired' | 'kept' | 'refused' | 'both'>;

const buildUntransferredFacts = ({gone, expired, kept, refused, both}: UntransferredCounts): Fact[] => [
	...(kept > 0 ? [{name: '', text: `${formatInteger(kept)} already existed`}] : []),
	...(both > 0
		? [{name: '', text: `${formatInteger(both)} under both names`, look: 'warning' as const}]
		: []),
	...(expired > 0 ? [{name: '', text: `${formatExpiredCount(expired)}, skipped`}] : []),
	...(gone > 0 ? [{name: '', text: `${formatInteger(gone)} deleted or expired meanwhile`}] : []),
	...(refused > 0 ? [{name: '', text: `${formatInteger(refused)} rejected`, look: 'warning' as const}] : []),
];
