import type {WafOverride} from './override.ts';
import {type PreviousManagedRules, parsePreviousRules} from './previous-rules.ts';
import type {Snapshot} from './snapshot.ts';

/**
 * Strictness of actions; 0 is the most lenient. `default` stands for the rule's own mode and must be resolved
 * first.
 */
const strictnessByAction: Readonly<Record<string, number>> = {
	disable: 0,
	off: 0,
	simulate: 1,
	challenge: 2,
	block: 3,
	on: 3,
};
const [minStrictness, maxStrictness] = [0, 3];

/** A setting of an override: the action of a rule or of a group, or the replacement of an action. */
type Setting = {
	readonly kind: 'rule' | 'group' | 'action';
	/** Id of the rule or group, or the replaced action. */
	readonly target: string;
	readonly action: string;
};

type ZoneParts = Pick<Snapshot, 'waf' | 'packages' | 'overrides' | 'firewallRules' | 'pageRules'>;

type OverrideWrite = 'deleting' | 'restoring';

/** An override whose deletion or restoration lowers protection, and what it changes, in words. */
type ProtectionReduction = {readonly override: WafOverride; readonly changes: string};

/**
 * Finds overrides whose write lowers the protection of their URLs: a deletion, if a setting is stricter than
 * what applies without it; a restoration, if a setting is weaker. What cannot be compared counts as lower; a
 * paused override has no effect. `otherOverrides`: other overrides that apply.
 */
export function findOverrideReductions(
	write: OverrideWrite,
	overrides: readonly WafOverride[],
	zoneParts: ZoneParts,
	otherOverrides: readonly WafOverride[],
): readonly ProtectionReduction[] {
	const previous = parsePreviousRules(zoneParts);
	const otherSettings = otherOverrides.filter(({paused}) => !paused).flatMap(listSettings);
	return overrides.flatMap((override): readonly ProtectionReduction[] => {
		if (override.paused) return [];
		const changes = listSettings(override).flatMap(setting => {
			const otherActions = findLoweringActions(setting, previous, otherSettings, protectionTests[write]);
			return otherActions.length === 0 ? [] : [formatChange(write, setting, otherActions)];
		});
		return changes.length === 0 ? [] : [{override, changes: joinWithLimit(changes, maxNamedSettings)}];
	});
}

type ProtectionTest = (action: string, baseline: string) => boolean;

const protectionTests: Readonly<Record<OverrideWrite, ProtectionTest>> = {
	deleting: (action, baseline) =>
		getActionStrictness(action, maxStrictness) > getActionStrictness(baseline, minStrictness),
	restoring: (action, baseline) =>
		getActionStrictness(action, minStrictness) < getActionStrictness(baseline, maxStrictness),
};

const listSettings = ({groups, rules, rewriteAction}: WafOverride): readonly Setting[] => [
	...Object.entries(rules).map(([target, action]) => ({kind: 'rule', target, action}) as const),
	...Object.entries(groups).map(([target, action]) => ({kind: 'group', target, action}) as const),
	...Object.entries(rewriteAction).map(([target, action]) => ({kind: 'action', target, action}) as const),
];

/** Finds the actions without the setting between which and its own the protection is lowered. Empty if none. */
function findLoweringActions(
	setting: Setting,
	previous: PreviousManagedRules,
	otherSettings: readonly Setting[],
	isLowered: ProtectionTest,
): readonly string[] {
	const {kind, target, action} = setting;
	const otherActions = otherSettings
		.filter(one => one.kind === kind && one.target === target)
		.map(one => one.action);
	if (kind === 'action')
		return [...new Set([target, ...otherActions])].filter(other => isLowered(action, other));
	const affectedRules = previous.packages.flatMap(({rules, groups}) =>
		rules
			.filter(rule => (kind === 'rule' ? rule.id : rule.group?.id) === target)
			.map(rule => {
				const defaultMode = rule.defaultMode ?? 'on';
				const ownMode = rule.mode === 'default' ? defaultMode : rule.mode;
				const isOff = groups.some(group => group.id === rule.group?.id && !group.isOn);
				return {defaultMode, modes: [isOff ? 'off' : ownMode, ...otherActions]};
			}),
	);
	// A rule that was not read may have any mode.
	if (affectedRules.length === 0)
		return ['off', 'block'].some(mode => isLowered(action, mode)) ? [unknownAction] : [];
	const loweringModes = affectedRules.flatMap(({defaultMode, modes}) => {
		const resolveMode = (mode: string): string => (mode === 'default' ? defaultMode : mode);
		return modes.map(resolveMode).filter(mode => isLowered(resolveMode(action), mode));
	});
	return [...new Set(loweringModes)];
}

const getActionStrictness = (action: string, fallback: number): number =>
	strictnessByAction[action] ?? fallback;

/** Maximum number of settings to list in a question. Further settings are only counted. */
const maxNamedSettings = 4;

/** Formats all that an override sets: "rule 100016: block, challenge → block". Empty if nothing. */
export const formatWafOverrideSettings = (override: WafOverride): string =>
	listSettings(override)
		.map(({kind, target, action}) =>
			kind === 'action' ? `${target} → ${action}` : `${kind} ${target}: ${action}`,
		)
		.join(', ');

/** Stands for the action of a rule that was not read. */
const unknownAction = 'an unknown action';

/** Formats what a write changes: "rule 100016 from block to challenge". */
function formatChange(
	write: OverrideWrite,
	{kind, target, action}: Setting,
	otherActions: readonly string[],
): string {
	const label = kind === 'action' ? `rules whose own action is ${target}` : `${kind} ${target}`;
	const others = otherActions.join(' or ');
	return write === 'deleting'
		? `${label} from ${action} to ${others}`
		: `${label} from ${others} to ${action}`;
}

function joinWithLimit(texts: readonly string[], maxCount: number): string {
	const moreCount = texts.length - maxCount;
	return [...texts.slice(0, maxCount), ...(moreCount > 0 ? [`${moreCount} more`] : [])].join(', ');
}

/** Describes why a deletion or restoration must be confirmed by typing the zone's name. */
export function describeOverrideReduction(
	write: OverrideWrite,
	{override: {description, urls, id}, changes}: ProtectionReduction,
): string {
	const verb = write === 'deleting' ? 'Deleting' : 'Restoring';
	return `${verb} override ${description ? `"${description}"` : id} lowers protection at ${urls.join(', ') || 'its URLs'}. It changes ${changes}.`;
}
