import {formatRulesFile, toFileRule} from '../../source/rule-files/format.ts';
import {parseRulesFile, type RulesFile} from '../../source/rule-files/parse.ts';
import type {RulesFileData} from '../../source/rule-files/schema.ts';
import {ruleSections, type SectionKey} from '../../source/rule-files/sections.ts';
import {readZoneRules, type ZoneRules} from '../../source/rule-files/zone-rules.ts';
import {readRulesetEntryPoint, sendEdit} from '../../source/rulesets/calls.ts';
import type {RulesetPhase, RulesetRule} from '../../source/rulesets/ruleset.ts';
import type {Client} from '../../source/service/client.ts';
import {neverAbortedSignal} from '../service/scripted-transport.ts';

/** The migrated sample zone, and one without rules. */
export const migratedZone = {
	id: '7b3a9d2e6c5f4e1a8d7b0c1d2e3f4a74',
	name: 'done.acme.example',
	plan: 'pro',
	label: 'zone done.acme.example',
	account: undefined,
} as const;

export const readRules = (client: Client, zone = migratedZone): Promise<ZoneRules> =>
	readZoneRules(client, zone, neverAbortedSignal);

/** The data of an export of a zone whose phases can all be read. */
export function toExportData(zoneName: string, zoneRules: ZoneRules, withIds: boolean): RulesFileData {
	const entries = ruleSections.map(({key}) => {
		const reading = zoneRules[key];
		if (!('ruleset' in reading)) throw reading;
		return [key, (reading.ruleset?.rules ?? []).map(rule => toFileRule(rule, withIds))] as const;
	});
	return {zone: zoneName, ...Object.fromEntries(entries)};
}

export const formatYaml = (data: RulesFileData, previousText?: string): string =>
	formatRulesFile(data, {format: 'yaml', header: ['Header.'], previousText});

export const parseYaml = (text: string): RulesFile =>
	parseRulesFile(text, {name: 'rules.yaml', format: 'yaml'});

/** Replaces the rules of a phase as someone else would. */
export async function replacePhase(
	client: Client,
	phase: RulesetPhase,
	rules: readonly RulesetRule[],
	zoneId: string = migratedZone.id,
): Promise<void> {
	const entryPoint = await readRulesetEntryPoint(client, zoneId, phase, neverAbortedSignal);
	await sendEdit(client, zoneId, phase, entryPoint, {kind: 'replace', rules}, neverAbortedSignal);
}

/** Builds a parsed file with these sections. */
export const buildFile = (sections: {readonly [key in SectionKey]?: readonly RulesetRule[]}): RulesFile =>
	parseYaml(formatYaml(sections as RulesFileData));
