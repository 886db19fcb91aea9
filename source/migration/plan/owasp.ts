import {counted} from '../../text/figures.ts';
import type {Configuration} from '../configuration/configuration.ts';
import {actionInWords} from '../configuration/edits.ts';
import {managedRulesets, thresholdInWords} from '../configuration/mapping.ts';
import {executedRuleset} from '../configuration/override-edits.ts';
import {acting, overridesIn, owaspSettings} from '../configuration/rule-overrides.ts';
import type {Previous, PreviousPackage} from '../zone/previous-rules.ts';
import {changesAction, expectedAction, expectedLevel} from './expected.ts';
import type {PlanRow} from './row.ts';

/** How a configuration sets the OWASP ruleset. */
type OwaspAfter = {
	readonly isOn: boolean;
	/** Undefined if no level is overridden. */
	readonly level: number | undefined;
	readonly threshold: number | undefined;
	readonly action: string | undefined;
};

/** Builds the rows of the old OWASP package and the new OWASP ruleset. */
export function owaspRows({packages, unread}: Previous, configuration: Configuration): readonly PlanRow[] {
	const after = owaspIn(configuration);
	const old = packages.filter(({kind}) => kind === 'owasp');
	if (old.length > 0) return old.flatMap(one => packageRows(one, after));
	return after
		? [
				{
					what: managedRulesets.owasp.name,
					now: unread.packages ?? 'not deployed',
					after: settingsAfter(after),
					mark: 'warning',
				},
			]
		: [];
}

function packageRows(one: PreviousPackage, after: OwaspAfter | undefined): readonly PlanRow[] {
	return [sensitivityRow(one, after), actionRow(one, after), ...lostRows(one)];
}

function sensitivityRow(one: PreviousPackage, after: OwaspAfter | undefined): PlanRow {
	const what = 'sensitivity';
	const now = capital(one.sensitivity ?? 'default');
	const level = expectedLevel(one);
	if (one.sensitivity === 'off')
		return after?.isOn
			? {what, now, after: `${levelAfter(after)}: it is on`, mark: 'warning'}
			: {what, now, after: 'not deployed', mark: 'same'};
	if (!after?.isOn) return {what, now, after: after ? 'off' : 'not deployed', mark: 'warning'};
	if (level === undefined)
		return {what, now, after: `${levelAfter(after)} (the table does not know ${now})`, mark: 'warning'};
	return after.level === level.paranoia && after.threshold === level.threshold
		? {what, now, after: levelAfter(after)}
		: {
				what,
				now,
				after: `${levelAfter(after)} (default mapping: PL${level.paranoia} · ${thresholdInWords(level.threshold)})`,
				mark: 'warning',
			};
}

function actionRow(one: PreviousPackage, after: OwaspAfter | undefined): PlanRow {
	const what = 'action';
	const now = capital(one.actionMode ?? 'not said');
	if (!after?.isOn)
		return one.sensitivity === 'off'
			? {what, now, after: 'not deployed', mark: 'same'}
			: {what, now, after: 'nothing: it does not run', mark: 'warning'};
	const is = after.action === undefined ? 'as the ruleset has it' : capital(actionInWords(after.action));
	const expected = expectedAction(one);
	if (expected === undefined)
		return {what, now, after: `${is} (the mapping does not know ${now})`, mark: 'warning'};
	if (expected === after.action)
		return changesAction(one.actionMode, expected)
			? {what, now, after: `${is}, another action than before`, mark: 'changed'}
			: {what, now, after: is};
	return {
		what,
		now,
		after: `${is} (the mapping says ${capital(actionInWords(expected))})`,
		mark: 'warning',
	};
}

/** Counts group and rule settings; the list of settings to recreate names each. */
function lostRows({sensitivity, groups, rules}: PreviousPackage): readonly PlanRow[] {
	if (sensitivity === 'off') return [];
	const off = groups.filter(({isOn}) => !isOn).length;
	const changed = rules.filter(({isChanged}) => isChanged).length;
	const lost = (what: string): PlanRow => ({
		what,
		now: 'off',
		after: 'not migrated: to be recreated by hand',
		mark: 'lost',
	});
	return [
		...(off > 0 ? [lost(counted(off, 'group override'))] : []),
		...(changed > 0 ? [lost(counted(changed, 'rule override'))] : []),
	];
}

const levelAfter = ({level, threshold}: OwaspAfter): string =>
	`${level === undefined ? 'level as the ruleset has it' : `PL${level}`} · ${threshold === undefined ? 'threshold as the ruleset has it' : thresholdInWords(threshold)}`;

const settingsAfter = (after: OwaspAfter): string =>
	after.isOn ? `${levelAfter(after)}${after.action ? `, ${actionInWords(after.action)}` : ''}` : 'off';

/** Reads how the execute rule sets the OWASP ruleset. Undefined if no rule executes it. */
function owaspIn({rules}: Configuration): OwaspAfter | undefined {
	const owasp = rules.filter(rule => executedRuleset(rule) === managedRulesets.owasp.id);
	const rule = owasp.find(({enabled}) => enabled !== false) ?? owasp[0];
	if (!rule) return undefined;
	const {level, threshold, scoring} = owaspSettings(overridesIn(rule));
	return {isOn: acting(rule) === 'on', level, threshold, action: scoring.action};
}

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
