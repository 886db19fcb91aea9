import {asFailure, type Failure} from '../failure.ts';
import type {HostClock} from '../host.ts';
import type {SessionEvents} from './parts.ts';
import type {PermittedPlace} from './write-place.ts';

/** Progress of work with several writes. */
export type WriteSteps = {
	/** Called before a write is sent. */
	sends(what: string): void;
	/** Called after a write took effect, with its id. */
	wrote(done: string): void;
};

/** The audit log; every write goes through one of these two. */
export type Audit<Place = PermittedPlace> = {
	/** Runs one write and records its outcome; `findFailure` as below. */
	audited<T>(
		what: string,
		where: Place,
		write: () => Promise<T>,
		failureOf?: (result: T) => Failure | undefined,
	): Promise<T>;
	/**
	 * Runs work with several writes and records each as it ends, including a last one that failed:
	 * `findFailure` finds its failure in a result.
	 */
	auditedWrites<T>(
		where: Place,
		work: (steps: WriteSteps) => Promise<T>,
		failureOf?: (result: T) => Failure | undefined,
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
	const auditedWrites: Audit['auditedWrites'] = async ({label: where}, work, failureOf) => {
		if (!isKept) return work({sends() {}, wrote() {}});
		const {appendAudit} = await import('../state/audit.ts');
		const line = (what: string, result: string) => {
			const missed = appendAudit({target: where, what, result}, env, clock.now());
			if (!missed || shared.isAuditReported) return;
			shared.isAuditReported = true;
			(events.unaudited ?? events.warn)(unaudited({where, what, result}, missed));
		};
		const wrote: string[] = [];
		let sent: string | undefined;
		const isDone = events.underWay?.(() => {
			if (sent !== undefined) line(sent, 'interrupted');
			return leftAtOnce(wrote, sent);
		});
		try {
			const result = await work({
				sends(what) {
					sent = what;
				},
				wrote(done) {
					sent = undefined;
					wrote.push(done);
					line(done, 'done');
				},
			});
			if (sent !== undefined) line(sent, failureOf?.(result)?.code ?? 'done');
			return result;
		} catch (error) {
			if (sent !== undefined) line(sent, asFailure(error).code);
			throw error;
		} finally {
			isDone?.();
		}
	};

	return {
		audited: (what, where, write, failureOf) =>
			auditedWrites(
				where,
				steps => {
					steps.sends(what);
					return write();
				},
				failureOf,
			),
		auditedWrites,
	};
}

/** Warns that a write is missing in the audit log; the write itself takes effect. */
const unaudited = (
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
const leftAtOnce = (wrote: readonly string[], sent: string | undefined): string =>
	[
		...(wrote.length > 0 ? [`Done: ${wrote.join('; ')}.`] : []),
		...(sent === undefined ? [] : [`Whether this was done is not known: ${sent}.`]),
	].join('\n');
