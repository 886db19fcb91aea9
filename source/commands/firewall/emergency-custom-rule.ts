import {asFailure, Failure} from '../../failure.ts';
import {customRuleFindings} from '../../firewall/rules/emergency-check.ts';
import {customRuleCommand, emergencyCommand} from '../../firewall/rules/emergency-command.ts';
import {
	type CustomRulePlan,
	createCustomRule,
	type EmergencyCustomRule,
	planCustomRule,
} from '../../firewall/rules/emergency-custom-rule.ts';
import type {EmergencyDraft} from '../../firewall/rules/emergency-draft.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import {placeOfZone} from '../../session/write-place.ts';
import {canAsk, confirm} from '../../terminal/prompt.ts';
import type {CommandContext} from '../shell/context.ts';
import {inForceValue, lost, sayInForce, sayUndo} from './emergency-report.ts';
import type {OpenedZone} from './zone.ts';

/**
 * The same block as one custom rule, shown first: where that was asked for, and for a service that has
 * retired firewall rules, which `gone` is.
 */
export async function asCustomRule(
	context: CommandContext,
	opened: OpenedZone,
	draft: EmergencyDraft,
	gone?: Failure,
): Promise<void> {
	const {output, signal} = context;
	const {zone, client} = opened;
	const plan = await planCustomRule(client, zone, draft, signal).catch((error: unknown) => {
		const failure = asFailure(error);
		throw gone ? failure.with({left: `${gone.message} ${gone.details.left ?? ''}`.trim()}) : failure;
	});
	const send = () => createCustomRule(client, zone, plan, {signal});
	if (plan.already) return customInForce(context, opened, await send());
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
		async ({sends, wrote}) => {
			sends(`emergency custom rule (${plan.rule.action})`);
			const made = await send();
			if (made.state === 'created') wrote(`create custom rule ${made.rule.id ?? '(of unknown id)'}`);
			return made;
		},
		made => ('failure' in made ? made.failure : undefined),
	);
	if (!context.options.dryRun) await customInForce(context, opened, done);
}

/** The command that makes the custom rule of a plan. */
function sameCommand(zone: OpenedZone['zone'], draft: EmergencyDraft, isGone: boolean): string {
	const {priority, ...settings} = draft;
	return isGone ? emergencyCommand(zone, settings, draft.filter.expression) : customRuleCommand(zone, draft);
}

/** The request as it will be sent. */
const shown = ({request: {method, path, body}}: CustomRulePlan): readonly string[] => [
	`${method} ${path}`,
	...JSON.stringify(body, null, 2)
		.split('\n')
		.map(line => `  ${line}`),
];

async function customInForce(
	{output, marked}: CommandContext,
	{zone}: OpenedZone,
	done: EmergencyCustomRule,
): Promise<void> {
	if (done.state !== 'created') throw done.failure;
	const {rule, ruleset, afterDoubt, already, earlier} = done;
	const what = `custom rule ${formatRuleName(rule)} in ruleset ${ruleset.id}, in zone ${zone.name}`;
	const paused = rule.enabled === false;
	const {id, action, expression} = rule;
	if (paused)
		output.say(
			already
				? `Already exists, but is paused: ${what}. Nothing was created.`
				: `Created, but paused, so it stops nothing yet: ${what}.${afterDoubt ? lost : ''}`,
		);
	else {
		const block = {id, what, action, expression, earlier, afterDoubt};
		sayInForce(output, zone, block, already ? 'already' : 'created');
		if (!already && !output.json) sayUndo(output, zone, {form: 'custom rule', rule});
	}
	if (output.json)
		await output.value([marked({...rule, ruleset: ruleset.id, ...inForceValue(expression, earlier)})]);
}
