import {type Advice, Failure, type FailureCode, type FailureOutcome} from '../failure.ts';
import {buildAdvice, buildCommand, buildZoneCommand} from '../text/advice.ts';
import {isJsonObject} from '../text/json.ts';
import type {Envelope, ServiceMessage} from './envelope.ts';
import type {ResponseHeaders} from './http-fetch.ts';
import {findNeededPermission} from './permissions.ts';

/** Status and headers of a response that is not a success, and the request that it belongs to. */
export type ResponseContext = {
	readonly status: number;
	readonly headers: ResponseHeaders;
	readonly method: string;
	/** Path below the base URL, for messages. */
	readonly path: string;
};

/** Codes about the credential, with any HTTP status. */
const credentialCodes: ReadonlySet<number> = new Set([
	1000, 6003, 6102, 6103, 6111, 9103, 9106, 9107, 9109, 10_000, 10_037,
]);

const failureCodesByServiceCode: Readonly<Record<number, FailureCode>> = {
	971: 'rate_limited',
	7000: 'not_found',
	7003: 'not_found',
	10009: 'key_not_found',
	// A malformed id is no namespace's id: someone who passed a title should read that.
	10010: 'namespace_not_found',
	10011: 'namespace_not_found',
	10013: 'namespace_not_found',
	10014: 'already_exists',
	10022: 'rate_limited',
	10046: 'rate_limited',
	10048: 'rate_limited',
	// An existing filter with the same expression, from the filter call and from the combined one.
	10102: 'already_exists',
	10202: 'already_exists',
};

/**
 * Codes with which the service refuses, with any status, what an API in retirement no longer does. Reads may
 * go on. Other APIs use the same codes for other reasons, so that they count only below these paths.
 */
const retirementCodes: readonly {readonly code: number; readonly path: RegExp}[] = [
	{code: 10_020, path: /^\/zones\/[^/]+\/(?:filters|firewall\/rules)(?:[/?]|$)/},
	{code: 10_037, path: /^\/zones\/[^/]+\/rate_limits(?:[/?]|$)/},
];

const adviceByFailureCode: Partial<Record<FailureCode, Advice>> = {
	credential_refused: buildAdvice`See \`${buildCommand('whoami')}\` for the credential in use, and check its permissions.`,
	namespace_not_found: buildAdvice`See \`${buildCommand('kv namespace list')}\` for the namespaces that exist.`,
	rate_limited:
		'The quota is shared by everything that uses this account: wait five minutes, or use --concurrency 1.',
	service_failed: 'Try again in a moment; support will ask for the ray below.',
	gone: buildAdvice`This part of the service has been retired. Use instead: \`${buildZoneCommand('rules', 'list')}\` for custom rules, \`${buildZoneCommand('managed', 'show')}\` for managed rules.`,
};

/** More specific advice by service code. */
const adviceByServiceCode: Readonly<Record<number, string>> = {
	10022: 'The service accepts one write per second for each key: write this key less often.',
	10048: 'This is the daily limit of the free plan: continue tomorrow, or upgrade the plan of the account.',
};

/** Creates the failure of a refusal, with the service's messages, codes, chain, pointer and ray. */
export function createRefusal(response: ResponseContext, envelope: Envelope): Failure {
	const code = getFailureCode(response, envelope.errors);
	const firstError = envelope.errors[0];
	const message = firstError?.message
		? `The service rejected ${response.method} ${response.path}: ${formatServiceMessage(firstError)}`
		: `The service rejected ${response.method} ${response.path} with status ${response.status} and gave no reason.`;
	const detailLines = [
		...(firstError ? [...formatMessageLines(firstError.chain, 1)] : []),
		...envelope.errors.slice(1).flatMap(one => formatMessageLines([one], 0)),
	];
	const pointer = firstError?.pointer;
	const why = [
		...(pointer ? [`at ${pointer} of the request`] : []),
		...detailLines,
		...formatMessageLines(envelope.messages, 0),
	].join('\n');
	const serviceCodes = listCodes(envelope.errors);
	const outcome = getSpecialOutcome(code, envelope);
	const advisedCode = serviceCodes.find(one => adviceByServiceCode[one] !== undefined);
	return new Failure(code, message, {
		...getResponseDetails(response),
		...(why && {why}),
		next: advisedCode === undefined ? getAdvice(code, response) : adviceByServiceCode[advisedCode],
		service: serviceCodes,
		...(outcome && {outcome}),
		cause: {errors: envelope.errors, messages: envelope.messages} satisfies RefusalBody,
	});
}

/** Returns what to do about a refusal; for a missing permission, which one is needed. */
function getAdvice(code: FailureCode, response: ResponseContext): Advice | undefined {
	const advice = adviceByFailureCode[code];
	const permission =
		code === 'credential_refused' && response.status === 403 ? findNeededPermission(response) : undefined;
	if (permission === undefined) return advice;
	const contrast =
		permission === 'Zone → WAF → Edit'
			? ' Firewall Services → Edit covers only filters and firewall rules.'
			: '';
	return buildAdvice`This needs the permission ${permission}.${contrast} ${advice}`;
}

/** Errors and messages in the envelope of a refusal. */
type RefusalBody = Pick<Envelope, 'errors' | 'messages'>;

/**
 * Returns the errors and messages of the response that a failure comes from; undefined if it had no envelope.
 */
export function getRefusalBody({details: {cause}}: Failure): RefusalBody | undefined {
	const hasRefusalBody = isJsonObject(cause) && Array.isArray(cause.errors) && Array.isArray(cause.messages);
	return hasRefusalBody ? (cause as RefusalBody) : undefined;
}

/** Finds the id in `meta.id` of a message: the existing or remaining object. */
export function findNamedId(messages: readonly ServiceMessage[]): string | undefined {
	for (const {meta, chain} of messages) {
		if (typeof meta?.id === 'string' && meta.id !== '') return meta.id;
		const nestedId = findNamedId(chain);
		if (nestedId !== undefined) return nestedId;
	}
	return undefined;
}

/**
 * Creates the failure for a response without an envelope. 429 is throttling, whatever its body; a page
 * instead of JSON, and any such 403, come from something in front of the service; 5xx is a service failure;
 * the rest is malformed.
 */
export function createUnexpectedBodyFailure(response: ResponseContext, text: string): Failure {
	const {status, headers, method, path} = response;
	const contentType = headers.get('content-type') ?? 'no content type';
	const excerpt = text.slice(0, 100).replace(/\s+/g, ' ').trim();
	const why = `Status ${status}, ${contentType}; it begins: ${excerpt || '(nothing)'}`;
	const details = {...getResponseDetails(response), why};
	if (status === 429) {
		const next = adviceByFailureCode.rate_limited;
		return new Failure('rate_limited', `The service throttled ${method} ${path}.`, {...details, next});
	}
	const isHtml = /\bhtml\b/i.test(contentType) || /^\s*</.test(text);
	if (headers.has('cf-mitigated') || status === 403 || (status >= 400 && status < 500 && isHtml)) {
		return new Failure('blocked', `${method} ${path} was blocked before it reached the service.`, {
			...details,
			next: 'A firewall, a challenge or a proxy in front of the service answered: try from another network address, and give support the ray.',
		});
	}
	const code = status >= 500 ? 'service_failed' : 'answer_malformed';
	return new Failure(code, `The response to ${method} ${path} is not what the service should send.`, {
		...details,
		next: buildAdvice`Check the base URL (\`${buildCommand('config')}\` shows it), and any proxy in between.`,
	});
}

/** Creates the failure for a well-formed response that contradicts itself or lacks required parts. */
export const createInconsistentResponseFailure = (response: ResponseContext, why: string): Failure =>
	new Failure(
		response.status >= 500 ? 'service_failed' : 'answer_malformed',
		`The response to ${response.method} ${response.path} is not what the service should send.`,
		{
			...getResponseDetails(response),
			why,
			next: buildAdvice`Check the base URL (\`${buildCommand('config')}\` shows it), and any proxy in between.`,
		},
	);

/** Creates the failure for a response with a number that cannot be sent back exactly. */
export const createInexactNumberFailure = (response: ResponseContext, number: string): Failure =>
	new Failure(
		'answer_malformed',
		`The response to ${response.method} ${response.path} contains the number ${number}, which cannot be represented exactly.`,
		{
			...getResponseDetails(response),
			why: 'It has more digits than a JSON number can hold, or is out of range.',
		},
	);

/**
 * Creates the failure for a redirect. Redirects are never followed, so that the credential goes nowhere else.
 */
export const createRedirectFailure = (response: ResponseContext): Failure =>
	new Failure('redirected', `The service answered ${response.method} ${response.path} with a redirect.`, {
		...getResponseDetails(response),
		why: `It points to ${response.headers.get('location') ?? 'nowhere'}; ledge sends its credential to the base URL only.`,
		next: buildAdvice`Check the base URL (\`${buildCommand('config')}\` shows it).`,
	});

const getResponseDetails = (response: ResponseContext) => ({
	http: response.status,
	ray: response.headers.get('cf-ray') ?? undefined,
});

function getFailureCode({status, path}: ResponseContext, errors: readonly ServiceMessage[]): FailureCode {
	const codes = listCodes(errors);
	if (retirementCodes.some(retired => codes.includes(retired.code) && retired.path.test(path))) return 'gone';
	// A response with such a status is no refusal, whatever its other codes.
	if (status >= 500) return 'service_failed';
	if (status === 429) return 'rate_limited';
	for (const code of codes) {
		const knownCode = failureCodesByServiceCode[code];
		if (knownCode) return knownCode;
	}
	if (codes.some(code => credentialCodes.has(code)) || status === 401) return 'credential_refused';
	if (status === 410) return 'gone';
	if (status === 404 && errors.length > 0) return 'not_found';
	return 'refused_by_service';
}

/** Returns the outcome if the failure's code does not imply it. */
function getSpecialOutcome(code: FailureCode, {errors}: Envelope): FailureOutcome | undefined {
	if (code === 'not_found' && listCodes(errors).some(isRouteCode)) return 'unrouted';
	return code === 'refused_by_service' && errors.length === 0 ? 'refused without a reason' : undefined;
}

const isRouteCode = (code: number): boolean => code === 7000 || code === 7003;

const listCodes = (messages: readonly ServiceMessage[]): number[] =>
	messages.flatMap(message => [
		...(message.code === undefined ? [] : [message.code]),
		...listCodes(message.chain),
	]);

const formatServiceMessage = (message: ServiceMessage): string =>
	message.code === undefined ? message.message : `${message.message} (code ${message.code})`;

const formatMessageLines = (messages: readonly ServiceMessage[], depth: number): string[] =>
	messages.flatMap(message => [
		`${'  '.repeat(depth)}${formatServiceMessage(message)}`,
		...formatMessageLines(message.chain, depth + 1),
	]);
