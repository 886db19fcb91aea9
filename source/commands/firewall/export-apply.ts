import {Failure} from '../../failure.ts';
import {command} from '../../firewall/continuation.ts';
import {type Merged, merged, mergedRuleLine, mergedRules, misfits} from '../../firewall/export/merge.ts';
import {type MadeRules, rulesInExport} from '../../firewall/export/read-export.ts';
import {customRulesOf} from '../../firewall/rules/custom-rule.ts';
import {findCustomRuleReasons} from '../../firewall/rules/name-reasons.ts';
import {rules} from '../../firewall/rules/rules.ts';
import {zoneNameFailure} from '../../firewall/zone-name.ts';
import {advice, inZone} from '../../text/advice.ts';
import {counted} from '../../text/figures.ts';
import type {JsonObject} from '../../text/json.ts';
import type {CommandContext} from '../shell/context.ts';
import {readValue} from '../shell/input.ts';
import {changed, type OpenedRules, openRules, openToWrite} from './custom-rules.ts';
import {deleteOld, refuseUnansweredDeletion} from './export-delete-old.ts';

export type ApplyOptions = {
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
export async function applyExport(context: CommandContext, options: ApplyOptions): Promise<void> {
	const {confirm: given} = options;
	const {output} = context;
	const sends = given !== undefined && !context.options.dryRun;
	if (given !== undefined) context.refuseWhenReadOnly('creating custom rules');
	const file = options.from === undefined ? undefined : await exportIn(context, options.from);
	const opened = given === undefined ? await openRules(context, {writes: true}) : await openToWrite(context);
	const {zone} = opened;
	const old = file ? [] : await Array.fromAsync(rules(opened.client, zone.id, context.signal));
	const made = file ?? customRulesOf(old);
	if (options.before !== undefined && !opened.rules.some(({id}) => id === options.before))
		throw new Failure(
			'not_found',
			`There is no custom rule ${options.before} in ${zone.label} to put them before.`,
			{
				next: advice`See \`${inZone('rules list')}\` for what there is.`,
			},
		);
	const result = merged(opened.rules, made.rules, options.before);
	const [misfit] = misfits(result, zone);
	if (misfit) throw misfit.failure;
	const reasons = findCustomRuleReasons(zone, opened.rules, result.rules);
	for (const reason of reasons) output.warn(reason);
	for (const note of [...made.notes, ...result.notes]) output.warn(note);
	tell(context, opened, result);
	if (given !== undefined && given !== zone.name) throw zoneNameFailure(zone, reasons, given);
	if (sends && options.deleteOld) refuseUnansweredDeletion(context, again(zone, options));
	const outcome =
		given === undefined
			? undefined
			: await changed(
					context,
					opened,
					result.rules,
					`create ${counted(result.added.length, 'custom rule')}`,
					{
						confirmed: given,
						saysNothing: false,
					},
				);
	if (sends && outcome)
		output.say(
			`Created ${counted(result.added.length, 'custom rule')}: ${outcome.ruleset.rules.length} now, version ${outcome.ruleset.version}, in zone ${zone.name}.`,
		);
	const summary = {
		added: result.added.length,
		present: result.present.length,
		custom: (outcome?.ruleset.rules ?? (given === undefined ? opened.rules : result.rules)).length,
		sent: outcome !== undefined,
	};
	const report = async (more: JsonObject = {}) => {
		if (output.json && !context.options.dryRun) await output.value(context.marked({...summary, ...more}));
	};
	const isDeleting = options.deleteOld === true && old.length > 0;
	if (given !== undefined && isDeleting)
		return deleteOld(context, opened, {read: old, custom: result.rules, again: again(zone, options), report});
	await report();
	if (given === undefined)
		output.say(
			result.added.length === 0 && !isDeleting
				? 'Nothing to create, so nothing was sent.'
				: `Nothing was sent. To ${result.added.length === 0 ? 'delete the firewall rules' : 'create them'}: ${again(zone, options)}`,
		);
	else if (old.length > 0)
		output.say(
			`The zone's ${counted(old.length, 'firewall rule')} ${old.length === 1 ? 'stays' : 'stay'} active too. To delete them: ${again(zone, {...options, deleteOld: true})}`,
		);
}

/** Formats the command that applies what was shown. */
const again = (zone: OpenedRules['zone'], {from, before, deleteOld}: ApplyOptions): string =>
	command(
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

async function exportIn(context: CommandContext, word: string): Promise<MadeRules> {
	const bytes = await readValue(word === '-' ? word : context.resolve(word), context);
	return rulesInExport(bytes, word === '-' ? 'Standard input' : `The file ${word}`);
}

/** Prints the rules as they would be, each marked as new or not. */
function tell({output}: CommandContext, {rules: existing, zone}: OpenedRules, result: Merged): void {
	output.say(
		`${zone.label}: ${counted(result.added.length, 'custom rule')} to create, ${counted(existing.length, 'existing one')} kept, ${result.present.length} already there.`,
	);
	for (const {rule, place, isNew} of mergedRules(result))
		output.say(`${isNew ? '+' : ' '}${String(place).padStart(4)}  ${mergedRuleLine(rule)}`);
}
