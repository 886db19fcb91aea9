import {Failure, toFailure} from '../../failure.ts';
import {findNameReasons} from '../../firewall/rules/broad-rule.ts';
import {assertRuleUnchanged} from '../../firewall/rules/changed-rule.ts';
import {setPriority, updateRule} from '../../firewall/rules/changes.ts';
import type {Finding} from '../../firewall/rules/checks.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import {
	findFirewallRuleReasons,
	findFirewallRuleWeakening,
	findWeakening,
} from '../../firewall/rules/name-reasons.ts';
import {
	type Action,
	type Product,
	type Rule,
	type RuleDraft,
	type RuleSettings,
	ruleActionNames,
} from '../../firewall/rules/rule.ts';
import {listFirewallRules} from '../../firewall/rules/rules.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import {toZonePlace} from '../../session/write-place.ts';
import type {CommandContext} from '../shell/context.ts';
import {confirmWrite, type ZoneNameOptions} from '../shell/zone-name.ts';
import {refuseInvalidDraft, warnAboutDraft} from './check.ts';
import {withExpression} from './expression.ts';
import {changeFilter} from './filter-change.ts';
import {parseId, parseRuleSettings} from './options.ts';
import {withPartialProgress} from './partly.ts';
import type {RuleUpdateOptions} from './rule.ts';
import {refuseConcurrentRuleChange, withHalfwayAdvice} from './rule-halfway.ts';
import {formatFirewallAction} from './text.ts';
import {warnOfWafBypass} from './waf-bypass.ts';
import {loadFilter, loadFirewallRule, type OpenedZone, openZone} from './zone.ts';

/**
 * `firewall rule update`: reads the rule, and changes only what is given. A new expression changes its filter
 * for all rules that use it, after confirmation if there are others.
 */
export async function updateRuleCommand(
	context: CommandContext,
	options: RuleUpdateOptions,
	word: string,
): Promise<void> {
	const id = parseId(word, 'rule');
	const {filterId} = options;
	const settings = parseRuleSettings(options);
	const changesRule = Object.keys(settings).length > 0 || filterId !== undefined;
	checkUpdateOptions(options, changesRule);
	const {expression} = await withExpression(context, options);
	const opened = await openZone(context, {writes: true});
	const {zone} = opened;
	await context.announceWrite(toZonePlace(zone));
	const rule = await loadFirewallRule(opened, id, context.signal);
	checkChange(context, opened, rule, settings, expression);
	warnOfLostProducts(context, rule, settings);
	if (settings.action !== undefined || settings.products !== undefined)
		await warnOfWafBypass(context, opened, buildChangedDraft(rule, settings, expression));
	const filter =
		filterId === undefined
			? undefined
			: await loadFilter(opened, parseId(filterId, 'filter'), context.signal);
	if (expression === undefined) {
		const changed = {...rule, ...settings, filter: filter ?? rule.filter};
		// Only a new priority can move it before others.
		const others =
			settings.priority === undefined
				? [rule]
				: await Array.fromAsync(listFirewallRules(opened.client, zone.id, context.signal));
		const after = others.map(one => (one.id === id ? changed : one));
		const reasons = findFirewallRuleReasons(zone, others, after);
		const weakening = findFirewallRuleWeakening(zone, others, after);
		await confirmWrite(context, zone, reasons, options.confirm, weakening);
	}
	const after =
		expression === undefined
			? await sendRuleUpdate(context, opened, await readUnchanged(opened, rule, context.signal), {
					...settings,
					...(filter && {filter}),
				})
			: await updateRuleAndFilter(context, opened, rule, settings, expression, options);
	await context.printResult(
		after,
		`Updated rule ${after.id} (${formatFirewallAction(after)}), in zone ${zone.name}.`,
	);
}

function checkUpdateOptions({expression, filterId}: RuleUpdateOptions, changesRule: boolean): void {
	if (!changesRule && expression === undefined) {
		throw new Failure('usage', 'Nothing to change was named.', {
			next: 'Give at least one of --action, --products, --priority, --description, --ref, --paused, --filter-id and --expression.',
		});
	}
	if (expression !== undefined && filterId !== undefined) {
		throw new Failure('usage', '--expression and --filter-id exclude each other.', {
			why: '--expression changes the filter that the rule has, --filter-id replaces it.',
			next: 'Leave one of them out.',
		});
	}
}

/** Returns the rule as it would be after the change. */
function buildChangedDraft(
	rule: Rule,
	settings: Partial<RuleSettings>,
	expression: string | undefined,
): RuleDraft & Required<Pick<RuleDraft, 'action'>> {
	const known = ruleActionNames.find(one => one === rule.action);
	const action: Action = settings.action ?? known ?? 'block';
	const products =
		settings.products ?? (action === 'bypass' ? (rule.products as Product[] | undefined) : undefined);
	const filter = expression === undefined ? {id: rule.filter.id} : {expression};
	return {...settings, action, products, filter};
}

/** Fails for errors in the changed parts only; the rest exists already. */
function checkChange(
	context: CommandContext,
	{zone}: OpenedZone,
	rule: Rule,
	settings: Partial<RuleSettings>,
	expression: string | undefined,
): void {
	const draft = buildChangedDraft(rule, settings, expression);
	const changedParts = new Set<Finding['about']>(Object.keys(settings) as Finding['about'][]);
	if (changedParts.has('action')) changedParts.add('products');
	if (expression !== undefined) changedParts.add('expression');
	const isRelevant = (finding: Finding) => changedParts.has(finding.about);
	refuseInvalidDraft(draft, zone, undefined, isRelevant);
	warnAboutDraft(context, draft, zone, undefined, isRelevant);
}

/** Only a bypass has products: another action drops them silently. */
function warnOfLostProducts({output}: CommandContext, rule: Rule, {action}: Partial<RuleSettings>): void {
	if (action === undefined || action === 'bypass' || !rule.products?.length) return;
	output.warn(
		`Rule ${rule.id} loses its products ${rule.products.join(',')}: the action ${action} has none.`,
	);
}

/**
 * Changes the filter, for all rules that use it, then the rule, if it changes. Keeps changes by others in
 * between.
 */
async function updateRuleAndFilter(
	context: CommandContext,
	opened: OpenedZone,
	read: Rule,
	settings: Partial<RuleSettings>,
	expression: string,
	options: RuleUpdateOptions,
): Promise<Rule> {
	const {zone} = opened;
	const {id, filter} = read;
	const {before, after} = await changeFilter(context, opened, filter.id, {expression}, options, {
		id,
		settings,
	});
	if (Object.keys(settings).length === 0) return {...read, filter: after};
	try {
		// While the user confirmed, others may have changed the rule.
		const now = await loadFirewallRule(opened, id, context.signal);
		refuseConcurrentRuleChange(zone, read, now, settings);
		return {...(await sendRuleUpdate(context, opened, now, settings)), filter: after};
	} catch (error) {
		throw withHalfwayAdvice(zone, toFailure(error), {before, after, rule: read, settings});
	}
}

/**
 * Reads a rule right before it is sent whole. Fails with `changed_meanwhile` if it differs from what was
 * checked.
 */
async function readUnchanged(opened: OpenedZone, known: Rule, signal: AbortSignal): Promise<Rule> {
	const rule = await loadFirewallRule(opened, known.id, signal);
	assertRuleUnchanged(opened.zone, known, rule, 'changed');
	return rule;
}

/** Sends an update: a priority alone has its own call; anything else sends the whole rule. */
async function sendRuleUpdate(
	context: CommandContext,
	{client, zone}: OpenedZone,
	rule: Rule,
	{filter, ...settings}: Partial<RuleSettings> & {readonly filter?: Filter},
): Promise<Rule> {
	const {priority} = settings;
	const isSingle = Object.keys(settings).length === 1 && filter === undefined;
	return context.auditWrite(`update rule ${rule.id}`, toZonePlace(zone), () =>
		isSingle && priority !== undefined
			? setPriority(client, zone, rule, priority, context.signal)
			: updateRule(client, zone, rule, settings, context.signal, filter),
	);
}

/**
 * `firewall rule pause` and `resume`: reads all rules before the first change, and skips a rule that is in
 * that state. Each rule is read again right before its write, and left unchanged if someone else has changed
 * it. A failure names the rules already changed.
 */
export async function pauseRules(
	context: CommandContext,
	options: ZoneNameOptions,
	ids: readonly string[],
	paused: boolean,
): Promise<void> {
	const done = paused ? 'Paused' : 'Resumed';
	const opened = await openZone(context, {writes: true});
	const {client, zone} = opened;
	await context.announceWrite(toZonePlace(zone));
	const first: Rule[] = [];
	for (const id of ids) first.push(await loadFirewallRule(opened, id, context.signal));
	const changes = first.map(rule => ({before: rule, after: {...rule, paused}}));
	const reasons = findNameReasons(zone, changes);
	await confirmWrite(context, zone, reasons, options.confirm, findWeakening(zone, changes));
	const after: Rule[] = [];
	const written: string[] = [];
	for (const [index, known] of first.entries()) {
		const {id} = known;
		try {
			const rule = await loadFirewallRule(opened, id, context.signal);
			if (rule.paused === paused) {
				context.output.say(`Rule ${formatRuleName(rule)} is ${paused ? 'paused' : 'not paused'} already.`);
				after.push(rule);
				continue;
			}
			assertRuleUnchanged(zone, known, rule, paused ? 'paused' : 'resumed');
			const what = `${paused ? 'pause' : 'resume'} rule ${id}`;
			after.push(
				await context.auditWrite(what, toZonePlace(zone), () =>
					updateRule(client, zone, rule, {paused}, context.signal),
				),
			);
			written.push(id);
		} catch (error) {
			throw withPartialProgress(toFailure(error), done, ids, index, written);
		}
		if (!context.options.dryRun)
			context.output.say(`${done} rule ${formatRuleName({...known, action: formatFirewallAction(known)})}.`);
	}
	await context.printResult(after);
}
