import type {Configuration} from '../configuration/configuration.ts';
import {managedRulesets} from '../configuration/mapping.ts';
import type {Previous, PreviousOverride, PreviousPackage} from '../zone/previous-rules.ts';
import {findExceptions} from './exceptions.ts';
import {isInGroupOff, pageRuleExpression} from './expected.ts';
import {managedIn, managedRuleIn} from './managed.ts';
import type {NotMigrated} from './plan.ts';
import {becomes} from './rules.ts';

/**
 * What the migration leaves behind: OWASP group and rule settings and URI-based overrides, deleted ones too, always, and
 * whatever else neither the proposal nor the configuration has.
 */
export function leftByHand(
	previous: Previous,
	configuration: Configuration,
	proposed: Configuration | undefined,
	deleted: readonly PreviousOverride[],
): readonly NotMigrated[] {
	return [
		...previous.packages.flatMap(one =>
			one.kind === 'owasp' ? owaspLeft(one) : managedLeft(one, configuration, proposed),
		),
		...previous.overrides.map(one =>
			overrideLeft(
				one,
				'It has to be deleted first; ledge backs it up. Then make an exception, or one more execute rule, whose expression tests the URL.',
			),
		),
		...deleted.map(one =>
			overrideLeft(
				one,
				'It was deleted, and is in the backup. Make an exception, or one more execute rule, whose expression tests the URL.',
			),
		),
		...exceptionsLeft(previous, configuration),
	];
}

const overrideLeft = (
	{id, urls, description, isPaused, settings}: PreviousOverride,
	next: string,
): NotMigrated => ({
	what: description ? `URI override "${description}"` : 'URI override',
	id,
	setting: `${urls.join(', ') || 'no URL'}: ${settings.join(', ') || 'nothing'}${isPaused ? ', paused' : ''}`,
	next,
});

/** A package that was off did nothing, whatever its groups and rules were set to. */
function owaspLeft({sensitivity, groups, rules}: PreviousPackage): readonly NotMigrated[] {
	if (sensitivity === 'off') return [];
	const off = groups.filter(({isOn}) => !isOn);
	const changed = rules.filter(({isChanged}) => isChanged);
	return [
		...off.map(({id, name}) => ({
			what: named('OWASP group', name),
			id,
			setting: 'off',
			next: `Find the rules of this group in the ${managedRulesets.owasp.name}, and turn them off there.`,
		})),
		...changed.map(({id, description, mode}) => ({
			what: named('OWASP rule', description),
			id,
			setting: mode,
			next: `Find this rule in the ${managedRulesets.owasp.name}, and override it there.`,
		})),
	];
}

/** Settings of managed rules that the service did not propose, and that nobody has put in since. */
function managedLeft(
	one: PreviousPackage,
	configuration: Configuration,
	proposed: Configuration | undefined,
): readonly NotMigrated[] {
	const after = managedIn(configuration);
	const before = proposed && managedIn(proposed);
	const setting = one.rules.filter(rule => rule.isChanged || isInGroupOff(one, rule));
	return setting.flatMap(rule => {
		const groupIsOff = isInGroupOff(one, rule);
		if (becomes(rule, groupIsOff, after) !== 'warning') return [];
		if (managedRuleIn(after, rule.id) ?? (before && managedRuleIn(before, rule.id))) return [];
		return [
			{
				what: named(one.kind === 'customer' ? `rule of "${one.name}"` : 'managed rule', rule.description),
				id: rule.id,
				setting: groupIsOff ? `off, with its group "${rule.group?.name ?? ''}"` : rule.mode,
				next:
					one.kind === 'customer'
						? 'It is not documented what becomes of rules made for a customer: ask support.'
						: `Find this rule in the ${managedRulesets.platform.name}, and override it there.`,
			},
		];
	});
}

function exceptionsLeft(previous: Previous, {rules}: Configuration): readonly NotMigrated[] {
	const found = findExceptions(previous, rules);
	const bypasses = previous.bypasses.filter(one => found.bypasses.get(one) === undefined);
	const pageRules = previous.pageRules.filter(one => found.pageRules.get(one) === undefined);
	return [
		...bypasses.flatMap(({id, description, expression}) =>
			expression === undefined
				? []
				: [
						{
							what: named('firewall rule', description),
							id,
							setting: `bypasses the managed rules where ${expression}`,
							next: 'Add an exception with this expression.',
						},
					],
		),
		...pageRules.flatMap(({id, url, does, isActive}) =>
			does === 'waf on' || !isActive
				? []
				: [
						{
							what: 'page rule',
							id,
							setting: `managed rules off at ${url}`,
							next: `Add an exception where ${pageRuleExpression(url)}`,
						},
					],
		),
	];
}

const named = (what: string, name: string): string => (name ? `${what} "${name}"` : what);
