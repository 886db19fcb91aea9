import type {Advice, Failure} from '../../failure.ts';
import {beforehand} from '../../service/again.ts';
import {advice} from '../../text/advice.ts';
import {continuation, customRulesExport, listing} from '../continuation.ts';
import {confirmWords} from './broad-rule.ts';
import {emergencyCommand} from './emergency-command.ts';
import type {FirewallZone, RuleSettings} from './rule.ts';

/** The failure of a write that took no effect though nobody refused it: nothing has to be done before what comes next. */
export const continuable = (failure: Failure): Failure =>
	failure.with({outcomeUnknown: true, next: undefined});

/** The command that continues where two steps stopped, after what has to be done first. */
export function onward(failure: Failure, command: string): Advice {
	const {code, details} = failure;
	const isPassing = details.outcomeUnknown || code === 'interrupted' || code === 'unreachable';
	if (isPassing) return `Continue with: ${command}`;
	return advice`${beforehand(failure)} Then continue with: ${command}`;
}

/** The way on where firewall rules are gone (410): every call for them fails. */
export function insteadOfRules(
	zone: Pick<FirewallZone, 'id' | 'name' | 'way'>,
	draft: RuleSettings,
	expression: string | undefined,
): string {
	const rest = `For all rules that can still be read: ${customRulesExport(zone)}`;
	if (expression === undefined) return rest;
	return `Put it in force as a custom rule: ${emergencyCommand(zone, draft, expression)}\n${rest}`;
}

/** A filter that exists, as far as it is known. */
type KnownFilter = {
	readonly id: string;
	readonly expression?: string | undefined;
	readonly paused?: boolean | undefined;
};

/** The command that makes the rule of a draft on a filter, with all that it needs to run. */
export const continueOn = (
	zone: Pick<FirewallZone, 'id' | 'name' | 'way'>,
	draft: RuleSettings,
	filter: KnownFilter,
): string => continuation(zone, draft, filter.id, confirmWords(zone, [{after: {...draft, filter}}]));

/** After a lost answer, with a filter that exists: whether the rule exists is looked up first. */
export const lookForRule = (
	zone: Pick<FirewallZone, 'id' | 'name' | 'way'>,
	draft: RuleSettings,
	filter: KnownFilter,
): string =>
	[
		`See \`${listing(zone, 'rule')}\` for rules on filter ${filter.id} before you send it again.`,
		`Where there is none: ${continueOn(zone, draft, filter)}`,
	].join('\n');

/** After a lost answer, with nothing that would be made twice. */
export const sendAgain =
	'Send it again: if the filter is created after all, the service refuses a second one and names it.';

/** A finding of a look, behind what was written, for the audit log. */
export const afterLostAnswer = (lost: boolean): string => (lost ? ' (its answer was lost; found there)' : '');
