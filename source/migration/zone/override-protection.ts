import type {WafOverride} from './override.ts';
import {type Previous, previousOf} from './previous-rules.ts';
import type {Snapshot} from './snapshot.ts';

/** Actions from the weakest to the strictest; `default` is what the rule itself does, `on` is strict. */
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
	/** Of the rule or group; the action that is replaced. */
	readonly of: string;
	readonly action: string;
};

type ZoneParts = Pick<Snapshot, 'waf' | 'packages' | 'overrides' | 'firewallRules' | 'pageRules'>;

/** An override whose deletion lowers protection: its settings that are stricter than what applies without it. */
type DeletionReduction = {readonly override: WafOverride; readonly stricter: string};

/** An override whose restoration lowers protection: its settings that are weaker than what applies without it. */
type RestorationReduction = {readonly override: WafOverride; readonly weaker: string};

/**
 * Finds where deleting overrides lowers the protection of their URLs: a setting is stricter than what applies
 * without it. What cannot be compared counts as stricter; a paused override does nothing.
 */
export const findDeletionReductions = (
	going: readonly WafOverride[],
	before: ZoneParts,
	staying: readonly WafOverride[],
): readonly DeletionReduction[] =>
	findDeviations(going, before, staying, isStricter).map(([override, stricter]) => ({override, stricter}));

/** The same for restoring overrides: a setting is weaker. What cannot be compared counts as weaker. */
export const findRestorationReductions = (
	coming: readonly WafOverride[],
	before: ZoneParts,
	present: readonly WafOverride[],
): readonly RestorationReduction[] =>
	findDeviations(coming, before, present, isWeaker).map(([override, weaker]) => ({override, weaker}));

type Comparison = (action: string, without: string) => boolean;

const isStricter: Comparison = (action, without) =>
	strengthOf(action, strictest) > strengthOf(without, weakest);

const isWeaker: Comparison = (action, without) =>
	strengthOf(action, weakest) < strengthOf(without, strictest);

/** The overrides with a setting that deviates from what applies without them, and these settings in words. */
function findDeviations(
	overrides: readonly WafOverride[],
	before: ZoneParts,
	staying: readonly WafOverride[],
	deviates: Comparison,
): readonly (readonly [WafOverride, string])[] {
	const previous = previousOf(before);
	const others = staying.filter(({paused}) => !paused).flatMap(settingsOf);
	return overrides.flatMap((override): readonly (readonly [WafOverride, string])[] => {
		if (override.paused) return [];
		const found = settingsOf(override).filter(setting => hasDeviation(setting, previous, others, deviates));
		return found.length === 0 ? [] : [[override, formatSettings(found)]];
	});
}

const settingsOf = ({groups, rules, rewriteAction}: WafOverride): readonly Setting[] => [
	...Object.entries(rules).map(([of, action]) => ({kind: 'rule', of, action}) as const),
	...Object.entries(groups).map(([of, action]) => ({kind: 'group', of, action}) as const),
	...Object.entries(rewriteAction).map(([of, action]) => ({kind: 'action', of, action}) as const),
];

function hasDeviation(
	setting: Setting,
	previous: Previous,
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
	// A rule that was not read may do anything.
	if (affected.length === 0) return ['off', 'block'].some(mode => deviates(action, mode));
	return affected.some(({byDefault, without: modes}) => {
		const meant = (mode: string): string => (mode === 'default' ? byDefault : mode);
		return modes.some(mode => deviates(meant(action), meant(mode)));
	});
}

const strengthOf = (action: string, unknown: number): number => strengths[action] ?? unknown;

/** Settings to name; more are only counted. */
const mostNamed = 4;

function formatSettings(settings: readonly Setting[]): string {
	const named = settings
		.slice(0, mostNamed)
		.map(({kind, of, action}) => (kind === 'action' ? `${of} → ${action}` : `${kind} ${of}: ${action}`));
	const more = settings.length - named.length;
	return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** Why the deletion needs the zone's name, as a sentence. */
export const deletionReductionSentence = ({override, stricter}: DeletionReduction): string =>
	`Deleting override ${formatReduction(override)}. Stricter with it: ${stricter}.`;

/** Why the restoration needs the zone's name, as a sentence. */
export const restorationReductionSentence = ({override, weaker}: RestorationReduction): string =>
	`Restoring override ${formatReduction(override)}. Weaker with it: ${weaker}.`;

const formatReduction = ({description, urls, id}: WafOverride): string =>
	`${description ? `"${description}"` : id} lowers protection at ${urls.join(', ') || 'its URLs'}`;
