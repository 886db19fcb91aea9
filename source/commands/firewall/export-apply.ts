import {isUtf8} from 'node:buffer';
import {Failure} from '../../failure.ts';
import {type Merged, merged} from '../../firewall/export/merge.ts';
import {type MadeRules, rulesInExport} from '../../firewall/export/read-export.ts';
import {rulesByPlan} from '../../firewall/limits.ts';
import {checkCustomRule} from '../../firewall/rules/custom-checks.ts';
import {customRulesOf} from '../../firewall/rules/custom-rule.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {rules} from '../../firewall/rules/rules.ts';
import {skippedBy} from '../../firewall/rules/skip.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {planNames} from '../../service/plan.ts';
import {advice, inZone} from '../../text/advice.ts';
import {counted} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {readValue} from '../shell/input.ts';
import {changed, type OpenedRules, openRules, openToWrite} from './custom-rules.ts';
import {deleteRulesCommand} from './rule-delete.ts';

export type ApplyOptions = {
	apply?: boolean;
	from?: string;
	before?: string;
	deleteOld?: boolean;
	confirm?: string;
};

/**
 * `firewall export --apply`: the firewall rules of a zone, or of an export, as custom rules beside those that exist. Without
 * the zone's name it only shows what would be made. A second run changes nothing.
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
	refuseUnfit(opened, result);
	for (const note of [...made.notes, ...result.notes]) output.warn(note);
	tell(context, opened, result);
	if (given !== undefined && given !== zone.name)
		throw new Failure('unconfirmed', `The zone is ${zone.name}, not "${given}"; nothing was sent.`);
	const outcome =
		given === undefined
			? undefined
			: await changed(
					context,
					opened,
					result.rules,
					`create ${counted(result.added.length, 'custom rule')}`,
					{
						saysNothing: false,
					},
				);
	if (sends && outcome)
		output.say(
			`Created ${counted(result.added.length, 'custom rule')}: ${outcome.ruleset.rules.length} now, version ${outcome.ruleset.version}, in zone ${zone.name}.`,
		);
	if (output.json && !context.options.dryRun)
		await output.value(
			context.marked({
				added: result.added.length,
				present: result.present.length,
				custom: (outcome?.ruleset.rules ?? (given === undefined ? opened.rules : result.rules)).length,
				sent: outcome !== undefined,
			}),
		);
	if (given === undefined)
		return output.say(`Nothing was sent. To put them in force: the same with --confirm ${zone.name}`);
	await afterwards(context, options, old);
}

/** What becomes of the firewall rules once their custom rules exist: they stay, unless they are to go. */
async function afterwards(
	context: CommandContext,
	{deleteOld, from}: ApplyOptions,
	old: readonly Rule[],
): Promise<void> {
	if (from !== undefined || old.length === 0) return;
	if (deleteOld) {
		// Only what is a custom rule now: one without a filter has become none.
		const ids = old.flatMap(({id, filter}) => ('deleted' in filter ? [] : [id]));
		return deleteRulesCommand(context, {}, ids);
	}
	context.output.say(
		`The ${counted(old.length, 'firewall rule')} of before stay in force beside them; the same with --delete-old deletes them.`,
	);
}

async function exportIn(context: CommandContext, word: string): Promise<MadeRules> {
	const bytes = await readValue(word === '-' ? word : context.resolve(word), context);
	const from = word === '-' ? 'Standard input' : `The file ${word}`;
	if (!isUtf8(bytes)) throw new Failure('input_malformed', `${from} is not UTF-8 text.`);
	return rulesInExport(bytes.toString('utf8'), from);
}

/** Fails before anything is sent where the plan has no room for them, or the service would refuse one of them. */
function refuseUnfit({zone}: OpenedRules, {rules: all, added}: Merged): void {
	const most = zone.plan && rulesByPlan[zone.plan];
	if (zone.plan && most !== undefined && added.length > 0 && all.length > most)
		throw new Failure('plan_lacks', `The zone cannot have ${all.length} custom rules.`, {
			why: `The plan ${planNames[zone.plan]} has ${most}, paused ones too.`,
			left: 'Nothing was sent.',
			next: 'Delete rules that are no longer needed, or raise the plan of the zone.',
		});
	for (const rule of added) {
		const wrong = checkCustomRule(rule, zone).find(({severity}) => severity === 'error');
		if (wrong)
			throw wrong.failure.with({
				why: [`It is of the rule: ${lineOf(rule)}`, wrong.failure.details.why].filter(Boolean).join('\n'),
				left: 'Nothing was sent.',
			});
	}
}

const lineOf = ({action, action_parameters, enabled, description, expression}: RulesetRule): string =>
	`${[action, skippedBy({action_parameters}).join(',')].filter(Boolean).join(' ')}${enabled === false ? ' (paused)' : ''}  ${description ? `${description}: ` : ''}${expression}`;

/** The rules as they would be, each marked as new or not. */
function tell({output}: CommandContext, {rules: existing, zone}: OpenedRules, result: Merged): void {
	const ids = new Set(existing.map(({id}) => id));
	output.say(
		`${zone.label}: ${counted(result.added.length, 'custom rule')} to create, ${counted(existing.length, 'existing one')} kept, ${result.present.length} of the firewall rules there already.`,
	);
	for (const [index, rule] of result.rules.entries()) {
		const isKept = rule.id !== undefined && ids.has(rule.id);
		output.say(`${isKept ? ' ' : '+'}${String(index + 1).padStart(4)}  ${lineOf(rule)}`);
	}
}
