import {bulkKinds, formatBulkAmount} from '../../kv/bulk/prepared.ts';
import type {BulkProgress} from '../../kv/bulk/progress.ts';
import {describeLongWork} from '../../kv/long-work.ts';
import {trashLimits} from '../../kv/trash/limits.ts';
import {formatDuration} from '../../terminal/progress.ts';
import {computePercent, formatInteger, formatQuantity} from '../../text/figures.ts';
import {fewerKeysAdvice} from '../keys/long-time.ts';
import type {Fact} from '../rows/facts.ts';
import type {Wait} from '../shell/work-slice.ts';
import type {BulkCheck, BulkState} from './state.ts';

/** Maximum keys named before a deletion. */
const maxSamplesShown = 4;

/** Builds the facts of the Bulk screen, one per line. */
export function buildBulkFacts(
	{kind, inputName, namespace, quota, stage, trashBatch}: BulkState,
	waits: readonly Wait[],
	/** Milliseconds since the epoch. */
	now: number,
): Fact[] {
	const isDeletion = kind === 'bulk-delete';
	switch (stage.state) {
		case 'checking': {
			const {bytes, size, listed} = stage;
			if (listed !== undefined)
				return [
					{name: 'listing', text: `${inputName}: ${formatQuantity(listed, 'key')} so far`},
					...buildLongListingFacts(quota, listed),
				];
			if (size === 0) return [{name: 'checking', text: inputName}];
			const text = `${computePercent(bytes, size)}% of ${formatQuantity(size, 'byte')}`;
			return [{name: 'checking', text, share: bytes / size}];
		}
		case 'failed':
			return [{name: 'failed', text: 'Nothing was sent.', look: 'danger'}];
		case 'checked': {
			const {validCount, warnings, samples, recovery} = stage.check;
			const what = isDeletion
				? formatQuantity(validCount, 'key')
				: formatQuantity(validCount, 'entry', 'entries');
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
			const {check, done, cancelled} = stage;
			return [
				buildCheckedFact(check),
				{
					name: cancelled ? 'stopping' : 'backing up',
					text: `${formatInteger(done)} of ${formatQuantity(check.validCount, 'key')} copied to the trash`,
					share: done / Math.max(1, check.validCount),
				},
				...waits.slice(0, 1).map((wait): Fact => ({name: '', text: wait.why})),
			];
		}
		case 'sending': {
			const {check, progress, cancelled} = stage;
			return [
				buildCheckedFact(check),
				...buildKeptFact(trashBatch),
				buildBulkProgressFact(
					progress,
					cancelled ? 'stopping' : progress.paused ? 'paused' : phases[progress.phase],
				),
				{name: '', text: formatBulkPace(progress, waits, now)},
				...buildRefusedFact(progress.refused, 'They are retried at the end.'),
			];
		}
		case 'stopped':
			return [
				buildCheckedFact(stage.check),
				...buildKeptFact(trashBatch),
				buildBulkProgressFact(stage.progress, 'stopped'),
			];
		case 'done': {
			const {result} = stage;
			const {doneBefore, done, refused, failedFile, failedFileTrouble, unrecorded, requests} = result;
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
				...(result.kept > 0
					? [{name: '', text: `${formatInteger(result.kept)} not deleted: now in the source`}]
					: []),
				{
					name: 'took',
					text: [
						formatDuration(seconds),
						formatQuantity(requests, 'batch', 'batches'),
						...(seconds >= 1 ? [`${formatInteger(Math.round((done - doneBefore) / seconds))} a second`] : []),
					].join(' · '),
				},
				...buildKeptFact(trashBatch),
				...buildRefusedFact(refused, ''),
				...(failedFile ? [{name: 'saved in', text: failedFile, isPath: true}] : []),
				...(failedFileTrouble ? [{name: '', text: failedFileTrouble.message, look: 'danger'} as const] : []),
				...(unrecorded
					? [
							{
								name: '',
								text: `The result could not be recorded: ${unrecorded.message}`,
								look: 'warning',
							} as const,
						]
					: []),
			];
		}
	}
}

/** Estimates how long listing takes, and how to shorten it. */
function buildLongListingFacts(quota: BulkState['quota'], listed: number): Fact[] {
	const text = describeLongWork({content: 'names', quota}, listed);
	return text === undefined ? [] : [text, fewerKeysAdvice.prefix].map(line => ({name: '', text: line}));
}

/** Lists the sentences below the facts: the outcome and the next step. */
export function listBulkSentences({kind, stage}: BulkState): string[] {
	switch (stage.state) {
		case 'checking':
			return ['Nothing is sent until you confirm.'];
		case 'checked':
			return ['Nothing has been sent.'];
		case 'keeping':
			return ['Nothing is deleted until all keys are in the trash.'];
		case 'sending':
			return [];
		case 'failed':
		case 'stopped': {
			const {message, next, details, code} = stage.failure;
			const what = code === 'interrupted' ? [] : [message];
			return [...what, details.why, details.left, next].filter(text => text !== undefined);
		}
		case 'done':
			return kind !== 'bulk-delete' ? ['ctrl-r in the key list shows the written keys.'] : [];
	}
}

/** Sentences that say, before a deletion, whether the keys can be restored. */
export const recoverySentences: Readonly<Record<BulkCheck['recovery'], string>> = {
	trash: `They stay in the trash for ${trashLimits.days} days: u restores them.`,
	asked: `More than ${formatInteger(trashLimits.keys)} keys go to the trash only if you choose to.`,
	none: 'This cannot be undone: u does not restore them.',
};

const buildRecoveryFact = (recovery: BulkCheck['recovery']): Fact => ({
	name: '',
	text: recoverySentences[recovery],
	...(recovery !== 'trash' && {look: 'warning'}),
});

const buildKeptFact = (trashBatch: BulkState['trashBatch']): Fact[] =>
	trashBatch
		? [
				{
					name: 'trash',
					text: `${formatQuantity(trashBatch.keys, 'key')} kept for ${trashLimits.days} days (${trashBatch.id}): V restores`,
				},
			]
		: [];

const phases: Readonly<Record<BulkProgress['phase'], string>> = {
	sending: 'sending',
	'repeated keys': 'repeats',
	retrying: 'retrying',
	done: 'sent',
};

function buildCheckedFact({entryCount, problemCount}: BulkCheck): Fact {
	const entriesText = formatQuantity(entryCount, 'entry', 'entries');
	return problemCount === 0
		? {name: 'checked', text: `${entriesText} · all valid`}
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
		...(waits.length > 0 ? [`${waits.length} waiting`] : []),
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
