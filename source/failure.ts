/** The exit codes of ledge, see docs/errors.md#exit-codes. */
type ExitCode = 1 | 2 | 3 | 4 | 5 | 130;

/** What each exit code means; source of the tables in the documentation. */
export const exitCodes: Readonly<Record<0 | ExitCode, string>> = {
	0: 'success; also when deleting something that does not exist',
	1: 'failed, partly failed, or the answer is "no"',
	2: 'wrong usage, malformed input or a documented limit violated, before anything was sent; refused because `--yes` is missing or because of `--read-only`; unknown binding, environment or context',
	3: 'the key, namespace or zone does not exist',
	4: 'no credential, or the service rejected it',
	5: 'the zone is not eligible, has the wrong plan, or is already migrated',
	130: 'interrupted',
};

/** All errors of ledge, with exit code and meaning, see docs/errors.md#error-codes. */
export const failureCodes = {
	usage: {exit: 2, means: 'the arguments or options of the command are wrong'},
	input_malformed: {exit: 2, means: 'a file or argument does not have the expected format'},
	input_missing: {exit: 2, means: 'a file named on the command line does not exist or cannot be read'},
	limit: {exit: 2, means: 'a documented limit of the service is violated; nothing was sent'},
	unconfirmed: {exit: 2, means: 'the command destroys something and was not confirmed'},
	declined: {exit: 1, means: 'the user answered no when asked to confirm; nothing was done'},
	expression_invalid: {
		exit: 2,
		means: 'the expression does not parse, or its types do not match; nothing was sent',
	},
	plan_lacks: {exit: 5, means: 'the plan of the zone does not include the requested feature'},
	not_eligible: {exit: 5, means: 'the zone cannot migrate in its current state; nothing was sent'},
	already_migrated: {exit: 5, means: 'the zone has already completed the migration, which cannot be undone'},
	unreviewed: {
		exit: 2,
		means: 'the configuration to send is not the reviewed one; nothing was sent',
	},
	not_as_reviewed: {
		exit: 1,
		means:
			'the configuration deployed in the zone is not the reviewed one, or nothing protects the zone; what was sent stays active',
	},
	read_only: {exit: 2, means: 'a write was refused by `--read-only` or `LEDGE_READ_ONLY`'},
	binding_unknown: {
		exit: 2,
		means: 'the configuration file has no such binding, or the binding lacks the needed id',
	},
	environment_unknown: {exit: 2, means: 'the configuration file has no such environment'},
	configuration_invalid: {exit: 2, means: 'the configuration file is invalid'},
	configuration_untrusted: {
		exit: 2,
		means:
			'the configuration file belongs to someone else, in a folder that others can write to; name it with `--config` if you trust it',
	},
	account_unclear: {exit: 2, means: 'it is unclear which account to use'},
	context_unknown: {exit: 2, means: 'there is no context with that name'},
	key_not_found: {exit: 3, means: 'the key does not exist'},
	namespace_not_found: {exit: 3, means: 'the namespace does not exist'},
	zone_not_found: {exit: 3, means: 'the zone does not exist'},
	not_found: {exit: 3, means: 'the requested object does not exist at the service'},
	credential_missing: {exit: 4, means: 'no credential was given'},
	credential_refused: {
		exit: 4,
		means: 'the service rejected the credential, or the credential lacks a permission',
	},
	already_exists: {exit: 1, means: 'something with that name already exists'},
	in_use: {exit: 1, means: 'something else still uses it, so it was not deleted'},
	changed_meanwhile: {exit: 1, means: 'someone else changed it since it was read; nothing was written'},
	changed_by_check: {
		exit: 1,
		means: 'the rules changed while the service checked a change, so it may have been made',
	},
	refused_by_service: {exit: 1, means: 'the service rejected the request'},
	blocked: {
		exit: 1,
		means: 'something in front of the service (its edge, a proxy, a firewall) blocked the request',
	},
	service_failed: {exit: 1, means: 'the service failed (5xx)'},
	rate_limited: {exit: 1, means: 'the service keeps throttling requests (429)'},
	unreachable: {exit: 1, means: 'the service cannot be reached'},
	connection_lost: {exit: 1, means: 'the connection broke in the middle of a response'},
	timed_out: {exit: 1, means: 'no response in time'},
	answer_malformed: {exit: 1, means: 'the service sent an unexpected response'},
	value_undecodable: {
		exit: 1,
		means: 'the value does not have the named encoding, is damaged, or exceeds a limit of decoding',
	},
	redirected: {exit: 1, means: 'the service answered with a redirect, which is never followed'},
	gone: {exit: 1, means: 'the service has retired this endpoint, or no longer accepts changes there'},
	partly_failed: {exit: 1, means: 'some of the work failed; the failed items are listed and saved to a file'},
	local_store_damaged: {exit: 1, means: 'the local data cannot be read'},
	local_store_busy: {exit: 1, means: 'another process kept the local data locked'},
	file_failed: {exit: 1, means: 'a file could not be written (disk full, no permission)'},
	trash_full: {
		exit: 2,
		means: 'the previous values do not fit in the trash; nothing was deleted or written',
	},
	not_kept: {
		exit: 1,
		means: 'the previous values cannot be read and kept in the trash; nothing was deleted or written',
	},
	file_exists: {exit: 2, means: 'the file to write already exists'},
	world_unusable: {exit: 1, means: 'the simulated world on disk is damaged or from another version'},
	journal_invalid: {exit: 1, means: 'the journal of a job is damaged or belongs to something else'},
	job_running: {exit: 1, means: 'another process is working on this job, or writing this file'},
	editor_failed: {exit: 1, means: 'the editor could not be started or failed'},
	exec_failed: {exit: 1, means: 'the program of `kv watch --exec` could not be started'},
	pager_failed: {exit: 1, means: 'the pager could not be started or failed'},
	command_failed: {
		exit: 1,
		means: 'a command of your own could not be started, failed, took too long or printed too much',
	},
	internal: {exit: 1, means: 'a bug in ledge itself'},
	interrupted: {exit: 130, means: 'stopped by the user or a signal'},
} as const satisfies Record<string, {exit: ExitCode; means: string}>;

export type FailureCode = keyof typeof failureCodes;

/**
 * How a request failed, classified the same for every caller:
 * - `refused`: the service read it and said no, with its reason.
 * - `refused without a reason`: a well-formed answer that names no error, as for some missing entitlements.
 * - `not allowed`: the credential is not accepted, or lacks the permission.
 * - `throttled`: 429, whatever its body.
 * - `absent`: the documented 404 for a missing resource.
 * - `unrouted`: the service knows no such path; malformed ids get the same answer.
 * - `retired`: 410, or a code that says so.
 * - `blocked`: something in front of the service answered (a page from the edge, a proxy or a firewall).
 * - `malformed`: an answer that cannot be read.
 * - `redirected`: 3xx, which is never followed.
 * - `failed`: 5xx.
 * - `no answer`: at least one byte was sent, and no complete answer arrived.
 * - `not sent`: no byte was sent.
 */
export type FailureOutcome =
	| 'refused'
	| 'refused without a reason'
	| 'not allowed'
	| 'throttled'
	| 'absent'
	| 'unrouted'
	| 'retired'
	| 'blocked'
	| 'malformed'
	| 'redirected'
	| 'failed'
	| 'no answer'
	| 'not sent';

/** A command named in a message. Options for account, namespace or zone are inserted when it is printed. */
export type NamedCommand = {
	/** The command line up to those options. */
	readonly command: string;
	/** What the inserted options select: the zone, or the namespace of keys. Undefined if nothing. */
	readonly selects?: 'zone' | 'keys' | undefined;
	/** The command line after those options. */
	readonly suffix?: string | undefined;
};

/** What to do next: a text, or parts if it names commands. Created by `advice` in text/advice.ts. */
export type Advice = string | readonly (string | NamedCommand)[];

/**
 * Formats advice as text; `formatOptions` returns the options to insert into a command, with a leading space.
 */
export const formatAdvice = (
	advice: Advice,
	formatOptions: (command: NamedCommand) => string = () => '',
): string =>
	typeof advice === 'string'
		? advice
		: advice
				.map(part =>
					typeof part === 'string' ? part : `${part.command}${formatOptions(part)}${part.suffix ?? ''}`,
				)
				.join('');

export type FailureDetails = {
	/** Why it happened; for a limit, with the measured figure. */
	why?: string | undefined;
	/** What the user can do now. */
	next?: Advice | undefined;
	/** HTTP status of the answer. */
	http?: number | undefined;
	/** `cf-ray` header of the answer, which support asks for. */
	ray?: string | undefined;
	/** The state left behind, as sentences: work done so far, files written, ids created. */
	left?: string | undefined;
	/** How the request failed, if the code does not imply it (service/outcome.ts). */
	outcome?: FailureOutcome | undefined;
	/** True if a failed write may have taken effect. */
	outcomeUnknown?: boolean | undefined;
	/** True if the failed write changed nothing for certain. If `left` is set, it says no more than that. */
	unchanged?: boolean | undefined;
	/** True if the response exceeded its size limit; a smaller request may succeed. */
	tooMuch?: boolean | undefined;
	/** Numeric error codes of the service, outermost first. */
	service?: readonly number[] | undefined;
	cause?: unknown;
};

/**
 * The only error class of ledge: what happened (`message`), why, and what to do now. Texts may contain raw
 * data of users and of the service; escape them when printing.
 */
export class Failure extends Error {
	override readonly name = 'Failure';
	readonly code: FailureCode;
	readonly details: FailureDetails;

	constructor(code: FailureCode, message: string, details: FailureDetails = {}) {
		super(message, details.cause === undefined ? undefined : {cause: details.cause});
		this.code = code;
		this.details = details;
	}

	get exitCode(): ExitCode {
		return failureCodes[this.code].exit;
	}

	/** What the user can do now, as text. */
	get next(): string | undefined {
		const {next} = this.details;
		return next === undefined ? undefined : formatAdvice(next);
	}

	/** Returns a copy; `details` override existing ones. */
	withDetails(details: FailureDetails): Failure {
		return new Failure(this.code, this.message, {...this.details, ...details});
	}
}

/** True for a failure; if codes are given, only for one of those codes. */
export const isFailure = (error: unknown, ...codes: FailureCode[]): error is Failure =>
	error instanceof Failure && (codes.length === 0 || codes.includes(error.code));

/** Creates the failure for an aborted signal. `left`: the state left behind. */
export const createInterruptedFailure = (left?: string): Failure =>
	new Failure('interrupted', 'Interrupted.', {left});

/** Creates the failure for a write refused by `--read-only`. */
export const createReadOnlyFailure = (operation: string): Failure =>
	new Failure('read_only', `Refused: ${operation} would write, but ledge is read-only.`, {
		next: 'To write, omit --read-only and unset LEDGE_READ_ONLY.',
	});

/** Converts anything thrown to a failure: an AbortError to `interrupted`, unknown errors to `internal`. */
export function toFailure(error: unknown): Failure {
	if (error instanceof Failure) return error;
	if (error instanceof Error && error.name === 'AbortError') return createInterruptedFailure();
	// Thrown by source/parts.cjs, which does not import Failure.
	if (error instanceof Error && error.name === 'ReplacedError')
		return new Failure('internal', 'Another version of ledge was installed while this one ran.', {
			why: 'The remaining files of this version no longer exist.',
			next: 'Start ledge again. Everything printed so far is correct.',
			cause: error,
		});
	if (hasFailureCode(error))
		return new Failure(error.code, error.message, {...error.details, cause: error.cause});
	const message = error instanceof Error ? error.message : String(error);
	if (isOutOfFiles(error))
		return new Failure('file_failed', 'Too many files are open.', {
			why: message,
			next: 'Raise the limit with `ulimit -n 1024`, or close programs that hold files open.',
			cause: error,
		});
	return new Failure('internal', `Something in ledge itself went wrong: ${message}`, {
		next: 'Please report this, with the command you ran.',
		cause: error,
	});
}

/**
 * True for errors with a failure's code and details, as thrown by the simulator, which does not import
 * Failure.
 */
const hasFailureCode = (error: unknown): error is Error & {code: FailureCode; details: FailureDetails} =>
	error instanceof Error &&
	'code' in error &&
	typeof error.code === 'string' &&
	Object.hasOwn(failureCodes, error.code) &&
	'details' in error;

/** True if the process or the system has reached its limit of open files. */
const isOutOfFiles = (error: unknown): boolean =>
	error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
