import {readRulesetEntryPoint, sendEdit} from '../../source/rulesets/calls.ts';
import type {RulesetEdit} from '../../source/rulesets/edit.ts';
import {customPhase, type Ruleset, type RulesetRule} from '../../source/rulesets/ruleset.ts';
import type {TestZone} from '../firewall/support/zone.ts';
import {never} from '../service/scripted-transport.ts';

export const rule = (name: string, more: Partial<RulesetRule> = {}): RulesetRule => ({
	action: 'block',
	expression: `http.host eq "${name}.example"`,
	description: name,
	enabled: true,
	...more,
});

/** The custom rules that a zone really has now, past all that goes wrong. */
export const customRulesOf = (at: TestZone): Promise<Ruleset | undefined> =>
	readRulesetEntryPoint(at.direct, at.zone.id, customPhase, never);

/** An edit by someone else, past all records. */
export async function byOthers(at: TestZone, edit: RulesetEdit): Promise<Ruleset> {
	return sendEdit(at.direct, at.zone.id, customPhase, await customRulesOf(at), edit, never);
}

/** Puts these rules into a zone, as they then are. */
export const withCustomRules = (at: TestZone, rules: readonly RulesetRule[]): Promise<Ruleset> =>
	byOthers(at, {kind: 'replace', rules});

/** The rule of this name. */
export function ruleNamed(
	{rules}: Pick<Ruleset, 'rules'>,
	name: string,
): RulesetRule & {readonly id: string} {
	const found = rules.find(({description}) => description === name);
	if (found?.id === undefined) throw new Error(`There is no rule ${name}.`);
	return {...found, id: found.id};
}

export const namesOf = (ruleset: Pick<Ruleset, 'rules'> | undefined): readonly (string | undefined)[] =>
	(ruleset?.rules ?? []).map(({description}) => description);
