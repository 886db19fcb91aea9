import type {ManagedConfiguration} from '../configuration/configuration.ts';
import {managedRulesets} from '../configuration/mapping.ts';
import type {ManagedContents} from '../zone/managed-contents.ts';
import type {PreviousManagedRules, PreviousOverride, PreviousPackage} from '../zone/previous-rules.ts';
import {findExceptions} from './exceptions.ts';
import {buildPageRuleExpression, isGroupOff} from './expected.ts';
import {findManagedRuleSettings, readManagedDeployment} from './managed.ts';
import {
	buildBypassRecreation,
	buildGroupRecreation,
	buildOverrideRecreation,
	buildPageRuleRecreation,
	buildRuleRecreation,
	type Recreation,
} from './recreation.ts';
import {assessManagedRule} from './rules.ts';

/** A setting that is not migrated, with everything that is needed to recreate it. */
export type UnmigratedSetting = {
	readonly what: string;
	readonly id: string;
	readonly setting: string;
	readonly next: string;
	/** How to recreate it; undefined if only the user can decide that. */
	readonly recreate?: Recreation | undefined;
};

/**
 * Lists what is not migrated: all OWASP group and rule settings and all URI overrides, including deleted
 * ones, and every other setting that neither the proposal nor the configuration contains.
 */
export function listNotMigrated(
	previous: PreviousManagedRules,
	configuration: ManagedConfiguration,
	proposal: ManagedConfiguration | undefined,
	deletedOverrides: readonly PreviousOverride[],
	catalogue: readonly ManagedContents[] | undefined,
): readonly UnmigratedSetting[] {
	return [
		...previous.packages.flatMap(one =>
			one.kind === 'owasp'
				? listNotMigratedOwasp(one)
				: listNotMigratedRules(one, configuration, proposal, catalogue),
		),
		...previous.overrides.map(one =>
			buildNotMigratedOverride(
				one,
				previous,
				'Delete it first; ledge backs it up. Then add an exception, or another execute rule, whose expression tests the URL.',
			),
		),
		...deletedOverrides.map(one =>
			buildNotMigratedOverride(
				one,
				previous,
				`${describeDeletion(previous)} Add an exception, or another execute rule, whose expression tests the URL.`,
			),
		),
		...listNotMigratedExceptions(previous, configuration),
	];
}

/** Describes what is known of an override that only an earlier backup contains. */
const describeDeletion = ({unreadReasons: {overrides: reason}}: PreviousManagedRules): string =>
	reason === undefined
		? 'It was deleted; the backup contains it.'
		: `It is in an earlier backup. It may still exist (URI overrides: ${reason}).`;

const buildNotMigratedOverride = (
	override: PreviousOverride,
	previous: PreviousManagedRules,
	next: string,
): UnmigratedSetting => ({
	what: override.description ? `URI override "${override.description}"` : 'URI override',
	id: override.id,
	setting: formatUriOverride(override),
	next,
	recreate: buildOverrideRecreation(override, previous),
});

const formatUriOverride = ({urls, settings, isPaused}: PreviousOverride): string =>
	`${urls.join(', ') || 'no URL'}: ${settings.join(', ') || 'nothing'}${isPaused ? ', paused' : ''}`;

/** Lists the changed settings of an OWASP package. If the package was off, they had no effect. */
function listNotMigratedOwasp(oldPackage: PreviousPackage): readonly UnmigratedSetting[] {
	const {sensitivity, groups, rules} = oldPackage;
	if (sensitivity === 'off') return [];
	const offGroups = groups.filter(({isOn}) => !isOn);
	const changedRules = rules.filter(({isChanged}) => isChanged);
	return [
		...offGroups.map(group => ({
			what: formatNamedSetting('OWASP group', group.name),
			id: group.id,
			setting: 'off',
			next: `Find the rules of this group in the ${managedRulesets.owasp.name} and turn them off there.`,
			recreate: buildGroupRecreation(oldPackage, group),
		})),
		...changedRules.map(rule => ({
			what: formatNamedSetting('OWASP rule', rule.description),
			id: rule.id,
			setting: rule.mode,
			next: `Find this rule in the ${managedRulesets.owasp.name} and override it there.`,
			recreate: buildRuleRecreation(managedRulesets.owasp.id, rule),
		})),
	];
}

/**
 * Lists settings of managed rules that the service did not propose and that the configuration does not
 * contain.
 */
function listNotMigratedRules(
	oldPackage: PreviousPackage,
	configuration: ManagedConfiguration,
	proposal: ManagedConfiguration | undefined,
	catalogue: readonly ManagedContents[] | undefined,
): readonly UnmigratedSetting[] {
	const newDeployment = readManagedDeployment(configuration, catalogue);
	const proposedDeployment = proposal && readManagedDeployment(proposal, catalogue);
	const changedRules = oldPackage.rules.filter(rule => rule.isChanged || isGroupOff(oldPackage, rule));
	return changedRules.flatMap(rule => {
		const isOffByGroup = isGroupOff(oldPackage, rule);
		// The configuration has the effect that the mapping gives the old rule.
		if (assessManagedRule(rule, isOffByGroup, newDeployment) !== 'warning') return [];
		if (
			findManagedRuleSettings(newDeployment, rule.id) ??
			(proposedDeployment && findManagedRuleSettings(proposedDeployment, rule.id))
		)
			return [];
		return [
			{
				what: formatNamedSetting(
					oldPackage.kind === 'customer' ? `rule of "${oldPackage.name}"` : 'managed rule',
					rule.description,
				),
				id: rule.id,
				setting: isOffByGroup ? `off, with its group "${rule.group?.name ?? ''}"` : rule.mode,
				next:
					oldPackage.kind === 'customer'
						? 'What happens to custom-made rules is not documented: ask support.'
						: `Find this rule in the ${managedRulesets.platform.name} and override it there.`,
				recreate:
					oldPackage.kind === 'customer'
						? undefined
						: buildRuleRecreation(managedRulesets.platform.id, rule, isOffByGroup),
			},
		];
	});
}

function listNotMigratedExceptions(
	previous: PreviousManagedRules,
	{rules}: ManagedConfiguration,
): readonly UnmigratedSetting[] {
	const matches = findExceptions(previous, rules);
	const bypasses = previous.bypasses.filter(one => matches.bypasses.get(one) === undefined);
	const pageRules = previous.pageRules.filter(one => matches.pageRules.get(one) === undefined);
	return [
		...bypasses.flatMap(one =>
			one.expression === undefined
				? []
				: [
						{
							what: formatNamedSetting('firewall rule', one.description),
							id: one.id,
							setting: `bypasses the managed rules where ${one.expression}`,
							next: 'Add an exception with this expression.',
							recreate: buildBypassRecreation(one),
						},
					],
		),
		...pageRules.flatMap(one =>
			one.effect === 'waf on' || !one.isActive
				? []
				: [
						{
							what: 'page rule',
							id: one.id,
							setting: `managed rules off at ${one.url}`,
							next: `Add an exception where ${buildPageRuleExpression(one.url)}`,
							recreate: buildPageRuleRecreation(one),
						},
					],
		),
	];
}

const formatNamedSetting = (what: string, name: string): string => (name ? `${what} "${name}"` : what);
