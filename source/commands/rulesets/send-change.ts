import type {RulesetOutcome} from '../../rulesets/change.ts';
import {type ConcurrentEdits, describeConcurrentEdits} from '../../rulesets/change-words.ts';
import {restoreRulesetRules} from '../../rulesets/edit.ts';
import {toZonePlace} from '../../session/write-place.ts';
import type {CommandContext} from '../shell/context.ts';
import type {OpenedRuleset, PhaseTexts} from './phase-texts.ts';

type DoneOutcome = RulesetOutcome & {state: 'done'};

/**
 * Sends a change of a ruleset, records it in the audit log as `auditText`, and warns of concurrent changes by
 * others. Fails if the change was not done. `send` calls `onRecheck` if a response was lost and it checks the
 * current state.
 */
export async function sendRulesetChange(
	context: CommandContext,
	{zone}: Pick<OpenedRuleset, 'zone'>,
	phaseTexts: PhaseTexts,
	auditText: string,
	send: (onRecheck: () => void) => Promise<RulesetOutcome>,
): Promise<DoneOutcome> {
	const {output} = context;
	const outcome = await context.auditWrite(
		auditText,
		toZonePlace(zone),
		() => send(() => output.say('The response was lost; checking the current state.')),
		result => ('failure' in result ? result.failure : undefined),
	);
	if (outcome.state === 'changed meanwhile')
		throw outcome.failure.withDetails({
			why: outcome.changes.map(change => phaseTexts.describeChange(change)).join('\n') || undefined,
		});
	if (outcome.state !== 'done') throw outcome.failure;
	if (outcome.lost) output.say('A later check confirmed the change.');
	if (outcome.concurrentEdits)
		warnOfConcurrentChanges(context, zone, phaseTexts, outcome.concurrentEdits, outcome.ruleset);
	return outcome;
}

function warnOfConcurrentChanges(
	{output}: CommandContext,
	zone: OpenedRuleset['zone'],
	phaseTexts: PhaseTexts,
	concurrentEdits: ConcurrentEdits,
	{rules}: DoneOutcome['ruleset'],
): void {
	for (const {title, changes} of describeConcurrentEdits(concurrentEdits, change =>
		phaseTexts.describeChange(change),
	)) {
		output.warn(title);
		for (const change of changes) output.say(`  ${change}`);
	}
	const {overwritten, version, rulesBefore} = concurrentEdits;
	if (overwritten.length === 0 || version === undefined) return;
	const ids = overwritten.flatMap(({rule}) => rule.id ?? []);
	const options = [
		...ids.flatMap(id => ['--rule', id]),
		...(phaseTexts.buildChangeOptions?.(zone, rules, restoreRulesetRules(rules, rulesBefore, new Set(ids))) ??
			[]),
	];
	output.say(`To restore it: ${phaseTexts.formatCommand(zone, ['restore', version], options)}`);
}
