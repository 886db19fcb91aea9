import {asFailure, Failure} from '../../failure.ts';
import {entryPoint} from '../../rulesets/calls.ts';
import {changeAnyway, type RulesetOutcome} from '../../rulesets/change.ts';
import {saysTheSame} from '../../rulesets/difference.ts';
import {customPhase, type RulesetRule} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import {orAbsent} from '../../service/read-result.ts';
import {carryOut, type Outcome, settle} from '../../service/settle.ts';
import {filterDeletion, ruleDeletion, rulesCommand} from '../continuation.ts';
import {filterDeleting, ruleDeleting} from './changes.ts';
import type {CreationOptions, LookAgain} from './creation.ts';
import {filterById, isAs} from './filters.ts';
import type {FirewallZone, Rule} from './rule.ts';
import {hasSettings, rules} from './rules.ts';
import {formatRuleName, named, usersOf} from './users.ts';

/** What an emergency has made, as it was when it was made: what can be undone. */
export type Made =
	| {readonly form: 'firewall rule'; readonly rule: Rule}
	| {readonly form: 'custom rule'; readonly rule: RulesetRule};

/** What has become of it; each has the current state. */
export type Undone =
	/** Nothing of it is in force; `sentence` is the current state. */
	| {readonly state: 'undone'; readonly sentence: string}
	/** It is in force as before, or as somebody else has changed it. */
	| {readonly state: 'nothing'; readonly failure: Failure}
	/** It is no longer in force, but not all is as it was. */
	| {readonly state: 'partly'; readonly failure: Failure}
	/** The answer was lost, and the state could not be read or may still change. */
	| {readonly state: 'unsure'; readonly failure: Failure; readonly lookAgain: LookAgain<Undone>};

/** The command that undoes it; none where its id is not known. */
export function undoCommand(zone: FirewallZone, {form, rule}: Made): string | undefined {
	if (rule.id === undefined) return undefined;
	return form === 'firewall rule' ? ruleDeletion(zone, rule.id) : rulesCommand(zone, ['delete', rule.id]);
}

/**
 * Takes back exactly what was made, after a look at the current state: what somebody else has changed since stays, and
 * then nothing is sent. Nothing is sent twice. Never rejects, and can be called again after each of its results.
 */
export async function undoEmergency(
	client: Client,
	zone: FirewallZone,
	made: Made,
	options: UndoOptions,
): Promise<Undone> {
	return made.form === 'firewall rule'
		? undoRule({client, zone, made, options})
		: undoCustomRule(client, zone, made, options);
}

type UndoOptions = Pick<CreationOptions, 'signal' | 'onWrite'> & {
	readonly onLook?: (() => void) | undefined;
	/** What is sent now, for the audit log. */
	onSend?(what: string): void;
};

const nothingSent = (failure: Failure): Undone => ({
	state: 'nothing',
	failure: failure.with({left: failure.details.left ?? 'Nothing was sent.'}),
});

const changedSince = (what: string, why: string, next: string): Undone =>
	nothingSent(
		new Failure('changed_meanwhile', `${what} was changed by someone else since it was made.`, {why, next}),
	);

const undone = (sentence: string): Undone => ({state: 'undone', sentence});

type RuleWork = {
	readonly client: Client;
	readonly zone: FirewallZone;
	readonly made: Made & {form: 'firewall rule'};
	readonly options: UndoOptions;
};

/** The rule, then its filter: each only where it is still to be done. */
async function undoRule(work: RuleWork): Promise<Undone> {
	const {client, zone, made, options} = work;
	const {signal, onLook, onWrite, onSend} = options;
	const {rule} = made;
	let all: readonly Rule[];
	try {
		all = await Array.fromAsync(rules(client, zone.id, signal));
	} catch (error) {
		return nothingSent(asFailure(error));
	}
	const now = all.find(({id}) => id === rule.id);
	if (now) {
		if (!hasSettings(now, rule) || !sameFilter(now, rule))
			return changedSince(
				`Rule ${formatRuleName(rule)}`,
				`It is: ${named([now])}${'expression' in now.filter ? `, ${now.filter.expression}` : ''}.`,
				`To delete it anyway: ${ruleDeletion(zone, rule.id)}`,
			);
		onSend?.(`delete rule ${rule.id}`);
		const outcome = await carryOut(client, ruleDeleting(zone, rule.id), {signal, onLook});
		const stopped = afterRule(work, outcome);
		if (stopped) return stopped;
		onWrite?.(`delete rule ${rule.id}`);
	}
	return undoFilter(
		work,
		all.filter(({id}) => id !== rule.id),
	);
}

function sameFilter({filter}: Rule, {filter: before}: Rule): boolean {
	if ('deleted' in filter || 'deleted' in before) return filter.id === before.id;
	return filter.id === before.id && isAs(filter, before);
}

/** What ends it at the deletion of the rule; `undefined` where the rule is gone. */
function afterRule({zone, made}: RuleWork, outcome: Outcome<void>): Undone | undefined {
	const {rule} = made;
	if (outcome.state === 'done') return undefined;
	const {failure} = outcome;
	const left = `Rule ${formatRuleName(rule)} is still in force. ${failure.details.left ?? ''}`.trim();
	if (outcome.state === 'refused' || outcome.state === 'not done')
		return failure.code === 'not_found' ? undefined : {state: 'nothing', failure: failure.with({left})};
	const {unsettled} = outcome;
	return {
		state: 'unsure',
		failure: failure.with({outcomeUnknown: true}),
		async lookAgain(client, {signal, onWrite}) {
			const later = await settle(client, unsettled, {signal});
			const stopped = afterRule({client, zone, made, options: {signal}}, later);
			if (stopped) return stopped;
			onWrite?.(`delete rule ${rule.id} (the answer was lost; found gone)`);
			const failure = new Failure(
				'interrupted',
				`Rule ${formatRuleName(rule)} is gone; its filter is left.`,
				{
					left: 'It is no longer in force.',
					next: `Delete the filter, too: ${filterDeletion(zone, rule.filter.id)}`,
				},
			);
			return {state: 'partly', failure};
		},
	};
}

/** Deletes the filter that was made with the rule, where it is as it was and no other rule uses it by now. */
async function undoFilter(work: RuleWork, others: readonly Rule[]): Promise<Undone> {
	const {client, zone, made, options} = work;
	const {filter} = made.rule;
	const {signal, onLook, onWrite, onSend} = options;
	const gone = `Rule ${formatRuleName(made.rule)} is deleted.`;
	const users = usersOf(filter.id, others);
	if (users.length > 0)
		return undone(
			`${gone} Its filter ${filter.id} is kept: ${named(users)} ${users.length === 1 ? 'uses' : 'use'} it.`,
		);
	const partly = (failure: Failure): Undone => ({
		state: 'partly',
		failure: failure.with({
			left: `${gone} Its filter ${filter.id} is left.`,
			next: `Delete it with: ${filterDeletion(zone, filter.id)}`,
		}),
	});
	try {
		const there = await orAbsent(() => filterById(client, zone.id, filter.id, signal));
		if (!there) return undone(`${gone} Its filter is gone, too.`);
		if ('expression' in filter && !isAs(there, filter))
			return undone(`${gone} Its filter ${filter.id} is kept: someone else has changed it since.`);
	} catch (error) {
		return partly(asFailure(error));
	}
	onSend?.(`delete filter ${filter.id}`);
	const outcome = await carryOut(client, filterDeleting(zone, filter.id), {signal, onLook});
	if (outcome.state !== 'done') return partly(outcome.failure);
	onWrite?.(`delete filter ${filter.id}`);
	return undone(`Rule ${formatRuleName(made.rule)} and its filter ${filter.id} are deleted.`);
}

async function undoCustomRule(
	client: Client,
	zone: FirewallZone,
	made: Made & {form: 'custom rule'},
	options: UndoOptions,
): Promise<Undone> {
	const {rule} = made;
	const where = rulesCommand(zone, ['list']);
	const {signal, onLook, onSend} = options;
	try {
		const entry = await entryPoint(client, zone.id, customPhase, signal);
		const now = entry?.rules.find(({id}) => id === rule.id);
		const name = `Custom rule ${formatRuleName(rule)}`;
		if (rule.id === undefined)
			return nothingSent(
				new Failure('not_found', 'The id of the custom rule is not known.', {next: `Look for it: ${where}`}),
			);
		if (!entry || !now) return {state: 'undone', sentence: `${name} no longer exists.`};
		if (!saysTheSame(now, rule))
			return changedSince(
				name,
				`It is: ${now.action} ${now.expression}${now.enabled === false ? ' (paused)' : ''}`,
				`To delete it anyway: ${rulesCommand(zone, ['delete', rule.id])}`,
			);
		const edit = {kind: 'delete', id: rule.id} as const;
		onSend?.(`delete custom rule ${rule.id}`);
		const change = {zone: zone.id, phase: customPhase, shown: entry, edit, where} as const;
		const outcome = await changeAnyway(client, change, {signal, onLook});
		return customUndone({...rule, id: rule.id}, outcome, options.onWrite);
	} catch (error) {
		return nothingSent(asFailure(error));
	}
}

function customUndone(
	rule: RulesetRule & {readonly id: string},
	outcome: RulesetOutcome,
	onWrite: CreationOptions['onWrite'],
): Undone {
	switch (outcome.state) {
		case 'done':
			onWrite?.(`delete custom rule ${rule.id}${outcome.lost ? ' (the answer was lost; found there)' : ''}`);
			return undone(`Custom rule ${formatRuleName(rule)} is deleted.`);
		case 'unsure':
			return {
				state: 'unsure',
				failure: outcome.failure,
				lookAgain: async (client, {signal, onWrite: found}) =>
					customUndone(rule, await outcome.lookAgain(client, {signal}), found),
			};
		case 'nothing':
		case 'changed meanwhile':
			return {state: 'nothing', failure: outcome.failure};
	}
}
