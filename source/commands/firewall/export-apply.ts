import {Failure} from '../../failure.ts';
import {formatFirewallCommand} from '../../firewall/continuation.ts';
import {
	findMergeProblems,
	formatMergedRule,
	listMergedRules,
	type MergeResult,
	mergeCustomRules,
} from '../../firewall/export/merge.ts';
import {type ConvertedRules, parseRulesExport} from '../../firewall/export/read-export.ts';
import {toCustomRules} from '../../firewall/rules/custom-rule.ts';
import {findCustomRuleReasons} from '../../firewall/rules/name-reasons.ts';
import {listFirewallRules} from '../../firewall/rules/rules.ts';
import {createZoneNameFailure} from '../../firewall/zone-name.ts';
import {buildAdvice, buildZoneCommand} from '../../text/advice.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {JsonObject} from '../../text/json.ts';
import type {CommandContext} from '../shell/context.ts';
import {readInputValue} from '../shell/input.ts';
import {
	type OpenedCustomRules,
	openCustomRules,
	openCustomRulesForWriting,
	writeCustomRules,
} from './custom-rules.ts';
import {deleteReplacedRules, refuseUnansweredDeletion} from './export-delete-old.ts';

export type ExportApplyOptions = {
	apply?: boolean;
	from?: string;
	before?: string;
	deleteOld?: boolean;
	confirm?: string;
};

/**
 * `firewall export --apply`: creates the firewall rules of a zone, or of an export, as custom rules beside
 * the existing ones. Without the zone's name it only shows them. A second run changes nothing.
 */
export async function applyExport(context: CommandContext, options: ExportApplyOptions): Promise<void> {
	const {confirm: zoneName} = options;
	const {output} = context;
	const sends = zoneName !== undefined && !context.options.dryRun;
	if (zoneName !== undefined) context.refuseWhenReadOnly('creating custom rules');
	const file = options.from === undefined ? undefined : await readExport(context, options.from);
	const opened =
		zoneName === undefined
			? await openCustomRules(context, {writes: true})
			: await openCustomRulesForWriting(context);
	const {zone} = opened;
	const old = file ? [] : await Array.fromAsync(listFirewallRules(opened.client, zone.id, context.signal));
	const converted = file ?? toCustomRules(old);
	if (options.before !== undefined && !opened.rules.some(({id}) => id === options.before))
		throw new Failure(
			'not_found',
			`There is no custom rule ${options.before} in ${zone.label} to put them before.`,
			{
				next: buildAdvice`See \`${buildZoneCommand('rules list')}\` for what there is.`,
			},
		);
	const result = mergeCustomRules(opened.rules, converted.rules, options.before);
	const [mismatch] = findMergeProblems(result, zone);
	if (mismatch) throw mismatch.failure;
	const reasons = findCustomRuleReasons(zone, opened.rules, result.rules);
	for (const reason of reasons) output.warn(reason);
	for (const note of [...converted.notes, ...result.notes]) output.warn(note);
	printMergedRules(context, opened, result);
	if (zoneName !== undefined && zoneName !== zone.name) throw createZoneNameFailure(zone, reasons, zoneName);
	if (sends && options.deleteOld) refuseUnansweredDeletion(context, formatApplyCommand(zone, options));
	const outcome =
		zoneName === undefined
			? undefined
			: await writeCustomRules(
					context,
					opened,
					result.rules,
					`create ${formatQuantity(result.added.length, 'custom rule')}`,
					{
						confirmed: zoneName,
						reportsNoChange: false,
					},
				);
	if (sends && outcome)
		output.say(
			`Created ${formatQuantity(result.added.length, 'custom rule')}: ${outcome.ruleset.rules.length} now, version ${outcome.ruleset.version}, in zone ${zone.name}.`,
		);
	const summary = {
		added: result.added.length,
		present: result.present.length,
		custom: (outcome?.ruleset.rules ?? (zoneName === undefined ? opened.rules : result.rules)).length,
		sent: outcome !== undefined,
	};
	const report = async (more: JsonObject = {}) => {
		if (output.json && !context.options.dryRun)
			await output.value(context.markSimulated({...summary, ...more}));
	};
	const isDeleting = options.deleteOld === true && old.length > 0;
	if (zoneName !== undefined && isDeleting)
		return deleteReplacedRules(context, opened, {
			read: old,
			custom: result.rules,
			retryCommand: formatApplyCommand(zone, options),
			report,
		});
	await report();
	if (zoneName === undefined)
		output.say(
			result.added.length === 0 && !isDeleting
				? 'Nothing to create, so nothing was sent.'
				: `Nothing was sent. To ${result.added.length === 0 ? 'delete the firewall rules' : 'create them'}: ${formatApplyCommand(zone, options)}`,
		);
	else if (old.length > 0)
		output.say(
			`The zone's ${formatQuantity(old.length, 'firewall rule')} ${old.length === 1 ? 'stays' : 'stay'} active too. To delete them: ${formatApplyCommand(zone, {...options, deleteOld: true})}`,
		);
}

/** Formats the command that applies what was shown. */
const formatApplyCommand = (
	zone: OpenedCustomRules['zone'],
	{from, before, deleteOld}: ExportApplyOptions,
): string =>
	formatFirewallCommand(
		zone,
		['export'],
		[
			'--apply',
			...(from === undefined ? [] : ['--from', from]),
			...(before === undefined ? [] : ['--before', before]),
			...(deleteOld ? ['--delete-old'] : []),
			'--confirm',
			zone.name,
		],
	);

async function readExport(context: CommandContext, word: string): Promise<ConvertedRules> {
	const bytes = await readInputValue(word === '-' ? word : context.resolve(word), context);
	return parseRulesExport(bytes, word === '-' ? 'Standard input' : `The file ${word}`);
}

/** Prints the rules as they would be, each marked as new or not. */
function printMergedRules(
	{output}: CommandContext,
	{rules: existing, zone}: OpenedCustomRules,
	result: MergeResult,
): void {
	output.say(
		`${zone.label}: ${formatQuantity(result.added.length, 'custom rule')} to create, ${formatQuantity(existing.length, 'existing one')} kept, ${result.present.length} already there.`,
	);
	for (const {rule, place, isNew} of listMergedRules(result))
		output.say(`${isNew ? '+' : ' '}${String(place).padStart(4)}  ${formatMergedRule(rule)}`);
}
