import {asFailure, Failure} from '../failure.ts';
import type {Finding} from '../firewall/checks.ts';
import {filterById} from '../firewall/filters.ts';
import {type Action, actions, type Product, type Rule, type RuleSettings} from '../firewall/rule.ts';
import {ruleById, setPriority, updateRule} from '../firewall/rules.ts';
import type {CommandContext} from './context.ts';
import {refuseUnfit, warnOfOdd} from './firewall-check.ts';
import {changeFilter} from './firewall-filter-change.ts';
import {idsOf, settingsOf} from './firewall-options.ts';
import {partly} from './firewall-partly.ts';
import type {UpdateOptions} from './firewall-rule.ts';
import {actionOf} from './firewall-text.ts';
import {type OpenedZone, openZone, there} from './firewall-zone.ts';

/**
 * `firewall rule update`: reads the rule, changes what is named and nothing else (service-contract.md 3). A new
 * expression goes to its filter, for all that use it: with others, that is asked for.
 */
export async function updateRuleCommand(
	context: CommandContext,
	options: UpdateOptions,
	word: string,
): Promise<void> {
	context.refuseWhenReadOnly('changing a firewall rule');
	const [id = ''] = idsOf([word], 'rule');
	const {expression, filterId} = options;
	const settings = settingsOf(options);
	const changesRule = Object.keys(settings).length > 0 || filterId !== undefined;
	refuseNothingAndBoth(options, changesRule);
	const opened = await openZone(context, {writes: true});
	const {client, zone} = opened;
	const read = await there('rule', id, opened, () => ruleById(client, zone.id, id, context.signal));
	refuseUnfitChange(context, opened, read, settings, expression);
	const rule = filterId === undefined ? read : await onFilter(context, opened, read, filterId);
	context.announceWrite(zone.label);
	if (expression !== undefined) await changeFilter(context, opened, rule.filter.id, {expression}, rule.id);
	const updated = changesRule ? await changed(context, opened, rule, settings, filterId) : undefined;
	const after =
		updated ?? (context.options.dryRun ? rule : await ruleById(client, zone.id, id, context.signal));
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
			why: '--expression changes the filter that the rule has, --filter-id gives it another one.',
			next: 'Leave one of them out.',
		});
	}
}

/** What is wrong with the rule as it would be is refused, but only for what is changed: the rest is there already. */
function refuseUnfitChange(
	context: CommandContext,
	{zone}: OpenedZone,
	rule: Rule,
	settings: Partial<RuleSettings>,
	expression: string | undefined,
): void {
	const known = actions.find(one => one === rule.action);
	const action: Action = settings.action ?? known ?? 'block';
	const products =
		settings.products ?? (action === 'bypass' ? (rule.products as Product[] | undefined) : undefined);
	const filter = expression === undefined ? {id: rule.filter.id} : {expression};
	const draft = {...settings, action, products, filter};
	const given = new Set<Finding['about']>(Object.keys(settings) as Finding['about'][]);
	if (given.has('action')) given.add('products');
	if (expression !== undefined) given.add('expression');
	const about = (finding: Finding) => given.has(finding.about);
	refuseUnfit(draft, zone, undefined, about);
	warnOfOdd(context, draft, zone, undefined, about);
}

const onFilter = async (
	{signal}: CommandContext,
	opened: OpenedZone,
	rule: Rule,
	word: string,
): Promise<Rule> => {
	const [id = ''] = idsOf([word], 'filter');
	const {client, zone} = opened;
	const filter = await there('filter', id, opened, () => filterById(client, zone.id, id, signal));
	return {...rule, filter};
};

/** A priority alone has a call of its own; everything else sends the whole rule. */
async function changed(
	context: CommandContext,
	{client, zone}: OpenedZone,
	rule: Rule,
	settings: Partial<RuleSettings>,
	filterId: string | undefined,
): Promise<Rule> {
	const {priority} = settings;
	const only = Object.keys(settings).length === 1 && filterId === undefined;
	return context.audited(`update firewall rule ${rule.id}`, zone.label, () =>
		only && priority !== undefined
			? setPriority(client, zone.id, rule.id, priority, context.signal)
			: updateRule(client, zone.id, rule, settings, context.signal),
	);
}

/**
 * `firewall rule pause` and `resume`: all rules are read before the first is changed; one that is so already is
 * left as it is. When one cannot be changed, the failure says which were.
 */
export async function pauseRules(
	context: CommandContext,
	ids: readonly string[],
	paused: boolean,
): Promise<void> {
	const [doing, done] = paused ? ['pausing', 'Paused'] : ['resuming', 'Resumed'];
	context.refuseWhenReadOnly(`${doing} firewall rules`);
	const opened = await openZone(context, {writes: true});
	const {client, zone} = opened;
	const rules: Rule[] = [];
	for (const id of ids)
		rules.push(await there('rule', id, opened, () => ruleById(client, zone.id, id, context.signal)));
	context.announceWrite(zone.label);
	const after: Rule[] = [];
	for (const rule of rules) {
		if (rule.paused === paused) {
			context.output.say(`Rule ${rule.id} is ${paused ? 'paused' : 'not paused'} already.`);
			after.push(rule);
			continue;
		}
		try {
			const what = `${paused ? 'pause' : 'resume'} firewall rule ${rule.id}`;
			after.push(
				await context.audited(what, zone.label, () =>
					updateRule(client, zone.id, rule, {paused}, context.signal),
				),
			);
		} catch (error) {
			throw partly(asFailure(error), done, ids, after.length);
		}
		if (!context.options.dryRun) context.output.say(`${done} rule ${rule.id} (${actionOf(rule)}).`);
	}
	if (context.output.json && !context.options.dryRun)
		await context.output.value(after.map(rule => context.marked(rule)));
}
