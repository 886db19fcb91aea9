import {Failure, isFailure, toFailure} from '../../failure.ts';
import {deleteOldRules, type OldRulesPlan, planOldRuleDeletion} from '../../firewall/export/delete-old.ts';
import {createKeptRulesFailure, describeKeptRule, type KeptRule} from '../../firewall/export/kept-rules.ts';
import type {DeletionPlan} from '../../firewall/rules/delete-rule.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {listFirewallRules} from '../../firewall/rules/rules.ts';
import {readRulesetEntryPoint} from '../../rulesets/calls.ts';
import {customPhase, type RulesetRule} from '../../rulesets/ruleset.ts';
import {canAsk, confirmAction} from '../../terminal/prompt.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {JsonObject} from '../../text/json.ts';
import type {CommandContext} from '../shell/context.ts';
import type {OpenedCustomRules} from './custom-rules.ts';
import {withPartialProgress} from './partly.ts';
import {describeDeletionPlan, removeRule} from './rule-delete.ts';

type DeletionRequest = {
	/** The firewall rules, as read. */
	readonly read: readonly Rule[];
	/** The custom rules that a dry run would have created. */
	readonly custom: readonly RulesetRule[];
	/** The command that repeats this run. */
	readonly retryCommand: string;
	/** Prints the summary of the command with `--json`. */
	report(more: JsonObject): Promise<void>;
};

/** Fails, before anything is sent, if the deletion could not be confirmed later. */
export function refuseUnansweredDeletion(context: CommandContext, retryCommand: string): void {
	const {yes, json, host} = context.getConfirmation();
	if (yes || (canAsk(host) && !json)) return;
	throw new Failure('unconfirmed', 'Not confirmed, so nothing was sent.', {
		why: '--delete-old deletes firewall rules, which cannot be undone.',
		next: `Add --yes to confirm: ${retryCommand} --yes`,
	});
}

/**
 * `--delete-old`: deletes the firewall rules whose custom rules exist, after confirmation. Fails with
 * `changed_meanwhile` if a rule is kept.
 */
export async function deleteReplacedRules(
	context: CommandContext,
	opened: OpenedCustomRules,
	{read, custom, retryCommand, report}: DeletionRequest,
): Promise<void> {
	const {output, signal, options} = context;
	const {client, zone} = opened;
	const readPlan = async (): Promise<OldRulesPlan> => {
		const now = await Array.fromAsync(listFirewallRules(client, zone.id, signal));
		const existing = options.dryRun
			? custom
			: ((await readRulesetEntryPoint(client, zone.id, customPhase, signal))?.rules ?? []);
		return planOldRuleDeletion(read, now, existing);
	};
	const shownPlan = await readBeforeDeletion(readPlan);
	if (shownPlan.plans.length > 0) await confirmReplacedRuleDeletion(context, zone.label, shownPlan);
	// Confirming can take a while; only rules that the question named are deleted.
	const confirmedIds = new Set(shownPlan.plans.map(({rule}) => rule.id));
	const {
		source,
		plans,
		kept: changed,
	} = shownPlan.plans.length > 0 ? await readBeforeDeletion(readPlan) : shownPlan;
	const kept: KeptRule[] = [];
	const reportKept = (one: KeptRule) => {
		kept.push(one);
		output.warn(describeKeptRule(one));
	};
	for (const one of changed) reportKept(one);
	const pending = plans.filter(({rule}) => confirmedIds.has(rule.id));
	const deleted: string[] = [];
	let attempts = 0;
	try {
		const removeOldRule = (plan: DeletionPlan) => removeRule(context, opened, plan);
		const plan = {source, plans: pending, kept: changed};
		for await (const result of deleteOldRules(client, zone.id, plan, {signal, remove: removeOldRule})) {
			const {rule} = result;
			if (result.state === 'kept') reportKept(result);
			else if (result.state === 'gone') output.say(`Rule ${rule.id} was deleted by someone else.`);
			else if (result.deletion.state === 'deleted') deleted.push(rule.id);
			else throw result.deletion.failure;
			attempts++;
		}
	} catch (error) {
		const ids = pending.map(({rule}) => rule.id);
		throw withPartialProgress(
			withNothingDeleted(toFailure(error), deleted),
			'Deleted',
			ids,
			attempts,
			deleted,
		);
	}
	await report({deleted, kept: kept.map(({rule, reason}) => ({id: rule.id, reason}))});
	if (kept.length === 0) return;
	throw createKeptRulesFailure(
		zone,
		kept,
		deleted.length,
		`To compare them with the current custom rules, run it again: ${retryCommand}`,
	);
}

async function confirmReplacedRuleDeletion(
	context: CommandContext,
	where: string,
	{plans}: OldRulesPlan,
): Promise<void> {
	const question = `Delete ${formatQuantity(plans.length, 'firewall rule')} from ${where}: ${plans.map(describeDeletionPlan).join('; ')}? This cannot be undone.`;
	try {
		await confirmAction(question, context.getConfirmation(), context.signal);
	} catch (error) {
		throw isFailure(error, 'declined') ? new Failure('declined', 'No firewall rule was deleted.') : error;
	}
}

/** Reads before a deletion; failures say that nothing was deleted. */
async function readBeforeDeletion<T>(read: () => Promise<T>): Promise<T> {
	try {
		return await read();
	} catch (error) {
		throw withNothingDeleted(toFailure(error), []);
	}
}

const withNothingDeleted = (failure: Failure, deleted: readonly string[]): Failure =>
	deleted.length > 0 || failure.details.left !== undefined
		? failure
		: failure.withDetails({left: 'No firewall rule was deleted.'});
