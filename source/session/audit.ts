import {type Failure, toFailure} from '../failure.ts';
import type {HostClock} from '../host.ts';
import type {SessionEvents} from './parts.ts';
import type {PermittedPlace} from './write-place.ts';

/** Progress of work with several writes. */
export type WriteSteps = {
	/** Called before a write is sent. */
	onSend(what: string): void;
	/** Called after a write took effect, with its id. */
	onWrite(done: string): void;
};

/** The audit log; every write goes through one of these two. */
export type Audit<Place = PermittedPlace> = {
	/** Runs one write and records its outcome; `findFailure` as below. */
	auditWrite<T>(
		what: string,
		where: Place,
		write: () => Promise<T>,
		findFailure?: (result: T) => Failure | undefined,
	): Promise<T>;
	/**
	 * Runs work with several writes and records each as it ends, including a last one that failed:
	 * `findFailure` finds its failure in a result.
	 */
	auditWrites<T>(
		where: Place,
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
	readonly isKept: boolean;
	readonly env: NodeJS.ProcessEnv;
	readonly clock: HostClock;
	readonly events: SessionEvents;
	readonly shared: AuditReports;
};

export function createAudit({isKept, env, clock, events, shared}: AuditParts): Audit {
	const auditWrites: Audit['auditWrites'] = async ({label: where}, work, findFailure) => {
		if (!isKept) return work({onSend() {}, onWrite() {}});
		const {appendAudit} = await import('../state/audit.ts');
		const writeLine = (what: string, result: string) => {
			const missed = appendAudit({target: where, what, result}, env, clock.now());
			if (!missed || shared.isAuditReported) return;
			shared.isAuditReported = true;
			(events.unaudited ?? events.warn)(formatUnaudited({where, what, result}, missed));
		};
		const wrote: string[] = [];
		let sent: string | undefined;
		const endWork = events.trackWrites?.(() => {
			if (sent !== undefined) writeLine(sent, 'interrupted');
			return describeInterrupted(wrote, sent);
		});
		try {
			const result = await work({
				onSend(what) {
					sent = what;
				},
				onWrite(done) {
					sent = undefined;
					wrote.push(done);
					writeLine(done, 'done');
				},
			});
			if (sent !== undefined) writeLine(sent, findFailure?.(result)?.code ?? 'done');
			return result;
		} catch (error) {
			if (sent !== undefined) writeLine(sent, toFailure(error).code);
			throw error;
		} finally {
			endWork?.();
		}
	};

	return {
		auditWrite: (what, where, write, findFailure) =>
			auditWrites(
				where,
				steps => {
					steps.onSend(what);
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
const describeInterrupted = (wrote: readonly string[], sent: string | undefined): string =>
	[
		...(wrote.length > 0 ? [`Done: ${wrote.join('; ')}.`] : []),
		...(sent === undefined ? [] : [`Whether this was done is not known: ${sent}.`]),
	].join('\n');
