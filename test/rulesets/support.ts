import {readRulesetEntryPoint, sendEdit} from '../../source/rulesets/calls.ts';
import type {RulesetEdit} from '../../source/rulesets/edit.ts';
import {customPhase, type Ruleset, type RulesetRule} from '../../source/rulesets/ruleset.ts';
import type {TestZone} from '../firewall/support/zone.ts';
import {neverAbortedSignal} from '../service/scripted-transport.ts';

export const rule = (name: string, more: Partial<RulesetRule> = {}): RulesetRule => ({
	action: 'block',
	expression: `http.host eq "${name}.example"`,
	description: name,
	enabled: true,
	...more,
});

/** Reads the custom rules that a zone has now, without faults and unrecorded. */
export const readActualCustomRules = (testZone: TestZone): Promise<Ruleset | undefined> =>
	readRulesetEntryPoint(testZone.direct, testZone.zone.id, customPhase, neverAbortedSignal);

/** Sends an edit as someone else, unrecorded. */
export async function editAsSomeoneElse(testZone: TestZone, edit: RulesetEdit): Promise<Ruleset> {
	return sendEdit(
		testZone.direct,
		testZone.zone.id,
		customPhase,
		await readActualCustomRules(testZone),
		edit,
		neverAbortedSignal,
	);
}

/** Replaces the custom rules of a zone, and returns them as the service has them. */
export const putCustomRules = (testZone: TestZone, rules: readonly RulesetRule[]): Promise<Ruleset> =>
	editAsSomeoneElse(testZone, {kind: 'replace', rules});

/** Finds the rule with this description. */
export function findRuleByName(
	{rules}: Pick<Ruleset, 'rules'>,
	name: string,
): RulesetRule & {readonly id: string} {
	const found = rules.find(({description}) => description === name);
	if (found?.id === undefined) throw new Error(`There is no rule ${name}.`);
	return {...found, id: found.id};
}

export const listDescriptions = (
	ruleset: Pick<Ruleset, 'rules'> | undefined,
): readonly (string | undefined)[] => (ruleset?.rules ?? []).map(({description}) => description);
