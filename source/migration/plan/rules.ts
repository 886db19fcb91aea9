import {counted} from '../../text/figures.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import type {Configuration} from '../configuration/configuration.ts';
import {ruleInWords} from '../configuration/difference-words.ts';
import {actionInWords} from '../configuration/edits.ts';
import {managedRulesets, newActions, rulesetName} from '../configuration/mapping.ts';
import {executedRuleset} from '../configuration/override-edits.ts';
import {isOn as acts} from '../configuration/rule-overrides.ts';
import type {Previous, PreviousGroup, PreviousPackage, PreviousRule} from '../zone/previous-rules.ts';
import {changesAction, expectedOverride, isInGroupOff} from './expected.ts';
import {byDefault, type ManagedAfter, managedIn, managedRuleIn, overriddenInWords} from './managed.ts';
import {type PlanMark, type PlanRow, unreadRow} from './row.ts';

/** Builds the rows of the zone's switch, old groups and rules, and overrides of the new managed ruleset. */
export function managedRows(
	previous: Previous,
	configuration: Configuration,
	proposed: Configuration | undefined,
): readonly PlanRow[] {
	const after = managedIn(configuration);
	const packages = previous.packages.filter(({kind}) => kind !== 'owasp');
	return [
		...unreadRow('the previous managed rules', previous.unread.packages),
		switchRow(previous, configuration),
		deployedRow(previous, after),
		...packages.flatMap(one => packageRows(one, after)),
		...newOverrideRows(previous, after, proposed && managedIn(proposed)),
		...otherRulesetRows(configuration),
	];
}

function switchRow({isOn}: Previous, {rules}: Configuration): PlanRow {
	const isDeployed = rules.some(rule => executedRuleset(rule) !== undefined && acts(rule));
	const isUnlike = isOn === undefined || isOn !== isDeployed;
	return {
		what: 'Web Application Firewall',
		now: isOn === undefined ? 'could not be read' : isOn ? 'on' : 'off',
		after: `no switch: ${isDeployed ? 'rulesets are deployed one by one' : 'no ruleset is deployed'}`,
		...(isUnlike && {mark: 'warning'}),
	};
}

function deployedRow({isOn}: Previous, {deployed, whole}: ManagedAfter): PlanRow {
	const isUnlike = isOn === undefined || isOn !== (deployed === 'on');
	return {
		what: managedRulesets.platform.name,
		now: isOn === undefined ? 'could not be read' : isOn ? 'on' : 'off with the zone',
		after: deployed === 'on' && whole ? `on, all its rules: ${overriddenInWords(whole)}` : deployed,
		...(isUnlike && {mark: 'warning'}),
	};
}

function packageRows(one: PreviousPackage, after: ManagedAfter): readonly PlanRow[] {
	const off = one.groups.filter(({isOn}) => !isOn);
	const changed = one.rules.filter(({isChanged}) => isChanged);
	const others = one.rules.filter(rule => !rule.isChanged && !isInGroupOff(one, rule)).length;
	return [
		...off.map(group => groupRow(one, group, after)),
		...changed.map(rule => ruleRow(one, rule, after)),
		...(others === 0
			? []
			: [
					{
						what: `${counted(others, 'other rule')} of "${one.name}"`,
						now: 'by default',
						after: byDefault,
						mark: 'same' as const,
					},
				]),
	];
}

function groupRow(one: PreviousPackage, group: PreviousGroup, after: ManagedAfter): PlanRow {
	const rules = one.rules.filter(rule => rule.group?.id === group.id);
	const off = rules.filter(rule => becomes(rule, true, after) !== 'warning').length;
	const row = {what: `group ${group.name || group.id}`, now: 'off'};
	if (rules.length === 0) return {...row, after: 'ledge knows no rule of it', mark: 'warning'};
	if (off < rules.length)
		return {...row, after: `${off} of ${counted(rules.length, 'rule')} turned off`, mark: 'warning'};
	const said = rules.some(rule => expectedOverride(rule, true) !== undefined);
	return {
		...row,
		after: said ? `${counted(rules.length, 'rule')} turned off` : 'its rules are off by default',
	};
}

function ruleRow(one: PreviousPackage, rule: PreviousRule, after: ManagedAfter): PlanRow {
	const groupIsOff = isInGroupOff(one, rule);
	const expected = expectedOverride(rule, groupIsOff);
	const is = overriddenInWords(managedRuleIn(after, rule.id));
	const mark = becomes(rule, groupIsOff, after) ?? changedMark(rule, expected);
	const should = expected && (expected.enabled === false ? 'off' : actionInWords(String(expected.action)));
	return {
		what: `rule ${rule.id}${rule.description ? ` (${rule.description})` : ''}`,
		now: `${rule.mode}${groupIsOff ? ', its group is off' : ''}`,
		after:
			mark === 'changed'
				? `${is}, another action than before`
				: mark !== 'warning'
					? is
					: isUnknownMode(rule)
						? `${is} (the mapping does not know ${rule.mode})`
						: should === undefined
							? `${is} (the mapping says nothing of it)`
							: is === should
								? `${is}, but off as the new ruleset has it`
								: `${is} (the mapping says ${should})`,
		...(mark && {mark}),
	};
}

/** Returns `changed` if the mapping gives a rule another action. */
function changedMark({mode}: PreviousRule, expected: JsonObject | undefined): PlanMark | undefined {
	const action = expected?.action;
	return typeof action === 'string' && changesAction(mode, action) ? 'changed' : undefined;
}

/** Known modes of an old rule, including those that are not actions. */
const modes: readonly string[] = ['default', 'disable', 'on', 'off', ...Object.keys(newActions)];
const isUnknownMode = ({mode}: PreviousRule): boolean => !modes.includes(mode);

/** Assesses a rule in a configuration: `warning` if its effect differs from the mapping. */
export function becomes(rule: PreviousRule, groupIsOff: boolean, after: ManagedAfter): PlanMark | undefined {
	if (isUnknownMode(rule) && !groupIsOff) return 'warning';
	const is = managedRuleIn(after, rule.id);
	const expected = expectedOverride(rule, groupIsOff);
	if (expected === undefined) {
		const isAsBefore = is === undefined || (expectsOff(rule, groupIsOff) && is.enabled !== true);
		return isAsBefore ? 'same' : 'warning';
	}
	if (expected.enabled === false) return is?.enabled === false ? undefined : 'warning';
	const isOn = is?.enabled === true || (is?.enabled === undefined && rule.defaultMode !== 'disable');
	return isOn && is?.action === expected.action ? undefined : 'warning';
}

const expectsOff = ({mode}: PreviousRule, groupIsOff: boolean): boolean =>
	groupIsOff || mode === 'disable' || mode === 'off';

/** Builds the rows of overrides without a changed old rule of the same id. */
function newOverrideRows(
	{packages: all, unread}: Previous,
	{rules}: ManagedAfter,
	proposed: ManagedAfter | undefined,
): readonly PlanRow[] {
	const packages = all.filter(({kind}) => kind !== 'owasp');
	const changed = new Set(
		packages.flatMap(one =>
			one.rules.filter(rule => rule.isChanged || isInGroupOff(one, rule)).map(({id}) => id),
		),
	);
	return [...rules].flatMap(([id, one]): PlanRow[] =>
		changed.has(id)
			? []
			: [
					{
						what: `managed rule ${id}`,
						now: unread.packages ?? 'no setting of this id',
						after: overriddenInWords(one),
						...(proposed?.rules.has(id) && {mark: 'warning' as const}),
					},
				],
	);
}

/** Builds the rows of rulesets that replace nothing of the previous version. */
const otherRulesetRows = ({rules}: Configuration): readonly PlanRow[] =>
	rules.flatMap((rule): PlanRow[] => {
		const ruleset = executedRuleset(rule);
		if (ruleset === managedRulesets.platform.id || ruleset === managedRulesets.owasp.id) return [];
		if (rule.action === 'skip') return [];
		const name = ruleset === undefined ? `rule with the action ${rule.action}` : rulesetName(ruleset);
		const overrides = rule.action_parameters?.overrides;
		const settings = isJsonObject(overrides) ? `, overrides ${JSON.stringify(overrides)}` : '';
		return [{what: name, now: 'not deployed', after: `${ruleInWords(rule)}${settings}`}];
	});
