import {Failure} from '../failure.ts';
import {defaultBaseUrl, isLoopback, simulatedBaseUrl} from '../settings/base-url.ts';
import {buildCallPath, type Call, type ServiceVerdict} from './call.ts';

/** Asks the service whether it would accept a write, if it can check this one. Never rejects. */
export const requestVerdict = async (call: Call): Promise<ServiceVerdict> =>
	(await call.askService?.()) ?? uncheckedVerdict;

const uncheckedVerdict: ServiceVerdict = {
	state: 'not checked',
	failure: new Failure('usage', 'The service can check only changes of rulesets.'),
};

/**
 * Returns the call that asks about a write. Fails with `usage` for a service that may not know `dry_run`, and
 * for a migration, which cannot be undone if the service makes it instead.
 */
export function toQuestion(call: Call, baseUrl: string): Call {
	if (!canAskService(baseUrl))
		throw new Failure('usage', 'Another service than the default one is not asked about changes.', {
			why: `${new URL(baseUrl).host} may not know checks, and would make the change.`,
		});
	if (buildCallPath(call).includes('waf_migration'))
		throw new Failure('internal', 'A migration must never be sent as a check.');
	return {...call, query: {...call.query, dry_run: 'true'}};
}

const canAskService = (baseUrl: string): boolean =>
	baseUrl === defaultBaseUrl || baseUrl === simulatedBaseUrl || isLoopback(new URL(baseUrl).hostname);
