import {filterObjects, isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {parseWafOverride, type WafOverride} from './override.ts';
import {findUnreadReason, type PackageSnapshot, type Snapshot, snapshotPartNames} from './snapshot.ts';
import type {UnreadReason} from './withheld.ts';

/**
 * `owasp`: has a score and a sensitivity. `platform`: has rules with modes. `customer`: has rules made for
 * this customer.
 */
type PackageKind = 'owasp' | 'platform' | 'customer';

export type PreviousGroup = {
	readonly id: string;
	readonly name: string;
	readonly isOn: boolean;
	readonly ruleCount: number | undefined;
	/** Number of rules that differ from their default, according to the service. */
	readonly modifiedCount: number | undefined;
};

export type PreviousRule = {
	readonly id: string;
	readonly description: string;
	readonly group: {readonly id: string; readonly name: string} | undefined;
	readonly mode: string;
	/** The mode that `default` stands for; undefined for rules that are only on or off. */
	readonly defaultMode: string | undefined;
	/** True if the mode differs from the default. */
	readonly isChanged: boolean;
};

export type PreviousPackage = {
	readonly id: string;
	readonly name: string;
	readonly kind: PackageKind;
	readonly sensitivity: string | undefined;
	readonly actionMode: string | undefined;
	readonly groups: readonly PreviousGroup[];
	readonly rules: readonly PreviousRule[];
};

export type PreviousOverride = {
	readonly id: string;
	readonly urls: readonly string[];
	readonly description: string;
	readonly isPaused: boolean;
	/** Its settings: "group abc: block", "rule def: disable", "challenge → simulate". */
	readonly settings: readonly string[];
	/** Ids of the groups and rules that it turns off. */
	readonly disabled: {readonly groups: readonly string[]; readonly rules: readonly string[]};
	/** Settings that do not turn off a group or a rule. */
	readonly otherSettings: readonly string[];
};

/** A page rule that affects the previous managed rules. */
export type PreviousPageRule = {
	readonly id: string;
	readonly url: string;
	readonly effect: 'waf on' | 'waf off' | 'security disabled';
	readonly isActive: boolean;
};

/** A firewall rule that bypasses the previous managed rules. */
export type PreviousBypass = {
	readonly id: string;
	readonly description: string;
	/** Undefined if its filter was deleted. */
	readonly expression: string | undefined;
	readonly isPaused: boolean;
	/** The other products that it bypasses. */
	readonly otherProducts: readonly string[];
};

/** The parsed settings of the previous managed rules of a zone. */
export type PreviousManagedRules = {
	/** The state of the zone's switch; undefined if it could not be read. */
	readonly isOn: boolean | undefined;
	readonly packages: readonly PreviousPackage[];
	readonly overrides: readonly PreviousOverride[];
	readonly pageRules: readonly PreviousPageRule[];
	readonly bypasses: readonly PreviousBypass[];
	/** Why parts could not be read; undefined for parts that were read. */
	readonly unreadReasons: {
		readonly packages?: UnreadReason | undefined;
		readonly overrides?: UnreadReason | undefined;
		readonly pageRules?: UnreadReason | undefined;
		readonly firewallRules?: UnreadReason | undefined;
	};
};

/** Parts of a snapshot with settings of the previous managed rules. */
type PreviousParts = Pick<Snapshot, 'waf' | 'packages' | 'overrides' | 'firewallRules' | 'pageRules'> &
	Partial<Pick<Snapshot, 'unread'>>;

/** Parses the service's responses; missing data stays undefined. */
export const parsePreviousRules = ({
	waf,
	packages,
	overrides,
	firewallRules,
	pageRules,
	unread = [],
}: PreviousParts): PreviousManagedRules => ({
	isOn: typeof waf?.value === 'string' ? waf.value === 'on' : undefined,
	packages: packages.map(parsePackage),
	overrides: overrides.map(parsePreviousOverride),
	pageRules: pageRules.flatMap(parsePageRule),
	bypasses: findBypassRules(firewallRules),
	unreadReasons: {
		packages: findUnreadReason(unread, snapshotPartNames.packages),
		overrides: findUnreadReason(unread, snapshotPartNames.overrides),
		pageRules: findUnreadReason(unread, snapshotPartNames.pageRules),
		firewallRules: findUnreadReason(unread, snapshotPartNames.firewallRules),
	},
});

/** Finds the firewall rules that bypass the managed rules, including paused ones. */
export const findBypassRules = (firewallRules: readonly JsonObject[]): readonly PreviousBypass[] =>
	firewallRules.flatMap(rule => {
		const products = toTexts(rule.products);
		if (rule.action !== 'bypass' || !products.includes('waf')) return [];
		const filter = isJsonObject(rule.filter) ? rule.filter : {};
		return [
			{
				id: toPlainText(rule.id),
				description: toPlainText(rule.description) || toPlainText(filter.description),
				expression: toOptionalText(filter.expression),
				isPaused: rule.paused === true || filter.paused === true,
				otherProducts: products.filter(product => product !== 'waf'),
			},
		];
	});

function parsePackage({package: rawPackage, groups, rules}: PackageSnapshot): PreviousPackage {
	const kind = getPackageKind(rawPackage);
	return {
		id: toPlainText(rawPackage.id),
		name: toPlainText(rawPackage.name) || toPlainText(rawPackage.description),
		kind,
		sensitivity: toOptionalText(rawPackage.sensitivity),
		actionMode: toOptionalText(rawPackage.action_mode),
		groups: groups.map(group => ({
			id: toPlainText(group.id),
			name: toPlainText(group.name),
			isOn: group.mode !== 'off',
			ruleCount: toCount(group.rules_count),
			modifiedCount: toCount(group.modified_rules_count),
		})),
		rules: rules.map(parsePreviousRule),
	};
}

/**
 * Returns the kind of one of the three packages: only OWASP detects anomalies, and one is made for the
 * customer.
 */
function getPackageKind({detection_mode: mode, name, description}: JsonObject): PackageKind {
	if (mode === 'anomaly') return 'owasp';
	return /customer|user.?defined/i.test(`${toPlainText(name)} ${toPlainText(description)}`)
		? 'customer'
		: 'platform';
}

function parsePreviousRule(rule: JsonObject): PreviousRule {
	const mode = toPlainText(rule.mode);
	const defaultMode = toOptionalText(rule.default_mode);
	const group = isJsonObject(rule.group) ? rule.group : undefined;
	return {
		id: toPlainText(rule.id),
		description: toPlainText(rule.description),
		group: group && {id: toPlainText(group.id), name: toPlainText(group.name)},
		mode,
		defaultMode,
		// Rules that are only on or off have no default; they are normally on.
		isChanged: defaultMode === undefined ? mode !== 'on' && mode !== 'default' : mode !== 'default',
	};
}

export function parsePreviousOverride(raw: JsonObject): PreviousOverride {
	const override = parseWafOverride(raw);
	const {id, urls, groups, rules, paused, description} = override;
	return {
		id,
		urls,
		description: description ?? '',
		isPaused: paused,
		settings: formatSettings(override, () => true),
		disabled: {groups: listDisabled(groups), rules: listDisabled(rules)},
		otherSettings: formatSettings(override, action => !isOff(action)),
	};
}

/** Formats the settings of groups and rules whose action `isIncluded` accepts, and all replaced actions. */
const formatSettings = (
	{groups, rules, rewriteAction}: WafOverride,
	isIncluded: (action: string) => boolean,
): readonly string[] => [
	...formatActions('group', groups, isIncluded),
	...formatActions('rule', rules, isIncluded),
	...Object.entries(rewriteAction).map(([from, to]) => `${from} → ${to}`),
];

const formatActions = (
	what: string,
	actions: Readonly<Record<string, string>>,
	isIncluded: (action: string) => boolean,
): readonly string[] =>
	Object.entries(actions)
		.filter(([, action]) => isIncluded(action))
		.map(([id, action]) => `${what} ${id}: ${action}`);

const isOff = (action: string): boolean => action === 'disable' || action === 'off';

const listDisabled = (actions: Readonly<Record<string, string>>): readonly string[] =>
	Object.entries(actions).flatMap(([id, action]) => (isOff(action) ? [id] : []));

function parsePageRule(rule: JsonObject): readonly PreviousPageRule[] {
	const effect = getPageRuleEffect(rule);
	if (effect === undefined) return [];
	const targets = filterObjects(rule.targets);
	const constraint = targets.find(({target}) => target === 'url')?.constraint ?? targets[0]?.constraint;
	return [
		{
			id: toPlainText(rule.id),
			url: isJsonObject(constraint) ? toPlainText(constraint.value) : '',
			effect,
			isActive: rule.status !== 'disabled',
		},
	];
}

function getPageRuleEffect({actions}: JsonObject): PreviousPageRule['effect'] | undefined {
	for (const {id, value} of filterObjects(actions)) {
		if (id === 'disable_security') return 'security disabled';
		if (id === 'waf') return value === 'off' ? 'waf off' : 'waf on';
	}
	return undefined;
}

const toPlainText = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const toOptionalText = (value: JsonValue | undefined): string | undefined =>
	typeof value === 'string' && value !== '' ? value : undefined;
const toCount = (value: JsonValue | undefined): number | undefined =>
	typeof value === 'number' ? value : undefined;
const toTexts = (value: JsonValue | undefined): readonly string[] =>
	Array.isArray(value) ? value.filter(one => typeof one === 'string') : [];
