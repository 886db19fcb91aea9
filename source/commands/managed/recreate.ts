import {Failure} from '../../failure.ts';
import {formatManagedCommand} from '../../firewall/commands.ts';
import {resolveRulesetPart} from '../../managed/names.ts';
import {buildProposalConfirmOptions, proposeEdits} from '../../managed/proposal.ts';
import {
	type ChosenRule,
	planRecreation,
	type RecreationStep,
	recreationWords,
} from '../../managed/recreation.ts';
import {formatEditSentence} from '../../migration/configuration/edits.ts';
import {formatRulesetName} from '../../migration/configuration/mapping.ts';
import type {UnmigratedSetting} from '../../migration/plan/not-migrated.ts';
import {listLeftBehindWarnings, readLeftBehindItems} from '../../migration/report/left-behind.ts';
import {getPlaceWithWorld} from '../../session/place.ts';
import {formatTable} from '../../terminal/table.ts';
import {buildAdvice, buildZoneCommand} from '../../text/advice.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import type {RecreateOptions} from './managed.ts';
import {sendManagedChange} from './write.ts';
import {type OpenedManagedZone, openManaged, openManagedForWriting} from './zone.ts';

/** `managed recreate`: lists what the migration left behind; with `--item`, recreates one item. */
export async function recreateManaged(context: CommandContext, options: RecreateOptions): Promise<void> {
	const {item, rule, confirm} = options;
	if (item !== undefined) return recreateItem(context, {...options, item});
	if (rule !== undefined || confirm !== undefined)
		throw new Failure('usage', `${rule ? '--rule' : '--confirm'} requires --item.`, {
			next: 'Use --item with a number from `ledge managed recreate`.',
		});
	await printLeftBehindItems(context);
}

async function printLeftBehindItems(context: CommandContext): Promise<void> {
	const {output} = context;
	const managedZone = await openManaged(context, {writes: false});
	const leftBehind = loadLeftBehindItems(context, managedZone);
	const {items, backup, taken} = leftBehind;
	const {readOnlyReason} = managedZone.managedState;
	if (readOnlyReason) output.warn(`Nothing can be recreated now: ${readOnlyReason.message}`);
	for (const sentence of listLeftBehindWarnings(leftBehind)) output.warn(sentence);
	const steps = items.map((leftBehindItem, index) => ({
		item: index + 1,
		leftBehindItem,
		step: planRecreation(leftBehindItem, managedZone.managedState),
	}));
	if (output.json)
		return output.writeJson(
			context.markSimulated({
				backup,
				taken,
				items: steps.map(({item, leftBehindItem: {what, id, setting}, step}) => ({
					item,
					what,
					id,
					setting,
					state: step.kind,
					next: describeNextStep(managedZone, item, step) ?? null,
					step,
				})),
			}),
		);
	if (items.length === 0) return output.writeText('Nothing was left behind, as far as ledge can tell.\n');
	await output.writeText(
		formatTable<(typeof steps)[number]>(
			[
				{title: 'ITEM', align: 'right', cell: ({item}) => String(item)},
				{title: 'STATE', cell: ({step}) => recreationWords[step.kind]},
				{title: 'WHAT', cell: ({leftBehindItem}) => leftBehindItem.what},
				{title: 'SETTING', cell: ({leftBehindItem}) => leftBehindItem.setting},
				{title: 'NEXT', cell: ({item, step}) => describeNextStep(managedZone, item, step) ?? '-'},
			],
			steps,
		),
	);
	const openCount = steps.filter(({step}) => step.kind !== 'recreated').length;
	output.sayIfInteractive(
		`${formatQuantity(items.length, 'item')}, ${openCount} to recreate; from the backup of ${taken}.`,
	);
}

/**
 * Returns the command that recreates an item, or that lists the rules to choose from; else says what to do by
 * hand.
 */
function describeNextStep(
	{zone, managedState}: OpenedManagedZone,
	itemNumber: number,
	step: RecreationStep,
): string | undefined {
	switch (step.kind) {
		case 'recreated':
			return undefined;
		case 'edits':
			return formatManagedCommand(
				zone,
				['recreate'],
				[
					'--item',
					String(itemNumber),
					...buildProposalConfirmOptions(managedState, proposeEdits(managedState, step.edits)),
				],
			);
		case 'choice':
			return formatCatalogueCommand(zone, step);
		case 'by hand':
			return step.why;
		default:
			return step satisfies never;
	}
}

async function recreateItem(
	context: CommandContext,
	{item: itemNumber, rule: ruleArguments, confirm}: RecreateOptions & {readonly item: number},
): Promise<void> {
	context.refuseWhenReadOnly('recreating what the migration left behind');
	const managedZone = await openManagedForWriting(context);
	const {managedState} = managedZone;
	const {items} = loadLeftBehindItems(context, managedZone);
	const leftBehindItem = items[itemNumber - 1];
	if (!leftBehindItem) throw buildNoItemFailure(items.length, itemNumber);
	const chosenRules = ruleArguments?.map((ruleArgument): ChosenRule => {
		const {rulesetId, idOrName: ruleId} = resolveRulesetPart(ruleArgument, 'rule', managedState);
		return {id: ruleId, ruleset: {id: rulesetId}};
	});
	const step = planRecreation(leftBehindItem, managedState, chosenRules);
	if (step.kind === 'choice') throw buildUndecidedFailure(managedZone, itemNumber, leftBehindItem, step);
	if (step.kind === 'by hand')
		throw new Failure('usage', `ledge can't recreate ${leftBehindItem.what}; nothing was sent.`, {
			why: step.why,
		});
	if (step.kind === 'edits')
		for (const setting of step.rest)
			context.output.warn(`Not part of this change; recreate it manually: ${setting}.`);
	const edits = step.kind === 'edits' ? step.edits : [];
	await sendManagedChange(context, managedZone, proposeEdits(managedState, edits), {
		auditText: `recreate ${leftBehindItem.what} ${leftBehindItem.id}: ${edits.map(edit => formatEditSentence(edit)).join(' ')}`,
		confirmOption: confirm,
	});
}

const buildNoItemFailure = (count: number, item: number): Failure =>
	new Failure('not_found', `There is no item ${item}; nothing was sent.`, {
		why: `There ${count === 1 ? 'is' : 'are'} ${formatQuantity(count, 'item')}.`,
		next: buildAdvice`List them: \`${buildZoneCommand('managed', 'recreate')}\``,
	});

/**
 * Formats the command that searches the rules to choose from; without a query, it lists the whole ruleset.
 */
const formatCatalogueCommand = (
	zone: OpenedManagedZone['zone'],
	{query, ruleset}: Pick<Extract<RecreationStep, {kind: 'choice'}>, 'query' | 'ruleset'>,
): string =>
	formatManagedCommand(zone, ['catalogue', ...(query === '' ? [] : [query])], ['--ruleset', ruleset]);

const buildUndecidedFailure = (
	{zone}: OpenedManagedZone,
	item: number,
	{what}: UnmigratedSetting,
	{missing, ruleset, query, found}: Extract<RecreationStep, {kind: 'choice'}>,
): Failure =>
	new Failure('usage', `Choose the new rules that replace ${what}; nothing was sent.`, {
		why: `Not all of these exist in ${formatRulesetName(ruleset)} under their old ids: ${missing.join(', ')}.`,
		next: [
			`Find them: \`${formatCatalogueCommand(zone, {query, ruleset})}\``,
			`Then name all of them: \`${formatManagedCommand(zone, ['recreate'], ['--item', String(item), ...[...found, 'ID'].flatMap(id => ['--rule', id])])}\``,
		].join('\n'),
	});

/**
 * Reads, in the zone's backup, the settings that the migration left behind. Fails with `not_found` if there
 * is no backup.
 */
function loadLeftBehindItems({env, session}: CommandContext, {client, zone}: OpenedManagedZone) {
	const {id, name = id, label} = zone;
	return readLeftBehindItems(env, {place: getPlaceWithWorld(session, client), zone: {id, name}}, label);
}
