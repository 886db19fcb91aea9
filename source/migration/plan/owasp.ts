import {formatQuantity} from '../../text/figures.ts';
import {capitalize} from '../../text/one-line.ts';
import type {ManagedConfiguration} from '../configuration/configuration.ts';
import {formatActionWords} from '../configuration/edits.ts';
import {formatScoreThreshold, managedRulesets, paranoiaLevelWarning} from '../configuration/mapping.ts';
import {findExecutedRulesetId} from '../configuration/override-edits.ts';
import {getRulesetActivity, getRulesetOverrides, readOwaspSettings} from '../configuration/rule-overrides.ts';
import type {PreviousManagedRules, PreviousPackage} from '../zone/previous-rules.ts';
import {findExpectedAction, findExpectedLevel, isActionChanged} from './expected.ts';
import type {PlanRow} from './row.ts';

/** How a configuration configures the OWASP ruleset. */
type OwaspDeployment = {
	readonly isOn: boolean;
	/** Undefined if no level is overridden. */
	readonly paranoiaLevel: number | undefined;
	readonly threshold: number | undefined;
	readonly action: string | undefined;
};

/** Builds the rows of the old OWASP package and the new OWASP ruleset. */
export function buildOwaspPlanRows(
	{packages, unreadReasons}: PreviousManagedRules,
	configuration: ManagedConfiguration,
): readonly PlanRow[] {
	const deployment = readOwaspDeployment(configuration);
	const oldPackages = packages.filter(({kind}) => kind === 'owasp');
	if (oldPackages.length > 0) return oldPackages.flatMap(one => buildPackageRows(one, deployment));
	return deployment
		? [
				{
					what: managedRulesets.owasp.name,
					now: unreadReasons.packages ?? 'not deployed',
					after: formatOwaspDeployment(deployment),
					mark: 'warning',
				},
			]
		: [];
}

function buildPackageRows(
	oldPackage: PreviousPackage,
	deployment: OwaspDeployment | undefined,
): readonly PlanRow[] {
	return [
		buildSensitivityRow(oldPackage, deployment),
		buildActionRow(oldPackage, deployment),
		...buildLostRows(oldPackage, deployment),
	];
}

function buildSensitivityRow(oldPackage: PreviousPackage, deployment: OwaspDeployment | undefined): PlanRow {
	const what = 'sensitivity';
	const currentText = capitalize(oldPackage.sensitivity ?? 'default');
	const expectedLevel = findExpectedLevel(oldPackage);
	if (oldPackage.sensitivity === 'off')
		return deployment?.isOn
			? {what, now: currentText, after: `${formatOwaspSensitivity(deployment)}: it is on`, mark: 'warning'}
			: {what, now: currentText, after: 'not deployed', mark: 'same'};
	if (!deployment?.isOn)
		return {what, now: currentText, after: deployment ? 'off' : 'not deployed', mark: 'warning'};
	if (expectedLevel === undefined)
		return {
			what,
			now: currentText,
			after: `${formatOwaspSensitivity(deployment)} (nothing documented for ${currentText})`,
			mark: 'warning',
		};
	return deployment.paranoiaLevel === expectedLevel.paranoia &&
		deployment.threshold === expectedLevel.threshold
		? {what, now: currentText, after: formatOwaspSensitivity(deployment)}
		: {
				what,
				now: currentText,
				after: `${formatOwaspSensitivity(deployment)}, not PL${expectedLevel.paranoia} · ${formatScoreThreshold(expectedLevel.threshold)} as documented`,
				mark: 'warning',
			};
}

function buildActionRow(oldPackage: PreviousPackage, deployment: OwaspDeployment | undefined): PlanRow {
	const what = 'action';
	const currentText = capitalize(oldPackage.actionMode ?? 'not reported');
	if (!deployment?.isOn)
		return oldPackage.sensitivity === 'off'
			? {what, now: currentText, after: 'not deployed', mark: 'same'}
			: {what, now: currentText, after: 'nothing: it does not run', mark: 'warning'};
	const newAction =
		deployment.action === undefined ? 'ruleset default' : capitalize(formatActionWords(deployment.action));
	const expectedAction = findExpectedAction(oldPackage);
	if (expectedAction === undefined)
		return {
			what,
			now: currentText,
			after: `${newAction} (nothing documented for ${currentText})`,
			mark: 'warning',
		};
	if (expectedAction === deployment.action)
		return isActionChanged(oldPackage.actionMode, expectedAction)
			? {what, now: currentText, after: `${newAction}, a different action than before`, mark: 'changed'}
			: {what, now: currentText, after: newAction};
	return {
		what,
		now: currentText,
		after: `${newAction}, not ${capitalize(formatActionWords(expectedAction))} as documented`,
		mark: 'warning',
	};
}

/**
 * Builds one row each for the number of lost group and rule overrides. What was off will be on if the ruleset
 * is, unless the configuration turns its rules off: the new rules have other ids, so that ledge cannot tell. The
 * recreation list names them individually.
 */
function buildLostRows(
	{sensitivity, groups, rules}: PreviousPackage,
	deployment: OwaspDeployment | undefined,
): readonly PlanRow[] {
	if (sensitivity === 'off') return [];
	const offCount = groups.filter(({isOn}) => !isOn).length;
	const changedCount = rules.filter(({isChanged}) => isChanged).length;
	const buildLostRow = (what: string): PlanRow => ({
		what,
		now: 'off',
		after: deployment?.isOn
			? 'ON unless turned off here; recreate manually'
			: 'not migrated: recreate manually',
		mark: 'lost',
	});
	return [
		...(offCount > 0 ? [buildLostRow(formatQuantity(offCount, 'group override'))] : []),
		...(changedCount > 0 ? [buildLostRow(formatQuantity(changedCount, 'rule override'))] : []),
	];
}

const formatOwaspSensitivity = ({paranoiaLevel, threshold}: OwaspDeployment): string =>
	`${paranoiaLevel === undefined ? 'default level' : `PL${paranoiaLevel}`} · ${threshold === undefined ? 'default threshold' : formatScoreThreshold(threshold)}`;

const formatOwaspDeployment = (deployment: OwaspDeployment): string =>
	deployment.isOn
		? `${formatOwaspSensitivity(deployment)}${deployment.action ? `, ${formatActionWords(deployment.action)}` : ''}`
		: 'off';

/** Describes the paranoia level that a configuration gives a zone. Undefined if no OWASP rules run. */
export function describeParanoiaLevel(configuration: ManagedConfiguration): string | undefined {
	const deployment = readOwaspDeployment(configuration);
	if (!deployment?.isOn) return undefined;
	const levelText =
		deployment.paranoiaLevel === undefined
			? 'This configuration sets no paranoia level (PL), so the level after the migration is unknown'
			: `This configuration sets ${formatOwaspSensitivity(deployment)} (PL: paranoia level)`;
	return `OWASP: ${levelText}. ${paranoiaLevelWarning}`;
}

/** Reads how the execute rule configures the OWASP ruleset. Undefined if no rule executes it. */
function readOwaspDeployment({rules}: ManagedConfiguration): OwaspDeployment | undefined {
	const owaspRules = rules.filter(rule => findExecutedRulesetId(rule) === managedRulesets.owasp.id);
	const rule = owaspRules.find(({enabled}) => enabled !== false) ?? owaspRules[0];
	if (!rule) return undefined;
	const {level: paranoiaLevel, threshold, scoringOverride} = readOwaspSettings(getRulesetOverrides(rule));
	return {isOn: getRulesetActivity(rule) === 'on', paranoiaLevel, threshold, action: scoringOverride.action};
}
