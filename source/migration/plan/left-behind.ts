import type {Configuration} from '../configuration/configuration.ts';
import {managedRulesets} from '../configuration/mapping.ts';
import type {Previous, PreviousOverride, PreviousPackage} from '../zone/previous-rules.ts';
import {findExceptions} from './exceptions.ts';
import {isInGroupOff, pageRuleExpression} from './expected.ts';
import {managedIn, managedRuleIn} from './managed.ts';
import {
	bypassRecreation,
	groupRecreation,
	overrideRecreation,
	pageRuleRecreation,
	type Recreation,
	ruleRecreation,
} from './recreation.ts';
import {becomes} from './rules.ts';

/** A setting that is not migrated, with what is needed to recreate it. */
export type NotMigrated = {
	readonly what: string;
	readonly id: string;
	readonly setting: string;
	readonly next: string;
	/** How to recreate it; undefined if only the user can know. */
	readonly recreate?: Recreation | undefined;
};

/**
 * Lists what is not migrated: always OWASP group and rule settings and URI overrides, including deleted ones;
 * and everything else that neither the proposal nor the configuration contains.
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
				previous,
				'It has to be deleted first; ledge backs it up. Then make an exception, or one more execute rule, whose expression tests the URL.',
			),
		),
		...deleted.map(one =>
			overrideLeft(
				one,
				previous,
				`${deletedInWords(previous)} Add an exception, or another execute rule, whose expression tests the URL.`,
			),
		),
		...exceptionsLeft(previous, configuration),
	];
}

/** Describes what is known of an override that only an earlier backup holds. */
const deletedInWords = ({unread: {overrides: reason}}: Previous): string =>
	reason === undefined
		? 'It was deleted, and is in the backup.'
		: `It is in an earlier backup. Unknown if it still exists (URI overrides: ${reason}).`;

const overrideLeft = (override: PreviousOverride, previous: Previous, next: string): NotMigrated => ({
	what: override.description ? `URI override "${override.description}"` : 'URI override',
	id: override.id,
	setting: overrideInWords(override),
	next,
	recreate: overrideRecreation(override, previous),
});

const overrideInWords = ({urls, settings, isPaused}: PreviousOverride): string =>
	`${urls.join(', ') || 'no URL'}: ${settings.join(', ') || 'nothing'}${isPaused ? ', paused' : ''}`;

/** A package that was off had no effect, whatever its groups and rules were set to. */
function owaspLeft(one: PreviousPackage): readonly NotMigrated[] {
	const {sensitivity, groups, rules} = one;
	if (sensitivity === 'off') return [];
	const off = groups.filter(({isOn}) => !isOn);
	const changed = rules.filter(({isChanged}) => isChanged);
	return [
		...off.map(group => ({
			what: named('OWASP group', group.name),
			id: group.id,
			setting: 'off',
			next: `Find the rules of this group in the ${managedRulesets.owasp.name}, and turn them off there.`,
			recreate: groupRecreation(one, group),
		})),
		...changed.map(rule => ({
			what: named('OWASP rule', rule.description),
			id: rule.id,
			setting: rule.mode,
			next: `Find this rule in the ${managedRulesets.owasp.name}, and override it there.`,
			recreate: ruleRecreation(managedRulesets.owasp.id, rule),
		})),
	];
}

/**
 * Lists settings of managed rules that the service did not propose and that the configuration does not
 * contain.
 */
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
				recreate:
					one.kind === 'customer' ? undefined : ruleRecreation(managedRulesets.platform.id, rule, groupIsOff),
			},
		];
	});
}

function exceptionsLeft(previous: Previous, {rules}: Configuration): readonly NotMigrated[] {
	const found = findExceptions(previous, rules);
	const bypasses = previous.bypasses.filter(one => found.bypasses.get(one) === undefined);
	const pageRules = previous.pageRules.filter(one => found.pageRules.get(one) === undefined);
	return [
		...bypasses.flatMap(one =>
			one.expression === undefined
				? []
				: [
						{
							what: named('firewall rule', one.description),
							id: one.id,
							setting: `bypasses the managed rules where ${one.expression}`,
							next: 'Add an exception with this expression.',
							recreate: bypassRecreation(one),
						},
					],
		),
		...pageRules.flatMap(one =>
			one.does === 'waf on' || !one.isActive
				? []
				: [
						{
							what: 'page rule',
							id: one.id,
							setting: `managed rules off at ${one.url}`,
							next: `Add an exception where ${pageRuleExpression(one.url)}`,
							recreate: pageRuleRecreation(one),
						},
					],
		),
	];
}

const named = (what: string, name: string): string => (name ? `${what} "${name}"` : what);
