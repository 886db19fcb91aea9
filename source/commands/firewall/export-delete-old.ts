import {asFailure, Failure, isFailure} from '../../failure.ts';
import {deleteOldRules, type OldRulesPlan, planOldRules} from '../../firewall/export/delete-old.ts';
import {type KeptRule, keptRuleSentence, keptRulesFailure} from '../../firewall/export/kept-rules.ts';
import type {DeletionPlan} from '../../firewall/rules/delete-rule.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {rules} from '../../firewall/rules/rules.ts';
import {entryPoint} from '../../rulesets/calls.ts';
import {customPhase, type RulesetRule} from '../../rulesets/ruleset.ts';
import {canAsk, confirm} from '../../terminal/prompt.ts';
import {counted} from '../../text/figures.ts';
import type {JsonObject} from '../../text/json.ts';
import type {CommandContext} from '../shell/context.ts';
import type {OpenedRules} from './custom-rules.ts';
import {partly} from './partly.ts';
import {describePlan, removeRule} from './rule-delete.ts';

type DeletionRequest = {
	/** The firewall rules, as read. */
	readonly read: readonly Rule[];
	/** The custom rules that a dry run would have created. */
	readonly custom: readonly RulesetRule[];
	/** The command that repeats this run. */
	readonly again: string;
	/** Prints the summary of the command with `--json`. */
	report(more: JsonObject): Promise<void>;
};

/** Fails, before anything is sent, if the deletion could not be confirmed later. */
export function refuseUnansweredDeletion(context: CommandContext, again: string): void {
	const {yes, json, host} = context.confirmation();
	if (yes || (canAsk(host) && !json)) return;
	throw new Failure('unconfirmed', 'Not confirmed, so nothing was sent.', {
		why: '--delete-old deletes firewall rules, which cannot be undone.',
		next: `Add --yes to confirm: ${again} --yes`,
	});
}

/**
 * `--delete-old`: deletes the firewall rules whose custom rules exist, after confirmation. Fails with
 * `changed_meanwhile` if a rule is kept.
 */
export async function deleteOld(
	context: CommandContext,
	opened: OpenedRules,
	{read, custom, again, report}: DeletionRequest,
): Promise<void> {
	const {output, signal, options} = context;
	const {client, zone} = opened;
	const look = async (): Promise<OldRulesPlan> => {
		const now = await Array.fromAsync(rules(client, zone.id, signal));
		const existing = options.dryRun
			? custom
			: ((await entryPoint(client, zone.id, customPhase, signal))?.rules ?? []);
		return planOldRules(read, now, existing);
	};
	const asked = await untilDeleting(look);
	if (asked.plans.length > 0) await ask(context, zone.label, asked);
	// Confirming can take a while; only rules that the question named are deleted.
	const named = new Set(asked.plans.map(({rule}) => rule.id));
	const {source, plans, kept: changed} = asked.plans.length > 0 ? await untilDeleting(look) : asked;
	const kept: KeptRule[] = [];
	const keep = (one: KeptRule) => {
		kept.push(one);
		output.warn(keptRuleSentence(one));
	};
	for (const one of changed) keep(one);
	const going = plans.filter(({rule}) => named.has(rule.id));
	const deleted: string[] = [];
	let tried = 0;
	try {
		const remove = (plan: DeletionPlan) => removeRule(context, opened, plan);
		const plan = {source, plans: going, kept: changed};
		for await (const result of deleteOldRules(client, zone.id, plan, {signal, remove})) {
			const {rule} = result;
			if (result.state === 'kept') keep(result);
			else if (result.state === 'gone') output.say(`Rule ${rule.id} was deleted by someone else.`);
			else if (result.deletion.state === 'deleted') deleted.push(rule.id);
			else throw result.deletion.failure;
			tried++;
		}
	} catch (error) {
		const ids = going.map(({rule}) => rule.id);
		throw partly(nothingDeleted(asFailure(error), deleted), 'Deleted', ids, tried, deleted);
	}
	await report({deleted, kept: kept.map(({rule, reason}) => ({id: rule.id, reason}))});
	if (kept.length === 0) return;
	throw keptRulesFailure(
		zone,
		kept,
		deleted.length,
		`To compare them with the current custom rules, run it again: ${again}`,
	);
}

async function ask(context: CommandContext, where: string, {plans}: OldRulesPlan): Promise<void> {
	const question = `Delete ${counted(plans.length, 'firewall rule')} from ${where}: ${plans.map(describePlan).join('; ')}? This cannot be undone.`;
	try {
		await confirm(question, context.confirmation(), context.signal);
	} catch (error) {
		throw isFailure(error, 'declined') ? new Failure('declined', 'No firewall rule was deleted.') : error;
	}
}

/** Reads before a deletion; failures say that nothing was deleted. */
async function untilDeleting<T>(read: () => Promise<T>): Promise<T> {
	try {
		return await read();
	} catch (error) {
		throw nothingDeleted(asFailure(error), []);
	}
}

const nothingDeleted = (failure: Failure, deleted: readonly string[]): Failure =>
	deleted.length > 0 || failure.details.left !== undefined
		? failure
		: failure.with({left: 'No firewall rule was deleted.'});
