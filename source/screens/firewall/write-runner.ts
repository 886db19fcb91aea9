import {setImmediate as turn} from 'node:timers/promises';
import {Failure, toFailure} from '../../failure.ts';
import type {FirewallEdit} from '../../firewall/rules/edits.ts';
import type {Client} from '../../service/client.ts';
import type {WriteSteps} from '../../session/audit.ts';
import type {Session} from '../../session/session.ts';
import type {PermittedPlace} from '../../session/write-place.ts';
import {toZonePlace, type WritePlace} from '../../session/write-place.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import type {FirewallState, FirewallTarget} from './state.ts';
import {withSentence} from './with-sentence.ts';

type WriteContext = WriteSteps & {
	readonly signal: AbortSignal;
	/** Called with each edit as soon as it certainly took effect. */
	onEdit(edit: FirewallEdit): void;
};

/** A write to a rule or filter. */
export type FirewallWrite = {
	/** Its name in the audit log. */
	readonly auditLabel: string;
	/** What it writes to; if that is gone, someone else deleted it. Undefined if that is not certain. */
	readonly target?: FirewallTarget;
	/** Names the rule or filter in a sentence. */
	readonly name: string;
	/** What is unknown if the response is lost: "whether the rule is paused". */
	readonly unknownOutcome: string;
	/** Returns the message for success. */
	write(client: Client, zone: ZoneWithLabel, context: WriteContext): Promise<string>;
};

/** Writes that are confirmed together, sent one after the other, and reported together. */
export type FirewallWriteGroup = {
	readonly auditLabel: string;
	readonly writes: readonly FirewallWrite[];
	/** What is counted: "rule". */
	readonly noun: string;
	/** Completes "3 rules …": "are paused". */
	formatDone(count: number, edits: readonly FirewallEdit[]): string;
	/** Describes the success of several writes in a sentence, instead of `formatDone`. */
	describeSuccess?(edits: readonly FirewallEdit[]): string;
};

/** What became of one write: with a failure, the edits are those that took effect before it. */
export type WriteResult = {readonly write: FirewallWrite; readonly edits: readonly FirewallEdit[]} & (
	| {readonly message: string}
	| {readonly failure: Failure}
);

/** Runs a group of writes. Returns the message for success, fails with what was done and what was not. */
type WriteRunner = (
	group: FirewallWriteGroup,
	signal: AbortSignal,
	/**
	 * Called once with the results, before the lists are reloaded. Returns what to do next after a success,
	 * for the screen of the lists.
	 */
	noteResults: (zone: ZoneWithLabel, results: readonly WriteResult[]) => string | undefined,
	progress?: WriteProgress,
) => Promise<void>;

/** Follows a group of writes. */
export type WriteProgress = {
	/** Called after each write with how many were sent. */
	show(sentCount: number): void;
	/** True if the next write is not to be sent. */
	isStopped(): boolean;
};

/** Converts a zone to the target of a write. */
export const toWritePlace = ({label, ...zone}: ZoneWithLabel): WritePlace =>
	toZonePlace({...zone, label: label ?? `zone ${zone.name}`});

/** True for a failure that says nothing about the next rule or filter: this one has changed or is gone. */
const concernsOnlyOneItem = ({code}: Failure): boolean =>
	code === 'changed_meanwhile' || code === 'not_found';

type RunnerState = StateWith<'firewall', 'data' | 'load' | 'markStale' | 'noteRetirement'> &
	StateWith<'messages', 'say' | 'warn'> &
	StateWith<'navigation', 'stack'> &
	StateWith<'work', 'isQuitting'>;

/** Creates the function that runs writes to the open zone. */
export function createWriteRunner(get: () => RunnerState, session: Session): WriteRunner {
	/** Reloads the lists if their zone is open; returns the failure, if any. */
	async function reloadLists(zone: ZoneWithLabel, signal: AbortSignal): Promise<Failure | undefined> {
		if (get().firewall.data?.zone.id !== zone.id) return undefined;
		try {
			await get().firewall.load(signal);
			return undefined;
		} catch (error) {
			return toFailure(error);
		}
	}

	async function runWrite(
		write: FirewallWrite,
		client: Client,
		zone: ZoneWithLabel,
		place: PermittedPlace,
		signal: AbortSignal,
	): Promise<WriteResult> {
		const edits: FirewallEdit[] = [];
		try {
			const message = await session.auditWrites(place, steps => {
				steps.onSend(write.auditLabel);
				return write.write(client, zone, {...steps, signal, onEdit: edit => edits.push(edit)});
			});
			return {write, edits, message};
		} catch (error) {
			return {write, edits, failure: toFailure(error)};
		}
	}

	/** Explains the failure of a write with the current state first. */
	function explainFailure(
		{target, unknownOutcome}: FirewallWrite,
		zone: ZoneWithLabel,
		failure: Failure,
		areListsCurrent: boolean,
	): Failure {
		if (failure.details.outcomeUnknown) return withSentence(`It is unknown ${unknownOutcome}.`, failure);
		const firewall = get().firewall.data;
		const isDeletedByOthers =
			target !== undefined &&
			failure.code === 'not_found' &&
			areListsCurrent &&
			firewall?.zone.id === zone.id &&
			!isStillListed(firewall, target);
		if (!isDeletedByOthers) return failure;
		return withSentence(`The ${target.kind} no longer exists: someone else deleted it.`, failure, {
			next: 'Nothing is left to do: the lists show the current state.',
		});
	}

	return async (group, signal, noteResults, progress) => {
		const {writes} = group;
		const zone = get().firewall.data?.zone;
		if (!zone) throw new Failure('internal', 'No zone is open.');
		const auditLabel = (writes.length === 1 && writes[0]?.auditLabel) || group.auditLabel;
		session.refuseWhenReadOnly(auditLabel);
		const place = await session.permit(toWritePlace(zone), auditLabel);
		const client = await session.client();
		const results: WriteResult[] = [];
		for (const write of writes) {
			const result = await runWrite(write, client, zone, place, signal);
			results.push(result);
			if ('failure' in result && !concernsOnlyOneItem(result.failure)) break;
			progress?.show(results.length);
			// Lets the progress be drawn, and keys be handled.
			await turn();
			if (progress?.isStopped()) break;
		}
		const advice = noteResults(zone, results);
		if (results.some(result => 'failure' in result && result.failure.code === 'gone'))
			get().firewall.noteRetirement(zone.id);
		const refreshFailure = signal.aborted ? undefined : await reloadLists(zone, signal);
		const isStale = signal.aborted || refreshFailure !== undefined;
		if (isStale && get().firewall.data?.zone.id === zone.id) get().firewall.markStale();
		const explainedResults = results.map(result =>
			'failure' in result
				? {...result, failure: explainFailure(result.write, zone, result.failure, !isStale)}
				: result,
		);
		const outcome = reportResults(group, explainedResults);
		if (outcome instanceof Failure) throw outcome;
		const canUndo = getCurrentScreen(get()) === 'firewall' && !get().work.isQuitting;
		const report = canUndo && advice !== undefined ? `${outcome} ${advice}` : outcome;
		if (!refreshFailure) return get().messages.say(report);
		get().messages.warn(`${report} The lists could not be refreshed: ${refreshFailure.message}`);
	};
}

/** Returns the message for success, or the failure that says what was done and what was not. */
function reportResults(group: FirewallWriteGroup, results: readonly WriteResult[]): string | Failure {
	const {writes, noun, formatDone, describeSuccess} = group;
	const edits = results.flatMap(result => result.edits);
	const failedResults = results.flatMap(result => ('failure' in result ? [result] : []));
	const [firstFailed] = failedResults;
	if (!firstFailed) {
		const [only] = results;
		if (only && 'message' in only && writes.length === 1) return only.message;
		if (results.length < writes.length)
			return `Stopped: ${formatInteger(results.length)} of ${formatQuantity(writes.length, noun)} ${formatDone(results.length, edits)}.`;
		return (
			describeSuccess?.(edits) ??
			`${formatQuantity(writes.length, noun)} ${formatDone(writes.length, edits)}.`
		);
	}
	if (writes.length === 1) return firstFailed.failure;
	const doneResults = results.filter(result => !('failure' in result) || result.edits.length > 0);
	const {failure} = firstFailed;
	const doneText = `${formatInteger(doneResults.length)} of ${formatQuantity(writes.length, noun)} ${formatDone(doneResults.length, edits)}.`;
	const notSent = writes.slice(results.length);
	return new Failure(failure.code, `${doneText} ${firstFailed.write.name}: ${failure.message}`, {
		why: failedResults
			.flatMap(({write, failure: {message, details}}, index) => [
				// The message of the first one is above.
				index > 0 && `${write.name}: ${message}`,
				details.why,
				details.left,
			])
			.filter(Boolean)
			.join('\n'),
		left: [
			...(doneResults.length > 0 ? [`Done: ${doneResults.map(({write}) => write.name).join(', ')}.`] : []),
			`Failed: ${failedResults.map(({write}) => write.name).join(', ')}.`,
			...(notSent.length > 0 ? [`Not sent: ${notSent.map(({name}) => name).join(', ')}.`] : []),
		].join('\n'),
		next: failure.details.next ?? 'The lists show the current state.',
		...(failedResults.some(({failure: {details}}) => details.outcomeUnknown) && {outcomeUnknown: true}),
	});
}

const isStillListed = ({rules, filters}: FirewallState, {kind, id}: FirewallTarget): boolean =>
	(kind === 'rule' ? rules : filters).some(one => one.id === id);
