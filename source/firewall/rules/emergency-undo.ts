import {Failure, toFailure} from '../../failure.ts';
import {readRulesetEntryPoint} from '../../rulesets/calls.ts';
import {changeRulesetUnchecked} from '../../rulesets/change.ts';
import {isEquivalentRule} from '../../rulesets/difference.ts';
import {customPhase, type RulesetRule} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import {formatDeleteRuleCommand, formatRulesCommand} from '../continuation.ts';
import {type Deletion, deleteItsFilter, deleteRule, describeFilterAfterDeletion} from './delete-rule.ts';
import {filterMatchesDraft} from './filters.ts';
import type {FirewallZone, Rule} from './rule.ts';
import {hasRuleSettings, listFirewallRules} from './rules.ts';
import {formatRuleName, formatRuleNames} from './users.ts';

/** The rule that an emergency created, as it was then. */
export type Made =
	| {readonly form: 'firewall rule'; readonly rule: Rule}
	| {readonly form: 'custom rule'; readonly rule: RulesetRule};

/** Outcome of an undo; each failure describes the current state. */
export type UndoOutcome = {readonly made: Made} & (
	| {readonly state: 'undone'; readonly sentence: string; readonly failure?: undefined}
	/** `is`: the state of the block. The value `in force` includes a block that someone else has changed. */
	| {
			readonly state: 'not undone';
			readonly is: 'in force' | 'partly undone' | 'unknown';
			readonly failure: Failure;
	  }
);

/** Formats the command that undoes it; undefined if the id is unknown. */
export function formatUndoCommand(zone: FirewallZone, {form, rule}: Made): string | undefined {
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
	onWrite?(done: string): void;
};

/**
 * Deletes exactly what was created, after reading the current state: if someone else has changed it, sends
 * nothing. Never rejects; can be called again after any result.
 */
export async function undoEmergency(
	client: Client,
	zone: FirewallZone,
	made: Made,
	options: UndoOptions,
): Promise<UndoOutcome> {
	try {
		return made.form === 'firewall rule'
			? await undoRule(client, zone, made, options)
			: await undoCustomRule(client, zone, made, options);
	} catch (error) {
		return buildNotUndone(made, toFailure(error));
	}
}

const buildUndone = (made: Made, sentence: string): UndoOutcome => ({made, state: 'undone', sentence});

const buildNotUndone = (made: Made, failure: Failure): UndoOutcome => ({
	made,
	state: 'not undone',
	is: 'in force',
	failure: failure.withDetails({left: failure.details.left ?? 'Nothing was sent.'}),
});

const buildConflictOutcome = (made: Made, what: string, why: string, deletion: string): UndoOutcome =>
	buildNotUndone(
		made,
		new Failure('changed_meanwhile', `${what} was changed by someone else since it was made.`, {
			why,
			next: `To delete it anyway: ${deletion}`,
		}),
	);

/** Deletes the rule, then its filter, skipping what is already deleted. */
async function undoRule(
	client: Client,
	zone: FirewallZone,
	made: Made & {form: 'firewall rule'},
	{signal, onSend, onWrite}: UndoOptions,
): Promise<UndoOutcome> {
	const {rule} = made;
	const now = (await Array.fromAsync(listFirewallRules(client, zone.id, signal))).find(
		({id}) => id === rule.id,
	);
	if (now && !(hasRuleSettings(now, rule) && hasSameFilter(now, rule)))
		return buildConflictOutcome(
			made,
			`Rule ${formatRuleName(rule)}`,
			`It is: ${formatRuleNames([now])}${'expression' in now.filter ? `, ${now.filter.expression}` : ''}.`,
			formatDeleteRuleCommand(zone, rule.id),
		);
	const options = {
		signal,
		onWrite,
		onStep: (step: 'rule' | 'filter') =>
			onSend?.(`delete ${step} ${(step === 'rule' ? rule : rule.filter).id}`),
	};
	return toUndoOutcome(
		made,
		now
			? await deleteRule(client, zone, {rule: now, filter: {state: 'delete'}}, options)
			: await deleteItsFilter(client, zone, rule, options),
	);
}

function hasSameFilter({filter}: Rule, {filter: before}: Rule): boolean {
	if ('deleted' in filter || 'deleted' in before) return filter.id === before.id;
	return filter.id === before.id && filterMatchesDraft(filter, before);
}

function toUndoOutcome(made: Made, deletion: Deletion): UndoOutcome {
	switch (deletion.state) {
		case 'deleted': {
			const {rule, filter} = deletion;
			return buildUndone(
				made,
				`Rule ${formatRuleName(rule)} is deleted. ${describeFilterAfterDeletion(rule, filter)}`,
			);
		}
		case 'rule only':
			return {made, state: 'not undone', is: 'partly undone', failure: deletion.failure};
		case 'nothing':
			return {made, state: 'not undone', is: 'in force', failure: deletion.failure};
		case 'unsure': {
			const {what, failure} = deletion;
			return {made, state: 'not undone', is: what === 'rule' ? 'unknown' : 'partly undone', failure};
		}
	}
}

async function undoCustomRule(
	client: Client,
	zone: FirewallZone,
	made: Made & {form: 'custom rule'},
	{signal, onSend, onWrite}: UndoOptions,
): Promise<UndoOutcome> {
	const {rule} = made;
	const {id} = rule;
	const where = formatRulesCommand(zone, ['list']);
	const name = `Custom rule ${formatRuleName(rule)}`;
	if (id === undefined)
		return buildNotUndone(
			made,
			new Failure('not_found', 'The id of the custom rule is not known.', {next: `Look for it: ${where}`}),
		);
	const entry = await readRulesetEntryPoint(client, zone.id, customPhase, signal);
	const now = entry?.rules.find(one => one.id === id);
	if (!entry || !now) return buildUndone(made, `${name} no longer exists.`);
	if (!isEquivalentRule(now, rule))
		return buildConflictOutcome(
			made,
			name,
			`It is: ${now.action} ${now.expression}${now.enabled === false ? ' (paused)' : ''}`,
			formatRulesCommand(zone, ['delete', id]),
		);
	onSend?.(`delete custom rule ${id}`);
	const edit = {kind: 'delete', id} as const;
	const change = {zone: zone.id, phase: customPhase, shown: entry, edit, where} as const;
	const outcome = await changeRulesetUnchecked(client, change, {signal});
	if (outcome.state !== 'done')
		return {
			made,
			state: 'not undone',
			is: outcome.state === 'unsure' ? 'unknown' : 'in force',
			failure: outcome.failure,
		};
	onWrite?.(`delete custom rule ${id}${outcome.lost ? ' (the answer was lost; found there)' : ''}`);
	return buildUndone(made, `${name} is deleted.`);
}
