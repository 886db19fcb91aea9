import {Failure} from '../../failure.ts';
import {formatRulesCommand} from '../../firewall/continuation.ts';
import type {Finding} from '../../firewall/rules/checks.ts';
import {checkCustomRule} from '../../firewall/rules/custom-checks.ts';
import {
	findIdenticalRule,
	findSameCustomRule,
	formatSameRuleWarning,
} from '../../firewall/rules/custom-rule-settings.ts';
import {formatCustomRuleAction} from '../../firewall/rules/custom-rule-words.ts';
import {findEarlierCustomRules} from '../../firewall/rules/earlier-rules.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import {describeRuleChange} from '../../rulesets/change-words.ts';
import {listRuleChanges} from '../../rulesets/difference.ts';
import {buildMoveEdit, insertAtPosition, type Position, restoreRulesetRules} from '../../rulesets/edit.ts';
import {customPhase, type RulesetRule} from '../../rulesets/ruleset.ts';
import {canAsk} from '../../terminal/prompt.ts';
import {formatQuantity} from '../../text/figures.ts';
import {anyZone, refuseFindings, warnAboutFindings} from '../firewall/check.ts';
import {
	customRulesetArea,
	getCustomRuleRestoreOptions,
	type OpenedCustomRules,
	openCustomRulesForWriting,
	writeCustomRules,
} from '../firewall/custom-rules.ts';
import {warnOfEarlierRules} from '../firewall/emergency-report.ts';
import {withExpression} from '../firewall/expression.ts';
import {parseId, parseIds} from '../firewall/options.ts';
import {getRestoredRules, loadRulesetVersion} from '../rulesets/versions.ts';
import type {CommandContext} from '../shell/context.ts';
import type {ZoneNameOptions} from '../shell/zone-name.ts';
import {hasRuleChanges, parsePosition, withCustomRuleOptions} from './options.ts';
import {getCustomRule, refuseRateLimits} from './read.ts';
import type {
	CustomRuleCreateOptions,
	CustomRuleMoveOptions,
	CustomRuleRestoreOptions,
	CustomRuleUpdateOptions,
} from './rules.ts';
import {formatCustomRuleLine, toCustomRuleJson} from './text.ts';

/** `rules create`. */
export async function createCustomRuleCommand(
	context: CommandContext,
	rawOptions: CustomRuleCreateOptions,
): Promise<void> {
	const options = await withExpression(context, rawOptions);
	const {expression, action, allowUnknown} = options;
	if (expression === undefined)
		throw new Failure('usage', 'No expression was given.', {
			next: 'Say which requests are meant: --expression.',
		});
	if (action === undefined)
		throw new Failure('usage', 'No action was given.', {
			next: 'Say what to do with these requests, for example: --action block.',
		});
	const position = parsePosition(options);
	const rule = withCustomRuleOptions({action, expression, enabled: true}, options);
	const place = {allowUnknown, phase: customPhase, letsThrough: action === 'skip'} as const;
	refuseFindings(checkCustomRule(rule, {...anyZone, allowUnknown}), expression, place);
	const opened = await openCustomRulesForWriting(context);
	const {zone, rules} = opened;
	refuseUnknownPlace(opened, position);
	const existing = findIdenticalRule(rule, rules);
	if (existing) return reportExisting(context, opened, existing, position);
	const findings = checkCustomRule(rule, {...zone, allowUnknown}, {count: rules.length});
	refuseFindings(findings, expression, {...place, plan: zone.plan});
	warnAboutFindings(context, findings, expression, {...place, plan: zone.plan});
	warnOfSameRule(context, rule, rules);
	const targetRules = insertAtPosition(rules, rule, position ?? {after: ''});
	const outcome = await writeCustomRules(
		context,
		opened,
		targetRules,
		`create custom rule (${formatCustomRuleAction(rule)})`,
		{
			confirmed: options.confirm,
		},
	);
	if (!outcome) return;
	const created = outcome.rule ?? rule;
	const at = outcome.ruleset.rules.findIndex(({id}) => id === created.id) + 1;
	if (context.options.dryRun) return;
	warnOfEarlierRules(context, findEarlierCustomRules(created, created.expression, outcome.ruleset.rules));
	await context.printResult(
		[toCustomRuleJson(created, at)],
		`Created custom rule ${formatCustomRuleName(created)} at place ${at} of ${outcome.ruleset.rules.length}, in zone ${zone.name}.`,
	);
}

/** Formats a rule for a sentence, with its action. */
const formatCustomRuleName = (rule: RulesetRule): string =>
	formatRuleName({...rule, action: formatCustomRuleAction(rule)});

/**
 * Reports an identical existing rule, so that a second run creates nothing. Fails if the rule is at another
 * place than requested.
 */
async function reportExisting(
	{output, markSimulated}: CommandContext,
	{zone, rules}: OpenedCustomRules,
	rule: RulesetRule & {readonly id: string},
	position: Position | undefined,
): Promise<void> {
	const at = rules.findIndex(({id}) => id === rule.id) + 1;
	const others = rules.filter(({id}) => id !== rule.id);
	const targetRules = position ? insertAtPosition(others, rule, position) : rules;
	const place = position ? targetRules.indexOf(rule) + 1 : at;
	const what = `Custom rule ${formatCustomRuleName(rule)} exists already, just like this, at place ${at} of ${rules.length}`;
	if (place !== at)
		throw new Failure('already_exists', `${what}, not at place ${place}.`, {
			left: 'Nothing was sent.',
			next: `To move it: ${formatRulesCommand(zone, ['move', rule.id], ['--to', String(place), ...getCustomRuleRestoreOptions(zone, rules, targetRules)])}`,
		});
	output.say(`${what}, in zone ${zone.name}. Nothing was sent.`);
	if (output.json) await output.value([markSimulated(toCustomRuleJson(rule, at))]);
}

/** `rules update`: reads the rule, and changes only what is given. */
export async function updateCustomRuleCommand(
	context: CommandContext,
	rawOptions: CustomRuleUpdateOptions,
	word: string,
): Promise<void> {
	const id = parseId(word, 'custom rule');
	const options = await withExpression(context, rawOptions);
	const {expression, allowUnknown} = options;
	if (expression === undefined && !hasRuleChanges(options))
		throw new Failure('usage', 'Nothing to change was named.', {
			next: 'Give at least one of --expression, --action, --skip, --description, --ref, --paused, --log and --response-….',
		});
	const opened = await openCustomRulesForWriting(context);
	const {zone, rules} = opened;
	await refuseRateLimits(context, opened, [id]);
	const before = getCustomRule(opened, id);
	const after = {...withCustomRuleOptions(before, options), ...(expression !== undefined && {expression})};
	const place = {
		allowUnknown,
		phase: customPhase,
		plan: zone.plan,
		letsThrough: after.action === 'skip',
	} as const;
	// Only changed parts are checked; the rest exists already.
	const isRelevant = ({about}: Finding) => about !== 'expression' || expression !== undefined;
	const findings = checkCustomRule(after, {...zone, allowUnknown}).filter(isRelevant);
	refuseFindings(findings, after.expression, place);
	if (expression !== undefined) warnAboutFindings(context, findings, expression, place);
	const targetRules = rules.map(rule => (rule.id === id ? after : rule));
	const outcome = await writeCustomRules(context, opened, targetRules, `update custom rule ${id}`, {
		confirmed: options.confirm,
	});
	if (!outcome) return;
	const at = outcome.ruleset.rules.findIndex(rule => rule.id === id) + 1;
	await context.printResult(
		toCustomRuleJson(outcome.rule ?? after, at),
		`Updated custom rule ${formatCustomRuleName({...after, id})}, in zone ${zone.name}.`,
	);
}

/** `rules pause` and `resume`: one call for all rules; those already in that state stay. */
export async function pauseCustomRules(
	context: CommandContext,
	{confirm: confirmed}: ZoneNameOptions,
	ids: readonly string[],
	paused: boolean,
): Promise<void> {
	const done = paused ? 'Paused' : 'Resumed';
	const opened = await openCustomRulesForWriting(context);
	await refuseRateLimits(context, opened, ids);
	const before = ids.map(id => getCustomRule(opened, id));
	for (const rule of before)
		if ((rule.enabled ?? true) === !paused)
			context.output.say(
				`Custom rule ${formatCustomRuleName(rule)} is ${paused ? 'paused' : 'not paused'} already.`,
			);
	const targetIds = new Set(ids);
	const targetRules = opened.rules.map(rule =>
		rule.id !== undefined && targetIds.has(rule.id) && (rule.enabled ?? true) === paused
			? {...rule, enabled: !paused}
			: rule,
	);
	const what = `${paused ? 'pause' : 'resume'} custom ${ids.length === 1 ? 'rule' : 'rules'} ${ids.join(', ')}`;
	const outcome = await writeCustomRules(context, opened, targetRules, what, {
		confirmed,
		reportsNoChange: false,
	});
	const now = outcome?.ruleset.rules ?? opened.rules;
	if (outcome && !context.options.dryRun)
		context.output.say(`${done} ${before.map(formatCustomRuleName).join(', ')}.`);
	await context.printResult(
		now.flatMap((rule, index) =>
			rule.id !== undefined && targetIds.has(rule.id) ? [toCustomRuleJson(rule, index + 1)] : [],
		),
	);
}

/** `rules move`: prints the new order, asks on a terminal, then sends one call. */
export async function moveCustomRule(
	context: CommandContext,
	{confirm: confirmed, ...options}: CustomRuleMoveOptions,
	word: string,
): Promise<void> {
	const id = parseId(word, 'custom rule');
	const position = parsePosition(options);
	if (!position)
		throw new Failure('usage', 'No place was given.', {
			next: 'Give one of --first, --last, --before, --after and --to.',
		});
	const opened = await openCustomRulesForWriting(context);
	const {zone, rules} = opened;
	await refuseRateLimits(context, opened, [id]);
	const rule = getCustomRule(opened, id);
	refuseUnknownPlace(opened, position);
	if (('before' in position && position.before === id) || ('after' in position && position.after === id))
		throw new Failure('usage', 'A rule cannot be moved before or behind itself.');
	const targetRules = insertAtPosition(
		rules.filter(one => one.id !== id),
		rule,
		position,
	);
	const place = targetRules.findIndex(one => one.id === id) + 1;
	const from = rules.findIndex(one => one.id === id) + 1;
	if (place !== from) {
		context.output.say(`From place ${from} to ${place} of ${rules.length}, in ${zone.label}:`);
		for (const [index, one] of targetRules.entries())
			context.output.say(`${one.id === id ? '>' : ' '}${formatCustomRuleLine(one, index + 1)}`);
	}
	const outcome = await writeCustomRules(
		context,
		opened,
		targetRules,
		`move custom rule ${id} to place ${place}`,
		{
			confirmed,
			question: canAsk(context.host) && !context.output.json ? 'Move it?' : undefined,
			// If two neighbours swap, either could be moved: this moves the named one.
			intendedEdit: buildMoveEdit(targetRules, id),
		},
	);
	if (!outcome) return;
	const at = outcome.ruleset.rules.findIndex(one => one.id === id) + 1;
	await context.printResult(
		toCustomRuleJson(outcome.rule ?? rule, at),
		`Moved custom rule ${formatCustomRuleName(rule)} to place ${at} of ${outcome.ruleset.rules.length}, in zone ${zone.name}.`,
	);
}

/** `rules delete`: one call for all rules. A rule that does not exist counts as deleted. */
export async function deleteCustomRules(
	context: CommandContext,
	{confirm: confirmed}: ZoneNameOptions,
	...words: string[]
): Promise<void> {
	const ids = parseIds(words, 'custom rule');
	const opened = await openCustomRulesForWriting(context);
	await refuseRateLimits(context, opened, ids);
	const {zone, rules, ruleset} = opened;
	const existingRules = rules.filter(({id}) => id !== undefined && ids.includes(id));
	for (const id of ids)
		if (!existingRules.some(rule => rule.id === id)) context.output.say(`There is no custom rule ${id}.`);
	const names = existingRules.map(formatCustomRuleName).join(', ');
	const targetRules = rules.filter(rule => !existingRules.includes(rule));
	const what = `delete custom ${existingRules.length === 1 ? 'rule' : 'rules'} ${existingRules.map(({id}) => id).join(', ')}`;
	const outcome = await writeCustomRules(context, opened, targetRules, what, {
		confirmed,
		question: `Delete from ${zone.label}: custom ${existingRules.length === 1 ? 'rule' : 'rules'} ${names}?`,
		reportsNoChange: false,
	});
	await context.printResult(ids.map(id => ({id, deleted: existingRules.some(rule => rule.id === id)})));
	if (!outcome || !ruleset || context.options.dryRun) return;
	const now = outcome.ruleset.rules;
	const undo = formatRulesCommand(
		zone,
		['restore', ruleset.version],
		getCustomRuleRestoreOptions(zone, now, restoreRulesetRules(now, ruleset.rules)),
	);
	context.output.say(
		`Deleted custom ${existingRules.length === 1 ? 'rule' : 'rules'} ${names}. To undo: ${undo}`,
	);
}

/** `rules restore`: restores all or some rules of an earlier version, after showing the changes. */
export async function restoreCustomRules(
	context: CommandContext,
	{rule: only, confirm: confirmed}: CustomRuleRestoreOptions,
	word: string,
): Promise<void> {
	const opened = await openCustomRulesForWriting(context);
	const {zone, rules} = opened;
	const earlier = await loadRulesetVersion(context, opened, customRulesetArea, word);
	const ids = only === undefined ? undefined : new Set(parseIds(only, 'custom rule'));
	const targetRules = getRestoredRules(opened, customRulesetArea, earlier, ids);
	const changes = listRuleChanges(rules, targetRules);
	if (changes.length > 0) {
		context.output.say(`Version ${word} of the custom rules of ${zone.label}; what it changes:`);
		for (const change of changes) context.output.say(`  ${describeRuleChange(change, 'planned')}`);
	}
	const outcome = await writeCustomRules(
		context,
		opened,
		targetRules,
		`restore version ${word} of the custom rules`,
		{
			confirmed,
			question: `Restore ${formatQuantity(changes.length, 'change')}?`,
		},
	);
	if (!outcome) return;
	await context.printResult(
		{version: outcome.ruleset.version, restored: word, changes: changes.length},
		`Restored version ${word}, which is version ${outcome.ruleset.version} now, in zone ${zone.name}.`,
	);
}

function refuseUnknownPlace({zone, rules}: OpenedCustomRules, position: Position | undefined): void {
	if (!position || 'index' in position) return;
	const neighbour = 'before' in position ? position.before : position.after;
	if (neighbour === '' || rules.some(({id}) => id === neighbour)) return;
	throw new Failure('not_found', `There is no custom rule ${neighbour} in ${zone.label} to put it beside.`, {
		next: `See \`${formatRulesCommand(zone, ['list'])}\` for what there is.`,
	});
}

function warnOfSameRule({output}: CommandContext, rule: RulesetRule, rules: readonly RulesetRule[]): void {
	const same = findSameCustomRule(rule, rules);
	if (same) output.warn(formatSameRuleWarning(same));
}
