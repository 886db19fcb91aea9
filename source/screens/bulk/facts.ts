import {nameKey} from '../../keyboard/named-keys.ts';
import type {BulkResult} from '../../kv/bulk/job.ts';
import {bulkKinds, formatBulkAmount, formatBulkResult} from '../../kv/bulk/prepared.ts';
import type {BulkProgress} from '../../kv/bulk/progress.ts';
import {formatExpiredCount} from '../../kv/expired-count.ts';
import {describeLongWork} from '../../kv/long-work.ts';
import type {TrashBatch} from '../../kv/trash/batch.ts';
import {trashLimits} from '../../kv/trash/limits.ts';
import {formatDuration} from '../../terminal/progress.ts';
import {computePercent, formatInteger, formatQuantity} from '../../text/figures.ts';
import {keyNarrowingAdvice} from '../keys/work-time.ts';
import type {Fact} from '../rows/facts.ts';
import type {Wait} from '../shell/work-slice.ts';
import type {BulkCheck, BulkState} from './state.ts';

/** Maximum keys named before a deletion. */
const maxSamplesShown = 4;

/** Builds the facts of the Bulk screen, one per line. */
export function buildBulkFacts(
	bulk: BulkState,
	waits: readonly Wait[],
	/** Milliseconds since the epoch. */
	now: number,
): Fact[] {
	const {kind, inputName, namespace, quota, stage} = bulk;
	const isDeletion = kind === 'bulk-delete';
	switch (stage.state) {
		case 'checking': {
			const {bytes, size, listedCount} = stage;
			if (listedCount !== undefined)
				return [
					{name: 'listing', text: `${inputName}: ${formatQuantity(listedCount, 'key')} so far`},
					...buildLongListingFacts(quota, listedCount),
				];
			if (size === 0) return [{name: 'checking', text: inputName}];
			const text = `${computePercent(bytes, size)}% of ${formatQuantity(size, 'byte')}`;
			return [{name: 'checking', text, share: bytes / size}];
		}
		case 'failed':
			return [{name: 'failed', text: 'Nothing was sent.', look: 'danger'}];
		case 'checked': {
			const {validCount, keyCount, warnings, samples, recovery} = stage.check;
			const keysText = formatQuantity(keyCount, 'key');
			const what =
				keyCount === validCount
					? keysText
					: `${keysText} (${formatQuantity(validCount, 'entry', 'entries')})`;
			return [
				buildCheckedFact(stage.check),
				...warnings.map((text): Fact => ({name: '', text, look: 'warning'})),
				{
					name: isDeletion ? 'to delete' : 'to write',
					text: `${what}, ${isDeletion ? 'from' : 'to'} ${namespace.label}`,
				},
				...(isDeletion ? buildSampleFacts(samples, validCount) : []),
				isDeletion ? buildRecoveryFact(recovery) : {name: '', text: 'Existing keys are overwritten.'},
			];
		}
		case 'keeping': {
			const {check, copiedCount, cancelled} = stage;
			return [
				buildCheckedFact(check),
				{
					name: cancelled ? 'cancelling' : 'backing up',
					text: `${formatInteger(copiedCount)} of ${formatQuantity(check.validCount, 'key')} copied to the trash`,
					share: copiedCount / Math.max(1, check.validCount),
				},
				...waits.slice(0, 1).map((wait): Fact => ({name: '', text: wait.why})),
			];
		}
		case 'sending': {
			const {check, progress, cancelled} = stage;
			return [
				buildCheckedFact(check),
				...buildTrashFact(bulk),
				buildBulkProgressFact(
					progress,
					cancelled ? 'cancelling' : progress.paused ? 'paused' : phaseLabels[progress.phase],
				),
				{name: '', text: formatBulkPace(progress, waits, now)},
				...buildRefusedFact(progress.refused, 'They are retried at the end.'),
			];
		}
		case 'stopped':
			return [
				buildCheckedFact(stage.check),
				...buildTrashFact(bulk),
				buildBulkProgressFact(stage.progress, 'stopped'),
			];
		case 'done': {
			const {result} = stage;
			const {doneBefore, done, refused, failedFile, failedFileFailure, recordingFailure, requests} = result;
			const seconds = result.milliseconds / 1000;
			return [
				buildCheckedFact(stage.check),
				{
					name: 'done',
					text: `${bulkKinds[kind].pastVerb} ${formatBulkAmount(result)}`,
					look: refused > 0 ? 'warning' : 'good',
				},
				...(doneBefore > 0
					? [
							{
								name: '',
								text: `${formatInteger(doneBefore)} before the interruption, ${formatInteger(done - doneBefore)} now`,
							},
						]
					: []),
				...(result.absent ? [{name: '', text: `${formatInteger(result.absent)} did not exist`}] : []),
				...(result.protectedCount > 0
					? [{name: '', text: `${formatInteger(result.protectedCount)} not deleted: now in the source`}]
					: []),
				{
					name: 'took',
					text: [
						formatDuration(seconds),
						formatQuantity(requests, 'batch', 'batches'),
						...(seconds >= 1 ? [`${formatInteger(Math.round((done - doneBefore) / seconds))} a second`] : []),
					].join(' · '),
				},
				...buildTrashFact(bulk),
				...buildRefusedFact(refused, ''),
				...(failedFile ? [{name: 'saved in', text: failedFile, isPath: true}] : []),
				...(failedFileFailure ? [{name: '', text: failedFileFailure.message, look: 'danger'} as const] : []),
				...(recordingFailure
					? [
							{
								name: '',
								text: `The result could not be recorded: ${recordingFailure.message}`,
								look: 'warning',
							} as const,
						]
					: []),
			];
		}
	}
}

/** Estimates how long listing takes, and how to shorten it. */
function buildLongListingFacts(quota: BulkState['quota'], listedCount: number): Fact[] {
	const text = describeLongWork({content: 'names', quota}, listedCount);
	return text === undefined ? [] : [text, keyNarrowingAdvice.prefix].map(line => ({name: '', text: line}));
}

/** Lists the sentences below the facts: the outcome and the next step. */
export function listBulkSentences({stage}: BulkState): string[] {
	switch (stage.state) {
		case 'checking':
			return ['Nothing is sent until you confirm.'];
		case 'checked':
			return stage.check.validCount === 0
				? [
						`Nothing can be sent: no entry is valid. ${nameKey('bulk.refused', 'v')} shows why.`,
						`Correct the file, then start again with ${nameKey('keys.bulk', 'B')} in the key list.`,
					]
				: ['Nothing has been sent. This is only a plan: esc drops it.'];
		case 'keeping':
			return ['Nothing is deleted until all keys are in the trash.'];
		case 'sending':
		case 'done':
			return [];
		case 'failed':
		case 'stopped': {
			const {message, next, details, code} = stage.failure;
			const what = code === 'interrupted' ? [] : [message];
			return [...what, details.why, details.left, next].filter(text => text !== undefined);
		}
	}
}

/** Sentences that say, before a deletion, whether the keys can be restored. */
export const describeRecovery = (recovery: BulkCheck['recovery']): string =>
	({
		trash: `They stay in the trash for ${trashLimits.retentionDays} days: ${nameKey('trash.undo', 'u')} restores them.`,
		asked: `More than ${formatInteger(trashLimits.maxDefaultKeys)} keys go to the trash only if you choose to.`,
		none: `This cannot be undone: ${nameKey('trash.undo', 'u')} does not restore them.`,
	})[recovery];

const buildRecoveryFact = (recovery: BulkCheck['recovery']): Fact => ({
	name: '',
	text: describeRecovery(recovery),
	...(recovery !== 'trash' && {look: 'warning'}),
});

/** Says what the trash has of the deleted keys: none of them once all were restored. */
function buildTrashFact({trashBatch, restored}: Pick<BulkState, 'trashBatch' | 'restored'>): Fact[] {
	if (!trashBatch) return [];
	const keys = formatQuantity(trashBatch.keys, 'key');
	const trashKey = nameKey('trash.open', 'V');
	switch (restored) {
		case 'all':
			return [{name: 'restored', text: `${keys}, all of this deletion; the trash no longer has them`}];
		case 'some':
			return [
				{
					name: 'trash',
					text: `${keys} stay, because some were not restored: ${trashKey} opens it`,
					look: 'warning',
				},
			];
		default:
			return [
				{
					name: 'trash',
					text: `${keys} kept for ${trashLimits.retentionDays} days (${trashBatch.id}): ${trashKey} restores`,
				},
			];
	}
}

const phaseLabels: Readonly<Record<BulkProgress['phase'], string>> = {
	sending: 'sending',
	'repeated keys': 'repeats',
	retrying: 'retrying',
	done: 'sent',
};

function buildCheckedFact({entryCount, problemCount, expiredCount}: BulkCheck): Fact {
	const expiredText = expiredCount === 0 ? '' : ` · ${formatExpiredCount(expiredCount)}, left out`;
	const entriesText = `${formatQuantity(entryCount, 'entry', 'entries')}${expiredText}`;
	return problemCount === 0
		? {name: 'checked', text: expiredCount === 0 ? `${entriesText} · all valid` : entriesText}
		: {
				name: 'checked',
				text: `${entriesText} · ${formatInteger(problemCount)} invalid (v to view)`,
				look: 'warning',
			};
}

const buildBulkProgressFact = ({done, total}: BulkProgress, name: string): Fact => ({
	name,
	text: `${formatInteger(done)} of ${formatInteger(total)}   ${computePercent(done, total)}%`,
	share: total === 0 ? 1 : done / total,
});

/** Milliseconds after which waiting for a response is shown. */
const longWaitMs = 5000;

function formatBulkPace(
	{rate, done, total, inFlight, retries, paused, waitingSince}: BulkProgress,
	waits: readonly Wait[],
	now: number,
): string {
	const waitedMs = waitingSince === undefined ? 0 : now - waitingSince;
	// The rate predicts nothing while no response arrives.
	const hasRate = rate > 0 && !paused && waitedMs < longWaitMs;
	return [
		...(hasRate ? [`${formatInteger(Math.round(rate))} a second`] : []),
		...(hasRate && done < total ? [`${formatDuration((total - done) / rate)} left`] : []),
		`${formatQuantity(inFlight, 'call')} in flight`,
		...(waitedMs >= longWaitMs ? [`no answer for ${formatDuration(Math.floor(waitedMs / 1000))}`] : []),
		...(waits.length > 0 && !paused ? [`${waits.length} waiting`] : []),
		...(retries > 0 ? [formatQuantity(retries, 'retry', 'retries')] : []),
	].join(' · ');
}

const buildRefusedFact = (count: number, retryNote: string): Fact[] =>
	count === 0
		? []
		: [
				{
					name: 'rejected',
					text: `${formatQuantity(count, 'key')} by the service (v to see ${count === 1 ? 'it' : 'them'}) ${retryNote}`.trim(),
					look: 'warning',
				},
			];

/** Lists the first keys and counts the others. */
function buildSampleFacts(samples: readonly string[], count: number): Fact[] {
	const shownSamples = samples.slice(0, maxSamplesShown);
	const hiddenCount = count - shownSamples.length;
	return [
		...shownSamples.map((text): Fact => ({name: '', text})),
		...(hiddenCount > 0 ? [{name: '', text: `and ${formatInteger(hiddenCount)} more`}] : []),
	];
}

/** Describes the end of a run, and how to restore what it deleted. Raw text. */
export function describeBulkEnd(
	kind: BulkState['kind'],
	result: BulkResult,
	{
		title,
		batch,
		isListStale,
	}: {readonly title: string; readonly batch: TrashBatch | undefined; readonly isListStale: boolean},
): string {
	return [
		formatBulkResult(result, bulkKinds[kind], title),
		...(batch
			? [`${nameKey('trash.undo', 'u')} restores them; ${nameKey('trash.open', 'V')} opens the trash.`]
			: []),
		...(isListStale
			? [`The list may be up to a minute behind; ${nameKey('reload', 'ctrl-r')} refreshes it.`]
			: []),
	].join(' ');
}
