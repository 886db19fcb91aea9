import {Failure, toFailure} from '../../failure.ts';
import {findZoneNameReasons} from '../../firewall/rules/broad-rule.ts';
import {assertRuleUnchanged} from '../../firewall/rules/changed-rule.ts';
import {setPriority, updateRule} from '../../firewall/rules/changes.ts';
import type {DraftFinding} from '../../firewall/rules/checks.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import {
	findFirewallRuleWeakening,
	findFirewallRuleZoneNameReasons,
	findWeakening,
} from '../../firewall/rules/name-reasons.ts';
import {
	type Product,
	type Rule,
	type RuleAction,
	type RuleDraft,
	type RuleSettings,
	ruleActionNames,
} from '../../firewall/rules/rule.ts';
import {listFirewallRules} from '../../firewall/rules/rules.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import {toZonePlace} from '../../session/write-place.ts';
import {confirmWrite, type ZoneNameOptions} from '../shell/confirm-zone-name.ts';
import type {CommandContext} from '../shell/context.ts';
import {refuseInvalidDraft, warnAboutDraft, type ZoneToCheck} from './check.ts';
import {resolveStdinExpression} from './expression.ts';
import {runFilterChange} from './filter-change.ts';
import {parseId, parseRuleSettings} from './options.ts';
import {withPartialProgress} from './partial-progress.ts';
import {refuseConcurrentRuleChange, withHalfwayAdvice} from './partial-update.ts';
import type {RuleUpdateOptions} from './rule.ts';
import {formatFirewallAction} from './text.ts';
import {warnOfWafBypass} from './waf-bypass.ts';
import {loadFilter, loadFirewallRule, type OpenedZone, openZone} from './zone.ts';

/**
 * `firewall rule update`: reads the rule, and changes only the given settings. A new expression changes its
 * filter for all rules that use it, after confirmation if there are others.
 */
export async function updateRuleCommand(
	context: CommandContext,
	options: RuleUpdateOptions,
	idArgument: string,
): Promise<void> {
	const id = parseId(idArgument, 'rule');
	const {filterId} = options;
	const settings = parseRuleSettings(options);
	const changesRule = Object.keys(settings).length > 0 || filterId !== undefined;
	checkUpdateOptions(options, changesRule);
	const {expression} = await resolveStdinExpression(context, options);
	const openedZone = await openZone(context, {writes: true});
	const {zone} = openedZone;
	await context.announceWrite(toZonePlace(zone));
	const rule = await loadFirewallRule(openedZone, id, context.signal);
	checkChange(context, {...openedZone.zone, allowUnknown: options.allowUnknown}, rule, settings, expression);
	warnOfLostProducts(context, rule, settings);
	if (settings.action !== undefined || settings.products !== undefined)
		await warnOfWafBypass(context, openedZone, buildChangedDraft(rule, settings, expression));
	const filter =
		filterId === undefined
			? undefined
			: await loadFilter(openedZone, parseId(filterId, 'filter'), context.signal);
	if (expression === undefined) {
		const changedRule = {...rule, ...settings, filter: filter ?? rule.filter};
		// Only a new priority can move it before others.
		const affectedRules =
			settings.priority === undefined
				? [rule]
				: await Array.fromAsync(listFirewallRules(openedZone.client, zone.id, context.signal));
		const targetRules = affectedRules.map(one => (one.id === id ? changedRule : one));
		const zoneNameReasons = findFirewallRuleZoneNameReasons(zone, affectedRules, targetRules);
		const weakening = findFirewallRuleWeakening(zone, affectedRules, targetRules);
		await confirmWrite(context, zone, zoneNameReasons, options.confirm, weakening);
	}
	const updatedRule =
		expression === undefined
			? await sendRuleUpdate(context, openedZone, await readUnchangedRule(openedZone, rule, context.signal), {
					...settings,
					...(filter && {filter}),
				})
			: await updateRuleAndFilter(context, openedZone, rule, settings, expression, options);
	await context.printResult(
		updatedRule,
		`Updated rule ${updatedRule.id} (${formatFirewallAction(updatedRule)}), in zone ${zone.name}.`,
	);
}

function checkUpdateOptions({expression, filterId}: RuleUpdateOptions, changesRule: boolean): void {
	if (!changesRule && expression === undefined) {
		throw new Failure('usage', 'Nothing to change.', {
			next: 'Give at least one of --action, --products, --priority, --description, --ref, --paused, --filter-id and --expression.',
		});
	}
	if (expression !== undefined && filterId !== undefined) {
		throw new Failure('usage', "--expression and --filter-id can't be combined.", {
			why: "--expression changes the rule's filter; --filter-id replaces it.",
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
	const knownAction = ruleActionNames.find(one => one === rule.action);
	const action: RuleAction = settings.action ?? knownAction ?? 'block';
	const products =
		settings.products ?? (action === 'bypass' ? (rule.products as Product[] | undefined) : undefined);
	const filter = expression === undefined ? {id: rule.filter.id} : {expression};
	return {...settings, action, products, filter};
}

/** Fails for errors in the changed parts only; the rest exists already. */
function checkChange(
	context: CommandContext,
	zone: ZoneToCheck,
	rule: Rule,
	settings: Partial<RuleSettings>,
	expression: string | undefined,
): void {
	const draft = buildChangedDraft(rule, settings, expression);
	const changedParts = new Set<DraftFinding['about']>(Object.keys(settings) as DraftFinding['about'][]);
	if (changedParts.has('action')) changedParts.add('products');
	if (expression !== undefined) changedParts.add('expression');
	const isRelevant = (finding: DraftFinding) => changedParts.has(finding.about);
	refuseInvalidDraft(draft, zone, undefined, isRelevant);
	warnAboutDraft(context, draft, zone, undefined, isRelevant);
}

/** Only a bypass has products: another action drops them silently. */
function warnOfLostProducts({output}: CommandContext, rule: Rule, {action}: Partial<RuleSettings>): void {
	if (action === undefined || action === 'bypass' || !rule.products?.length) return;
	output.warn(
		`Rule ${rule.id} loses its products ${rule.products.join(',')}: the action ${action} takes none.`,
	);
}

/**
 * Changes the filter for all rules that use it, then the rule itself if it has changes. Keeps concurrent
 * changes by others.
 */
async function updateRuleAndFilter(
	context: CommandContext,
	openedZone: OpenedZone,
	originalRule: Rule,
	settings: Partial<RuleSettings>,
	expression: string,
	options: RuleUpdateOptions,
): Promise<Rule> {
	const {zone} = openedZone;
	const {id, filter} = originalRule;
	const {before, after} = await runFilterChange(context, openedZone, filter.id, {expression}, options, {
		id,
		settings,
	});
	if (Object.keys(settings).length === 0) return {...originalRule, filter: after};
	try {
		// While the user confirmed, others may have changed the rule.
		const currentRule = await loadFirewallRule(openedZone, id, context.signal);
		refuseConcurrentRuleChange(zone, originalRule, currentRule, settings);
		return {...(await sendRuleUpdate(context, openedZone, currentRule, settings)), filter: after};
	} catch (error) {
		throw withHalfwayAdvice(zone, toFailure(error), {before, after, rule: originalRule, settings});
	}
}

/**
 * Reads a rule right before the whole rule is sent. Fails with `changed_meanwhile` if it differs from the
 * checked one.
 */
async function readUnchangedRule(
	openedZone: OpenedZone,
	checkedRule: Rule,
	signal: AbortSignal,
): Promise<Rule> {
	const rule = await loadFirewallRule(openedZone, checkedRule.id, signal);
	assertRuleUnchanged(openedZone.zone, checkedRule, rule, 'changed');
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
	const changesOneSetting = Object.keys(settings).length === 1 && filter === undefined;
	return context.auditWrite(`update rule ${rule.id}`, toZonePlace(zone), () =>
		changesOneSetting && priority !== undefined
			? setPriority(client, zone, rule, priority, context.signal)
			: updateRule(client, zone, rule, settings, context.signal, filter),
	);
}

/**
 * `firewall rule pause` and `resume`: reads all rules before the first change, and skips a rule that is
 * already in that state. Each rule is read again right before its write, and left unchanged if someone else
 * has changed it. A failure names the rules already changed.
 */
export async function pauseRules(
	context: CommandContext,
	options: ZoneNameOptions,
	ids: readonly string[],
	shouldPause: boolean,
): Promise<void> {
	const pastVerb = shouldPause ? 'Paused' : 'Resumed';
	const openedZone = await openZone(context, {writes: true});
	const {client, zone} = openedZone;
	await context.announceWrite(toZonePlace(zone));
	const initialRules: Rule[] = [];
	for (const id of ids) initialRules.push(await loadFirewallRule(openedZone, id, context.signal));
	const changes = initialRules.map(rule => ({before: rule, after: {...rule, paused: shouldPause}}));
	const zoneNameReasons = findZoneNameReasons(zone, changes);
	await confirmWrite(context, zone, zoneNameReasons, options.confirm, findWeakening(zone, changes));
	const updatedRules: Rule[] = [];
	const changedIds: string[] = [];
	for (const [index, initialRule] of initialRules.entries()) {
		const {id} = initialRule;
		try {
			const rule = await loadFirewallRule(openedZone, id, context.signal);
			if (rule.paused === shouldPause) {
				context.output.say(
					`Rule ${formatRuleName(rule)} is ${shouldPause ? 'already paused' : 'not paused'}.`,
				);
				updatedRules.push(rule);
				continue;
			}
			assertRuleUnchanged(zone, initialRule, rule, shouldPause ? 'paused' : 'resumed');
			const auditText = `${shouldPause ? 'pause' : 'resume'} rule ${id}`;
			updatedRules.push(
				await context.auditWrite(auditText, toZonePlace(zone), () =>
					updateRule(client, zone, rule, {paused: shouldPause}, context.signal),
				),
			);
			changedIds.push(id);
		} catch (error) {
			throw withPartialProgress(toFailure(error), pastVerb, ids, index, changedIds);
		}
		if (!context.options.dryRun)
			context.output.say(
				`${pastVerb} rule ${formatRuleName({...initialRule, action: formatFirewallAction(initialRule), paused: false})}.`,
			);
	}
	await context.printResult(updatedRules);
}
