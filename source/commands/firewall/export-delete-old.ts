import {Failure, isFailure, toFailure} from '../../failure.ts';
import {createKeptRulesFailure, describeKeptRule, type KeptRule} from '../../firewall/export/kept-rules.ts';
import {
	deleteOldRules,
	type OldRulesPlan,
	planOldRuleDeletion,
} from '../../firewall/export/replaced-rules.ts';
import type {DeletionPlan} from '../../firewall/rules/delete-rule.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {listFirewallRules} from '../../firewall/rules/rules.ts';
import {readRulesetEntryPoint} from '../../rulesets/calls.ts';
import {customPhase, type RulesetRule} from '../../rulesets/ruleset.ts';
import {canAsk, confirmAction} from '../../terminal/prompt.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {JsonObject} from '../../text/json.ts';
import type {CommandContext} from '../shell/context.ts';
import {withPartialProgress} from './partial-progress.ts';
import type {OpenedPhase} from './phase-rules.ts';
import {describeDeletionPlan, removeRule} from './rule-delete.ts';

type DeletionRequest = {
	/** The firewall rules, as read. */
	readonly firewallRules: readonly Rule[];
	/** All custom rules after the merge; in a dry run they stand in for the current ones. */
	readonly customRules: readonly RulesetRule[];
	/** The command that repeats this run. */
	readonly retryCommand: string;
	/** Prints the summary of the command with `--json`. */
	printSummary(extraFields: JsonObject): Promise<void>;
};

/** Fails, before anything is sent, if the deletion could not be confirmed later. */
export function refuseUnconfirmableDeletion(context: CommandContext, retryCommand: string): void {
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
	openedRules: OpenedPhase,
	{firewallRules, customRules, retryCommand, printSummary}: DeletionRequest,
): Promise<void> {
	const {output, signal, options} = context;
	const {client, zone} = openedRules;
	const readPlan = async (): Promise<OldRulesPlan> => {
		const currentRules = await Array.fromAsync(listFirewallRules(client, zone.id, signal));
		const existingCustomRules = options.dryRun
			? customRules
			: ((await readRulesetEntryPoint(client, zone.id, customPhase, signal))?.rules ?? []);
		return planOldRuleDeletion(firewallRules, currentRules, existingCustomRules);
	};
	const shownPlan = await readBeforeDeletion(readPlan);
	if (shownPlan.deletionPlans.length > 0) await confirmReplacedRuleDeletion(context, zone.label, shownPlan);
	// Confirming can take a while; only rules that the question named are deleted.
	const confirmedIds = new Set(shownPlan.deletionPlans.map(({rule}) => rule.id));
	const {
		replacedRules,
		deletionPlans,
		keptRules: rulesKeptByPlan,
	} = shownPlan.deletionPlans.length > 0 ? await readBeforeDeletion(readPlan) : shownPlan;
	const keptRules: KeptRule[] = [];
	const reportKeptRule = (keptRule: KeptRule) => {
		keptRules.push(keptRule);
		output.warn(describeKeptRule(keptRule));
	};
	for (const keptRule of rulesKeptByPlan) reportKeptRule(keptRule);
	const pendingPlans = deletionPlans.filter(({rule}) => confirmedIds.has(rule.id));
	const deletedIds: string[] = [];
	let handledCount = 0;
	try {
		const removeOldRule = (plan: DeletionPlan) => removeRule(context, openedRules, plan);
		const confirmedPlan = {replacedRules, deletionPlans: pendingPlans, keptRules: rulesKeptByPlan};
		for await (const result of deleteOldRules(client, zone.id, confirmedPlan, {
			signal,
			remove: removeOldRule,
		})) {
			const {rule} = result;
			if (result.state === 'kept') reportKeptRule(result);
			else if (result.state === 'gone') output.say(`Rule ${rule.id} was deleted by someone else.`);
			else if (result.deletion.state === 'deleted') deletedIds.push(rule.id);
			else throw result.deletion.failure;
			handledCount++;
		}
	} catch (error) {
		const ids = pendingPlans.map(({rule}) => rule.id);
		throw withPartialProgress(
			noteIfNothingDeleted(toFailure(error), deletedIds),
			'Deleted',
			ids,
			handledCount,
			deletedIds,
		);
	}
	await printSummary({deleted: deletedIds, kept: keptRules.map(({rule, reason}) => ({id: rule.id, reason}))});
	if (keptRules.length === 0) return;
	throw createKeptRulesFailure(
		zone,
		keptRules,
		deletedIds.length,
		`To compare them with the current custom rules, run this again: ${retryCommand}`,
	);
}

async function confirmReplacedRuleDeletion(
	context: CommandContext,
	zoneLabel: string,
	{deletionPlans}: OldRulesPlan,
): Promise<void> {
	const question = `Delete ${formatQuantity(deletionPlans.length, 'firewall rule')} from ${zoneLabel}: ${deletionPlans.map(describeDeletionPlan).join('; ')}? This cannot be undone.`;
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
		throw noteIfNothingDeleted(toFailure(error), []);
	}
}

const noteIfNothingDeleted = (failure: Failure, deletedIds: readonly string[]): Failure =>
	deletedIds.length > 0 || failure.details.left !== undefined
		? failure
		: failure.withDetails({left: 'No firewall rule was deleted.'});
