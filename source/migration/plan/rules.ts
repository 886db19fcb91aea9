import {formatQuantity} from '../../text/figures.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import type {ManagedConfiguration} from '../configuration/configuration.ts';
import {
	collectManagedRuleNames,
	describeConfiguredRule,
	type ManagedRuleNames,
} from '../configuration/difference-words.ts';
import {formatActionWords} from '../configuration/edits.ts';
import {formatRulesetName, managedRulesets, migratedActions} from '../configuration/mapping.ts';
import {findExecutedRulesetId} from '../configuration/override-edits.ts';
import {activatesRuleset} from '../configuration/rule-overrides.ts';
import type {
	PreviousGroup,
	PreviousManagedRules,
	PreviousPackage,
	PreviousRule,
} from '../zone/previous-rules.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import {buildExpectedOverride, isActionChanged, isGroupOff} from './expected.ts';
import {
	findManagedRuleSettings,
	formatOverrideSettings,
	type ManagedDeployment,
	readManagedDeployment,
	rulesetDefaultText,
} from './managed.ts';
import {buildUnreadRows, type PlanMark, type PlanRow} from './row.ts';

/**
 * Builds the rows of the zone's switch, of old groups and rules, and of overrides of the new managed ruleset.
 */
export function buildManagedRows(
	previous: PreviousManagedRules,
	configuration: ManagedConfiguration,
	proposal: ManagedConfiguration | undefined,
	catalogue: Snapshot['catalogue'],
): readonly PlanRow[] {
	const deployment = readManagedDeployment(configuration, catalogue);
	const packages = previous.packages.filter(({kind}) => kind !== 'owasp');
	return [
		...buildUnreadRows('the previous managed rules', previous.unreadReasons.packages),
		buildSwitchRow(previous, configuration),
		buildManagedRulesetRow(previous, deployment),
		...packages.flatMap(one => buildPackageRows(one, deployment)),
		...buildNewOverrideRows(
			previous,
			deployment,
			proposal && readManagedDeployment(proposal, catalogue),
			collectManagedRuleNames(catalogue),
		),
		...buildOtherRulesetRows(configuration),
	];
}

function buildSwitchRow({isOn}: PreviousManagedRules, {rules}: ManagedConfiguration): PlanRow {
	const isDeployed = rules.some(rule => findExecutedRulesetId(rule) !== undefined && activatesRuleset(rule));
	const hasChanged = isOn === undefined || isOn !== isDeployed;
	return {
		what: 'Web Application Firewall',
		now: isOn === undefined ? 'could not be read' : isOn ? 'on' : 'off',
		after: `no switch: ${isDeployed ? 'rulesets are deployed individually' : 'no ruleset is deployed'}`,
		...(hasChanged && {mark: 'warning'}),
	};
}

function buildManagedRulesetRow(
	{isOn}: PreviousManagedRules,
	{activity, rulesetSettings}: ManagedDeployment,
): PlanRow {
	const hasChanged = isOn === undefined || isOn !== (activity === 'on');
	return {
		what: managedRulesets.platform.name,
		now: isOn === undefined ? 'could not be read' : isOn ? 'on' : 'off for the zone',
		after:
			activity === 'on' && rulesetSettings
				? `on, all rules: ${formatOverrideSettings(rulesetSettings)}`
				: activity,
		...(hasChanged && {mark: 'warning'}),
	};
}

function buildPackageRows(oldPackage: PreviousPackage, deployment: ManagedDeployment): readonly PlanRow[] {
	const offGroups = oldPackage.groups.filter(({isOn}) => !isOn);
	const changedRules = oldPackage.rules.filter(({isChanged}) => isChanged);
	const otherCount = oldPackage.rules.filter(rule => !rule.isChanged && !isGroupOff(oldPackage, rule)).length;
	return [
		...offGroups.map(group => buildGroupRow(oldPackage, group, deployment)),
		...changedRules.map(rule => buildRuleRow(oldPackage, rule, deployment)),
		...(otherCount === 0
			? []
			: [
					{
						what: `${formatQuantity(otherCount, 'other rule')} of "${oldPackage.name}"`,
						now: 'by default',
						after: rulesetDefaultText,
						mark: 'same' as const,
					},
				]),
	];
}

function buildGroupRow(
	oldPackage: PreviousPackage,
	group: PreviousGroup,
	deployment: ManagedDeployment,
): PlanRow {
	const rules = oldPackage.rules.filter(rule => rule.group?.id === group.id);
	// With its group off, a rule without a warning is off.
	const offCount = rules.filter(rule => assessManagedRule(rule, true, deployment) !== 'warning').length;
	const row = {what: `group ${group.name || group.id}`, now: 'off'};
	if (rules.length === 0) return {...row, after: 'ledge does not know its rules', mark: 'warning'};
	if (offCount < rules.length)
		return {
			...row,
			after: `${offCount} of ${formatQuantity(rules.length, 'rule')} turned off`,
			mark: 'warning',
		};
	const isAnyOverridden = rules.some(rule => buildExpectedOverride(rule, true) !== undefined);
	return {
		...row,
		after: isAnyOverridden
			? `${formatQuantity(rules.length, 'rule')} turned off`
			: 'its rules are off by default',
	};
}

function buildRuleRow(
	oldPackage: PreviousPackage,
	rule: PreviousRule,
	deployment: ManagedDeployment,
): PlanRow {
	const isOffByGroup = isGroupOff(oldPackage, rule);
	const expected = buildExpectedOverride(rule, isOffByGroup);
	const currentText = formatOverrideSettings(findManagedRuleSettings(deployment, rule.id));
	const mark = assessManagedRule(rule, isOffByGroup, deployment) ?? findChangedMark(rule, expected);
	const expectedText =
		expected && (expected.enabled === false ? 'off' : formatActionWords(String(expected.action)));
	return {
		what: `rule ${rule.id}${rule.description ? ` (${rule.description})` : ''}`,
		now: `${rule.mode}${isOffByGroup ? ', its group is off' : ''}`,
		after:
			mark === 'changed'
				? `${currentText}, a different action than before`
				: mark !== 'warning'
					? currentText
					: isUnknownMode(rule)
						? `${currentText} (nothing documented for ${rule.mode})`
						: expectedText === undefined
							? `${currentText} (no override documented)`
							: currentText === expectedText
								? `${currentText}, but off by default in the new ruleset`
								: `${currentText}, not ${expectedText} as documented`,
		...(mark && {mark}),
	};
}

/** Returns `changed` if the mapping gives the rule another action. */
function findChangedMark({mode}: PreviousRule, expected: JsonObject | undefined): PlanMark | undefined {
	const action = expected?.action;
	return typeof action === 'string' && isActionChanged(mode, action) ? 'changed' : undefined;
}

/** Known modes of an old rule, including those that are not actions. */
const knownModes: readonly string[] = ['default', 'disable', 'on', 'off', ...Object.keys(migratedActions)];
const isUnknownMode = ({mode}: PreviousRule): boolean => !knownModes.includes(mode);

/**
 * Compares the effect of an old rule in a configuration with the mapping: `warning` if it differs, `same` if
 * neither needs an override, undefined if the configuration overrides it as mapped.
 */
export function assessManagedRule(
	rule: PreviousRule,
	isOffByGroup: boolean,
	deployment: ManagedDeployment,
): PlanMark | undefined {
	if (isUnknownMode(rule) && !isOffByGroup) return 'warning';
	const override = findManagedRuleSettings(deployment, rule.id);
	const expected = buildExpectedOverride(rule, isOffByGroup);
	if (expected === undefined) {
		const isAsBefore =
			override === undefined || (shouldBeOff(rule, isOffByGroup) && override.enabled !== true);
		return isAsBefore ? 'same' : 'warning';
	}
	if (expected.enabled === false)
		return (override?.enabled ?? deployment.rules.get(rule.id)?.enabled) === false ? undefined : 'warning';
	const isOn =
		override?.enabled === true || (override?.enabled === undefined && rule.defaultMode !== 'disable');
	return isOn && override?.action === expected.action ? undefined : 'warning';
}

const shouldBeOff = ({mode}: PreviousRule, isOffByGroup: boolean): boolean =>
	isOffByGroup || mode === 'disable' || mode === 'off';

/** Builds the rows of overrides that no changed old rule with the same id explains. */
function buildNewOverrideRows(
	{packages: allPackages, unreadReasons}: PreviousManagedRules,
	{ruleOverrides}: ManagedDeployment,
	proposedDeployment: ManagedDeployment | undefined,
	ruleNames: ManagedRuleNames,
): readonly PlanRow[] {
	const packages = allPackages.filter(({kind}) => kind !== 'owasp');
	const changedIds = new Set(
		packages.flatMap(one =>
			one.rules.filter(rule => rule.isChanged || isGroupOff(one, rule)).map(({id}) => id),
		),
	);
	return [...ruleOverrides].flatMap(([id, settings]): PlanRow[] =>
		changedIds.has(id)
			? []
			: [
					{
						what: `managed rule ${id}${ruleNames.has(id) ? ` (${ruleNames.get(id)})` : ''}`,
						now: unreadReasons.packages ?? 'no setting with this id',
						after: formatOverrideSettings(settings),
						...(proposedDeployment?.ruleOverrides.has(id) && {mark: 'warning' as const}),
					},
				],
	);
}

/** Builds the rows of rulesets that replace nothing of the previous version. */
const buildOtherRulesetRows = ({rules}: ManagedConfiguration): readonly PlanRow[] =>
	rules.flatMap((rule): PlanRow[] => {
		const rulesetId = findExecutedRulesetId(rule);
		if (rulesetId === managedRulesets.platform.id || rulesetId === managedRulesets.owasp.id) return [];
		if (rule.action === 'skip') return [];
		const name =
			rulesetId === undefined ? `rule with the action ${rule.action}` : formatRulesetName(rulesetId);
		const overrides = rule.action_parameters?.overrides;
		const settings = isJsonObject(overrides) ? `, overrides ${JSON.stringify(overrides)}` : '';
		return [{what: name, now: 'not deployed', after: `${describeConfiguredRule(rule)}${settings}`}];
	});
