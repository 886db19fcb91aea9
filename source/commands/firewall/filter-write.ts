import {asFailure, Failure} from '../../failure.ts';
import {refuseChangedFilter} from '../../firewall/rules/changed-rule.ts';
import {deleteFilter} from '../../firewall/rules/changes.ts';
import type {Finding} from '../../firewall/rules/checks.ts';
import {createFilter} from '../../firewall/rules/create-filter.ts';
import type {Filter, FilterDraft} from '../../firewall/rules/filter.ts';
import {filterById} from '../../firewall/rules/filters.ts';
import type {RuleDraft} from '../../firewall/rules/rule.ts';
import {rules} from '../../firewall/rules/rules.ts';
import {named, usersOf} from '../../firewall/rules/users.ts';
import {isAbsent} from '../../service/outcome.ts';
import {placeOfZone} from '../../session/write-place.ts';
import {confirm} from '../../terminal/prompt.ts';
import type {CommandContext} from '../shell/context.ts';
import {anyZone, type JudgedZone, refuseUnfit, warnOfOdd} from './check.ts';
import {withExpression} from './expression.ts';
import type {FilterOptions} from './filter.ts';
import {changeFilter} from './filter-change.ts';
import {idOf, idsOf} from './options.ts';
import {partly} from './partly.ts';
import {openZone} from './zone.ts';

/** `firewall filter create`: if a filter of that expression exists, names it and sends nothing. */
export async function createFilterCommand(context: CommandContext, options: FilterOptions): Promise<void> {
	const draft = await withExpression(context, draftOf(options));
	const {allowUnknown} = options;
	refuseUnfit(...unfit(draft, {...anyZone, allowUnknown}));
	const {client, zone} = await openZone(context, {writes: true});
	refuseUnfit(...unfit(draft, {...zone, allowUnknown}));
	warnOfOdd(context, ...unfit(draft, {...zone, allowUnknown}));
	await context.announceWrite(placeOfZone(zone));
	const made = await context.auditedWrites(placeOfZone(zone), async ({sends, wrote}) => {
		const creation = await createFilter(client, zone, draft, {
			signal: context.signal,
			onStep: step => step === 'filter' && sends('create filter'),
			onWrite: wrote,
		});
		if (creation.state !== 'made') throw creation.failure;
		return creation.filter;
	});
	await context.result([made], `Created filter ${made.id}, in zone ${zone.name}.`);
}

function draftOf({expression, description, ref, paused}: FilterOptions): FilterDraft {
	if (expression === undefined) {
		throw new Failure('usage', 'No expression was given.', {
			next: "Give one, for example: --expression 'not ssl'.",
		});
	}
	return {expression, description, ref, paused};
}

/** Returns the arguments of `refuseInvalidDraft` for a filter alone, without what only rules have. */
const unfit = (
	filter: FilterDraft,
	zone: JudgedZone,
): [RuleDraft, JudgedZone, undefined, (finding: Finding) => boolean] => [
	{action: 'block', filter},
	zone,
	undefined,
	({about}) => about === 'expression' || about === 'description' || about === 'ref',
];

/** `firewall filter update`: changes what is given, for all rules that use the filter; names these first. */
export async function updateFilterCommand(
	context: CommandContext,
	options: FilterOptions,
	word: string,
): Promise<void> {
	const id = idOf(word, 'filter');
	const {expression, description, ref, paused} = await withExpression(context, options);
	const changes = {
		...(expression !== undefined && {expression}),
		...(description !== undefined && {description}),
		...(ref !== undefined && {ref}),
		...(paused !== undefined && {paused}),
	};
	if (Object.keys(changes).length === 0) {
		throw new Failure('usage', 'Nothing to change was named.', {
			next: 'Give at least one of --expression, --description, --ref and --paused.',
		});
	}
	// `true` stands for the unchanged expression.
	const draft = {expression: 'true', ...changes};
	const {allowUnknown} = options;
	refuseUnfit(...unfit(draft, {...anyZone, allowUnknown}));
	const opened = await openZone(context, {writes: true});
	const judged = {...opened.zone, allowUnknown};
	refuseUnfit(...unfit(draft, judged));
	if (expression !== undefined) warnOfOdd(context, ...unfit(draft, judged));
	await context.announceWrite(placeOfZone(opened.zone));
	const {after} = await changeFilter(context, opened, id, changes, options);
	await context.result(after, `Updated filter ${after.id}, in zone ${opened.zone.name}.`);
}

/**
 * `firewall filter delete`: refuses a filter that firewall rules use, names these, and deletes nothing. A
 * filter that does not exist counts as deleted. Only the service knows uses by other features, and refuses
 * them.
 */
export async function deleteFilters(
	context: CommandContext,
	_options: object,
	...words: string[]
): Promise<void> {
	const ids = idsOf(words, 'filter');
	const {signal} = context;
	const {client, zone} = await openZone(context, {writes: true});
	const all = await Array.fromAsync(rules(client, zone.id, signal));
	const used = ids.filter(id => usersOf(id, all).length > 0);
	if (used.length > 0) {
		throw new Failure(
			'in_use',
			`${used.length === 1 ? 'A filter is' : 'Filters are'} still in use; nothing was deleted.`,
			{
				why: used.map(id => `Filter ${id} is used by ${named(usersOf(id, all))}.`).join('\n'),
				next: 'Delete these rules first (`ledge firewall rule delete` takes their filters along), or give them other filters.',
			},
		);
	}
	const found: Filter[] = [];
	for (const id of ids) {
		try {
			found.push(await filterById(client, zone.id, id, signal));
		} catch (error) {
			if (!isAbsent(error)) throw error;
			context.output.say(`There is no filter ${id}.`);
		}
	}
	const foundIds = found.map(({id}) => id);
	await context.announceWrite(placeOfZone(zone));
	if (found.length > 0 && !context.options.dryRun) {
		const what = found.length === 1 ? `filter ${foundIds[0]}` : `the filters ${foundIds.join(', ')}`;
		await confirm(`Delete ${what} of ${zone.label}? This cannot be undone.`, context.confirmation(), signal);
	}
	for (const [index, filter] of found.entries()) {
		const {id} = filter;
		try {
			await refuseChangedFilter(client, zone, filter, signal);
			await context.audited(`delete filter ${id}`, placeOfZone(zone), () =>
				deleteFilter(client, zone, id, signal),
			);
		} catch (error) {
			throw partly(asFailure(error), 'Deleted', foundIds, index);
		}
		if (!context.options.dryRun) context.output.say(`Deleted filter ${id}.`);
	}
	await context.result(ids.map(id => ({id, deleted: foundIds.includes(id)})));
}
