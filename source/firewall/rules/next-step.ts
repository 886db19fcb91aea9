import type {Advice, Failure} from '../../failure.ts';
import {refusedWith} from '../../service/refusal.ts';
import {advice} from '../../text/advice.ts';
import {continuation, customRulesExport, emergencyCommand, listing} from '../continuation.ts';
import type {FirewallZone, RuleSettings} from './rule.ts';

/** What to do after a write that changed nothing. */
export const again = (failure: Failure): Advice =>
	failure.details.next ??
	(failure.code === 'interrupted' ? 'Nothing has to be undone.' : `${mended(failure)} Then send it again.`);

/** The failure of a write that took no effect though nobody refused it: nothing has to be done before what comes next. */
export const continuable = (failure: Failure): Failure =>
	failure.with({outcomeUnknown: true, next: undefined});

/** The command that continues where two steps stopped, after what has to be done first. */
export function onward(failure: Failure, command: string): Advice {
	const {code, details} = failure;
	const isPassing = details.outcomeUnknown || code === 'interrupted' || code === 'unreachable';
	if (isPassing) return `Continue with: ${command}`;
	return advice`${details.next ?? mended(failure)} Then continue with: ${command}`;
}

/** What to mend after a refusal: what its words name, or what is mostly behind one without words. */
function mended(failure: Failure): string {
	if (refusedWith(failure)?.errors.some(({message}) => message !== ''))
		return failure.code === 'not_found'
			? 'Check whether the zone and the objects named still exist, and whether the token may see them.'
			: 'Correct what the service names.';
	return 'The service names no reason; often it is the plan of the zone, or a permission that the token lacks. Check both.';
}

/** The way on where firewall rules are gone (410): every call for them fails. */
export function insteadOfRules(
	zone: Pick<FirewallZone, 'id' | 'way'>,
	draft: RuleSettings,
	expression: string | undefined,
): string {
	const rest = `For all rules that can still be read: ${customRulesExport(zone)}`;
	if (expression === undefined) return rest;
	return `Put it in force as a custom rule: ${emergencyCommand(zone, draft, expression)}\n${rest}`;
}

/** After a lost answer, with a filter that exists: whether the rule exists is looked up first. */
export const lookForRule = (
	zone: Pick<FirewallZone, 'id' | 'way'>,
	draft: RuleSettings,
	filterId: string,
): string =>
	[
		`See \`${listing(zone, 'rule')}\` for rules on filter ${filterId} before you send it again.`,
		`Where there is none: ${continuation(zone, draft, filterId)}`,
	].join('\n');

/** After a lost answer, with nothing that would be made twice. */
export const sendAgain =
	'Send it again: if the filter is created after all, the service refuses a second one and names it.';

/** A finding of a look, behind what was written, for the audit log. */
export const afterLostAnswer = (lost: boolean): string => (lost ? ' (its answer was lost; found there)' : '');
