import {asFailure, type Failure} from '../failure.ts';
import type {HostClock} from '../host.ts';
import type {SessionEvents} from './parts.ts';
import type {PermittedPlace} from './write-place.ts';

/** What work of several writes reports of each. */
export type WriteSteps = {
	/** This one is sent now. */
	sends(what: string): void;
	/** One took effect, with the id it has. */
	wrote(done: string): void;
};

/** The audit log: every write of ledge is made by one of these two. */
export type Audit<Place = PermittedPlace> = {
	/** Does a write and keeps its line in the audit log, whatever becomes of it; `failureOf` as below. */
	audited<T>(
		what: string,
		where: Place,
		write: () => Promise<T>,
		failureOf?: (result: T) => Failure | undefined,
	): Promise<T>;
	/**
	 * Does work of several writes, and keeps a line for each in the audit log as it ends: also for the write that was
	 * sent last and failed, which `failureOf` finds in a result.
	 */
	auditedWrites<T>(
		where: Place,
		work: (steps: WriteSteps) => Promise<T>,
		failureOf?: (result: T) => Failure | undefined,
	): Promise<T>;
};

export type AuditReports = {
	/** Whether it was reported that the audit log cannot be written. */
	isAuditReported: boolean;
};

type AuditParts = {
	/** Whether there is anything to keep: a dry run and the simulated service write nothing real. */
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

/** That a write is not in the audit log: it takes effect all the same. */
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

/** What is known of writes in whose midst the process ends. */
const leftAtOnce = (wrote: readonly string[], sent: string | undefined): string =>
	[
		...(wrote.length > 0 ? [`Done: ${wrote.join('; ')}.`] : []),
		...(sent === undefined ? [] : [`Whether this was done is not known: ${sent}.`]),
	].join('\n');
