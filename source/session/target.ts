import {Failure} from '../failure.ts';
import {resolveTarget, type SettingOptions} from '../settings/settings.ts';
import type {Sourced} from '../settings/sourced.ts';
import type {Target} from '../settings/target.ts';
import type {Session} from './session.ts';

/**
 * Returns where a session acts on keys, local data or the service, and what set it. The simulated service has
 * no local data: variables for it are ignored, options fail with `usage`.
 */
export function getSessionTarget(
	{
		simulated,
		variables,
		contexts,
		preferences,
		options: sessionOptions,
	}: Pick<Session, 'simulated' | 'variables' | 'options' | 'contexts' | 'preferences'>,
	options: Pick<SettingOptions, 'local' | 'remote'> = sessionOptions,
): Sourced<Target> {
	if (!simulated) return resolveTarget({options, variables, context: contexts.active, preferences});
	if (resolveTarget({options, variables: () => undefined}).value === 'remote')
		return {value: 'remote', from: '--simulate'};
	throw new Failure('usage', "--simulate and --local can't be combined.", {
		next: 'Leave one of them out.',
	});
}
