import {Failure, toFailure} from '../../failure.ts';
import {refuseChangedFilter} from '../../firewall/rules/changed-rule.ts';
import {deleteFilter} from '../../firewall/rules/changes.ts';
import type {DraftFinding} from '../../firewall/rules/checks.ts';
import {createFilter} from '../../firewall/rules/create-filter.ts';
import type {Filter, FilterDraft} from '../../firewall/rules/filter.ts';
import {readFilterById} from '../../firewall/rules/filters.ts';
import type {RuleDraft} from '../../firewall/rules/rule.ts';
import {listFirewallRules} from '../../firewall/rules/rules.ts';
import {findFilterUsers, formatRuleNames} from '../../firewall/rules/users.ts';
import {isAbsent} from '../../service/outcome.ts';
import {toZonePlace} from '../../session/write-place.ts';
import {confirmAction} from '../../terminal/prompt.ts';
import type {CommandContext} from '../shell/context.ts';
import {anyZone, refuseInvalidDraft, warnAboutDraft, type ZoneToCheck} from './check.ts';
import {resolveStdinExpression} from './expression.ts';
import type {FilterOptions} from './filter.ts';
import {runFilterChange} from './filter-change.ts';
import {parseId, parseIds} from './options.ts';
import {withPartialProgress} from './partial-progress.ts';
import {openZone} from './zone.ts';

/** `firewall filter create`: if a filter with that expression exists, names it and sends nothing. */
export async function createFilterCommand(context: CommandContext, options: FilterOptions): Promise<void> {
	const draft = await resolveStdinExpression(context, buildFilterDraft(options));
	const {allowUnknown} = options;
	refuseInvalidDraft(...getFilterCheckArguments(draft, {...anyZone, allowUnknown}));
	const {client, zone} = await openZone(context, {writes: true});
	refuseInvalidDraft(...getFilterCheckArguments(draft, {...zone, allowUnknown}));
	warnAboutDraft(context, ...getFilterCheckArguments(draft, {...zone, allowUnknown}));
	await context.announceWrite(toZonePlace(zone));
	const createdFilter = await context.auditWrites(toZonePlace(zone), async ({onSend, onWritten}) => {
		const creation = await createFilter(client, zone, draft, {
			signal: context.signal,
			onStep: step => step === 'filter' && onSend('create filter'),
			onWritten,
		});
		if (creation.state !== 'made') throw creation.failure;
		return creation.filter;
	});
	await context.printResult([createdFilter], `Created filter ${createdFilter.id}, in zone ${zone.name}.`);
}

function buildFilterDraft({expression, description, ref, paused}: FilterOptions): FilterDraft {
	if (expression === undefined) {
		throw new Failure('usage', 'No expression was given.', {
			next: "Give one, for example: --expression 'not ssl'.",
		});
	}
	return {expression, description, ref, paused};
}

/**
 * Returns the arguments with which `refuseInvalidDraft` checks only a filter, and nothing that only rules
 * have.
 */
const getFilterCheckArguments = (
	filter: FilterDraft,
	zone: ZoneToCheck,
): [RuleDraft, ZoneToCheck, undefined, (finding: DraftFinding) => boolean] => [
	{action: 'block', filter},
	zone,
	undefined,
	({about}) => about === 'expression' || about === 'description' || about === 'ref',
];

/**
 * `firewall filter update`: changes only the given settings, for all rules that use the filter; names these
 * rules first.
 */
export async function updateFilterCommand(
	context: CommandContext,
	options: FilterOptions,
	idArgument: string,
): Promise<void> {
	const id = parseId(idArgument, 'filter');
	const {expression, description, ref, paused} = await resolveStdinExpression(context, options);
	const changes = {
		...(expression !== undefined && {expression}),
		...(description !== undefined && {description}),
		...(ref !== undefined && {ref}),
		...(paused !== undefined && {paused}),
	};
	if (Object.keys(changes).length === 0) {
		throw new Failure('usage', 'Nothing to change.', {
			next: 'Give at least one of --expression, --description, --ref and --paused.',
		});
	}
	// `true` stands for the unchanged expression.
	const draft = {expression: 'true', ...changes};
	const {allowUnknown} = options;
	refuseInvalidDraft(...getFilterCheckArguments(draft, {...anyZone, allowUnknown}));
	const openedZone = await openZone(context, {writes: true});
	const checkedZone = {...openedZone.zone, allowUnknown};
	refuseInvalidDraft(...getFilterCheckArguments(draft, checkedZone));
	if (expression !== undefined) warnAboutDraft(context, ...getFilterCheckArguments(draft, checkedZone));
	await context.announceWrite(toZonePlace(openedZone.zone));
	const {after} = await runFilterChange(context, openedZone, id, changes, options);
	await context.printResult(after, `Updated filter ${after.id}, in zone ${openedZone.zone.name}.`);
}

/**
 * `firewall filter delete`: if firewall rules use one of the filters, names these rules and deletes nothing.
 * A filter that does not exist counts as deleted. Only the service knows whether other features use a filter;
 * it then refuses the deletion.
 */
export async function deleteFilters(
	context: CommandContext,
	_options: object,
	...words: string[]
): Promise<void> {
	const ids = parseIds(words, 'filter');
	const {signal} = context;
	const {client, zone} = await openZone(context, {writes: true});
	const rules = await Array.fromAsync(listFirewallRules(client, zone.id, signal));
	const usedIds = ids.filter(id => findFilterUsers(id, rules).length > 0);
	if (usedIds.length > 0) {
		throw new Failure(
			'in_use',
			`${usedIds.length === 1 ? 'A filter is' : 'Filters are'} still in use; nothing was deleted.`,
			{
				why: usedIds
					.map(id => `Filter ${id} is used by ${formatRuleNames(findFilterUsers(id, rules))}.`)
					.join('\n'),
				next: 'Delete these rules first (`ledge firewall rule delete` also deletes their filters), or give them other filters.',
			},
		);
	}
	const existingFilters: Filter[] = [];
	for (const id of ids) {
		try {
			existingFilters.push(await readFilterById(client, zone.id, id, signal));
		} catch (error) {
			if (!isAbsent(error)) throw error;
			context.output.say(`There is no filter ${id}.`);
		}
	}
	const existingIds = existingFilters.map(({id}) => id);
	await context.announceWrite(toZonePlace(zone));
	if (existingFilters.length > 0 && !context.options.dryRun) {
		const subject =
			existingFilters.length === 1 ? `filter ${existingIds[0]}` : `filters ${existingIds.join(', ')}`;
		await confirmAction(
			`Delete ${subject} from ${zone.label}? This cannot be undone.`,
			context.getConfirmation(),
			signal,
		);
	}
	for (const [index, filter] of existingFilters.entries()) {
		const {id} = filter;
		try {
			await refuseChangedFilter(client, zone, filter, signal);
			await context.auditWrite(`delete filter ${id}`, toZonePlace(zone), () =>
				deleteFilter(client, zone, id, signal),
			);
		} catch (error) {
			throw withPartialProgress(toFailure(error), 'Deleted', existingIds, index);
		}
		if (!context.options.dryRun) context.output.say(`Deleted filter ${id}.`);
	}
	await context.printResult(ids.map(id => ({id, deleted: existingIds.includes(id)})));
}
