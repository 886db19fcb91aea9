import type {Failure} from '../failure.ts';

/**
 * Whether the service knows what was asked for and will not give it: retired, not in the plan, not for this credential.
 * Of a credential that it does not know at all (400, 401) nothing could be read.
 */
export function isWithheld({code, details}: Failure): boolean {
	switch (code) {
		case 'not_eligible':
		case 'not_found':
		case 'gone':
		case 'refused_by_service':
			return true;
		case 'credential_refused':
			return details.http === 403;
		default:
			return false;
	}
}
