import {asFailure, Failure, isFailure} from '../failure.ts';
import {createRule} from '../firewall/create-rule.ts';
import {lookAfterDoubt} from '../firewall/doubt.ts';
import type {Filter} from '../firewall/filter.ts';
import {
	createFilter,
	deleteFilter,
	filterById,
	filterOfExpression,
	updateFilter,
} from '../firewall/filters.ts';
import type {Rule} from '../firewall/rule.ts';
import {hasSettings, ruleById, rules, setPriority, updateRule} from '../firewall/rules.ts';
import type {Client} from '../service/client.ts';
import {idNamedIn, refusedWith} from '../service/refusal.ts';
import {draftOf, filterDraftOf, settingsOf} from './wizard-draft.ts';
import {changedFilter, changedRule, ruleChangeOf} from './wizard-requests.ts';
import type {Doing, Ending, Wizard} from './wizard-state.ts';

/** What sending tells of itself as it goes: what it does now, and each write that took effect, for the audit log. */
export type SendingSteps = {onStep(doing: Doing): void; onWrite(done: string): void};

type Way = SendingSteps & {readonly signal: AbortSignal};

/** Sends what the review showed, and gives what is there afterwards. Fails only before anything was sent. */
export async function sent(client: Client, wizard: Wizard, way: Way): Promise<Ending> {
	const {purpose, zone} = wizard;
	switch (purpose.kind) {
		case 'new rule': {
			const draft = draftOf(wizard);
			if (!draft) throw new Failure('usage', 'No action was chosen.', {next: 'Choose one.'});
			return createRule(client, zone, draft, way);
		}
		case 'new filter':
			return filterMade(client, wizard, way);
		case 'change rule':
			return ruleChanged(client, wizard, purpose.rule, way);
		case 'change filter':
			return filterChanged(client, wizard, purpose.filter, way);
		default:
			return purpose satisfies never;
	}
}

async function filterMade(client: Client, wizard: Wizard, {signal, onStep, onWrite}: Way): Promise<Ending> {
	const draft = filterDraftOf(wizard);
	const zone = wizard.zone.id;
	onStep('filter');
	try {
		const filter = await createFilter(client, zone, draft, signal);
		onWrite(`create filter ${filter.id}`);
		return {state: 'filter made', filter};
	} catch (error) {
		const failure = asFailure(error);
		if (isFailure(failure, 'already_exists')) {
			const filterId = idNamedIn(refusedWith(failure)?.errors ?? []);
			if (filterId !== undefined) return {state: 'duplicate', filterId, failure};
		}
		if (!failure.details.doubtful) return {state: 'nothing', failure};
		onStep('looking');
		const seen = await filterAfterDoubt(client, wizard, failure, signal);
		if (seen.state === 'filter made') onWrite(`create filter ${seen.filter.id}`);
		return seen;
	}
}

async function filterAfterDoubt(
	client: Client,
	wizard: Wizard,
	failure: Failure,
	signal: AbortSignal,
): Promise<Ending> {
	const {expression} = filterDraftOf(wizard);
	try {
		const seen = await lookAfterDoubt<Filter>(
			client,
			async looking => {
				const found = await filterOfExpression(client, wizard.zone.id, expression, looking);
				return found ? {found} : {instead: 'there is no such filter'};
			},
			signal,
		);
		return 'found' in seen ? {state: 'filter made', filter: seen.found} : {state: 'nothing', failure};
	} catch {
		return {state: 'unsure', what: 'filter', failure};
	}
}

async function ruleChanged(client: Client, wizard: Wizard, before: Rule, way: Way): Promise<Ending> {
	const zone = wizard.zone.id;
	const {id} = before;
	const {signal} = way;
	const change = ruleChangeOf(wizard, before);
	return changed('rule', before, way, {
		read: () => ruleById(client, zone, id, signal),
		isSame: isSameRule,
		async write() {
			if (change.kind === 'priority') await setPriority(client, zone, id, change.priority, signal);
			if (change.kind === 'settings') await updateRule(client, zone, before, change.changes, signal);
		},
	});
}

async function filterChanged(client: Client, wizard: Wizard, before: Filter, way: Way): Promise<Ending> {
	const zone = wizard.zone.id;
	const {signal} = way;
	return changed('filter', before, way, {
		read: () => filterById(client, zone, before.id, signal),
		isSame: isSameFilter,
		write: () => updateFilter(client, zone, changedFilter(wizard, before), signal),
	});
}

/** Writes, unless what is there is no longer what the change began with. */
async function changed<Changed extends Rule | Filter>(
	what: 'rule' | 'filter',
	before: Changed,
	{onStep}: Way,
	{
		read,
		isSame,
		write,
	}: {
		read(): Promise<Changed>;
		isSame(one: Changed, other: Changed): boolean;
		write(): Promise<unknown>;
	},
): Promise<Ending> {
	onStep('looking');
	const there = await orGone(read);
	if (!there || !isSame(there, before)) return changedMeanwhile(what, there);
	onStep('change');
	try {
		await write();
		return {state: 'changed', what, id: before.id};
	} catch (error) {
		const failure = asFailure(error);
		if (failure.details.doubtful) return {state: 'unsure of the change', what, id: before.id, failure};
		return {state: 'nothing', failure};
	}
}

const changedMeanwhile = (what: 'rule' | 'filter', now: Rule | Filter | undefined): Ending => ({
	state: 'changed meanwhile',
	what,
	now,
	failure: new Failure(
		'changed_meanwhile',
		now ? `The ${what} was changed by someone else since it was read.` : `The ${what} is gone.`,
		{left: 'Nothing was sent.', next: now ? 'Look at what stands there now.' : 'Make a new one.'},
	),
});

async function orGone<T>(read: () => Promise<T>): Promise<T | undefined> {
	try {
		return await read();
	} catch (error) {
		if (isFailure(error, 'not_found')) return undefined;
		throw error;
	}
}

const isSameRule = (one: Rule, other: Rule): boolean =>
	hasSettings(one, other) && one.filter.id === other.filter.id;

const isSameFilter = (one: Filter, other: Filter): boolean =>
	one.expression === other.expression &&
	one.paused === other.paused &&
	(one.description ?? '') === (other.description ?? '') &&
	(one.ref ?? '') === (other.ref ?? '');

/** Reads what is there after an answer was lost, and gives what that shows. Fails when it cannot be read either. */
export async function lookedAgain(
	client: Client,
	wizard: Wizard,
	ending: Ending,
	signal: AbortSignal,
): Promise<Ending> {
	const zone = wizard.zone.id;
	const {purpose} = wizard;
	if (ending.state === 'unsure of the change') {
		const {failure, what, id} = ending;
		if (purpose.kind === 'change rule') {
			const there = await orGone(() => ruleById(client, zone, id, signal));
			if (there && isSameRule(there, purpose.rule)) return {state: 'nothing', failure};
			return there && isSameRule(there, changedRule(wizard, purpose.rule))
				? {state: 'changed', what, id}
				: changedMeanwhile(what, there);
		}
		if (purpose.kind === 'change filter') {
			const there = await orGone(() => filterById(client, zone, id, signal));
			if (there && isSameFilter(there, purpose.filter)) return {state: 'nothing', failure};
			return there && isSameFilter(there, changedFilter(wizard, purpose.filter))
				? {state: 'changed', what, id}
				: changedMeanwhile(what, there);
		}
	}
	if (ending.state !== 'unsure') return ending;
	const {failure} = ending;
	if (ending.what === 'filter') {
		const {expression} = filterDraftOf(wizard);
		const filter = await filterOfExpression(client, zone, expression, signal);
		if (!filter) return {state: 'nothing', failure};
		return purpose.kind === 'new filter'
			? {state: 'filter made', filter}
			: {state: 'filter only', filter, made: true, failure};
	}
	const filter = ending.filter ?? (wizard.filter && {id: wizard.filter.id});
	if (!filter) return ending;
	const wanted = settingsOf(wizard);
	const before = new Set(wizard.rules.map(({id}) => id));
	for await (const rule of rules(client, zone, signal))
		if (rule.filter.id === filter.id && wanted && hasSettings(rule, wanted) && !before.has(rule.id))
			return {state: 'created', rule, filter: wizard.filter ? 'reused' : 'made', afterDoubt: true};
	return {state: 'filter only', filter, made: wizard.filter === undefined, failure};
}

/** Deletes the filter that was made for a rule that did not come to be. */
export async function filterDeleted(
	client: Client,
	{zone}: Wizard,
	id: string,
	{signal, onStep, onWrite}: Way,
): Promise<Ending> {
	onStep('delete');
	await deleteFilter(client, zone.id, id, signal);
	onWrite(`delete filter ${id}`);
	return {state: 'filter deleted', id};
}
