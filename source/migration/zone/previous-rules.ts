import {isJsonObject, type JsonObject, type JsonValue, objects} from '../../text/json.ts';
import {readOverride, type WafOverride} from './override.ts';
import {type PackageSnapshot, parts, reasonUnread, type Snapshot} from './snapshot.ts';
import type {UnreadReason} from './unavailable.ts';

/** `owasp` scores and has a sensitivity; `platform` has rules with modes; `customer` holds rules made for this customer. */
type PackageKind = 'owasp' | 'platform' | 'customer';

export type PreviousGroup = {
	readonly id: string;
	readonly name: string;
	readonly isOn: boolean;
	readonly rules: number | undefined;
	/** Rules of it that are not as they are by default, as the service counts them. */
	readonly modified: number | undefined;
};

export type PreviousRule = {
	readonly id: string;
	readonly description: string;
	readonly group: {readonly id: string; readonly name: string} | undefined;
	readonly mode: string;
	/** What `default` means; rules that are only on or off have none. */
	readonly defaultMode: string | undefined;
	/** Whether it says anything but its default. */
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
	/** What it does: "group abc: block", "rule def: disable", "challenge → simulate". */
	readonly settings: readonly string[];
	/** Ids of the groups and rules that it turns off. */
	readonly disabled: {readonly groups: readonly string[]; readonly rules: readonly string[]};
	/** Its settings that turn off neither a group nor a rule. */
	readonly otherSettings: readonly string[];
};

/** A page rule that bears on the previous managed rules. */
export type PreviousPageRule = {
	readonly id: string;
	readonly url: string;
	readonly does: 'waf on' | 'waf off' | 'security disabled';
	readonly isActive: boolean;
};

/** A firewall rule that goes around the previous managed rules. */
export type PreviousBypass = {
	readonly id: string;
	readonly description: string;
	/** None where its filter is gone. */
	readonly expression: string | undefined;
	readonly isPaused: boolean;
	/** What else it bypasses. */
	readonly others: readonly string[];
};

/** What the previous managed rules of a zone are set to, read out of what the service gave. */
export type Previous = {
	/** The switch of the whole zone; `undefined` where it could not be read. */
	readonly isOn: boolean | undefined;
	readonly packages: readonly PreviousPackage[];
	readonly overrides: readonly PreviousOverride[];
	readonly pageRules: readonly PreviousPageRule[];
	readonly bypasses: readonly PreviousBypass[];
	/** Why parts are not known; a part of which nothing is said here was read. */
	readonly unread: {
		readonly packages?: UnreadReason | undefined;
		readonly overrides?: UnreadReason | undefined;
		readonly pageRules?: UnreadReason | undefined;
		readonly firewallRules?: UnreadReason | undefined;
	};
};

/** The parts of a snapshot that say how the previous managed rules are set. */
type PreviousParts = Pick<Snapshot, 'waf' | 'packages' | 'overrides' | 'firewallRules' | 'pageRules'> &
	Partial<Pick<Snapshot, 'unread'>>;

/** Reads what the service returned. What is missing in it is left open. */
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

/** Firewall rules that go around the managed rules, paused ones too; all others are left out. */
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

/** The three packages: only one scores, and one is made for the customer. */
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
		// Rules that are only on or off say nothing of a default: on is what they are made for.
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

/** The settings of groups and rules with some actions, and what becomes of actions, in words. */
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
