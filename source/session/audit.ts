import {type Failure, toFailure} from '../failure.ts';
import type {HostClock} from '../host.ts';
import type {SessionEvents} from './parts.ts';
import type {PermittedPlace} from './write-place.ts';

/** Progress of work with several writes. */
export type WriteSteps = {
	/** Called before a write is sent, with its description for the audit log. */
	onSend(action: string): void;
	/** Called after a write took effect, with its description including the id. */
	onWritten(done: string): void;
};

/** The audit log; every write goes through one of these two. */
export type Audit<Place = PermittedPlace> = {
	/** Runs one write and records its outcome; `findFailure` works as in `auditWrites`. */
	auditWrite<T>(
		action: string,
		place: Place,
		write: () => Promise<T>,
		findFailure?: (result: T) => Failure | undefined,
	): Promise<T>;
	/**
	 * Runs work with several writes and records each as it ends. A write that was sent and not reported with
	 * `onWritten` is recorded when the work ends: as failed if the work throws or `findFailure` finds a failure
	 * in its result, else as done.
	 */
	auditWrites<T>(
		place: Place,
		work: (steps: WriteSteps) => Promise<T>,
		findFailure?: (result: T) => Failure | undefined,
	): Promise<T>;
};

export type AuditReports = {
	/** True after a failure to write the audit log was reported. */
	isAuditReported: boolean;
};

type AuditParts = {
	/** False for a dry run and the simulated service, which write nothing real. */
	readonly isEnabled: boolean;
	readonly env: NodeJS.ProcessEnv;
	readonly clock: HostClock;
	readonly events: SessionEvents;
	readonly shared: AuditReports;
};

export function createAudit({isEnabled, env, clock, events, shared}: AuditParts): Audit {
	const auditWrites: Audit['auditWrites'] = async ({label: targetLabel}, work, findFailure) => {
		if (!isEnabled) return work({onSend() {}, onWritten() {}});
		const {appendAudit} = await import('../state/audit.ts');
		const writeLine = (action: string, result: string) => {
			const auditFailure = appendAudit({target: targetLabel, what: action, result}, env, clock.now());
			if (!auditFailure || shared.isAuditReported) return;
			shared.isAuditReported = true;
			(events.unaudited ?? events.warn)(
				formatUnaudited({where: targetLabel, what: action, result}, auditFailure),
			);
		};
		const completedWrites: string[] = [];
		let pendingWrite: string | undefined;
		const endWork = events.trackWrites?.(() => {
			if (pendingWrite !== undefined) writeLine(pendingWrite, 'interrupted');
			return describeInterrupted(completedWrites, pendingWrite);
		});
		try {
			const result = await work({
				onSend(action) {
					pendingWrite = action;
				},
				onWritten(completedWrite) {
					pendingWrite = undefined;
					completedWrites.push(completedWrite);
					writeLine(completedWrite, 'done');
				},
			});
			if (pendingWrite !== undefined) writeLine(pendingWrite, findFailure?.(result)?.code ?? 'done');
			return result;
		} catch (error) {
			if (pendingWrite !== undefined) writeLine(pendingWrite, toFailure(error).code);
			throw error;
		} finally {
			endWork?.();
		}
	};

	return {
		auditWrite: (action, place, write, findFailure) =>
			auditWrites(
				place,
				steps => {
					steps.onSend(action);
					return write();
				},
				findFailure,
			),
		auditWrites,
	};
}

/** Warns that a write is missing in the audit log; the write itself takes effect. */
const formatUnaudited = (
	{where, what, result}: {readonly where: string; readonly what: string; readonly result: string},
	{message, details: {why, next}}: Failure,
): string =>
	[
		`Not in the audit log: ${what} on ${where} (${result}).`,
		message,
		why && `${why}.`,
		'Writes continue; later lines may be missing, too.',
		next,
	]
		.filter(Boolean)
		.join(' ');

/** Describes interrupted writes when the process ends. */
const describeInterrupted = (completedWrites: readonly string[], pendingWrite: string | undefined): string =>
	[
		...(completedWrites.length > 0 ? [`Done: ${completedWrites.join('; ')}.`] : []),
		...(pendingWrite === undefined ? [] : [`This may have been done: ${pendingWrite}.`]),
	].join('\n');
