import type {WafOverride} from './override.ts';
import {type PreviousManagedRules, parsePreviousRules} from './previous-rules.ts';
import type {Snapshot} from './snapshot.ts';

/** Strictness of actions, from 0, the weakest. `default`, the rule's own mode, is resolved before. */
const strengths: Readonly<Record<string, number>> = {
	disable: 0,
	off: 0,
	simulate: 1,
	challenge: 2,
	block: 3,
	on: 3,
};
const [weakest, strictest] = [0, 3];

/** A setting of an override: for a rule or a group, or the replacement of an action. */
type Setting = {
	readonly kind: 'rule' | 'group' | 'action';
	/** Id of the rule or group, or the replaced action. */
	readonly of: string;
	readonly action: string;
};

type ZoneParts = Pick<Snapshot, 'waf' | 'packages' | 'overrides' | 'firewallRules' | 'pageRules'>;

type OverrideWrite = 'deleting' | 'restoring';

/** An override whose deletion or restoration lowers protection, and its settings that do so, in words. */
type OverrideReduction = {readonly override: WafOverride; readonly settings: string};

/**
 * Finds where deleting overrides lowers the protection of their URLs, because a setting is stricter than what
 * applies without it, or where restoring them does, because one is weaker. What cannot be compared counts as
 * lower; a paused override has no effect. `others`: other overrides that apply.
 */
export function findOverrideReductions(
	write: OverrideWrite,
	overrides: readonly WafOverride[],
	before: ZoneParts,
	others: readonly WafOverride[],
): readonly OverrideReduction[] {
	const previous = parsePreviousRules(before);
	const applying = others.filter(({paused}) => !paused).flatMap(listSettings);
	return overrides.flatMap((override): readonly OverrideReduction[] => {
		if (override.paused) return [];
		const found = listSettings(override).filter(setting =>
			hasDeviation(setting, previous, applying, deviationTests[write]),
		);
		return found.length === 0 ? [] : [{override, settings: formatSettings(found)}];
	});
}

type Comparison = (action: string, without: string) => boolean;

const deviationTests: Readonly<Record<OverrideWrite, Comparison>> = {
	deleting: (action, without) => getActionStrength(action, strictest) > getActionStrength(without, weakest),
	restoring: (action, without) => getActionStrength(action, weakest) < getActionStrength(without, strictest),
};

const listSettings = ({groups, rules, rewriteAction}: WafOverride): readonly Setting[] => [
	...Object.entries(rules).map(([of, action]) => ({kind: 'rule', of, action}) as const),
	...Object.entries(groups).map(([of, action]) => ({kind: 'group', of, action}) as const),
	...Object.entries(rewriteAction).map(([of, action]) => ({kind: 'action', of, action}) as const),
];

function hasDeviation(
	setting: Setting,
	previous: PreviousManagedRules,
	others: readonly Setting[],
	deviates: Comparison,
): boolean {
	const {kind, of, action} = setting;
	const without = others.filter(one => one.kind === kind && one.of === of).map(one => one.action);
	if (kind === 'action') return [of, ...without].some(other => deviates(action, other));
	const affected = previous.packages.flatMap(({rules, groups}) =>
		rules
			.filter(rule => (kind === 'rule' ? rule.id : rule.group?.id) === of)
			.map(rule => {
				const byDefault = rule.defaultMode ?? 'on';
				const own = rule.mode === 'default' ? byDefault : rule.mode;
				const isOff = groups.some(group => group.id === rule.group?.id && !group.isOn);
				return {byDefault, without: [isOff ? 'off' : own, ...without]};
			}),
	);
	// A rule that was not read may have any mode.
	if (affected.length === 0) return ['off', 'block'].some(mode => deviates(action, mode));
	return affected.some(({byDefault, without: modes}) => {
		const resolveMode = (mode: string): string => (mode === 'default' ? byDefault : mode);
		return modes.some(mode => deviates(resolveMode(action), resolveMode(mode)));
	});
}

const getActionStrength = (action: string, unknown: number): number => strengths[action] ?? unknown;

/** Maximum number of settings to name; more are only counted. */
const maxNamed = 4;

function formatSettings(settings: readonly Setting[]): string {
	const named = settings
		.slice(0, maxNamed)
		.map(({kind, of, action}) => (kind === 'action' ? `${of} → ${action}` : `${kind} ${of}: ${action}`));
	const more = settings.length - named.length;
	return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** Describes why a deletion or restoration needs the zone's name. */
export function describeOverrideReduction(
	write: OverrideWrite,
	{override: {description, urls, id}, settings}: OverrideReduction,
): string {
	const [verb, differ] = write === 'deleting' ? ['Deleting', 'Stricter'] : ['Restoring', 'Weaker'];
	return `${verb} override ${description ? `"${description}"` : id} lowers protection at ${urls.join(', ') || 'its URLs'}. ${differ} with it: ${settings}.`;
}
