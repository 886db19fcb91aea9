import {Failure} from '../../failure.ts';
import {formatRulesCommand} from '../../firewall/commands.ts';
import type {DraftFinding} from '../../firewall/rules/checks.ts';
import {checkCustomRule} from '../../firewall/rules/custom-checks.ts';
import {
	findEquivalentCustomRule,
	findIdenticalRule,
	formatEquivalentRuleWarning,
} from '../../firewall/rules/custom-rule-settings.ts';
import {formatCustomRuleAction} from '../../firewall/rules/custom-rule-words.ts';
import {findEarlierCustomRules} from '../../firewall/rules/earlier-rules.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import {listRuleChanges} from '../../rulesets/difference.ts';
import {
	buildMoveEdit,
	endPosition,
	insertAtPosition,
	type RulePosition,
	restoreRulesetRules,
} from '../../rulesets/edit.ts';
import {customPhase, type RulesetRule} from '../../rulesets/ruleset.ts';
import {canAsk} from '../../terminal/prompt.ts';
import {formatQuantity} from '../../text/figures.ts';
import {anyZone, throwIfErrors, warnAboutFindings} from '../firewall/check.ts';
import {warnOfEarlierRules} from '../firewall/emergency-report.ts';
import {resolveStdinExpression} from '../firewall/expression.ts';
import {applyEnd, parseId, parseIds} from '../firewall/options.ts';
import {
	customPhaseTexts,
	type OpenedPhase,
	openPhaseRulesForWriting,
	writePhaseRules,
} from '../firewall/phase-rules.ts';
import {getRestoredRules, loadRulesetVersion} from '../rulesets/versions.ts';
import type {ZoneNameOptions} from '../shell/confirm-zone-name.ts';
import type {CommandContext} from '../shell/context.ts';
import {hasRuleChanges, parsePosition, withCustomRuleOptions} from './options.ts';
import {getCustomRule, getRulePhaseTexts, refuseRateLimits} from './read.ts';
import type {
	CustomRuleCreateOptions,
	CustomRuleMoveOptions,
	CustomRuleUpdateOptions,
	RulesRestoreOptions,
} from './rules.ts';
import {formatCustomRuleLine, toCustomRuleJson} from './text.ts';

/** `rules create`. */
export async function createCustomRuleCommand(
	context: CommandContext,
	rawOptions: CustomRuleCreateOptions,
): Promise<void> {
	const options = await resolveStdinExpression(context, rawOptions);
	const {action, allowUnknown} = options;
	if (options.expression === undefined)
		throw new Failure('usage', 'No expression was given.', {
			next: 'Specify the requests to match with --expression.',
		});
	if (action === undefined)
		throw new Failure('usage', 'No action was given.', {
			next: 'Specify what to do with these requests, for example: --action block.',
		});
	const position = parsePosition(options);
	const expression = applyEnd(context, options.expression, options.for);
	const rule = withCustomRuleOptions({action, expression, enabled: true}, options);
	const findingContext = {allowUnknown, phase: customPhase, letsThrough: action === 'skip'} as const;
	throwIfErrors(checkCustomRule(rule, {...anyZone, allowUnknown}), expression, findingContext);
	const openedRules = await openPhaseRulesForWriting(context);
	const {zone, rules} = openedRules;
	requireKnownNeighbour(openedRules, position);
	const identicalRule = findIdenticalRule(rule, rules);
	if (identicalRule) return reportIdenticalRule(context, openedRules, identicalRule, position);
	const findings = checkCustomRule(rule, {...zone, allowUnknown}, {existingCount: rules.length});
	throwIfErrors(findings, expression, {...findingContext, plan: zone.plan});
	warnAboutFindings(context, findings, expression, {...findingContext, plan: zone.plan});
	warnOfEquivalentRule(context, rule, rules);
	const targetRules = insertAtPosition(rules, rule, position ?? endPosition);
	const outcome = await writePhaseRules(
		context,
		openedRules,
		targetRules,
		`create custom rule (${formatCustomRuleAction(rule)})`,
		{
			confirmOption: options.confirm,
		},
	);
	if (!outcome) return;
	const createdRule = outcome.rule ?? rule;
	const createdPosition = outcome.ruleset.rules.findIndex(({id}) => id === createdRule.id) + 1;
	if (context.options.dryRun) return;
	warnOfEarlierRules(
		context,
		findEarlierCustomRules(createdRule, createdRule.expression, outcome.ruleset.rules),
	);
	await context.printResult(
		[toCustomRuleJson(createdRule, createdPosition)],
		`Created custom rule ${formatCustomRuleName(createdRule)} at position ${createdPosition} of ${outcome.ruleset.rules.length}, in zone ${zone.name}.`,
	);
}

/** Formats a rule for a sentence, with its action. */
const formatCustomRuleName = (rule: RulesetRule): string =>
	formatRuleName({...rule, action: formatCustomRuleAction(rule)});

/**
 * Reports that an identical rule exists, so that a second run creates nothing. Fails if that rule is not at
 * the requested position.
 */
async function reportIdenticalRule(
	{output, markSimulated}: CommandContext,
	{zone, rules}: OpenedPhase,
	rule: RulesetRule & {readonly id: string},
	position: RulePosition | undefined,
): Promise<void> {
	const currentPosition = rules.findIndex(({id}) => id === rule.id) + 1;
	const otherRules = rules.filter(({id}) => id !== rule.id);
	const targetRules = position ? insertAtPosition(otherRules, rule, position) : rules;
	const targetPosition = position ? targetRules.indexOf(rule) + 1 : currentPosition;
	const sentence = `The identical custom rule ${formatCustomRuleName(rule)} already exists at position ${currentPosition} of ${rules.length}`;
	if (targetPosition !== currentPosition)
		throw new Failure('already_exists', `${sentence}, not at position ${targetPosition}.`, {
			left: 'Nothing was sent.',
			next: `To move it: ${formatRulesCommand(zone, ['move', rule.id], ['--to', String(targetPosition), ...customPhaseTexts.buildChangeOptions(zone, rules, targetRules)])}`,
		});
	output.say(`${sentence}, in zone ${zone.name}. Nothing was sent.`);
	if (output.json) await output.writeJson([markSimulated(toCustomRuleJson(rule, currentPosition))]);
}

/** `rules update`: reads the rule, and changes only the given settings. */
export async function updateCustomRuleCommand(
	context: CommandContext,
	rawOptions: CustomRuleUpdateOptions,
	idArgument: string,
): Promise<void> {
	const id = parseId(idArgument, 'custom rule');
	const options = await resolveStdinExpression(context, rawOptions);
	const {expression, allowUnknown} = options;
	if (expression === undefined && !hasRuleChanges(options))
		throw new Failure('usage', 'Nothing to change.', {
			next: 'Give at least one of --expression, --action, --skip, --description, --ref, --paused, --log and --response-….',
		});
	const openedRules = await openPhaseRulesForWriting(context);
	const {zone, rules} = openedRules;
	await refuseRateLimits(context, openedRules, [id]);
	const currentRule = getCustomRule(openedRules, id);
	const changedRule = {
		...withCustomRuleOptions(currentRule, options),
		...(expression !== undefined && {expression}),
	};
	const findingContext = {
		allowUnknown,
		phase: customPhase,
		plan: zone.plan,
		letsThrough: changedRule.action === 'skip',
	} as const;
	// An unchanged expression is not reported again: the service has accepted it already.
	const isRelevant = ({about}: DraftFinding) => about !== 'expression' || expression !== undefined;
	const findings = checkCustomRule(changedRule, {...zone, allowUnknown}).filter(isRelevant);
	throwIfErrors(findings, changedRule.expression, findingContext);
	if (expression !== undefined) warnAboutFindings(context, findings, expression, findingContext);
	const targetRules = rules.map(rule => (rule.id === id ? changedRule : rule));
	const outcome = await writePhaseRules(context, openedRules, targetRules, `update custom rule ${id}`, {
		confirmOption: options.confirm,
	});
	if (!outcome) return;
	const position = outcome.ruleset.rules.findIndex(rule => rule.id === id) + 1;
	await context.printResult(
		toCustomRuleJson(outcome.rule ?? changedRule, position),
		`Updated custom rule ${formatCustomRuleName({...changedRule, id})}, in zone ${zone.name}.`,
	);
}

/**
 * `rules pause` and `resume`: changes the given rules with one call; those already in that state stay
 * unchanged.
 */
export async function pauseCustomRules(
	context: CommandContext,
	{confirm: confirmOption}: ZoneNameOptions,
	ids: readonly string[],
	shouldPause: boolean,
): Promise<void> {
	const pastVerb = shouldPause ? 'Paused' : 'Resumed';
	const openedRules = await openPhaseRulesForWriting(context);
	await refuseRateLimits(context, openedRules, ids);
	const selectedRules = ids.map(id => getCustomRule(openedRules, id));
	for (const rule of selectedRules)
		if ((rule.enabled ?? true) === !shouldPause)
			context.output.say(
				`Custom rule ${formatCustomRuleName(rule)} is ${shouldPause ? 'already paused' : 'not paused'}.`,
			);
	const targetIds = new Set(ids);
	const targetRules = openedRules.rules.map(rule =>
		rule.id !== undefined && targetIds.has(rule.id) && (rule.enabled ?? true) === shouldPause
			? {...rule, enabled: !shouldPause}
			: rule,
	);
	const auditText = `${shouldPause ? 'pause' : 'resume'} custom ${ids.length === 1 ? 'rule' : 'rules'} ${ids.join(', ')}`;
	const outcome = await writePhaseRules(context, openedRules, targetRules, auditText, {
		confirmOption,
		reportsNoChange: false,
	});
	const finalRules = outcome?.ruleset.rules ?? openedRules.rules;
	if (outcome && !context.options.dryRun)
		context.output.say(`${pastVerb} ${selectedRules.map(formatCustomRuleName).join(', ')}.`);
	await context.printResult(
		finalRules.flatMap((rule, index) =>
			rule.id !== undefined && targetIds.has(rule.id) ? [toCustomRuleJson(rule, index + 1)] : [],
		),
	);
}

/** `rules move`: prints the new order, asks on a terminal, then sends one call. */
export async function moveCustomRule(
	context: CommandContext,
	{confirm: confirmOption, ...options}: CustomRuleMoveOptions,
	idArgument: string,
): Promise<void> {
	const id = parseId(idArgument, 'custom rule');
	const position = parsePosition(options);
	if (!position)
		throw new Failure('usage', 'No position was given.', {
			next: 'Give one of --first, --last, --before, --after and --to.',
		});
	const openedRules = await openPhaseRulesForWriting(context);
	const {zone, rules} = openedRules;
	await refuseRateLimits(context, openedRules, [id]);
	const rule = getCustomRule(openedRules, id);
	requireKnownNeighbour(openedRules, position);
	if (('before' in position && position.before === id) || ('after' in position && position.after === id))
		throw new Failure('usage', "A rule can't be moved before or after itself.");
	const targetRules = insertAtPosition(
		rules.filter(one => one.id !== id),
		rule,
		position,
	);
	const targetPosition = targetRules.findIndex(one => one.id === id) + 1;
	const previousPosition = rules.findIndex(one => one.id === id) + 1;
	if (targetPosition !== previousPosition) {
		context.output.say(
			`From position ${previousPosition} to ${targetPosition} of ${rules.length}, in ${zone.label}:`,
		);
		for (const [index, one] of targetRules.entries())
			context.output.say(`${one.id === id ? '>' : ' '}${formatCustomRuleLine(one, index + 1)}`);
	}
	const outcome = await writePhaseRules(
		context,
		openedRules,
		targetRules,
		`move custom rule ${id} to position ${targetPosition}`,
		{
			confirmOption,
			question: canAsk(context.host) && !context.output.json ? 'Move this rule?' : undefined,
			// If two neighbours swap, moving either has the same effect; this moves the named rule.
			intendedEdit: buildMoveEdit(targetRules, id),
		},
	);
	if (!outcome) return;
	const finalPosition = outcome.ruleset.rules.findIndex(one => one.id === id) + 1;
	await context.printResult(
		toCustomRuleJson(outcome.rule ?? rule, finalPosition),
		`Moved custom rule ${formatCustomRuleName(rule)} to position ${finalPosition} of ${outcome.ruleset.rules.length}, in zone ${zone.name}.`,
	);
}

/** `rules delete`: deletes the given rules in one call. A rule that does not exist counts as deleted. */
export async function deleteCustomRules(
	context: CommandContext,
	{confirm: confirmOption}: ZoneNameOptions,
	...words: string[]
): Promise<void> {
	const ids = parseIds(words, 'custom rule');
	const openedRules = await openPhaseRulesForWriting(context);
	await refuseRateLimits(context, openedRules, ids);
	const {zone, rules, ruleset} = openedRules;
	const existingRules = rules.filter(({id}) => id !== undefined && ids.includes(id));
	for (const id of ids)
		if (!existingRules.some(rule => rule.id === id)) context.output.say(`There is no custom rule ${id}.`);
	const names = existingRules.map(formatCustomRuleName).join(', ');
	const targetRules = rules.filter(rule => !existingRules.includes(rule));
	const auditText = `delete custom ${existingRules.length === 1 ? 'rule' : 'rules'} ${existingRules.map(({id}) => id).join(', ')}`;
	const outcome = await writePhaseRules(context, openedRules, targetRules, auditText, {
		confirmOption,
		question: `Delete custom ${existingRules.length === 1 ? 'rule' : 'rules'} ${names} from ${zone.label}?`,
		reportsNoChange: false,
	});
	await context.printResult(ids.map(id => ({id, deleted: existingRules.some(rule => rule.id === id)})));
	if (!outcome || !ruleset || context.options.dryRun) return;
	const remainingRules = outcome.ruleset.rules;
	const undoCommand = formatRulesCommand(
		zone,
		['restore', ruleset.version],
		customPhaseTexts.buildChangeOptions(
			zone,
			remainingRules,
			restoreRulesetRules(remainingRules, ruleset.rules),
		),
	);
	context.output.say(
		`Deleted custom ${existingRules.length === 1 ? 'rule' : 'rules'} ${names}. To undo: ${undoCommand}`,
	);
}

/** `rules restore`: restores all or some rules of an earlier version, after showing the changes. */
export async function restorePhaseRules(
	context: CommandContext,
	{rule: ruleArguments, confirm: confirmOption, ...options}: RulesRestoreOptions,
	version: string,
): Promise<void> {
	const openedPhase = await openPhaseRulesForWriting(context, getRulePhaseTexts(options));
	const {zone, rules, texts} = openedPhase;
	const earlierVersion = await loadRulesetVersion(context, openedPhase, texts, version);
	const ids = ruleArguments === undefined ? undefined : new Set(parseIds(ruleArguments, 'custom rule'));
	const targetRules = getRestoredRules(openedPhase, texts, earlierVersion, ids);
	const changes = listRuleChanges(rules, targetRules);
	if (changes.length > 0) {
		context.output.say(`Restoring version ${version} of the ${texts.rulesNoun} of ${zone.label} changes:`);
		for (const change of changes) context.output.say(`  ${texts.describeChange(change, 'planned')}`);
	}
	const auditText = `restore version ${version} of the ${texts.rulesNoun}`;
	const outcome = await writePhaseRules(context, openedPhase, targetRules, auditText, {
		confirmOption,
		question: `Apply ${formatQuantity(changes.length, 'change')}?`,
	});
	if (!outcome) return;
	await context.printResult(
		{version: outcome.ruleset.version, restored: version, changes: changes.length},
		`Restored version ${version} as version ${outcome.ruleset.version}, in zone ${zone.name}.`,
	);
}

function requireKnownNeighbour({zone, rules}: OpenedPhase, position: RulePosition | undefined): void {
	if (!position || 'index' in position) return;
	const neighbourId = 'before' in position ? position.before : position.after;
	// An empty id means the end.
	if (neighbourId === '' || rules.some(({id}) => id === neighbourId)) return;
	throw new Failure(
		'not_found',
		`There is no custom rule ${neighbourId} in ${zone.label} to place it next to.`,
		{
			next: `To list the rules: \`${formatRulesCommand(zone, ['list'])}\``,
		},
	);
}

function warnOfEquivalentRule(
	{output}: CommandContext,
	rule: RulesetRule,
	rules: readonly RulesetRule[],
): void {
	const equivalentRule = findEquivalentCustomRule(rule, rules);
	if (equivalentRule) output.warn(formatEquivalentRuleWarning(equivalentRule));
}
