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

/** An override whose deletion lowers protection: its settings that are stricter than what applies without it. */
type DeletionReduction = {readonly override: WafOverride; readonly stricter: string};

/**
 * Where deleting overrides lowers the protection of their URLs: a setting is stricter than what applies
 * without it. What cannot be compared counts as stricter; a paused override does nothing.
 */
export function findDeletionReductions(
	going: readonly WafOverride[],
	before: Pick<Snapshot, 'waf' | 'packages' | 'overrides' | 'firewallRules' | 'pageRules'>,
	staying: readonly WafOverride[],
): readonly DeletionReduction[] {
	const previous = previousOf(before);
	const others = staying.filter(({paused}) => !paused).flatMap(settingsOf);
	return going.flatMap(override => {
		if (override.paused) return [];
		const stricter = settingsOf(override).filter(setting => isStricter(setting, previous, others));
		return stricter.length === 0 ? [] : [{override, stricter: formatSettings(stricter)}];
	});
}

const settingsOf = ({groups, rules, rewriteAction}: WafOverride): readonly Setting[] => [
	...Object.entries(rules).map(([of, action]) => ({kind: 'rule', of, action}) as const),
	...Object.entries(groups).map(([of, action]) => ({kind: 'group', of, action}) as const),
	...Object.entries(rewriteAction).map(([of, action]) => ({kind: 'action', of, action}) as const),
];

function isStricter(setting: Setting, previous: Previous, others: readonly Setting[]): boolean {
	const {kind, of, action} = setting;
	const without = others.filter(one => one.kind === kind && one.of === of).map(one => one.action);
	if (kind === 'action')
		return [of, ...without].some(other => strengthOf(action, strictest) > strengthOf(other, weakest));
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
	if (affected.length === 0) return strengthOf(action, strictest) > weakest;
	return affected.some(({byDefault, without: modes}) => {
		const meant = (mode: string): string => (mode === 'default' ? byDefault : mode);
		return modes.some(mode => strengthOf(meant(action), strictest) > strengthOf(meant(mode), weakest));
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
export const reductionSentence = ({override: {description, urls, id}, stricter}: DeletionReduction): string =>
	`Deleting override ${description ? `"${description}"` : id} lowers protection at ${urls.join(', ') || 'its URLs'}. Stricter with it: ${stricter}.`;
