import {Failure, toFailure} from '../../failure.ts';
import {checkCustomRuleQuota} from '../../firewall/rules/emergency-check.ts';
import {formatCustomRuleCommand, formatEmergencyCommand} from '../../firewall/rules/emergency-command.ts';
import {
	type CustomRulePlan,
	createCustomRule,
	findExistingRuleOutcome,
	readCustomRulePlan,
} from '../../firewall/rules/emergency-custom-rule.ts';
import {type EmergencyDraft, findAuditedFailure} from '../../firewall/rules/emergency-draft.ts';
import {toZonePlace} from '../../session/write-place.ts';
import {canAsk, confirmAction} from '../../terminal/prompt.ts';
import type {CommandContext} from '../shell/context.ts';
import {printEmergency} from './emergency-report.ts';
import type {OpenedZone} from './zone.ts';

/**
 * Shows the block as one custom rule, then creates it: on request (`--custom-rule`), or because the service
 * has retired firewall rules, which `retirementFailure` reports.
 */
export async function createEmergencyCustomRule(
	context: CommandContext,
	openedZone: OpenedZone,
	draft: EmergencyDraft,
	retirementFailure?: Failure,
): Promise<void> {
	const {output, signal} = context;
	const {zone, client} = openedZone;
	const plan = await readCustomRulePlan(client, zone, draft, signal).catch((error: unknown) => {
		const failure = toFailure(error);
		throw retirementFailure
			? failure.withDetails({
					left: `${retirementFailure.message} ${retirementFailure.details.left ?? ''}`.trim(),
				})
			: failure;
	});
	const existingRule = findExistingRuleOutcome(plan);
	if (existingRule) return printEmergency(context, openedZone, draft, existingRule);
	for (const {severity, sentence, failure} of checkCustomRuleQuota(draft, zone, plan)) {
		if (severity === 'error') throw failure;
		output.warn(sentence);
	}
	const request = formatRequest(plan);
	output.say(
		retirementFailure
			? 'The service has retired firewall rules. The equivalent custom rule, ahead of all others:'
			: 'Custom rule, ahead of all others:',
	);
	for (const line of request) output.say(line);
	if (typeof draft.priority === 'number')
		output.warn(`Priority ${draft.priority} is ignored: custom rules run in list order.`);
	const {yes, json, host} = context.getConfirmation();
	if (!yes && (!canAsk(host) || json)) {
		const failure = retirementFailure ?? new Failure('unconfirmed', 'Not confirmed, so nothing was sent.');
		throw failure.withDetails({
			why: [failure.details.why, 'The request would be:', ...request].filter(Boolean).join('\n'),
			next: `To create the custom rule: \`${formatSameCommand(zone, draft, retirementFailure !== undefined)} --yes\``,
		});
	}
	await confirmAction(`Create this custom rule in ${zone.label}?`, {yes, json, host}, signal);
	const emergency = await context.auditWrites(
		toZonePlace(zone),
		({onSend, onWritten}) => {
			onSend(`emergency custom rule (${plan.rule.action})`);
			return createCustomRule(client, zone, plan, {signal, onWritten});
		},
		findAuditedFailure,
	);
	if (!context.options.dryRun) await printEmergency(context, openedZone, draft, emergency);
}

/** Formats the command that creates the same custom rule. */
function formatSameCommand(zone: OpenedZone['zone'], draft: EmergencyDraft, isRetired: boolean): string {
	const {priority, ...settings} = draft;
	return isRetired
		? formatEmergencyCommand(zone, settings, draft.filter.expression)
		: formatCustomRuleCommand(zone, draft);
}

/** Formats the request to be sent. */
const formatRequest = ({request: {method, path, body}}: CustomRulePlan): readonly string[] => [
	`${method} ${path}`,
	...JSON.stringify(body, null, 2)
		.split('\n')
		.map(line => `  ${line}`),
];
