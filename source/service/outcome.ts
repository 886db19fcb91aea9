import {Failure, type FailureCode, type FailureOutcome} from '../failure.ts';

/** The outcome of a request for each failure code, used if nothing more exact is known. */
const outcomesByFailureCode: Partial<Record<FailureCode, FailureOutcome>> = {
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

/** Returns the outcome of a failure's request; undefined if none was made. */
export const getOutcome = (failure: Failure): FailureOutcome | undefined =>
	failure.details.outcome ?? outcomesByFailureCode[failure.code];

const unknownOutcomes: ReadonlySet<FailureOutcome | undefined> = new Set([
	'blocked',
	'malformed',
	'redirected',
	'failed',
	'no answer',
]);

/**
 * True if a failed write may have taken effect. Only a request that provably was not sent, or a well-formed
 * 4xx, rules that out; after anything else, even a self-contradicting success, the state must be read.
 */
export function isOutcomeUnknown(failure: Failure): boolean {
	const outcome = getOutcome(failure);
	const {http} = failure.details;
	return unknownOutcomes.has(outcome) || (outcome !== undefined && http !== undefined && http < 400);
}

/**
 * Codes that the service documents or its clients rely on: authentication, routing, rate limit, key-value
 * store, filters and rulesets.
 */
const documentedCodes: ReadonlySet<number> = new Set([
	...[971, 1000, 1002, 1003, 1004, 1005, 6003, 6102, 6103, 6111, 7000, 7003],
	...[9103, 9106, 9107, 9109, 10_000, 10_001, 10_102, 10_202, 10_405, 10_429, 20_217],
	...Array.from({length: 46}, (_, index) => 10_002 + index),
	10_048,
]);

/**
 * True if a failed read proves something about the zone or namespace: a refusal with a documented code, a
 * documented absence, or a retired endpoint. Blocked, malformed or missing responses, missing permissions,
 * and refusals without a reason prove nothing.
 */
export function isConclusiveFailure(error: unknown): error is Failure {
	if (!(error instanceof Failure)) return false;
	switch (getOutcome(error)) {
		case 'absent':
		case 'retired':
			return true;
		case 'refused':
			return error.details.service?.some(code => documentedCodes.has(code)) === true;
		default:
			return false;
	}
}

/** True if the service says that the object does not exist; never for an unknown address. */
export const isAbsent = (error: unknown): error is Failure =>
	error instanceof Failure && getOutcome(error) === 'absent';

/**
 * True if the service rejects the credential itself rather than its permissions: 401, or 403 with the message
 * of an unknown token.
 */
export const isInvalidCredential = ({code, message, details: {http}}: Failure): boolean =>
	code === 'credential_refused' &&
	(http === 401 || (http === 403 && /invalid (access|api) token/i.test(message)));
