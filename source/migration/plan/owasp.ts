import {formatQuantity} from '../../text/figures.ts';
import type {ManagedConfiguration} from '../configuration/configuration.ts';
import {formatActionWords} from '../configuration/edits.ts';
import {formatScoreThreshold, managedRulesets} from '../configuration/mapping.ts';
import {findExecutedRuleset} from '../configuration/override-edits.ts';
import {getRulesetActivity, getRulesetOverrides, readOwaspSettings} from '../configuration/rule-overrides.ts';
import type {PreviousManagedRules, PreviousPackage} from '../zone/previous-rules.ts';
import {findExpectedAction, findExpectedLevel, isActionChanged} from './expected.ts';
import type {PlanRow} from './row.ts';

/** How a configuration sets the OWASP ruleset. */
type OwaspDeployment = {
	readonly isOn: boolean;
	/** Undefined if no level is overridden. */
	readonly level: number | undefined;
	readonly threshold: number | undefined;
	readonly action: string | undefined;
};

/** Builds the rows of the old OWASP package and the new OWASP ruleset. */
export function buildOwaspPlanRows(
	{packages, unread}: PreviousManagedRules,
	configuration: ManagedConfiguration,
): readonly PlanRow[] {
	const after = readOwaspDeployment(configuration);
	const old = packages.filter(({kind}) => kind === 'owasp');
	if (old.length > 0) return old.flatMap(one => buildPackageRows(one, after));
	return after
		? [
				{
					what: managedRulesets.owasp.name,
					now: unread.packages ?? 'not deployed',
					after: formatOwaspDeployment(after),
					mark: 'warning',
				},
			]
		: [];
}

function buildPackageRows(
	oldPackage: PreviousPackage,
	after: OwaspDeployment | undefined,
): readonly PlanRow[] {
	return [
		buildSensitivityRow(oldPackage, after),
		buildActionRow(oldPackage, after),
		...buildLostRows(oldPackage),
	];
}

function buildSensitivityRow(oldPackage: PreviousPackage, after: OwaspDeployment | undefined): PlanRow {
	const what = 'sensitivity';
	const now = capitalizeWord(oldPackage.sensitivity ?? 'default');
	const level = findExpectedLevel(oldPackage);
	if (oldPackage.sensitivity === 'off')
		return after?.isOn
			? {what, now, after: `${formatOwaspLevel(after)}: it is on`, mark: 'warning'}
			: {what, now, after: 'not deployed', mark: 'same'};
	if (!after?.isOn) return {what, now, after: after ? 'off' : 'not deployed', mark: 'warning'};
	if (level === undefined)
		return {what, now, after: `${formatOwaspLevel(after)} (the table does not know ${now})`, mark: 'warning'};
	return after.level === level.paranoia && after.threshold === level.threshold
		? {what, now, after: formatOwaspLevel(after)}
		: {
				what,
				now,
				after: `${formatOwaspLevel(after)} (default mapping: PL${level.paranoia} · ${formatScoreThreshold(level.threshold)})`,
				mark: 'warning',
			};
}

function buildActionRow(oldPackage: PreviousPackage, after: OwaspDeployment | undefined): PlanRow {
	const what = 'action';
	const now = capitalizeWord(oldPackage.actionMode ?? 'not said');
	if (!after?.isOn)
		return oldPackage.sensitivity === 'off'
			? {what, now, after: 'not deployed', mark: 'same'}
			: {what, now, after: 'nothing: it does not run', mark: 'warning'};
	const newAction =
		after.action === undefined ? 'as the ruleset has it' : capitalizeWord(formatActionWords(after.action));
	const expected = findExpectedAction(oldPackage);
	if (expected === undefined)
		return {what, now, after: `${newAction} (the mapping does not know ${now})`, mark: 'warning'};
	if (expected === after.action)
		return isActionChanged(oldPackage.actionMode, expected)
			? {what, now, after: `${newAction}, another action than before`, mark: 'changed'}
			: {what, now, after: newAction};
	return {
		what,
		now,
		after: `${newAction} (the mapping says ${capitalizeWord(formatActionWords(expected))})`,
		mark: 'warning',
	};
}

/** Counts group and rule settings; the list of settings to recreate names each. */
function buildLostRows({sensitivity, groups, rules}: PreviousPackage): readonly PlanRow[] {
	if (sensitivity === 'off') return [];
	const off = groups.filter(({isOn}) => !isOn).length;
	const changed = rules.filter(({isChanged}) => isChanged).length;
	const buildLostRow = (what: string): PlanRow => ({
		what,
		now: 'off',
		after: 'not migrated: to be recreated by hand',
		mark: 'lost',
	});
	return [
		...(off > 0 ? [buildLostRow(formatQuantity(off, 'group override'))] : []),
		...(changed > 0 ? [buildLostRow(formatQuantity(changed, 'rule override'))] : []),
	];
}

const formatOwaspLevel = ({level, threshold}: OwaspDeployment): string =>
	`${level === undefined ? 'level as the ruleset has it' : `PL${level}`} · ${threshold === undefined ? 'threshold as the ruleset has it' : formatScoreThreshold(threshold)}`;

const formatOwaspDeployment = (after: OwaspDeployment): string =>
	after.isOn
		? `${formatOwaspLevel(after)}${after.action ? `, ${formatActionWords(after.action)}` : ''}`
		: 'off';

/** Reads how the execute rule sets the OWASP ruleset. Undefined if no rule executes it. */
function readOwaspDeployment({rules}: ManagedConfiguration): OwaspDeployment | undefined {
	const owasp = rules.filter(rule => findExecutedRuleset(rule) === managedRulesets.owasp.id);
	const rule = owasp.find(({enabled}) => enabled !== false) ?? owasp[0];
	if (!rule) return undefined;
	const {level, threshold, scoring} = readOwaspSettings(getRulesetOverrides(rule));
	return {isOn: getRulesetActivity(rule) === 'on', level, threshold, action: scoring.action};
}

const capitalizeWord = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
