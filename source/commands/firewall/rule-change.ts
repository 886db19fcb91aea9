import {asFailure, Failure} from '../../failure.ts';
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
	actions,
	type Product,
	type Rule,
	type RuleDraft,
	type RuleSettings,
} from '../../firewall/rules/rule.ts';
import {rules} from '../../firewall/rules/rules.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import {placeOfZone} from '../../session/write-place.ts';
import type {CommandContext} from '../shell/context.ts';
import {confirmWrite, type ZoneNameOptions} from '../shell/zone-name.ts';
import {refuseUnfit, warnOfOdd} from './check.ts';
import {withExpression} from './expression.ts';
import {changeFilter} from './filter-change.ts';
import {idOf, settingsOf} from './options.ts';
import {partly} from './partly.ts';
import type {UpdateOptions} from './rule.ts';
import {halfDone, refuseOthersChange} from './rule-halfway.ts';
import {actionOf} from './text.ts';
import {warnOfWafBypass} from './waf-bypass.ts';
import {filterThere, type OpenedZone, openZone, ruleThere} from './zone.ts';

/**
 * `firewall rule update`: reads the rule, and changes only what is given. A new expression changes its filter
 * for all rules that use it, after confirmation if there are others.
 */
export async function updateRuleCommand(
	context: CommandContext,
	given: UpdateOptions,
	word: string,
): Promise<void> {
	const id = idOf(word, 'rule');
	const {filterId} = given;
	const settings = settingsOf(given);
	const changesRule = Object.keys(settings).length > 0 || filterId !== undefined;
	refuseNothingAndBoth(given, changesRule);
	const {expression} = await withExpression(context, given);
	const opened = await openZone(context, {writes: true});
	const {zone} = opened;
	await context.announceWrite(placeOfZone(zone));
	const rule = await ruleThere(opened, id, context.signal);
	refuseUnfitChange(context, opened, rule, settings, expression);
	warnOfLostProducts(context, rule, settings);
	if (settings.action !== undefined || settings.products !== undefined)
		await warnOfWafBypass(context, opened, draftAfter(rule, settings, expression));
	const filter =
		filterId === undefined ? undefined : await filterThere(opened, idOf(filterId, 'filter'), context.signal);
	if (expression === undefined) {
		const changed = {...rule, ...settings, filter: filter ?? rule.filter};
		// Only a new priority can move it before others.
		const others =
			settings.priority === undefined
				? [rule]
				: await Array.fromAsync(rules(opened.client, zone.id, context.signal));
		const after = others.map(one => (one.id === id ? changed : one));
		const reasons = findFirewallRuleReasons(zone, others, after);
		const weakening = findFirewallRuleWeakening(zone, others, after);
		await confirmWrite(context, zone, reasons, given.confirm, weakening);
	}
	const after =
		expression === undefined
			? await changed(context, opened, await readUnchanged(opened, rule, context.signal), {
					...settings,
					...(filter && {filter}),
				})
			: await changedWithFilter(context, opened, rule, settings, expression, given);
	await context.result(after, `Updated rule ${after.id} (${actionOf(after)}), in zone ${zone.name}.`);
}

function refuseNothingAndBoth({expression, filterId}: UpdateOptions, changesRule: boolean): void {
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
function draftAfter(
	rule: Rule,
	settings: Partial<RuleSettings>,
	expression: string | undefined,
): RuleDraft & Required<Pick<RuleDraft, 'action'>> {
	const known = actions.find(one => one === rule.action);
	const action: Action = settings.action ?? known ?? 'block';
	const products =
		settings.products ?? (action === 'bypass' ? (rule.products as Product[] | undefined) : undefined);
	const filter = expression === undefined ? {id: rule.filter.id} : {expression};
	return {...settings, action, products, filter};
}

/** Fails for errors in the changed parts only; the rest exists already. */
function refuseUnfitChange(
	context: CommandContext,
	{zone}: OpenedZone,
	rule: Rule,
	settings: Partial<RuleSettings>,
	expression: string | undefined,
): void {
	const draft = draftAfter(rule, settings, expression);
	const given = new Set<Finding['about']>(Object.keys(settings) as Finding['about'][]);
	if (given.has('action')) given.add('products');
	if (expression !== undefined) given.add('expression');
	const about = (finding: Finding) => given.has(finding.about);
	refuseUnfit(draft, zone, undefined, about);
	warnOfOdd(context, draft, zone, undefined, about);
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
async function changedWithFilter(
	context: CommandContext,
	opened: OpenedZone,
	read: Rule,
	settings: Partial<RuleSettings>,
	expression: string,
	given: UpdateOptions,
): Promise<Rule> {
	const {zone} = opened;
	const {id, filter} = read;
	const {before, after} = await changeFilter(context, opened, filter.id, {expression}, given, {
		id,
		settings,
	});
	if (Object.keys(settings).length === 0) return {...read, filter: after};
	try {
		// While the user confirmed, others may have changed the rule.
		const now = await ruleThere(opened, id, context.signal);
		refuseOthersChange(zone, read, now, settings);
		return {...(await changed(context, opened, now, settings)), filter: after};
	} catch (error) {
		throw halfDone(zone, asFailure(error), {before, after, rule: read, settings});
	}
}

/**
 * Reads a rule right before it is sent whole. Fails with `changed_meanwhile` if it differs from what was
 * checked.
 */
async function readUnchanged(opened: OpenedZone, known: Rule, signal: AbortSignal): Promise<Rule> {
	const rule = await ruleThere(opened, known.id, signal);
	assertRuleUnchanged(opened.zone, known, rule, 'changed');
	return rule;
}

/** Sends an update: a priority alone has its own call; anything else sends the whole rule. */
async function changed(
	context: CommandContext,
	{client, zone}: OpenedZone,
	rule: Rule,
	{filter, ...settings}: Partial<RuleSettings> & {readonly filter?: Filter},
): Promise<Rule> {
	const {priority} = settings;
	const only = Object.keys(settings).length === 1 && filter === undefined;
	return context.audited(`update rule ${rule.id}`, placeOfZone(zone), () =>
		only && priority !== undefined
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
	given: ZoneNameOptions,
	ids: readonly string[],
	paused: boolean,
): Promise<void> {
	const done = paused ? 'Paused' : 'Resumed';
	const opened = await openZone(context, {writes: true});
	const {client, zone} = opened;
	await context.announceWrite(placeOfZone(zone));
	const first: Rule[] = [];
	for (const id of ids) first.push(await ruleThere(opened, id, context.signal));
	const changes = first.map(rule => ({before: rule, after: {...rule, paused}}));
	const reasons = findNameReasons(zone, changes);
	await confirmWrite(context, zone, reasons, given.confirm, findWeakening(zone, changes));
	const after: Rule[] = [];
	const written: string[] = [];
	for (const [index, known] of first.entries()) {
		const {id} = known;
		try {
			const rule = await ruleThere(opened, id, context.signal);
			if (rule.paused === paused) {
				context.output.say(`Rule ${formatRuleName(rule)} is ${paused ? 'paused' : 'not paused'} already.`);
				after.push(rule);
				continue;
			}
			assertRuleUnchanged(zone, known, rule, paused ? 'paused' : 'resumed');
			const what = `${paused ? 'pause' : 'resume'} rule ${id}`;
			after.push(
				await context.audited(what, placeOfZone(zone), () =>
					updateRule(client, zone, rule, {paused}, context.signal),
				),
			);
			written.push(id);
		} catch (error) {
			throw partly(asFailure(error), done, ids, index, written);
		}
		if (!context.options.dryRun)
			context.output.say(`${done} rule ${formatRuleName({...known, action: actionOf(known)})}.`);
	}
	await context.result(after);
}
