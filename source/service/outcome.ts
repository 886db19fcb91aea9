import {Failure, type FailureCode, type Outcome} from '../failure.ts';

/** What the code of a failure means for its request, where nothing more exact is known. */
const byCode: Partial<Record<FailureCode, Outcome>> = {
	refused_by_service: 'refused',
	already_exists: 'refused',
	credential_refused: 'not allowed',
	rate_limited: 'throttled',
	key_not_found: 'absent',
	namespace_not_found: 'absent',
	not_found: 'absent',
	gone: 'retired',
	blocked: 'blocked',
	answer_malformed: 'malformed',
	redirected: 'redirected',
	service_failed: 'failed',
	connection_lost: 'no answer',
	timed_out: 'no answer',
	unreachable: 'not sent',
};

/** The outcome of the request behind a failure; `undefined` when no request is behind it. */
export const outcomeOf = (failure: Failure): Outcome | undefined =>
	failure.details.outcome ?? byCode[failure.code];

const unknown: ReadonlySet<Outcome | undefined> = new Set([
	'blocked',
	'malformed',
	'redirected',
	'failed',
	'no answer',
]);

/**
 * Whether a write that failed so may have taken effect all the same. Only what provably did not leave counts as not
 * sent, and only a well-formed 4xx as the service's no; after anything else, a success that denies itself included,
 * the state has to be read.
 */
export function isOutcomeUnknown(failure: Failure): boolean {
	const outcome = outcomeOf(failure);
	const {http} = failure.details;
	return unknown.has(outcome) || (outcome !== undefined && http !== undefined && http < 400);
}

/**
 * Codes that the service documents, or that its clients are known to rely on: authentication, routing, rate limit,
 * key-value store, filters and rulesets.
 */
const documentedCodes: ReadonlySet<number> = new Set([
	...[971, 1000, 1002, 1003, 1004, 1005, 6003, 6102, 6103, 6111, 7000, 7003],
	...[9103, 9106, 9107, 9109, 10_000, 10_001, 10_102, 10_202, 10_405, 10_429, 20_217],
	...Array.from({length: 46}, (_, index) => 10_002 + index),
	10_048,
]);

/**
 * Whether a failed reading is a fact about the zone or namespace: a refusal with a documented code, what is documented
 * as absent, or an endpoint that was retired. A blocked, malformed or missing answer, a credential that lacks a
 * permission, and a refusal without a reason say nothing about what was asked for.
 */
export function isFact(error: unknown): error is Failure {
	if (!(error instanceof Failure)) return false;
	switch (outcomeOf(error)) {
		case 'absent':
		case 'retired':
			return true;
		case 'refused':
			return error.details.service?.some(code => documentedCodes.has(code)) === true;
		default:
			return false;
	}
}

/** Whether the service answers that what was asked for does not exist; never true of an address that it does not know. */
export const isAbsent = (error: unknown): error is Failure =>
	error instanceof Failure && outcomeOf(error) === 'absent';
