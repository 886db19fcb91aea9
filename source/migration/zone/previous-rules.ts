import {isJsonObject, type JsonObject, type JsonValue, objects} from '../../text/json.ts';
import {readOverride, type WafOverride} from './override.ts';
import {type PackageSnapshot, parts, reasonUnread, type Snapshot} from './snapshot.ts';
import type {UnreadReason} from './unavailable.ts';

/**
 * `owasp`: scores and has a sensitivity; `platform`: rules with modes; `customer`: rules made for this
 * customer.
 */
type PackageKind = 'owasp' | 'platform' | 'customer';

export type PreviousGroup = {
	readonly id: string;
	readonly name: string;
	readonly isOn: boolean;
	readonly rules: number | undefined;
	/** Number of rules that differ from their default, as counted by the service. */
	readonly modified: number | undefined;
};

export type PreviousRule = {
	readonly id: string;
	readonly description: string;
	readonly group: {readonly id: string; readonly name: string} | undefined;
	readonly mode: string;
	/** The meaning of `default`; undefined for rules that are only on or off. */
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
	readonly does: 'waf on' | 'waf off' | 'security disabled';
	readonly isActive: boolean;
};

/** A firewall rule that bypasses the previous managed rules. */
export type PreviousBypass = {
	readonly id: string;
	readonly description: string;
	/** Undefined if its filter was deleted. */
	readonly expression: string | undefined;
	readonly isPaused: boolean;
	/** Other products that it bypasses. */
	readonly others: readonly string[];
};

/** The parsed settings of the previous managed rules of a zone. */
export type Previous = {
	/** The switch of the zone; undefined if it could not be read. */
	readonly isOn: boolean | undefined;
	readonly packages: readonly PreviousPackage[];
	readonly overrides: readonly PreviousOverride[];
	readonly pageRules: readonly PreviousPageRule[];
	readonly bypasses: readonly PreviousBypass[];
	/** Why parts are unknown; undefined for parts that were read. */
	readonly unread: {
		readonly packages?: UnreadReason | undefined;
		readonly overrides?: UnreadReason | undefined;
		readonly pageRules?: UnreadReason | undefined;
		readonly firewallRules?: UnreadReason | undefined;
	};
};

/** Parts of a snapshot with settings of the previous managed rules. */
type PreviousParts = Pick<Snapshot, 'waf' | 'packages' | 'overrides' | 'firewallRules' | 'pageRules'> &
	Partial<Pick<Snapshot, 'unread'>>;

/** Parses the service's answers; missing data stays undefined. */
export const previousOf = ({
	waf,
	packages,
	overrides,
	firewallRules,
	pageRules,
	unread = [],
}: PreviousParts): Previous => ({
	isOn: typeof waf?.value === 'string' ? waf.value === 'on' : undefined,
	packages: packages.map(readPackage),
	overrides: overrides.map(readPreviousOverride),
	pageRules: pageRules.flatMap(readPageRule),
	bypasses: bypassesOf(firewallRules),
	unread: {
		packages: reasonUnread(unread, parts.packages),
		overrides: reasonUnread(unread, parts.overrides),
		pageRules: reasonUnread(unread, parts.pageRules),
		firewallRules: reasonUnread(unread, parts.firewallRules),
	},
});

/** Finds firewall rules that bypass the managed rules, including paused ones. */
export const bypassesOf = (firewallRules: readonly JsonObject[]): readonly PreviousBypass[] =>
	firewallRules.flatMap(rule => {
		const products = texts(rule.products);
		if (rule.action !== 'bypass' || !products.includes('waf')) return [];
		const filter = isJsonObject(rule.filter) ? rule.filter : {};
		return [
			{
				id: text(rule.id),
				description: text(rule.description) || text(filter.description),
				expression: optional(filter.expression),
				isPaused: rule.paused === true || filter.paused === true,
				others: products.filter(product => product !== 'waf'),
			},
		];
	});

function readPackage({package: given, groups, rules}: PackageSnapshot): PreviousPackage {
	const kind = kindOf(given);
	return {
		id: text(given.id),
		name: text(given.name) || text(given.description),
		kind,
		sensitivity: optional(given.sensitivity),
		actionMode: optional(given.action_mode),
		groups: groups.map(group => ({
			id: text(group.id),
			name: text(group.name),
			isOn: group.mode !== 'off',
			rules: count(group.rules_count),
			modified: count(group.modified_rules_count),
		})),
		rules: rules.map(readPreviousRule),
	};
}

/** The three packages: only `owasp` scores, and one is made for the customer. */
function kindOf({detection_mode: mode, name, description}: JsonObject): PackageKind {
	if (mode === 'anomaly') return 'owasp';
	return /customer|user.?defined/i.test(`${text(name)} ${text(description)}`) ? 'customer' : 'platform';
}

function readPreviousRule(rule: JsonObject): PreviousRule {
	const mode = text(rule.mode);
	const defaultMode = optional(rule.default_mode);
	const group = isJsonObject(rule.group) ? rule.group : undefined;
	return {
		id: text(rule.id),
		description: text(rule.description),
		group: group && {id: text(group.id), name: text(group.name)},
		mode,
		defaultMode,
		// Rules that are only on or off have no default; they are normally on.
		isChanged: defaultMode === undefined ? mode !== 'on' && mode !== 'default' : mode !== 'default',
	};
}

export function readPreviousOverride(raw: JsonObject): PreviousOverride {
	const override = readOverride(raw);
	const {id, urls, groups, rules, paused, description} = override;
	return {
		id,
		urls,
		description: description ?? '',
		isPaused: paused,
		settings: settingsOf(override, () => true),
		disabled: {groups: offIn(groups), rules: offIn(rules)},
		otherSettings: settingsOf(override, action => !isOff(action)),
	};
}

/** Formats the settings of groups and rules whose action is included, and all replaced actions. */
const settingsOf = (
	{groups, rules, rewriteAction}: WafOverride,
	isMeant: (action: string) => boolean,
): readonly string[] => [
	...inWords('group', groups, isMeant),
	...inWords('rule', rules, isMeant),
	...Object.entries(rewriteAction).map(([from, to]) => `${from} → ${to}`),
];

const inWords = (
	what: string,
	actions: Readonly<Record<string, string>>,
	isMeant: (action: string) => boolean,
): readonly string[] =>
	Object.entries(actions)
		.filter(([, action]) => isMeant(action))
		.map(([id, action]) => `${what} ${id}: ${action}`);

const isOff = (action: string): boolean => action === 'disable' || action === 'off';

const offIn = (actions: Readonly<Record<string, string>>): readonly string[] =>
	Object.entries(actions).flatMap(([id, action]) => (isOff(action) ? [id] : []));

function readPageRule(rule: JsonObject): readonly PreviousPageRule[] {
	const does = pageRuleAction(rule);
	if (does === undefined) return [];
	const targets = objects(rule.targets);
	const constraint = targets.find(({target}) => target === 'url')?.constraint ?? targets[0]?.constraint;
	return [
		{
			id: text(rule.id),
			url: isJsonObject(constraint) ? text(constraint.value) : '',
			does,
			isActive: rule.status !== 'disabled',
		},
	];
}

function pageRuleAction({actions}: JsonObject): PreviousPageRule['does'] | undefined {
	for (const {id, value} of objects(actions)) {
		if (id === 'disable_security') return 'security disabled';
		if (id === 'waf') return value === 'off' ? 'waf off' : 'waf on';
	}
	return undefined;
}

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const optional = (value: JsonValue | undefined): string | undefined =>
	typeof value === 'string' && value !== '' ? value : undefined;
const count = (value: JsonValue | undefined): number | undefined =>
	typeof value === 'number' ? value : undefined;
const texts = (value: JsonValue | undefined): readonly string[] =>
	Array.isArray(value) ? value.filter(one => typeof one === 'string') : [];
