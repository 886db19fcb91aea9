import {asFailure, Failure} from '../../failure.ts';
import {customRuleFindings} from '../../firewall/rules/emergency-check.ts';
import {customRuleCommand, emergencyCommand} from '../../firewall/rules/emergency-command.ts';
import {
	type CustomRulePlan,
	createCustomRule,
	findCustomRule,
	readCustomRulePlan,
} from '../../firewall/rules/emergency-custom-rule.ts';
import {type EmergencyDraft, findRefusal} from '../../firewall/rules/emergency-draft.ts';
import {placeOfZone} from '../../session/write-place.ts';
import {canAsk, confirm} from '../../terminal/prompt.ts';
import type {CommandContext} from '../shell/context.ts';
import {sayEmergency} from './emergency-report.ts';
import type {OpenedZone} from './zone.ts';

/**
 * Creates the same block as one custom rule, after showing it: on request (`--custom-rule`), or because the
 * service has retired firewall rules, as the failure `gone` says.
 */
export async function asCustomRule(
	context: CommandContext,
	opened: OpenedZone,
	draft: EmergencyDraft,
	gone?: Failure,
): Promise<void> {
	const {output, signal} = context;
	const {zone, client} = opened;
	const plan = await readCustomRulePlan(client, zone, draft, signal).catch((error: unknown) => {
		const failure = asFailure(error);
		throw gone ? failure.with({left: `${gone.message} ${gone.details.left ?? ''}`.trim()}) : failure;
	});
	const found = findCustomRule(plan);
	if (found) return sayEmergency(context, opened, draft, found);
	for (const {severity, sentence, failure} of customRuleFindings(draft, zone, plan)) {
		if (severity === 'error') throw failure;
		output.warn(sentence);
	}
	const request = shown(plan);
	output.say(
		gone
			? 'The service has retired firewall rules (410). The same as one custom rule, before all others:'
			: 'One custom rule, before all others:',
	);
	for (const line of request) output.say(line);
	if (typeof draft.priority === 'number')
		output.warn(
			`The priority ${draft.priority} has no meaning there: custom rules go in the order of their list.`,
		);
	const {yes, json, host} = context.confirmation();
	if (!yes && (!canAsk(host) || json)) {
		const failure = gone ?? new Failure('unconfirmed', 'Not confirmed, so nothing was sent.');
		throw failure.with({
			why: [failure.details.why, 'The custom rule would be sent as:', ...request].filter(Boolean).join('\n'),
			next: `To put it in force as one custom rule: \`${sameCommand(zone, draft, gone !== undefined)} --yes\``,
		});
	}
	await confirm(`Put it in force in ${zone.label}?`, {yes, json, host}, signal);
	const done = await context.auditedWrites(
		placeOfZone(zone),
		({sends, wrote}) => {
			sends(`emergency custom rule (${plan.rule.action})`);
			return createCustomRule(client, zone, plan, {signal, onWrite: wrote});
		},
		findRefusal,
	);
	if (!context.options.dryRun) await sayEmergency(context, opened, draft, done);
}

/** Formats the command that creates the same custom rule. */
function sameCommand(zone: OpenedZone['zone'], draft: EmergencyDraft, isGone: boolean): string {
	const {priority, ...settings} = draft;
	return isGone ? emergencyCommand(zone, settings, draft.filter.expression) : customRuleCommand(zone, draft);
}

/** Formats the request to be sent. */
const shown = ({request: {method, path, body}}: CustomRulePlan): readonly string[] => [
	`${method} ${path}`,
	...JSON.stringify(body, null, 2)
		.split('\n')
		.map(line => `  ${line}`),
];
