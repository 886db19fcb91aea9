import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {Failure} from '../../failure.ts';
import {throwIfFileErrors} from '../../rule-files/checks.ts';
import type {RulesFile} from '../../rule-files/parse.ts';
import {hasDifference, planRules, type RulesPlan} from '../../rule-files/plan.ts';
import {readZoneRules, type ZoneRules} from '../../rule-files/zone-rules.ts';
import type {Client} from '../../service/client.ts';
import type {ChosenZone} from '../../session/write-place.ts';
import {openZone} from '../firewall/zone.ts';
import type {CommandContext} from '../shell/context.ts';
import type {RulesDiffOptions} from './commands.ts';
import {reportZoneFailure} from './export.ts';
import {readRulesFile} from './input.ts';
import {formatRulesPlan, toRulesPlanJson} from './text.ts';
import {listZoneFiles} from './zones.ts';

/** `rules diff`: prints what `rules apply` would do. Reads only. */
export async function diffRules(
	context: CommandContext,
	options: RulesDiffOptions,
	fileArgument: string,
): Promise<void> {
	const {output} = context;
	if (options.allZones) return diffAllZones(context, options, fileArgument);
	const file = await readRulesFile(context, fileArgument, options);
	const {client, zone} = await openZone(context, {writes: false});
	const {plan} = await planRulesFile(context, client, zone, file, options);
	if (options.exitCode && hasDifference(plan)) context.setExitCode(1);
	if (output.json) return output.writeJson(context.markSimulated(toRulesPlanJson(zone, file, plan)));
	await output.writeText(`${formatRulesPlan(zone, file, plan).join('\n')}\n`);
}

/**
 * Reads the rules of a zone, and plans what applying the file changes. Prints warnings; fails if the service
 * would refuse rules of the file.
 */
export async function planRulesFile(
	{output, signal}: CommandContext,
	client: Client,
	zone: ChosenZone,
	file: RulesFile,
	{allowUnknown}: {readonly allowUnknown?: boolean},
): Promise<{readonly plan: RulesPlan; readonly managedState: ZoneRules['managedState']}> {
	const zoneRules = await readZoneRules(client, zone, signal);
	const plan = planRules(file, zoneRules, {zone, allowUnknown});
	throwIfFileErrors(file, plan.findings);
	for (const {lines} of plan.findings) {
		const [first = '', ...marked] = lines;
		output.warn(first);
		for (const line of marked) output.say(`  ${line}`);
	}
	return {plan, managedState: zoneRules.managedState};
}

/** Compares every zone with its file. A zone without a file, or that cannot be read, is reported. */
async function diffAllZones(
	context: CommandContext,
	options: RulesDiffOptions,
	folder: string,
): Promise<void> {
	const {output} = context;
	if (!existsSync(context.resolve(folder)))
		throw new Failure('input_missing', `The folder "${folder}" does not exist.`, {
			next: 'Write it with `ledge rules export --all-zones --output FOLDER`.',
		});
	const client = await context.client();
	const results: object[] = [];
	for (const {zone, fileName} of await listZoneFiles(context)) {
		const endings = options.format ? [options.format] : ['yaml', 'yml', 'json'];
		const path = endings
			.map(ending => join(folder, `${fileName}.${ending}`))
			.find(candidate => existsSync(context.resolve(candidate)));
		const zoneJson = {id: zone.id, name: zone.name};
		if (path === undefined) {
			if (options.exitCode) context.setExitCode(1);
			results.push({zone: zoneJson, file: null, failed: null});
			if (!output.json) await output.writeText(`${zone.label}: no file in ${folder}\n`);
			continue;
		}
		try {
			const file = await readRulesFile(context, path, options);
			const {plan} = await planRulesFile(context, client, zone, file, options);
			if (options.exitCode && hasDifference(plan)) context.setExitCode(1);
			results.push(context.markSimulated({...toRulesPlanJson(zone, file, plan), failed: null}));
			if (!output.json) await output.writeText(`${formatRulesPlan(zone, file, plan).join('\n')}\n`);
		} catch (error) {
			results.push({zone: zoneJson, file: path, failed: reportZoneFailure(context, zone, error)});
		}
	}
	if (output.json) await output.writeJson(results);
}
