import {bulkAmount, bulkKinds} from '../../kv/bulk/prepared.ts';
import type {BulkProgress} from '../../kv/bulk/progress.ts';
import {longWorkText} from '../../kv/long-work.ts';
import {trashLimits} from '../../kv/trash/limits.ts';
import {duration} from '../../terminal/progress.ts';
import {counted, grouped, percent} from '../../text/figures.ts';
import {fewerKeys} from '../keys/long-time.ts';
import type {Fact} from '../rows/facts.ts';
import type {Wait} from '../shell/work-slice.ts';
import type {BulkCheck, BulkState} from './state.ts';

/** Keys listed before a deletion. */
const samplesShown = 4;

/** Builds the facts of the Bulk screen, one a line. */
export function bulkFacts(
	{kind, from, namespace, quota, stage, kept}: BulkState,
	waits: readonly Wait[],
	/** Milliseconds since the epoch. */
	now: number,
): Fact[] {
	const deletes = kind === 'bulk-delete';
	switch (stage.state) {
		case 'checking': {
			const {bytes, size, listed} = stage;
			if (listed !== undefined)
				return [
					{name: 'listing', text: `${from}: ${counted(listed, 'key')} so far`},
					...longListingFacts(quota, listed),
				];
			if (size === 0) return [{name: 'checking', text: from}];
			const text = `${percent(bytes, size)} % of ${counted(size, 'byte')}`;
			return [{name: 'checking', text, share: bytes / size}];
		}
		case 'failed':
			return [{name: 'failed', text: 'Nothing was sent.', look: 'danger'}];
		case 'checked': {
			const {valid, warnings, samples, wayBack} = stage.check;
			const what = deletes ? counted(valid, 'key') : counted(valid, 'entry', 'entries');
			return [
				checkedFact(stage.check),
				...warnings.map((text): Fact => ({name: '', text, look: 'warning'})),
				{
					name: deletes ? 'to delete' : 'to write',
					text: `${what}, ${deletes ? 'from' : 'to'} ${namespace.label}`,
				},
				...(deletes ? sampleFacts(samples, valid) : []),
				deletes ? wayBackFact(wayBack) : {name: '', text: 'Existing keys are overwritten.'},
			];
		}
		case 'keeping': {
			const {check, done, cancelled} = stage;
			return [
				checkedFact(check),
				{
					name: cancelled ? 'stopping' : 'keeping',
					text: `${grouped(done)} of ${counted(check.valid, 'key')} read for the trash`,
					share: done / Math.max(1, check.valid),
				},
				...waits.slice(0, 1).map((wait): Fact => ({name: '', text: wait.why})),
			];
		}
		case 'sending': {
			const {check, progress, cancelled} = stage;
			return [
				checkedFact(check),
				...keptFact(kept),
				progressFact(progress, cancelled ? 'stopping' : progress.paused ? 'paused' : phases[progress.phase]),
				{name: '', text: clock(progress, waits, now)},
				...refusedFact(progress.refused, 'They are retried at the end.'),
			];
		}
		case 'stopped':
			return [checkedFact(stage.check), ...keptFact(kept), progressFact(stage.progress, 'stopped')];
		case 'done': {
			const {result} = stage;
			const {doneBefore, done, refused, failedFile, failedFileTrouble, unrecorded, requests} = result;
			const seconds = result.milliseconds / 1000;
			return [
				checkedFact(stage.check),
				{
					name: 'done',
					text: `${bulkKinds[kind].did} ${bulkAmount(result)}`,
					look: refused > 0 ? 'warning' : 'good',
				},
				...(doneBefore > 0
					? [
							{
								name: '',
								text: `${grouped(doneBefore)} before it was interrupted, ${grouped(done - doneBefore)} now`,
							},
						]
					: []),
				...(result.kept > 0 ? [{name: '', text: `${grouped(result.kept)} kept, now in the source`}] : []),
				{
					name: 'took',
					text: [
						duration(seconds),
						counted(requests, 'batch', 'batches'),
						...(seconds >= 1 ? [`${grouped(Math.round((done - doneBefore) / seconds))} a second`] : []),
					].join(' · '),
				},
				...keptFact(kept),
				...refusedFact(refused, ''),
				...(failedFile ? [{name: 'they are in', text: failedFile, isPath: true}] : []),
				...(failedFileTrouble ? [{name: '', text: failedFileTrouble.message, look: 'danger'} as const] : []),
				...(unrecorded
					? [{name: '', text: `It could not be recorded: ${unrecorded.message}`, look: 'warning'} as const]
					: []),
			];
		}
	}
}

/** Estimates how long listing takes, and how to shorten it. */
function longListingFacts(quota: BulkState['quota'], listed: number): Fact[] {
	const text = longWorkText({reads: 'names', quota}, listed);
	return text === undefined ? [] : [text, fewerKeys.prefix].map(line => ({name: '', text: line}));
}

/** Lists the sentences below the facts: the outcome and the next step. */
export function bulkSentences({kind, stage}: BulkState): string[] {
	switch (stage.state) {
		case 'checking':
			return ['Nothing is sent until you confirm.'];
		case 'checked':
			return ['Nothing has been sent.'];
		case 'keeping':
			return ['Nothing is deleted before all of them are kept.'];
		case 'sending':
			return [];
		case 'failed':
		case 'stopped': {
			const {message, next, details, code} = stage.failure;
			const what = code === 'interrupted' ? [] : [message];
			return [...what, details.why, details.left, next].filter(text => text !== undefined);
		}
		case 'done':
			return kind !== 'bulk-delete' ? ['ctrl-r in the keys shows what was written.'] : [];
	}
}

/** Whether deleted keys can be restored, told before the deletion. */
export const wayBackSentences: Readonly<Record<BulkCheck['wayBack'], string>> = {
	trash: `They stay in the trash for ${trashLimits.days} days: u restores them.`,
	asked: `More than ${grouped(trashLimits.keys)} keys go to the trash only if you choose to.`,
	none: 'This cannot be undone: u does not restore them.',
};

const wayBackFact = (wayBack: BulkCheck['wayBack']): Fact => ({
	name: '',
	text: wayBackSentences[wayBack],
	...(wayBack !== 'trash' && {look: 'warning'}),
});

const keptFact = (kept: BulkState['kept']): Fact[] =>
	kept
		? [
				{
					name: 'trash',
					text: `${counted(kept.keys, 'key')} kept for ${trashLimits.days} days (${kept.id}): V restores`,
				},
			]
		: [];

const phases: Readonly<Record<BulkProgress['phase'], string>> = {
	sending: 'sending',
	'repeated keys': 'in order',
	retrying: 'again',
	done: 'sent',
};

function checkedFact({entries, problemCount}: BulkCheck): Fact {
	const found = counted(entries, 'entry', 'entries');
	return problemCount === 0
		? {name: 'checked', text: `${found} · all can be sent`}
		: {
				name: 'checked',
				text: `${found} · ${grouped(problemCount)} refused before sending (v to see them)`,
				look: 'warning',
			};
}

const progressFact = ({done, total}: BulkProgress, name: string): Fact => ({
	name,
	text: `${grouped(done)} of ${grouped(total)}   ${percent(done, total)} %`,
	share: total === 0 ? 1 : done / total,
});

/** Shorter waits for an answer are not shown. */
const longWait = 5000;

function clock(
	{rate, done, total, inFlight, retries, paused, waitingSince}: BulkProgress,
	waits: readonly Wait[],
	now: number,
): string {
	const waited = waitingSince === undefined ? 0 : now - waitingSince;
	// While no answer comes, the rate predicts nothing.
	const rated = rate > 0 && !paused && waited < longWait;
	return [
		...(rated ? [`${grouped(Math.round(rate))} a second`] : []),
		...(rated && done < total ? [`${duration((total - done) / rate)} left`] : []),
		`${counted(inFlight, 'call')} in flight`,
		...(waited >= longWait ? [`no answer for ${duration(Math.floor(waited / 1000))}`] : []),
		...(waits.length > 0 ? [`${waits.length} waiting`] : []),
		...(retries > 0 ? [counted(retries, 'retry', 'retries')] : []),
	].join(' · ');
}

const refusedFact = (count: number, then: string): Fact[] =>
	count === 0
		? []
		: [
				{
					name: 'refused',
					text: `${counted(count, 'key')} by the service (v to see ${count === 1 ? 'it' : 'them'}) ${then}`.trim(),
					look: 'warning',
				},
			];

/** Lists the first keys and counts the others. */
function sampleFacts(samples: readonly string[], count: number): Fact[] {
	const shown = samples.slice(0, samplesShown);
	const more = count - shown.length;
	return [
		...shown.map((text): Fact => ({name: '', text})),
		...(more > 0 ? [{name: '', text: `and ${grouped(more)} more`}] : []),
	];
}
