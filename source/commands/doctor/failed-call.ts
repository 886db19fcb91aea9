import type {Failure} from '../../failure.ts';
import {getOutcome, isInvalidCredential} from '../../service/outcome.ts';
import {type CheckResult, shortenId} from './check.ts';

/**
 * Describes a call that failed. Uses only its outcome, status and codes: messages of the service, and excerpts
 * of its answers, may contain data.
 */
export function describeFailedCall(failure: Failure, permission: string | undefined): CheckResult {
	const {http, service = [], ray} = failure.details;
	const codes = service.slice(0, 3);
	const facts = {state: 'failed' as const, permission, http, codes, ray};
	const marks = [
		...(http === undefined ? [] : [`HTTP ${http}`]),
		...(codes.length > 0 ? [`code ${codes.join(', ')}`] : []),
	].join(', ');
	const note = marks && ` (${marks})`;
	switch (getOutcome(failure)) {
		case 'not allowed':
			if (http !== 403 || isInvalidCredential(failure))
				return {
					...facts,
					finding: `the service does not accept the credential${note}`,
					next: 'Replace the credential.',
				};
			return {
				...facts,
				finding: `not permitted${note}`,
				next: permission === undefined ? undefined : `Add the permission ${permission} to the token.`,
			};
		case 'throttled':
			return {
				...facts,
				finding: `throttled${note}`,
				next: 'Wait five minutes: everything that uses this account shares the quota.',
			};
		case 'retired':
			return {...facts, finding: `retired by the service${note}`};
		case 'absent':
		case 'unrouted':
			return {...facts, finding: `the service does not know this address${note}`};
		case 'blocked':
			return {
				...facts,
				finding: `blocked by something in front of the service${note}`,
				next: 'Try from another network, and check proxies and firewalls on the way.',
			};
		case 'malformed':
			return {...facts, finding: `the answer is not what the service should send${note}`, next: checkAddress};
		case 'redirected':
			return {...facts, finding: `redirected, which is never followed${note}`, next: checkAddress};
		case 'failed':
			return {...facts, finding: `the service failed${note}`, next: 'Try again in a moment.'};
		case 'no answer':
			return {...facts, finding: failure.code === 'timed_out' ? 'no answer in time' : 'the connection broke'};
		case 'refused':
		case 'refused without a reason':
			return {...facts, finding: `refused${note}`};
		default:
			return describeLocalFailure(failure);
	}
}

const checkAddress = 'Check the base URL, and any proxy in between.';

/** Describes a failure on this machine, whose message is ledge's own. Ids in its advice are shortened. */
export const describeLocalFailure = (failure: Failure): CheckResult => ({
	state: 'failed',
	finding:
		failure.code === 'internal'
			? `a bug in ledge (${failure.cause instanceof Error ? failure.cause.name : 'unknown'})`
			: failure.message.replace(/\.$/, ''),
	next: failure.next?.replaceAll(/\b[0-9a-f]{32}\b/g, shortenId),
});
