import {Failure} from '../../failure.ts';
import {managedCommand} from '../../firewall/continuation.ts';
import {partNamed} from '../../managed/names.ts';
import {confirmOptions, proposeEdits} from '../../managed/proposal.ts';
import {
	type ChosenRule,
	type RecreationStep,
	recreationEdit,
	recreationWords,
} from '../../managed/recreation.ts';
import {editSentence} from '../../migration/configuration/edits.ts';
import {rulesetName} from '../../migration/configuration/mapping.ts';
import type {NotMigrated} from '../../migration/plan/left-behind.ts';
import {leftBehindOf, leftBehindWarnings} from '../../migration/report/left-behind.ts';
import {worldPlaceOf} from '../../session/place.ts';
import {table} from '../../terminal/table.ts';
import {advice, inZone} from '../../text/advice.ts';
import {counted} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import type {RecreateOptions} from './managed.ts';
import {carryOut} from './write.ts';
import {type OpenedManaged, openManaged, openToWrite} from './zone.ts';

/** `managed recreate`: lists what the migration left behind; with `--item`, recreates one item. */
export async function recreateManaged(context: CommandContext, options: RecreateOptions): Promise<void> {
	const {item, rule, confirm} = options;
	if (item !== undefined) return recreateOne(context, {...options, item});
	if (rule !== undefined || confirm !== undefined)
		throw new Failure('usage', `${rule ? '--rule' : '--confirm'} is of one item.`, {
			next: 'Name it with --item and its number, as `ledge managed recreate` lists it.',
		});
	await listLeftBehind(context);
}

async function listLeftBehind(context: CommandContext): Promise<void> {
	const {output} = context;
	const opened = await openManaged(context, {writes: false});
	const left = leftBehind(context, opened);
	const {items, backup, taken} = left;
	const {readOnly} = opened.inForce;
	if (readOnly) output.warn(`Nothing can be recreated now: ${readOnly.message}`);
	for (const sentence of leftBehindWarnings(left)) output.warn(sentence);
	const steps = items.map((one, index) => ({
		item: index + 1,
		left: one,
		step: recreationEdit(one, opened.inForce),
	}));
	if (output.json)
		return output.value(
			context.marked({
				backup,
				taken,
				items: steps.map(({item, left: {what, id, setting}, step}) => ({
					item,
					what,
					id,
					setting,
					state: step.kind,
					next: nextOf(opened, item, step) ?? null,
					step,
				})),
			}),
		);
	if (items.length === 0) return output.text('Nothing was left behind that ledge could see.\n');
	await output.text(
		table<(typeof steps)[number]>(
			[
				{title: 'ITEM', align: 'right', cell: ({item}) => String(item)},
				{title: 'STATE', cell: ({step}) => recreationWords[step.kind]},
				{title: 'WHAT', cell: ({left}) => left.what},
				{title: 'SETTING', cell: ({left}) => left.setting},
				{title: 'NEXT', cell: ({item, step}) => nextOf(opened, item, step) ?? '-'},
			],
			steps,
		),
	);
	const open = steps.filter(({step}) => step.kind !== 'recreated').length;
	output.mention(`${counted(items.length, 'item')}, ${open} to recreate; from the backup of ${taken}.`);
}

/**
 * Returns the command that recreates an item, or that finds the rules to choose from; else a sentence on what
 * to do by hand.
 */
function nextOf({zone, inForce}: OpenedManaged, item: number, step: RecreationStep): string | undefined {
	switch (step.kind) {
		case 'recreated':
			return undefined;
		case 'edits':
			return managedCommand(
				zone,
				['recreate'],
				['--item', String(item), ...confirmOptions(inForce, proposeEdits(inForce, step.edits))],
			);
		case 'choice':
			return catalogueCommand(zone, step);
		case 'by hand':
			return step.why;
		default:
			return step satisfies never;
	}
}

async function recreateOne(
	context: CommandContext,
	{item, rule, confirm}: RecreateOptions & {readonly item: number},
): Promise<void> {
	context.refuseWhenReadOnly('recreating what the migration left behind');
	const opened = await openToWrite(context);
	const {inForce} = opened;
	const {items} = leftBehind(context, opened);
	const left = items[item - 1];
	if (!left) throw noItem(items.length, item);
	const chosen = rule?.map((word): ChosenRule => {
		const {ruleset, name} = partNamed(word, 'rule', inForce);
		return {id: name, ruleset: {id: ruleset}};
	});
	const step = recreationEdit(left, inForce, chosen);
	if (step.kind === 'choice') throw undecided(opened, item, left, step);
	if (step.kind === 'by hand')
		throw new Failure('usage', `ledge cannot recreate ${left.what}; nothing was sent.`, {why: step.why});
	if (step.kind === 'edits')
		for (const setting of step.rest)
			context.output.warn(`Not part of this change, recreate it by hand: ${setting}.`);
	const edits = step.kind === 'edits' ? step.edits : [];
	await carryOut(context, opened, proposeEdits(inForce, edits), {
		what: `recreate ${left.what} ${left.id}: ${edits.map(edit => editSentence(edit)).join(' ')}`,
		confirmed: confirm,
	});
}

const noItem = (count: number, item: number): Failure =>
	new Failure('not_found', `There is no item ${item}; nothing was sent.`, {
		why: `There ${count === 1 ? 'is' : 'are'} ${counted(count, 'item')}.`,
		next: advice`List them: \`${inZone('managed', 'recreate')}\``,
	});

/**
 * Formats the command that searches the rules to choose from; without a query, it lists the whole ruleset.
 */
const catalogueCommand = (
	zone: OpenedManaged['zone'],
	{query, ruleset}: Pick<Extract<RecreationStep, {kind: 'choice'}>, 'query' | 'ruleset'>,
): string => managedCommand(zone, ['catalogue', ...(query === '' ? [] : [query])], ['--ruleset', ruleset]);

const undecided = (
	{zone}: OpenedManaged,
	item: number,
	{what}: NotMigrated,
	{missing, ruleset, query, found}: Extract<RecreationStep, {kind: 'choice'}>,
): Failure =>
	new Failure('usage', `Which rules ${what} became has to be chosen; nothing was sent.`, {
		why: `${rulesetName(ruleset)} does not have all of these under their old ids: ${missing.join(', ')}.`,
		next: [
			`Find them: \`${catalogueCommand(zone, {query, ruleset})}\``,
			`Then name all that are meant: \`${managedCommand(zone, ['recreate'], ['--item', String(item), ...[...found, 'ID'].flatMap(id => ['--rule', id])])}\``,
		].join('\n'),
	});

/** Reads the list of settings left behind from the zone's backup. Fails with `not_found` without one. */

function leftBehind({env, session}: CommandContext, {client, zone}: OpenedManaged) {
	const {id, name = id, label} = zone;
	return leftBehindOf(env, {place: worldPlaceOf(session, client), zone: {id, name}}, label);
}
