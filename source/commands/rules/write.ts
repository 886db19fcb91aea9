import {Failure} from '../../failure.ts';
import {rulesCommand} from '../../firewall/continuation.ts';
import type {Finding} from '../../firewall/rules/checks.ts';
import {checkCustomRule} from '../../firewall/rules/custom-checks.ts';
import {identicalRule, sameCustomRule, sameRuleWarning} from '../../firewall/rules/custom-rule-settings.ts';
import {doing} from '../../firewall/rules/custom-rule-words.ts';
import {findEarlierCustomRules} from '../../firewall/rules/earlier-rules.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import {changeSentence} from '../../rulesets/change.ts';
import {changesBetween} from '../../rulesets/difference.ts';
import {inPlace, moveTo, type Position, restored} from '../../rulesets/edit.ts';
import {customPhase, type RulesetRule} from '../../rulesets/ruleset.ts';
import {canAsk} from '../../terminal/prompt.ts';
import {counted} from '../../text/figures.ts';
import {anyZone, refuseFound, warnOfFound} from '../firewall/check.ts';
import {
	changed,
	customRules,
	type OpenedRules,
	openToWrite,
	restoreOptions,
} from '../firewall/custom-rules.ts';
import {warnOfEarlierRules} from '../firewall/emergency-report.ts';
import {withExpression} from '../firewall/expression.ts';
import {idOf, idsOf} from '../firewall/options.ts';
import {rulesOfVersion, versionNamed} from '../rulesets/versions.ts';
import type {CommandContext} from '../shell/context.ts';
import type {ZoneNameOptions} from '../shell/zone-name.ts';
import {namesSomething, positionOf, withOptions} from './options.ts';
import {refuseRateLimits, ruleThere} from './read.ts';
import type {CreateOptions, MoveOptions, RestoreOptions, UpdateOptions} from './rules.ts';
import {lineOf, ruleValue} from './text.ts';

/** `rules create`. */
export async function createRule(context: CommandContext, given: CreateOptions): Promise<void> {
	const options = await withExpression(context, given);
	const {expression, action, allowUnknown} = options;
	if (expression === undefined)
		throw new Failure('usage', 'No expression was given.', {
			next: 'Say which requests are meant: --expression.',
		});
	if (action === undefined)
		throw new Failure('usage', 'No action was given.', {
			next: 'Say what to do with these requests, for example: --action block.',
		});
	const position = positionOf(options);
	const rule = withOptions({action, expression, enabled: true}, options);
	const place = {allowUnknown, phase: customPhase, letsThrough: action === 'skip'} as const;
	refuseFound(checkCustomRule(rule, {...anyZone, allowUnknown}), expression, place);
	const opened = await openToWrite(context);
	const {zone, rules} = opened;
	refuseUnknownPlace(opened, position);
	const there = identicalRule(rule, rules);
	if (there) return existsAlready(context, opened, there, position);
	const findings = checkCustomRule(rule, {...zone, allowUnknown}, {count: rules.length});
	refuseFound(findings, expression, {...place, plan: zone.plan});
	warnOfFound(context, findings, expression, {...place, plan: zone.plan});
	warnOfSame(context, rule, rules);
	const wanted = inPlace(rules, rule, position ?? {after: ''});
	const outcome = await changed(context, opened, wanted, `create custom rule (${doing(rule)})`, {
		confirmed: options.confirm,
	});
	if (!outcome) return;
	const made = outcome.rule ?? rule;
	const at = outcome.ruleset.rules.findIndex(({id}) => id === made.id) + 1;
	if (context.options.dryRun) return;
	warnOfEarlierRules(context, findEarlierCustomRules(made, made.expression, outcome.ruleset.rules));
	await context.result(
		[ruleValue(made, at)],
		`Created custom rule ${formatName(made)} at place ${at} of ${outcome.ruleset.rules.length}, in zone ${zone.name}.`,
	);
}

/** Formats a rule for a sentence, with its action. */
const formatName = (rule: RulesetRule): string => formatRuleName({...rule, action: doing(rule)});

/**
 * Reports an identical existing rule, so that a second run creates nothing. Fails if the rule is at another
 * place than requested.
 */
async function existsAlready(
	{output, marked}: CommandContext,
	{zone, rules}: OpenedRules,
	rule: RulesetRule & {readonly id: string},
	position: Position | undefined,
): Promise<void> {
	const at = rules.findIndex(({id}) => id === rule.id) + 1;
	const others = rules.filter(({id}) => id !== rule.id);
	const wanted = position ? inPlace(others, rule, position) : rules;
	const place = position ? wanted.indexOf(rule) + 1 : at;
	const what = `Custom rule ${formatName(rule)} exists already, just like this, at place ${at} of ${rules.length}`;
	if (place !== at)
		throw new Failure('already_exists', `${what}, not at place ${place}.`, {
			left: 'Nothing was sent.',
			next: `To move it: ${rulesCommand(zone, ['move', rule.id], ['--to', String(place), ...restoreOptions(zone, rules, wanted)])}`,
		});
	output.say(`${what}, in zone ${zone.name}. Nothing was sent.`);
	if (output.json) await output.value([marked(ruleValue(rule, at))]);
}

/** `rules update`: reads the rule, and changes only what is given. */
export async function updateRule(context: CommandContext, given: UpdateOptions, word: string): Promise<void> {
	const id = idOf(word, 'custom rule');
	const options = await withExpression(context, given);
	const {expression, allowUnknown} = options;
	if (expression === undefined && !namesSomething(options))
		throw new Failure('usage', 'Nothing to change was named.', {
			next: 'Give at least one of --expression, --action, --skip, --description, --ref, --paused, --log and --response-….',
		});
	const opened = await openToWrite(context);
	const {zone, rules} = opened;
	await refuseRateLimits(context, opened, [id]);
	const before = ruleThere(opened, id);
	const after = {...withOptions(before, options), ...(expression !== undefined && {expression})};
	const place = {
		allowUnknown,
		phase: customPhase,
		plan: zone.plan,
		letsThrough: after.action === 'skip',
	} as const;
	// Only changed parts are checked; the rest exists already.
	const isMeant = ({about}: Finding) => about !== 'expression' || expression !== undefined;
	const findings = checkCustomRule(after, {...zone, allowUnknown}).filter(isMeant);
	refuseFound(findings, after.expression, place);
	if (expression !== undefined) warnOfFound(context, findings, expression, place);
	const wanted = rules.map(rule => (rule.id === id ? after : rule));
	const outcome = await changed(context, opened, wanted, `update custom rule ${id}`, {
		confirmed: options.confirm,
	});
	if (!outcome) return;
	const at = outcome.ruleset.rules.findIndex(rule => rule.id === id) + 1;
	await context.result(
		ruleValue(outcome.rule ?? after, at),
		`Updated custom rule ${formatName({...after, id})}, in zone ${zone.name}.`,
	);
}

/** `rules pause` and `resume`: one call for all rules; those already in that state stay. */
export async function pauseRules(
	context: CommandContext,
	{confirm: confirmed}: ZoneNameOptions,
	ids: readonly string[],
	paused: boolean,
): Promise<void> {
	const done = paused ? 'Paused' : 'Resumed';
	const opened = await openToWrite(context);
	await refuseRateLimits(context, opened, ids);
	const before = ids.map(id => ruleThere(opened, id));
	for (const rule of before)
		if ((rule.enabled ?? true) === !paused)
			context.output.say(`Custom rule ${formatName(rule)} is ${paused ? 'paused' : 'not paused'} already.`);
	const meant = new Set(ids);
	const wanted = opened.rules.map(rule =>
		rule.id !== undefined && meant.has(rule.id) && (rule.enabled ?? true) === paused
			? {...rule, enabled: !paused}
			: rule,
	);
	const what = `${paused ? 'pause' : 'resume'} custom ${ids.length === 1 ? 'rule' : 'rules'} ${ids.join(', ')}`;
	const outcome = await changed(context, opened, wanted, what, {confirmed, saysNothing: false});
	const now = outcome?.ruleset.rules ?? opened.rules;
	if (outcome && !context.options.dryRun) context.output.say(`${done} ${before.map(formatName).join(', ')}.`);
	await context.result(
		now.flatMap((rule, index) =>
			rule.id !== undefined && meant.has(rule.id) ? [ruleValue(rule, index + 1)] : [],
		),
	);
}

/** `rules move`: prints the new order, asks on a terminal, then sends one call. */
export async function moveRule(
	context: CommandContext,
	{confirm: confirmed, ...options}: MoveOptions,
	word: string,
): Promise<void> {
	const id = idOf(word, 'custom rule');
	const position = positionOf(options);
	if (!position)
		throw new Failure('usage', 'No place was given.', {
			next: 'Give one of --first, --last, --before, --after and --to.',
		});
	const opened = await openToWrite(context);
	const {zone, rules} = opened;
	await refuseRateLimits(context, opened, [id]);
	const rule = ruleThere(opened, id);
	refuseUnknownPlace(opened, position);
	if (('before' in position && position.before === id) || ('after' in position && position.after === id))
		throw new Failure('usage', 'A rule cannot be moved before or behind itself.');
	const wanted = inPlace(
		rules.filter(one => one.id !== id),
		rule,
		position,
	);
	const place = wanted.findIndex(one => one.id === id) + 1;
	const from = rules.findIndex(one => one.id === id) + 1;
	if (place !== from) {
		context.output.say(`From place ${from} to ${place} of ${rules.length}, in ${zone.label}:`);
		for (const [index, one] of wanted.entries())
			context.output.say(`${one.id === id ? '>' : ' '}${lineOf(one, index + 1)}`);
	}
	const outcome = await changed(context, opened, wanted, `move custom rule ${id} to place ${place}`, {
		confirmed,
		question: canAsk(context.host) && !context.output.json ? 'Move it?' : undefined,
		// If two neighbours swap, either could be moved: this moves the named one.
		meant: moveTo(wanted, id),
	});
	if (!outcome) return;
	const at = outcome.ruleset.rules.findIndex(one => one.id === id) + 1;
	await context.result(
		ruleValue(outcome.rule ?? rule, at),
		`Moved custom rule ${formatName(rule)} to place ${at} of ${outcome.ruleset.rules.length}, in zone ${zone.name}.`,
	);
}

/** `rules delete`: one call for all rules. A rule that does not exist counts as deleted. */
export async function deleteRules(
	context: CommandContext,
	{confirm: confirmed}: ZoneNameOptions,
	...words: string[]
): Promise<void> {
	const ids = idsOf(words, 'custom rule');
	const opened = await openToWrite(context);
	await refuseRateLimits(context, opened, ids);
	const {zone, rules, ruleset} = opened;
	const going = rules.filter(({id}) => id !== undefined && ids.includes(id));
	for (const id of ids)
		if (!going.some(rule => rule.id === id)) context.output.say(`There is no custom rule ${id}.`);
	const named = going.map(formatName).join(', ');
	const wanted = rules.filter(rule => !going.includes(rule));
	const what = `delete custom ${going.length === 1 ? 'rule' : 'rules'} ${going.map(({id}) => id).join(', ')}`;
	const outcome = await changed(context, opened, wanted, what, {
		confirmed,
		question: `Delete from ${zone.label}: custom ${going.length === 1 ? 'rule' : 'rules'} ${named}?`,
		saysNothing: false,
	});
	await context.result(ids.map(id => ({id, deleted: going.some(rule => rule.id === id)})));
	if (!outcome || !ruleset || context.options.dryRun) return;
	const now = outcome.ruleset.rules;
	const undo = rulesCommand(
		zone,
		['restore', ruleset.version],
		restoreOptions(zone, now, restored(now, ruleset.rules)),
	);
	context.output.say(`Deleted custom ${going.length === 1 ? 'rule' : 'rules'} ${named}. To undo: ${undo}`);
}

/** `rules restore`: restores all or some rules of an earlier version, after showing the changes. */
export async function restoreRules(
	context: CommandContext,
	{rule: only, confirm: confirmed}: RestoreOptions,
	word: string,
): Promise<void> {
	const opened = await openToWrite(context);
	const {zone, rules} = opened;
	const then = await versionNamed(context, opened, customRules, word);
	const ids = only === undefined ? undefined : new Set(idsOf(only, 'custom rule'));
	const wanted = rulesOfVersion(opened, customRules, then, ids);
	const changes = changesBetween(rules, wanted);
	if (changes.length > 0) {
		context.output.say(`Version ${word} of the custom rules of ${zone.label}; what it changes:`);
		for (const change of changes) context.output.say(`  ${changeSentence(change, 'planned')}`);
	}
	const outcome = await changed(context, opened, wanted, `restore version ${word} of the custom rules`, {
		confirmed,
		question: `Restore ${counted(changes.length, 'change')}?`,
	});
	if (!outcome) return;
	await context.result(
		{version: outcome.ruleset.version, restored: word, changes: changes.length},
		`Restored version ${word}, which is version ${outcome.ruleset.version} now, in zone ${zone.name}.`,
	);
}

function refuseUnknownPlace({zone, rules}: OpenedRules, position: Position | undefined): void {
	if (!position || 'index' in position) return;
	const named = 'before' in position ? position.before : position.after;
	if (named === '' || rules.some(({id}) => id === named)) return;
	throw new Failure('not_found', `There is no custom rule ${named} in ${zone.label} to put it beside.`, {
		next: `See \`${rulesCommand(zone, ['list'])}\` for what there is.`,
	});
}

function warnOfSame({output}: CommandContext, rule: RulesetRule, rules: readonly RulesetRule[]): void {
	const same = sameCustomRule(rule, rules);
	if (same) output.warn(sameRuleWarning(same));
}
