import {Failure, toFailure} from '../../failure.ts';
import {readRulesetEntryPoint} from '../../rulesets/calls.ts';
import {changeRulesetUnchecked} from '../../rulesets/change.ts';
import {isIdenticalRule} from '../../rulesets/difference.ts';
import {customPhase, type RulesetRule} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import {formatDeleteRuleCommand, formatRulesCommand} from '../commands.ts';
import {type Deletion, deleteFilterOfRule, deleteRule, describeFilterAfterDeletion} from './delete-rule.ts';
import {filterMatchesDraft} from './filters.ts';
import type {FirewallZone, Rule} from './rule.ts';
import {hasRuleSettings, listFirewallRules} from './rules.ts';
import {formatRuleName, formatRuleNames} from './users.ts';

/** The rule that an emergency created, as it was at that time. */
export type UndoableRule =
	| {readonly form: 'firewall rule'; readonly rule: Rule}
	| {readonly form: 'custom rule'; readonly rule: RulesetRule};

/** Outcome of an undo; each failure describes the current state. */
export type UndoOutcome = {readonly createdRule: UndoableRule} & (
	| {readonly state: 'undone'; readonly sentence: string; readonly failure?: undefined}
	/**
	 * `blockState`: whether the block is still active. `in force` includes a block that someone else has
	 * changed.
	 */
	| {
			readonly state: 'not undone';
			readonly blockState: 'in force' | 'partly undone' | 'unknown';
			readonly failure: Failure;
	  }
);

/** Formats the command that undoes an emergency block; undefined if the id of its rule is unknown. */
export function formatUndoCommand(zone: FirewallZone, {form, rule}: UndoableRule): string | undefined {
	if (rule.id === undefined) return undefined;
	return form === 'firewall rule'
		? formatDeleteRuleCommand(zone, rule.id)
		: formatRulesCommand(zone, ['delete', rule.id]);
}

type UndoOptions = {
	readonly signal: AbortSignal;
	/** Called before each write, for the audit log. */
	onSend?(what: string): void;
	/** Called with what a write did, once known. */
	onWritten?(done: string): void;
};

/**
 * Deletes exactly what was created, after reading the current state: if someone else has changed it, sends
 * nothing. Never rejects; can be called again after any result.
 */
export async function undoEmergency(
	client: Client,
	zone: FirewallZone,
	createdRule: UndoableRule,
	options: UndoOptions,
): Promise<UndoOutcome> {
	try {
		return createdRule.form === 'firewall rule'
			? await undoRule(client, zone, createdRule, options)
			: await undoCustomRule(client, zone, createdRule, options);
	} catch (error) {
		return buildNotUndone(createdRule, toFailure(error));
	}
}

const buildUndone = (createdRule: UndoableRule, sentence: string): UndoOutcome => ({
	createdRule,
	state: 'undone',
	sentence,
});

const buildNotUndone = (createdRule: UndoableRule, failure: Failure): UndoOutcome => ({
	createdRule,
	state: 'not undone',
	blockState: 'in force',
	failure: failure.withDetails({left: failure.details.left ?? 'Nothing was sent.'}),
});

const buildConflictOutcome = (
	createdRule: UndoableRule,
	subject: string,
	why: string,
	deleteCommand: string,
): UndoOutcome =>
	buildNotUndone(
		createdRule,
		new Failure('changed_meanwhile', `${subject} was changed by someone else since it was created.`, {
			why,
			next: `To delete it anyway: ${deleteCommand}`,
		}),
	);

/** Deletes the rule, then its filter, skipping what is already deleted. */
async function undoRule(
	client: Client,
	zone: FirewallZone,
	createdRule: UndoableRule & {form: 'firewall rule'},
	{signal, onSend, onWritten}: UndoOptions,
): Promise<UndoOutcome> {
	const {rule} = createdRule;
	const currentRule = (await Array.fromAsync(listFirewallRules(client, zone.id, signal))).find(
		({id}) => id === rule.id,
	);
	if (currentRule && !(hasRuleSettings(currentRule, rule) && hasSameFilter(currentRule, rule)))
		return buildConflictOutcome(
			createdRule,
			`Rule ${formatRuleName(rule)}`,
			`Current state: ${formatRuleNames([currentRule])}${'expression' in currentRule.filter ? `, ${currentRule.filter.expression}` : ''}.`,
			formatDeleteRuleCommand(zone, rule.id),
		);
	const options = {
		signal,
		onWritten,
		onStep: (step: 'rule' | 'filter') =>
			onSend?.(`delete ${step} ${(step === 'rule' ? rule : rule.filter).id}`),
	};
	return toUndoOutcome(
		createdRule,
		currentRule
			? await deleteRule(client, zone, {rule: currentRule, filter: {state: 'delete'}}, options)
			: await deleteFilterOfRule(client, zone, rule, options),
	);
}

function hasSameFilter({filter}: Rule, {filter: filterBefore}: Rule): boolean {
	if ('deleted' in filter || 'deleted' in filterBefore) return filter.id === filterBefore.id;
	return filter.id === filterBefore.id && filterMatchesDraft(filter, filterBefore);
}

function toUndoOutcome(createdRule: UndoableRule, deletion: Deletion): UndoOutcome {
	switch (deletion.state) {
		case 'deleted': {
			const {rule, filter} = deletion;
			return buildUndone(
				createdRule,
				`Rule ${formatRuleName(rule)} was deleted. ${describeFilterAfterDeletion(rule, filter)}`,
			);
		}
		case 'rule only':
			return {
				createdRule,
				state: 'not undone',
				blockState: 'partly undone',
				failure: deletion.failure,
			};
		case 'nothing':
			return {
				createdRule,
				state: 'not undone',
				blockState: 'in force',
				failure: deletion.failure,
			};
		case 'unsure': {
			const {what, failure} = deletion;
			return {
				createdRule,
				state: 'not undone',
				blockState: what === 'rule' ? 'unknown' : 'partly undone',
				failure,
			};
		}
	}
}

async function undoCustomRule(
	client: Client,
	zone: FirewallZone,
	createdRule: UndoableRule & {form: 'custom rule'},
	{signal, onSend, onWritten}: UndoOptions,
): Promise<UndoOutcome> {
	const {rule} = createdRule;
	const {id} = rule;
	const listCommand = formatRulesCommand(zone, ['list']);
	const name = `Custom rule ${formatRuleName(rule)}`;
	if (id === undefined)
		return buildNotUndone(
			createdRule,
			new Failure('not_found', 'The ID of the custom rule is unknown.', {
				next: `To find it: ${listCommand}`,
			}),
		);
	const entryPoint = await readRulesetEntryPoint(client, zone.id, customPhase, signal);
	const currentRule = entryPoint?.rules.find(one => one.id === id);
	if (!entryPoint || !currentRule) return buildUndone(createdRule, `${name} no longer exists.`);
	if (!isIdenticalRule(currentRule, rule))
		return buildConflictOutcome(
			createdRule,
			name,
			`Current state: ${currentRule.action} ${currentRule.expression}${currentRule.enabled === false ? ' (paused)' : ''}`,
			formatRulesCommand(zone, ['delete', id]),
		);
	onSend?.(`delete custom rule ${id}`);
	const edit = {kind: 'delete', id} as const;
	const change = {
		zoneId: zone.id,
		phase: customPhase,
		baseline: entryPoint,
		edit,
		inspectCommand: listCommand,
	} as const;
	const outcome = await changeRulesetUnchecked(client, change, {signal});
	if (outcome.state !== 'done')
		return {
			createdRule,
			state: 'not undone',
			blockState: outcome.state === 'unsure' ? 'unknown' : 'in force',
			failure: outcome.failure,
		};
	onWritten?.(
		`delete custom rule ${id}${outcome.lost ? ' (response lost; confirmed by a later check)' : ''}`,
	);
	return buildUndone(createdRule, `${name} was deleted.`);
}
