import type {JsonObject} from '../../text/json.ts';
import {
	computeFingerprint,
	hasActiveRuleset,
	type ManagedConfiguration,
	parseConfigurationJson,
} from '../configuration/configuration.ts';
import {type ConfigurationDifference, compareConfigurations} from '../configuration/difference.ts';
import type {ManagedRuleNames} from '../configuration/difference-words.ts';
import {terraformProviderWarning} from '../configuration/mapping.ts';
import {findReductions} from '../configuration/reductions.ts';
import {describeWeakenedRules} from '../configuration/weakened-rules.ts';
import {parseManagedEntryPoint} from '../zone/entry-point.ts';
import {
	type PreviousManagedRules,
	parsePreviousOverride,
	parsePreviousRules,
} from '../zone/previous-rules.ts';
import {getEligibilityFacts} from '../zone/read-facts.ts';
import {type Snapshot, snapshotPartNames} from '../zone/snapshot.ts';
import {buildExceptionRows, hasPageRuleException} from './exceptions.ts';
import {buildExpectedConfiguration, buildPageRuleExpression, matchesPageRule} from './expected.ts';
import {listNotMigrated, type UnmigratedSetting} from './not-migrated.ts';
import {buildOwaspPlanRows, describeParanoiaLevel} from './owasp.ts';
import type {PlanRow} from './row.ts';
import {buildManagedRows} from './rules.ts';

export type PlanSection = {
	readonly title: string;
	readonly rows: readonly PlanRow[];
};

/** The effect of a migration with this configuration. It is printed as JSON. */
export type MigrationPlan = {
	readonly fingerprint: string;
	readonly rules: number;
	readonly sections: readonly PlanSection[];
	readonly warnings: readonly string[];
	readonly notMigrated: readonly UnmigratedSetting[];
	/**
	 * Changes to the configuration: from the proposal or, in a review, from the configuration that the review
	 * starts with (`getInitialConfiguration`).
	 */
	readonly edits: readonly ConfigurationDifference[];
	/** How these changes reduce protection, as sentences. */
	readonly reductions: readonly string[];
	/** Managed rules that these changes weaken beyond that, as sentences. */
	readonly weakenedRules: readonly string[];
	/** Differences between the documented mapping (before) and the proposal (after). */
	readonly mapping: readonly ConfigurationDifference[];
};

/**
 * Plans a migration: lists each old setting with its replacement, what must be recreated manually, and
 * warnings. Replacements are read from the configuration, never taken from the mapping. `deletedOverrides`:
 * overrides that only a backup contains.
 */
export function planMigration(
	snapshot: Snapshot,
	configuration: ManagedConfiguration,
	deletedOverrides: readonly JsonObject[] = [],
): MigrationPlan {
	const previous = parsePreviousRules(snapshot);
	const proposal = parseProposal(snapshot);
	const isComparable = listUnreadMappingParts(previous).length === 0;
	const mappingDifferences = proposal && isComparable ? compareWithMapping(snapshot, previous, proposal) : [];
	return {
		fingerprint: computeFingerprint(configuration),
		rules: configuration.rules.length,
		sections: buildPlanSections(previous, configuration, proposal, snapshot.catalogue),
		warnings: listPlanWarnings(snapshot, previous, configuration, mappingDifferences),
		notMigrated: listNotMigrated(
			previous,
			configuration,
			proposal,
			deletedOverrides.map(parsePreviousOverride),
			snapshot.catalogue,
		),
		...computePlanEdits(proposal, configuration, snapshot),
		mapping: mappingDifferences,
	};
}

const buildPlanSections = (
	previous: PreviousManagedRules,
	configuration: ManagedConfiguration,
	proposal: ManagedConfiguration | undefined,
	catalogue: Snapshot['catalogue'],
): readonly PlanSection[] => [
	{title: 'OWASP Core', rows: buildOwaspPlanRows(previous, configuration)},
	{title: 'Managed rules', rows: buildManagedRows(previous, configuration, proposal, catalogue)},
	{title: 'Exceptions', rows: buildExceptionRows(previous, configuration)},
];

const parseProposal = ({proposed}: Pick<Snapshot, 'proposed'>): ManagedConfiguration | undefined =>
	proposed === null ? undefined : parseConfigurationJson(proposed, "The service's proposal");

/** Computes the edits to a configuration, and how they reduce protection. */
export const computePlanEdits = (
	initialConfiguration: ManagedConfiguration | undefined,
	configuration: ManagedConfiguration,
	{zone, catalogue}: Pick<Snapshot, 'zone' | 'catalogue'>,
	ruleNames?: ManagedRuleNames,
): Pick<MigrationPlan, 'edits' | 'reductions' | 'weakenedRules'> => ({
	edits: initialConfiguration ? compareConfigurations(initialConfiguration, configuration, {ruleNames}) : [],
	reductions: initialConfiguration
		? findReductions(initialConfiguration, configuration, {zoneName: zone.name, catalogue})
		: [],
	weakenedRules: initialConfiguration
		? describeWeakenedRules(initialConfiguration, configuration, catalogue)
		: [],
});

/**
 * Lists the parts that the documented mapping needs and that could not be read. If there are any, the mapping
 * is not compared.
 */
const listUnreadMappingParts = ({
	isOn,
	unreadReasons: {packages: packagesReason, firewallRules: firewallRulesReason, pageRules: pageRulesReason},
}: PreviousManagedRules): readonly string[] => [
	...(isOn === undefined ? [snapshotPartNames.waf] : []),
	...(packagesReason ? [snapshotPartNames.packages] : []),
	...(firewallRulesReason ? [snapshotPartNames.firewallRules] : []),
	...(pageRulesReason ? [snapshotPartNames.pageRules] : []),
];

/**
 * Compares the proposal with the documented mapping. Ignores what is not documented: descriptions, order and
 * logging of exceptions, and how the URL of a page rule is written.
 */
function compareWithMapping(
	snapshot: Snapshot,
	{pageRules}: PreviousManagedRules,
	proposal: ManagedConfiguration,
): readonly ConfigurationDifference[] {
	const {rules} = buildExpectedConfiguration(snapshot);
	const proposedExpressionByExpected = new Map(
		pageRules.flatMap(({url}) => {
			const expectedExpression = buildPageRuleExpression(url);
			const proposedRule = proposal.rules.find(
				rule => rule.action === 'skip' && matchesPageRule(rule.expression, url),
			);
			return proposedRule ? [[expectedExpression, proposedRule.expression] as const] : [];
		}),
	);
	const adaptedRules = rules.map(rule => ({
		...rule,
		expression: proposedExpressionByExpected.get(rule.expression) ?? rule.expression,
	}));
	return compareConfigurations({rules: adaptedRules}, proposal, {
		ignoredProperties: ['description', 'logging', 'order'],
	});
}

function listPlanWarnings(
	{catalogueUnreadReason}: Snapshot,
	previous: PreviousManagedRules,
	configuration: ManagedConfiguration,
	mappingDifferences: readonly ConfigurationDifference[],
): readonly string[] {
	const {isOn, packages, pageRules} = previous;
	const unreadMappingParts = listUnreadMappingParts(previous);
	const deploysRuleset = hasActiveRuleset(configuration);
	const levelText = packages.some(({kind}) => kind === 'owasp')
		? describeParanoiaLevel(configuration)
		: undefined;
	return [
		...(levelText === undefined ? [] : [levelText]),
		'The migration cannot be undone. After it, the zone has no global switch: each managed ruleset is deployed by its own rule.',
		...(isOn === false && deploysRuleset
			? ['The previous managed rules are off in this zone. This configuration turns managed rules on.']
			: []),
		...(deploysRuleset
			? []
			: ['This configuration deploys no managed ruleset: no managed rule will protect the zone.']),
		...pageRules
			.filter(
				rule => rule.effect !== 'waf on' && rule.isActive && !hasPageRuleException(rule.url, configuration),
			)
			.map(
				({id, url}) =>
					`Page rule ${id} (${url}) has no exception: managed rules will run there. Add one if they should not.`,
			),
		...packages.flatMap(({groups, rules, kind, sensitivity}) =>
			kind !== 'owasp' || sensitivity === 'off'
				? []
				: groups.flatMap(group => {
						const namedCount = rules.filter(rule => rule.group?.id === group.id && rule.isChanged).length;
						return group.modifiedCount === undefined || group.modifiedCount <= namedCount
							? []
							: [
									`OWASP group "${group.name}" (${group.id}): the service counts ${group.modifiedCount} changed rules, but ledge can name only ${namedCount}. Compare them manually.`,
								];
					}),
		),
		...(mappingDifferences.length > 0
			? [
					`The proposal differs from the documented mapping in ${mappingDifferences.length} ${mappingDifferences.length === 1 ? 'place' : 'places'}. Check each one.`,
				]
			: []),
		...(unreadMappingParts.length > 0
			? [
					`The proposal was not compared with the documented mapping, because these could not be read: ${unreadMappingParts.join(', ')}.`,
				]
			: []),
		terraformProviderWarning,
		...(catalogueUnreadReason === undefined
			? []
			: [
					`The managed rulesets could not be read, so the ids in the configuration were not checked. ${catalogueUnreadReason}`,
				]),
	];
}

/**
 * Returns the configuration that a review starts with: in validation the active one, otherwise the proposal.
 */
export function getInitialConfiguration(
	snapshot: Snapshot,
	stage = getEligibilityFacts(snapshot).stage,
): ManagedConfiguration | undefined {
	const {entryPoint} = snapshot;
	if (stage === 'validation' && entryPoint) return parseManagedEntryPoint(entryPoint).configuration;
	return parseProposal(snapshot);
}

/**
 * Plans the proposal alone: what each old setting becomes if nothing is edited. Undefined without a proposal,
 * and if a review starts with something else, because then `edits` does not list each difference from it.
 */
export function planProposal(snapshot: Snapshot): readonly PlanSection[] | undefined {
	const proposal = parseProposal(snapshot);
	const initialConfiguration = getInitialConfiguration(snapshot);
	return proposal &&
		initialConfiguration &&
		computeFingerprint(initialConfiguration) === computeFingerprint(proposal)
		? buildPlanSections(parsePreviousRules(snapshot), proposal, proposal, snapshot.catalogue)
		: undefined;
}

/**
 * Plans a review: edits are relative to the configuration that the review starts with. `deletedOverrides`:
 * overrides that only a backup contains. `ruleNames`: to name the overrides in the edits for reading; JSON
 * needs the whole ids.
 */
export function planReview(
	snapshot: Snapshot,
	configuration: ManagedConfiguration,
	deletedOverrides: readonly JsonObject[],
	ruleNames?: ManagedRuleNames,
): MigrationPlan {
	const plan = planMigration(snapshot, configuration, deletedOverrides);
	const initialConfiguration = getInitialConfiguration(snapshot);
	return initialConfiguration
		? {...plan, ...computePlanEdits(initialConfiguration, configuration, snapshot, ruleNames)}
		: plan;
}
