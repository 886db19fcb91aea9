import type {Advice, Failure} from '../../failure.ts';
import {getPrerequisiteAdvice} from '../../service/retry-advice.ts';
import {buildAdvice} from '../../text/advice.ts';
import {
	buildRuleOptions,
	formatCreateRuleCommand,
	formatCustomRulesExportCommand,
	formatFirewallListCommand,
	formatRulesCommand,
} from '../commands.ts';
import {buildRuleConfirmOptions} from './broad-rule.ts';
import type {FirewallZone, RuleSettings} from './rule.ts';

/**
 * Marks the failure of a write that had no effect and was not refused, so that `getNextStepAdvice` advises to
 * continue at once.
 */
export const markAsContinuable = (failure: Failure): Failure =>
	failure.withDetails({outcomeUnknown: true, next: undefined});

/** Formats how to continue after two steps stopped halfway, including what must be done first. */
export function getNextStepAdvice(failure: Failure, command: string): Advice {
	const {code, details} = failure;
	const isTransient = details.outcomeUnknown || code === 'interrupted' || code === 'unreachable';
	if (isTransient) return `Continue with: ${command}`;
	return buildAdvice`${getPrerequisiteAdvice(failure)} Then continue with: ${command}`;
}

/** Formats the next step if firewall rules are retired, and calls for them fail. */
export function formatCustomRuleAdvice(
	zone: Pick<FirewallZone, 'id' | 'name' | 'sessionOptions'>,
	draft: RuleSettings,
	expression: string | undefined,
): string {
	const exportNote = `To export all rules that can still be read: ${formatCustomRulesExportCommand(zone)}`;
	const command = expression === undefined ? undefined : formatSameCustomRule(zone, draft, expression);
	return command === undefined ? exportNote : `Create it as a custom rule: ${command}\n${exportNote}`;
}

/**
 * Formats the command that creates a firewall rule as a custom rule; undefined for actions that a custom rule
 * does not have (`allow`, `bypass`).
 */
export function formatSameCustomRule(
	zone: Pick<FirewallZone, 'id' | 'name' | 'sessionOptions'>,
	{priority: _, products: __, ...draft}: RuleSettings,
	expression: string,
): string | undefined {
	if (draft.action === 'allow' || draft.action === 'bypass') return undefined;
	return formatRulesCommand(
		zone,
		['create'],
		[
			'--expression',
			expression,
			...buildRuleOptions(draft),
			...buildRuleConfirmOptions(zone, [{after: {...draft, filter: {expression}}}]),
		],
	);
}

/** An existing filter; some fields may be unknown. */
type KnownFilter = {
	readonly id: string;
	readonly expression?: string | undefined;
	readonly paused?: boolean | undefined;
};

/** Formats the command that creates a draft's rule on a filter, including any confirmation. */
export const formatContinueCommand = (
	zone: Pick<FirewallZone, 'id' | 'name' | 'sessionOptions'>,
	draft: RuleSettings,
	filter: KnownFilter,
): string =>
	formatCreateRuleCommand(
		zone,
		draft,
		filter.id,
		buildRuleConfirmOptions(zone, [{after: {...draft, filter}}]),
	);

/** Advice after a lost response with an existing filter: check for the rule before sending it again. */
export const formatRuleCheckAdvice = (
	zone: Pick<FirewallZone, 'id' | 'name' | 'sessionOptions'>,
	draft: RuleSettings,
	filter: KnownFilter,
): string =>
	[
		`Before you send it again, check \`${formatFirewallListCommand(zone, 'rule')}\` for rules on filter ${filter.id}.`,
		`If there are none: ${formatContinueCommand(zone, draft, filter)}`,
	].join('\n');

/** Advice after a lost response if sending again cannot create a duplicate. */
export const sendAgainAdvice =
	'Send it again: if the filter was created after all, the service rejects the duplicate and names the existing filter.';

/** Note for the audit log that a write was found by reading the state. */
export const formatLostResponseNote = (isResponseLost: boolean): string =>
	isResponseLost ? ' (response lost; confirmed by a later check)' : '';
