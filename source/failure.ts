/** The exit codes of ledge, see docs/errors.md#exit-codes. */
type ExitCode = 1 | 2 | 3 | 4 | 5 | 130;

/** What each exit code means; the tables of the documentation are made from this. */
export const exitCodes: Readonly<Record<0 | ExitCode, string>> = {
	0: 'done; deleting what is not there is done, too',
	1: 'failed, failed in part, or the answer is "no"',
	2: 'wrong use, malformed input or a documented limit broken, before anything was sent; refused for want of `--yes` or by `--read-only`; unknown binding, environment or context',
	3: 'the key, namespace or zone does not exist',
	4: 'no credential, or the service refused it',
	5: 'the zone is not eligible, has the wrong plan, or is already migrated',
	130: 'interrupted',
};

/** Every way in which ledge can fail: its exit code and its meaning, see docs/errors.md#error-codes. */
export const failureCodes = {
	usage: {exit: 2, means: 'the words or options of the command are wrong'},
	input_malformed: {exit: 2, means: 'a file or argument cannot be read as what it should be'},
	input_missing: {exit: 2, means: 'a file named on the command line is not there or cannot be read'},
	limit: {exit: 2, means: 'a documented limit of the service is broken; nothing was sent'},
	unconfirmed: {exit: 2, means: 'the command destroys something and was not confirmed'},
	declined: {exit: 1, means: 'the person was asked and said no; nothing was done'},
	expression_invalid: {
		exit: 2,
		means: 'the expression does not parse, or its types do not fit; nothing was sent',
	},
	plan_lacks: {exit: 5, means: 'the plan of the zone lacks what was asked for'},
	not_eligible: {exit: 5, means: 'the zone cannot migrate as it is; nothing was sent'},
	already_migrated: {exit: 5, means: 'the zone has completed the migration already, which cannot be undone'},
	unreviewed: {
		exit: 2,
		means: 'the configuration to be sent is not the reviewed one; nothing was sent',
	},
	not_as_reviewed: {
		exit: 1,
		means:
			'what is deployed in the zone is not what was reviewed, or nothing protects it; what was sent stays in force',
	},
	read_only: {exit: 2, means: 'a write was refused by `--read-only` or `LEDGE_READ_ONLY`'},
	binding_unknown: {exit: 2, means: 'the configuration file has no such binding, or not with that id'},
	environment_unknown: {exit: 2, means: 'the configuration file has no such environment'},
	configuration_invalid: {exit: 2, means: 'the configuration file is broken'},
	configuration_untrusted: {
		exit: 2,
		means:
			'the configuration file belongs to someone else, in a folder that others can write to; name it with `--config` if you trust it',
	},
	account_unclear: {exit: 2, means: 'it is not known which account is meant'},
	context_unknown: {exit: 2, means: 'there is no context of that name'},
	key_not_found: {exit: 3, means: 'the key does not exist'},
	namespace_not_found: {exit: 3, means: 'the namespace does not exist'},
	zone_not_found: {exit: 3, means: 'the zone does not exist'},
	not_found: {exit: 3, means: 'the service does not know what was asked for'},
	credential_missing: {exit: 4, means: 'no credential was given'},
	credential_refused: {exit: 4, means: 'the service refused the credential, or what it may do'},
	already_exists: {exit: 1, means: 'something of that name exists already'},
	in_use: {exit: 1, means: 'something else still uses it, so it was not deleted'},
	changed_meanwhile: {exit: 1, means: 'someone else changed it since it was read; nothing was written'},
	refused_by_service: {exit: 1, means: 'the service refused the request'},
	blocked: {
		exit: 1,
		means: 'something in front of the service (its edge, a proxy, a firewall) blocked the request',
	},
	service_failed: {exit: 1, means: 'the service failed (5xx)'},
	rate_limited: {exit: 1, means: 'the service keeps asking to slow down (429)'},
	unreachable: {exit: 1, means: 'the service cannot be reached'},
	connection_lost: {exit: 1, means: 'the connection broke in the middle of an answer'},
	timed_out: {exit: 1, means: 'no answer in time'},
	answer_malformed: {exit: 1, means: 'the answer is not what the service should send'},
	redirected: {exit: 1, means: 'the service answered with a redirect, which is never followed'},
	gone: {exit: 1, means: 'the service has retired this endpoint (410)'},
	partly_failed: {exit: 1, means: 'some of the work failed; what did is named and kept in a file'},
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
	file_exists: {exit: 2, means: 'the file to be written exists already'},
	world_unusable: {exit: 1, means: 'the simulated world on disk is damaged or from another version'},
	journal_invalid: {exit: 1, means: 'the journal of a job is damaged or belongs to something else'},
	job_running: {exit: 1, means: 'another process works on this job, or writes this file'},
	editor_failed: {exit: 1, means: 'the editor could not be started or gave up'},
	pager_failed: {exit: 1, means: 'the pager could not be started or gave up'},
	internal: {exit: 1, means: 'a mistake in ledge itself'},
	interrupted: {exit: 130, means: 'stopped by the user or a signal'},
} as const satisfies Record<string, {exit: ExitCode; means: string}>;

export type FailureCode = keyof typeof failureCodes;

/**
 * What became of a request that did not succeed, the same for every caller:
 * - `refused`: the service read it and said no, with its reason.
 * - `refused without a reason`: a well-formed answer that names no error, as some missing entitlements have.
 * - `not allowed`: the credential is not accepted, or lacks the permission.
 * - `throttled`: 429, whatever its body.
 * - `absent`: the documented 404 of what was asked for.
 * - `unrouted`: the service knows no such address; an id of another form is answered in the same way.
 * - `retired`: 410.
 * - `blocked`: something in front of the service answered (a page of the edge, of a proxy or of a firewall).
 * - `malformed`: an answer that cannot be read.
 * - `redirected`: 3xx, which is never followed.
 * - `failed`: 5xx.
 * - `no answer`: at least one byte left, and nothing whole came back.
 * - `not sent`: no byte of it left this machine.
 */
export type Outcome =
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

/** A command that a text names. The options that lead to where the work ran are added where it is printed. */
export type NamedCommand = {
	/** As it is typed, up to those options. */
	readonly command: string;
	/** What it acts on, and names where the command itself does not. */
	readonly on?: 'zone' | 'keys' | undefined;
	/** What comes behind those options. */
	readonly rest?: string | undefined;
};

/** What to do next: a text, or its parts where it names commands. Made by `advice` in text/advice.ts. */
export type Advice = string | readonly (string | NamedCommand)[];

/** An advice as a text; `where` returns the options that lead to where a command acts, with a space in front. */
export const adviceText = (advice: Advice, where: (named: NamedCommand) => string = () => ''): string =>
	typeof advice === 'string'
		? advice
		: advice
				.map(part => (typeof part === 'string' ? part : `${part.command}${where(part)}${part.rest ?? ''}`))
				.join('');

export type FailureDetails = {
	/** Why it happened, with the measured figure where a limit is named. */
	why?: string | undefined;
	/** What the person can do now. */
	next?: Advice | undefined;
	/** HTTP status of the answer. */
	http?: number | undefined;
	/** `cf-ray` of the answer: what support asks for. */
	ray?: string | undefined;
	/** What was left behind: done so far, files written, ids created. */
	left?: string | undefined;
	/** What became of the request, where the code does not say it (`outcomeOf` in service/outcome.ts). */
	outcome?: Outcome | undefined;
	/** Whether a write that failed may have been made all the same. */
	outcomeUnknown?: boolean | undefined;
	/** True if the write that failed has changed nothing for certain, and `left` says no more than that. */
	unchanged?: boolean | undefined;
	/** Whether less at a time may pass, because an answer was larger than what is kept in memory. */
	tooMuch?: boolean | undefined;
	/** Numeric error codes of the service, outermost first. */
	service?: readonly number[] | undefined;
	cause?: unknown;
};

/**
 * The one kind of error in ledge: what happened (`message`), why, and what to do now. Texts may hold data of
 * users and of the service as they are; they are made safe where they are printed.
 */
export class Failure extends Error {
	override readonly name = 'Failure';
	readonly code: FailureCode;
	readonly details: FailureDetails;

	constructor(code: FailureCode, what: string, details: FailureDetails = {}) {
		super(what, details.cause === undefined ? undefined : {cause: details.cause});
		this.code = code;
		this.details = details;
	}

	get exit(): ExitCode {
		return failureCodes[this.code].exit;
	}

	/** What the person can do now, as a text. */
	get next(): string | undefined {
		const {next} = this.details;
		return next === undefined ? undefined : adviceText(next);
	}

	/** The same failure with more details, which replace those of the same name. */
	with(details: FailureDetails): Failure {
		return new Failure(this.code, this.message, {...this.details, ...details});
	}
}

/** Whether this is a failure, of one of the given codes if any are given. */
export const isFailure = (error: unknown, ...codes: FailureCode[]): error is Failure =>
	error instanceof Failure && (codes.length === 0 || codes.includes(error.code));

/** What stopped the work when its signal was aborted: always the same failure, so that nobody takes it for another. */
export const interrupted = (left?: string): Failure => new Failure('interrupted', 'Interrupted.', {left});

/** A write that `--read-only` keeps from being made. */
export const refusedReadOnly = (what: string): Failure =>
	new Failure('read_only', `Refused: ${what} would write, and ledge is read-only.`, {
		next: 'Leave out --read-only, and LEDGE_READ_ONLY, to write.',
	});

/** Any thrown thing as a failure; an aborted signal becomes `interrupted`, the unknown a mistake of ours. */
export function asFailure(error: unknown): Failure {
	if (error instanceof Failure) return error;
	if (error instanceof Error && error.name === 'AbortError') return interrupted();
	// From source/parts.cjs, which knows no failures.
	if (error instanceof Error && error.name === 'ReplacedError')
		return new Failure('internal', 'Another version of ledge was installed while this one ran.', {
			why: 'The rest of this one is gone.',
			next: 'Start it again. What was printed so far is true.',
			cause: error,
		});
	if (isCoded(error)) return new Failure(error.code, error.message, {...error.details, cause: error.cause});
	const message = error instanceof Error ? error.message : String(error);
	if (isOutOfFiles(error))
		return new Failure('file_failed', 'Too many files are open.', {
			why: message,
			next: 'Raise the limit with `ulimit -n 1024`, or close programs that hold files open.',
			cause: error,
		});
	return new Failure('internal', `Something in ledge itself went wrong: ${message}`, {
		next: 'Please report it with the command that led here.',
		cause: error,
	});
}

/** True for an error of a module that knows no failures but uses their codes and details: the simulator. */
const isCoded = (error: unknown): error is Error & {code: FailureCode; details: FailureDetails} =>
	error instanceof Error &&
	'code' in error &&
	typeof error.code === 'string' &&
	Object.hasOwn(failureCodes, error.code) &&
	'details' in error;

/** True if the process or the system may open no more files. */
const isOutOfFiles = (error: unknown): boolean =>
	error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
