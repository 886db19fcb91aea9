import type {Advice, Failure} from '../../failure.ts';
import {beforehand} from '../../service/again.ts';
import {advice} from '../../text/advice.ts';
import {continuation, customRulesExport, listing} from '../continuation.ts';
import {confirmWords} from './broad-rule.ts';
import {emergencyCommand} from './emergency-command.ts';
import type {FirewallZone, RuleSettings} from './rule.ts';

/**
 * Marks the failure of a write that had no effect and was not refused: the next command needs nothing first.
 */
export const continuable = (failure: Failure): Failure =>
	failure.with({outcomeUnknown: true, next: undefined});

/** Formats how to continue after two steps stopped halfway, including what must be done first. */
export function onward(failure: Failure, command: string): Advice {
	const {code, details} = failure;
	const isPassing = details.outcomeUnknown || code === 'interrupted' || code === 'unreachable';
	if (isPassing) return `Continue with: ${command}`;
	return advice`${beforehand(failure)} Then continue with: ${command}`;
}

/** Formats the next step if firewall rules are retired (410) and every call for them fails. */
export function insteadOfRules(
	zone: Pick<FirewallZone, 'id' | 'name' | 'way'>,
	draft: RuleSettings,
	expression: string | undefined,
): string {
	const rest = `For all rules that can still be read: ${customRulesExport(zone)}`;
	if (expression === undefined) return rest;
	return `Put it in force as a custom rule: ${emergencyCommand(zone, draft, expression)}\n${rest}`;
}

/** An existing filter; some fields may be unknown. */
type KnownFilter = {
	readonly id: string;
	readonly expression?: string | undefined;
	readonly paused?: boolean | undefined;
};

/** Formats the command that creates a draft's rule on a filter, including any confirmation. */
export const continueOn = (
	zone: Pick<FirewallZone, 'id' | 'name' | 'way'>,
	draft: RuleSettings,
	filter: KnownFilter,
): string => continuation(zone, draft, filter.id, confirmWords(zone, [{after: {...draft, filter}}]));

/** Advice after a lost answer with an existing filter: check for the rule before sending it again. */
export const lookForRule = (
	zone: Pick<FirewallZone, 'id' | 'name' | 'way'>,
	draft: RuleSettings,
	filter: KnownFilter,
): string =>
	[
		`See \`${listing(zone, 'rule')}\` for rules on filter ${filter.id} before you send it again.`,
		`Where there is none: ${continueOn(zone, draft, filter)}`,
	].join('\n');

/** Advice after a lost answer if sending again cannot create a duplicate. */
export const sendAgain =
	'Send it again: if the filter is created after all, the service refuses a second one and names it.';

/** Note for the audit log that a write was found by reading the state. */
export const afterLostAnswer = (lost: boolean): string => (lost ? ' (its answer was lost; found there)' : '');
