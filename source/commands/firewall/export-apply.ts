import {Failure} from '../../failure.ts';
import {formatFirewallCommand} from '../../firewall/commands.ts';
import {omitEndedRules} from '../../firewall/export/ended-rules.ts';
import {
	findMergeProblems,
	formatMergedRule,
	listMergedRules,
	type MergeResult,
	mergeCustomRules,
} from '../../firewall/export/merge.ts';
import {type ConvertedRules, parseRulesExport} from '../../firewall/export/read-export.ts';
import {toCustomRules} from '../../firewall/rules/custom-rule.ts';
import {findCustomRuleZoneNameReasons} from '../../firewall/rules/name-reasons.ts';
import {listFirewallRules} from '../../firewall/rules/rules.ts';
import {createZoneNameFailure} from '../../firewall/zone-name.ts';
import {buildAdvice, buildZoneCommand} from '../../text/advice.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {JsonObject} from '../../text/json.ts';
import type {CommandContext} from '../shell/context.ts';
import {readInputValue} from '../shell/input.ts';
import {deleteReplacedRules, refuseUnconfirmableDeletion} from './export-delete-old.ts';
import {type OpenedPhase, openPhaseRules, openPhaseRulesForWriting, writePhaseRules} from './phase-rules.ts';

export type ExportApplyOptions = {
	apply?: boolean;
	from?: string;
	before?: string;
	deleteOld?: boolean;
	confirm?: string;
};

/**
 * `firewall export --apply`: creates the firewall rules of a zone, or of an export, as custom rules beside
 * the existing ones, but for those that have ended. Without the zone's name it only shows them. A second run changes nothing.
 */
export async function applyExport(context: CommandContext, options: ExportApplyOptions): Promise<void> {
	const {confirm: zoneName} = options;
	const {output} = context;
	const willSend = zoneName !== undefined && !context.options.dryRun;
	if (zoneName !== undefined) context.refuseWhenReadOnly('creating custom rules');
	const fileRules = options.from === undefined ? undefined : await readExport(context, options.from);
	const openedRules =
		zoneName === undefined
			? await openPhaseRules(context, {writes: true})
			: await openPhaseRulesForWriting(context);
	const {zone} = openedRules;
	const firewallRules = fileRules
		? []
		: await Array.fromAsync(listFirewallRules(openedRules.client, zone.id, context.signal));
	const convertedRules = omitEndedRules(fileRules ?? toCustomRules(firewallRules));
	if (options.before !== undefined && !openedRules.rules.some(({id}) => id === options.before))
		throw new Failure(
			'not_found',
			`There is no custom rule ${options.before} in ${zone.label} to insert them before.`,
			{
				next: buildAdvice`To list the rules: \`${buildZoneCommand('rules list')}\``,
			},
		);
	const mergeResult = mergeCustomRules(openedRules.rules, convertedRules.rules, options.before);
	const [mismatch] = findMergeProblems(mergeResult, zone);
	if (mismatch) throw mismatch.failure;
	const zoneNameReasons = findCustomRuleZoneNameReasons(zone, openedRules.rules, mergeResult.rules);
	for (const reason of zoneNameReasons) output.warn(reason);
	for (const note of [...convertedRules.notes, ...mergeResult.notes]) output.warn(note);
	printMergedRules(context, openedRules, mergeResult);
	if (zoneName !== undefined && zoneName !== zone.name)
		throw createZoneNameFailure(zone, zoneNameReasons, zoneName);
	if (willSend && options.deleteOld) refuseUnconfirmableDeletion(context, formatApplyCommand(zone, options));
	const outcome =
		zoneName === undefined
			? undefined
			: await writePhaseRules(
					context,
					openedRules,
					mergeResult.rules,
					`create ${formatQuantity(mergeResult.addedRules.length, 'custom rule')}`,
					{
						confirmOption: zoneName,
						reportsNoChange: false,
					},
				);
	if (willSend && outcome)
		output.say(
			`Created ${formatQuantity(mergeResult.addedRules.length, 'custom rule')} in zone ${zone.name}: now ${outcome.ruleset.rules.length} in total, version ${outcome.ruleset.version}.`,
		);
	const summary = {
		added: mergeResult.addedRules.length,
		present: mergeResult.presentRules.length,
		custom: (outcome?.ruleset.rules ?? (zoneName === undefined ? openedRules.rules : mergeResult.rules))
			.length,
		sent: outcome !== undefined,
	};
	const printSummary = async (extraFields: JsonObject = {}) => {
		if (output.json && !context.options.dryRun)
			await output.writeJson(context.markSimulated({...summary, ...extraFields}));
	};
	const isDeleting = options.deleteOld === true && firewallRules.length > 0;
	if (zoneName !== undefined && isDeleting)
		return deleteReplacedRules(context, openedRules, {
			firewallRules,
			customRules: mergeResult.rules,
			retryCommand: formatApplyCommand(zone, options),
			printSummary,
		});
	await printSummary();
	if (zoneName === undefined)
		output.say(
			mergeResult.addedRules.length === 0 && !isDeleting
				? 'Nothing to create, so nothing was sent.'
				: `Nothing was sent. To ${mergeResult.addedRules.length === 0 ? 'delete the firewall rules' : 'create them'}: ${formatApplyCommand(zone, options)}`,
		);
	else if (firewallRules.length > 0)
		output.say(
			`The zone's ${formatQuantity(firewallRules.length, 'firewall rule')} ${firewallRules.length === 1 ? 'stays' : 'stay'} active too. To delete them: ${formatApplyCommand(zone, {...options, deleteOld: true})}`,
		);
}

/** Formats the command that applies the same export with a confirmation. */
const formatApplyCommand = (
	zone: OpenedPhase['zone'],
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

async function readExport(context: CommandContext, fileArgument: string): Promise<ConvertedRules> {
	const bytes = await readInputValue(
		fileArgument === '-' ? fileArgument : context.resolve(fileArgument),
		context,
	);
	return parseRulesExport(bytes, fileArgument === '-' ? 'Standard input' : `The file ${fileArgument}`);
}

/** Prints the resulting rules; new ones are marked with `+`. */
function printMergedRules(
	{output}: CommandContext,
	{rules: existingRules, zone}: OpenedPhase,
	result: MergeResult,
): void {
	output.say(
		`${zone.label}: ${formatQuantity(result.addedRules.length, 'custom rule')} to create, ${formatQuantity(existingRules.length, 'existing one')} kept, ${result.presentRules.length} already present.`,
	);
	for (const {rule, position, isNew} of listMergedRules(result))
		output.say(`${isNew ? '+' : ' '}${String(position).padStart(4)}  ${formatMergedRule(rule)}`);
}
