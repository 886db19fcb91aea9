import {asFailure, Failure} from '../failure.ts';
import {
	type Deletion,
	deleteRule,
	deletionPlan,
	type FilterAfterwards,
	filterSentence,
} from '../firewall/delete-rule.ts';
import type {Filter} from '../firewall/filter.ts';
import type {Rule} from '../firewall/rule.ts';
import {named, usersOf} from '../firewall/users.ts';
import type {Client} from '../service/client.ts';
import type {OpenedZone} from './firewall-slice.ts';
import type {Slice} from './slice.ts';

/** What is changed from the lists of a zone. Each reads both lists again, and says what has become of it. */
export type FirewallWrites = {
	pauseRule(rule: Rule, paused: boolean, signal: AbortSignal): Promise<void>;
	pauseFilter(filter: Filter, paused: boolean, signal: AbortSignal): Promise<void>;
	setPriority(rule: Rule, priority: number | null, signal: AbortSignal): Promise<void>;
	/** The rule first; its filter second, where that is asked for and nothing else uses it. */
	deleteRule(rule: Rule, filter: 'keep' | 'delete', signal: AbortSignal): Promise<void>;
	/** A filter that nothing uses; the service refuses it otherwise. */
	deleteFilter(filter: Filter, signal: AbortSignal): Promise<void>;
};

/** One change: how the audit log calls it, and what it does. `write` gives what is to be said when it is done. */
type Change = {
	readonly what: string;
	write(client: Client, zone: OpenedZone): Promise<string>;
};

export const createFirewallWrites: Slice<FirewallWrites> = (_set, get, {session}) => {
	/** Reads the lists again, if their zone is still in front; gives what hindered it. */
	async function readAgain(zone: OpenedZone, signal: AbortSignal): Promise<Failure | undefined> {
		if (get().firewall?.zone.id !== zone.id) return undefined;
		try {
			await get().loadFirewall(signal);
			return undefined;
		} catch (error) {
			return asFailure(error);
		}
	}

	async function make({what, write}: Change, signal: AbortSignal): Promise<void> {
		const zone = get().firewall?.zone;
		if (!zone) throw new Failure('internal', 'No zone is open.');
		session.refuseWhenReadOnly(what);
		const client = await session.client();
		let done: string;
		try {
			done = await session.audited(what, zone.label ?? `zone ${zone.name}`, () => write(client, zone));
		} catch (error) {
			// What is there now may be another thing than what is shown.
			if (!signal.aborted) await readAgain(zone, signal);
			throw error;
		}
		const unread = await readAgain(zone, signal);
		if (unread) get().warn(`${done} The lists could not be read again: ${unread.message}`);
		else get().say(done);
	}

	return {
		pauseRule: (rule, paused, signal) =>
			make(
				{
					what: `${paused ? 'pause' : 'resume'} firewall rule ${rule.id}`,
					async write(client, {id: zone}) {
						const {ruleById, updateRule} = await import('../firewall/rules.ts');
						// What others changed meanwhile stays: the whole rule is sent.
						const there = await ruleById(client, zone, rule.id, signal);
						await updateRule(client, zone, there, {paused}, signal);
						return paused ? `Rule ${rule.id} is paused.` : `Rule ${rule.id} is in force again.`;
					},
				},
				signal,
			),
		pauseFilter: (filter, paused, signal) =>
			make(
				{
					what: `${paused ? 'pause' : 'resume'} filter ${filter.id}`,
					async write(client, {id: zone}) {
						const {filterById, updateFilter} = await import('../firewall/filters.ts');
						const there = await filterById(client, zone, filter.id, signal);
						await updateFilter(client, zone, {...there, paused}, signal);
						return paused ? `Filter ${filter.id} is paused.` : `Filter ${filter.id} is in force again.`;
					},
				},
				signal,
			),
		setPriority: (rule, priority, signal) =>
			make(
				{
					what: `set the priority of firewall rule ${rule.id} to ${priority ?? 'none'}`,
					async write(client, {id: zone}) {
						const {setPriority} = await import('../firewall/rules.ts');
						await setPriority(client, zone, rule.id, priority, signal);
						return priority === null
							? `Rule ${rule.id} has no priority now.`
							: `Rule ${rule.id} has the priority ${priority} now.`;
					},
				},
				signal,
			),
		deleteRule: (rule, wanted, signal) =>
			make(
				{
					what: `delete firewall rule ${rule.id}${wanted === 'delete' ? ' and its filter' : ''}`,
					async write(client, zone) {
						const rules = get().firewall?.rules ?? [];
						const plan = deletionPlan(rule, rules, wanted);
						const others = usersOf(rule.filter.id, rules).filter(({id}) => id !== rule.id);
						return toldDeletion(rule, others, await deleteRule(client, zone, plan, {signal}));
					},
				},
				signal,
			),
		deleteFilter: (filter, signal) =>
			make(
				{
					what: `delete filter ${filter.id}`,
					async write(client, {id: zone}) {
						const {deleteFilter} = await import('../firewall/filters.ts');
						await deleteFilter(client, zone, filter.id, signal);
						return `Filter ${filter.id} is deleted.`;
					},
				},
				signal,
			),
	};
};

/** What has become of a rule and its filter: as a sentence, or as the failure that says what is left. */
function toldDeletion(rule: Rule, others: readonly Rule[], deletion: Deletion): string {
	switch (deletion.state) {
		case 'deleted':
			return `Rule ${rule.id} is deleted. ${filterAfterwards(rule, others, deletion.filter)}`;
		case 'rule only':
			throw leftOver(rule, deletion.failure);
		case 'nothing':
			throw deletion.failure;
		case 'unsure':
			throw saidFirst(
				deletion.what === 'rule'
					? `It is not known whether rule ${rule.id} is deleted; its filter is there.`
					: `Rule ${rule.id} is deleted; whether its filter ${rule.filter.id} is, is not known.`,
				deletion.failure,
			);
	}
}

function filterAfterwards(rule: Rule, others: readonly Rule[], filter: FilterAfterwards): string {
	switch (filter.state) {
		case 'kept, refused':
			throw leftOver(rule, filter.failure);
		case 'kept':
			return others.length > 0
				? `Its filter ${rule.filter.id} stays: used by ${named(others)}.`
				: `Its filter ${rule.filter.id} stays, and no rule uses it.`;
		default:
			return filterSentence(rule, filter);
	}
}

const leftOver = (rule: Rule, failure: Failure): Failure =>
	saidFirst(`Rule ${rule.id} is deleted; its filter ${rule.filter.id} is still there.`, failure);

/** A failure that begins with what is there now. */
const saidFirst = (sentence: string, {code, message, details}: Failure): Failure =>
	new Failure(code, sentence, {...details, why: [message, details.why].filter(Boolean).join('\n')});
