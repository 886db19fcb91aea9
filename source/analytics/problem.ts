import {Failure, type FailureCode} from '../failure.ts';
import {getOutcome} from '../service/outcome.ts';
import type {QueryError} from '../service/query-response.ts';

/** Unchecked data of a response. */
export type Data = Readonly<Record<string, unknown>>;

/** Sends a query. Rejects only when interrupted; other failures are problems. */
export type QueryRunner = (query: string, signal: AbortSignal) => Promise<ReadResult<Data>>;

/**
 * Why numbers are missing:
 * - `not allowed`: the credential lacks the permission.
 * - `not here`: this service has no analytics, or lacks the dataset.
 * - `not in plan`: the plan of the zone or account lacks the dataset.
 * - `too old`, `too long`: the plan keeps less, or limits the time of a query.
 * - `too much`: more rows than a query allows.
 * - `too many fields`: more fields than the plan allows.
 * - `unknown field`: the dataset lacks a field or dimension of that name.
 * - `no budget`: too many queries in five minutes.
 * - `busy`: too many queries at the same time.
 * - `failed`: anything else, with the service's message.
 */
export type ProblemKind =
	| 'not allowed'
	| 'not here'
	| 'not in plan'
	| 'too old'
	| 'too long'
	| 'too much'
	| 'too many fields'
	| 'unknown field'
	| 'no budget'
	| 'busy'
	| 'failed';

export type AnalyticsProblem = {
	readonly kind: ProblemKind;
	/** Message of the service; may be empty. */
	readonly message: string;
	/** Path of the missing data from the root; empty if all is missing. */
	readonly path: readonly string[];
	/** The failed call, if the query got no response. */
	readonly failure?: Failure;
};

/** What was read, and which parts of it are missing. Both can be present. */
export type ReadResult<T> = {readonly value: T | undefined; readonly problems: readonly AnalyticsProblem[]};

/** Patterns of service messages, which are undocumented. The first match counts. */
const messagePatterns: readonly (readonly [RegExp, ProblemKind])[] = [
	[
		/not auth|unauthori[sz]ed|permission|not allowed to|access denied|forbidden|authori[sz]ation/i,
		'not allowed',
	],
	[/budget|deplet|rate.?limit|too many requests|quota|try again (after|in)/i, 'no budget'],
	[/in progress|concurrent|parallel|at the same time|overload|too busy|temporarily/i, 'busy'],
	[/too old|older than|retention|before the (earliest|oldest)|cannot request data older/i, 'too old'],
	[/(range|duration|interval|period|window).*(large|long|wide|exceed|more than|max)|time range/i, 'too long'],
	[/number of fields|too many fields|fields? (limit|count)|more than \d+ fields/i, 'too many fields'],
	[/limit.*(large|high|exceed|max|more than|must be)|page size|too many rows/i, 'too much'],
	[
		/(cannot query|unknown|undefined|no such|unrecogni[sz]ed|not defined|does not exist|not exist).*(field|type|argument|dimension)|(field|argument|dimension).*(unknown|undefined|not defined|not exist)/i,
		'unknown field',
	],
	[/disabled|not enabled|not available|no access to|does not have access|upgrade|plan/i, 'not in plan'],
];

const kindByStatus: Readonly<Record<number, ProblemKind>> = {
	401: 'not allowed',
	403: 'not allowed',
	404: 'not here',
	429: 'no budget',
	503: 'busy',
};

export function classifyQueryError({message, path, code = ''}: QueryError, status: number): AnalyticsProblem {
	const meaning = messagePatterns.find(([pattern]) => pattern.test(message) || pattern.test(code));
	return {kind: meaning?.[1] ?? kindByStatus[status] ?? 'failed', message, path};
}

const kindByFailureCode: Partial<Record<FailureCode, ProblemKind>> = {
	credential_refused: 'not allowed',
	rate_limited: 'no budget',
	gone: 'not here',
};

/** Converts a failed call to a problem. */
export function toProblem(failure: Failure): AnalyticsProblem {
	const outcome = getOutcome(failure);
	const {http} = failure.details;
	const isMissing = outcome === 'absent' || outcome === 'unrouted' || http === 404 || http === 405;
	const kind = isMissing ? 'not here' : (kindByFailureCode[failure.code] ?? 'failed');
	return {kind, message: failure.message, path: [], failure};
}

/** What is missing, and the permission it needs. */
export type Subject = {
	/** The subject of a sentence, in the plural: "Store metrics". */
	readonly what: string;
	readonly permission: string;
};

export const storeMetricsSubject: Subject = {what: 'Store metrics', permission: 'Account Analytics: Read'};
export const securityEventsSubject: Subject = {what: 'Security events', permission: 'Zone Analytics: Read'};

export const singleEventsSubject: Subject = {
	what: 'Individual security events',
	permission: 'Zone Analytics: Read',
};

/** Describes what is missing, why, and what to do, as sentences. */
export function describeMissing(
	{what, permission}: Subject,
	{kind, message, path, failure}: AnalyticsProblem,
): {readonly what: string; readonly why?: string | undefined; readonly next?: string | undefined} {
	const serviceMessage = message === '' ? undefined : `The service responded: ${message}`;
	const reason = failure ? failure.message : serviceMessage;
	switch (kind) {
		case 'not allowed':
			return {
				what: `${what} require the permission ${permission}.`,
				why: reason,
				next: 'Add it to the token, or use a different credential.',
			};
		case 'not here':
			return {what: `${what} are not available from this service.`, why: reason};
		case 'not in plan':
			return {what: `${what} are not included in this plan.`, why: reason};
		case 'too old':
			return {what: `${what} are not kept that long.`, why: reason, next: 'Choose a more recent time range.'};
		case 'too long':
			return {
				what: `${what} can't be loaded for a time range this long.`,
				why: reason,
				next: 'Choose a shorter time range.',
			};
		case 'too much':
			return {
				what: `${what} have more rows than one query can return.`,
				why: reason,
				next: 'Choose a shorter time range, or request fewer.',
			};
		case 'too many fields':
			return {
				what: `${what} have fewer fields on this plan${path.length > 0 && message === '' ? `, without ${path.join(', ')}` : ''}.`,
				why: reason,
			};
		case 'unknown field':
			return {
				what: `${what} lack ${path.length > 0 && message === '' ? path.join(', ') : 'a field'} on this service.`,
				why: reason,
			};
		case 'no budget':
			return {what: `${what} were requested too often.`, why: reason, next: 'Try again in 5 minutes.'};
		case 'busy':
			return {
				what: `${what} can't be loaded right now: too many queries are in progress.`,
				why: reason,
				next: 'Try again in a moment.',
			};
		case 'failed':
			return {
				what: `${what} could not be loaded.`,
				why: reason,
				next: 'Try again in a moment.',
			};
	}
}

/** A missing part as `--json` prints it, the same for every command; `null` means unknown. */
export type MissingJson = {
	readonly kind: ProblemKind;
	readonly what: string;
	readonly why: string | null;
	readonly next: string | null;
};

export function buildMissingJson(subject: Subject, problem: AnalyticsProblem): MissingJson {
	const {what, why = null, next = null} = describeMissing(subject, problem);
	return {kind: problem.kind, what, why, next};
}

export const unspecifiedProblem: AnalyticsProblem = {kind: 'failed', message: '', path: []};

export function formatMissingLine(subject: Subject, problem: AnalyticsProblem = unspecifiedProblem): string {
	const {what, next} = describeMissing(subject, problem);
	return next === undefined ? what : `${what} ${next}`;
}

const failureCodeByKind: Readonly<Record<ProblemKind, FailureCode>> = {
	'not allowed': 'credential_refused',
	'not here': 'not_found',
	'not in plan': 'plan_lacks',
	'too old': 'refused_by_service',
	'too long': 'refused_by_service',
	'too much': 'refused_by_service',
	'too many fields': 'plan_lacks',
	'unknown field': 'refused_by_service',
	'no budget': 'rate_limited',
	busy: 'rate_limited',
	failed: 'refused_by_service',
};

/** Failure for callers that cannot continue without these numbers. */
export function createMissingFailure(
	subject: Subject,
	problem: AnalyticsProblem = unspecifiedProblem,
): Failure {
	const {what, why, next} = describeMissing(subject, problem);
	const {failure} = problem;
	return new Failure(
		problem.kind === 'failed' && failure ? failure.code : failureCodeByKind[problem.kind],
		what,
		{
			why,
			next,
			http: failure?.details.http,
			ray: failure?.details.ray,
		},
	);
}
