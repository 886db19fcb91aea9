import type {JsonObject} from '../../text/json.ts';
import {
	type Configuration,
	deploysAnything,
	fingerprint,
	readConfiguration,
} from '../configuration/configuration.ts';
import {configurationDifference, type Difference} from '../configuration/difference.ts';
import {paranoiaContradiction, providerSupport} from '../configuration/mapping.ts';
import {findReductions} from '../configuration/reductions.ts';
import {readEntryPoint} from '../zone/entry-point.ts';
import {type Previous, previousOf, readPreviousOverride} from '../zone/previous-rules.ts';
import {factsIn} from '../zone/read-facts.ts';
import {parts, type Snapshot} from '../zone/snapshot.ts';
import {exceptionRows, isSkipped} from './exceptions.ts';
import {expectedConfiguration, pageRuleExpression, testsPageRule} from './expected.ts';
import {leftByHand, type NotMigrated} from './left-behind.ts';
import {owaspRows} from './owasp.ts';
import type {PlanRow} from './row.ts';
import {managedRows} from './rules.ts';

type PlanSection = {
	readonly title: string;
	readonly rows: readonly PlanRow[];
};

/** The effect of a migration with this configuration; printed as JSON. */
export type MigrationPlan = {
	readonly fingerprint: string;
	readonly rules: number;
	readonly sections: readonly PlanSection[];
	readonly warnings: readonly string[];
	readonly notMigrated: readonly NotMigrated[];
	/** Changes from the proposal to the configuration. */
	readonly edits: readonly Difference[];
	/** How the configuration reduces protection compared to the proposal, as sentences. */
	readonly reductions: readonly string[];
	/** Differences between the documented mapping (before) and the proposal (after). */
	readonly mapping: readonly Difference[];
};

/**
 * Plans a migration: each old setting and its replacement, what must be recreated manually, and warnings.
 * Replacements are read from the configuration, never taken from the mapping. `deleted`: overrides that only
 * a backup holds.
 */
export function planMigration(
	snapshot: Snapshot,
	configuration: Configuration,
	deleted: readonly JsonObject[] = [],
): MigrationPlan {
	const previous = previousOf(snapshot);
	const proposed =
		snapshot.proposed === null
			? undefined
			: readConfiguration(snapshot.proposed, 'What the service proposes');
	const isComparable = unmapped(previous).length === 0;
	const mapping = proposed && isComparable ? mappingDifference(snapshot, previous, proposed) : [];
	return {
		fingerprint: fingerprint(configuration),
		rules: configuration.rules.length,
		sections: [
			{title: 'OWASP Core', rows: owaspRows(previous, configuration)},
			{title: 'Managed rules', rows: managedRows(previous, configuration, proposed)},
			{title: 'Exceptions', rows: exceptionRows(previous, configuration)},
		],
		warnings: warningsOf(snapshot, previous, configuration, mapping),
		notMigrated: leftByHand(previous, configuration, proposed, deleted.map(readPreviousOverride)),
		...changesTo(proposed, configuration, snapshot),
		mapping,
	};
}

/** Computes the edits to a configuration, and how they reduce protection. */
export const changesTo = (
	begun: Configuration | undefined,
	configuration: Configuration,
	{zone, managed}: Pick<Snapshot, 'zone' | 'managed'>,
): Pick<MigrationPlan, 'edits' | 'reductions'> => ({
	edits: begun ? configurationDifference(begun, configuration) : [],
	reductions: begun ? findReductions(begun, configuration, {zone: zone.name, managed}) : [],
});

/**
 * Lists the parts that the documented mapping needs and that could not be read; without them it is not
 * compared.
 */
const unmapped = ({isOn, unread: {packages, firewallRules, pageRules}}: Previous): readonly string[] => [
	...(isOn === undefined ? [parts.waf] : []),
	...(packages ? [parts.packages] : []),
	...(firewallRules ? [parts.firewallRules] : []),
	...(pageRules ? [parts.pageRules] : []),
];

/**
 * Compares the proposal with the documented mapping. Ignores what is not documented: descriptions, order and
 * logging of exceptions, and the form of a page rule's URL.
 */
function mappingDifference(
	snapshot: Snapshot,
	{pageRules}: Previous,
	proposed: Configuration,
): readonly Difference[] {
	const {rules} = expectedConfiguration(snapshot);
	const written = new Map(
		pageRules.flatMap(({url}) => {
			const ours = pageRuleExpression(url);
			const theirs = proposed.rules.find(
				rule => rule.action === 'skip' && testsPageRule(rule.expression, url),
			);
			return theirs ? [[ours, theirs.expression] as const] : [];
		}),
	);
	const adapted = rules.map(rule => ({...rule, expression: written.get(rule.expression) ?? rule.expression}));
	return configurationDifference({rules: adapted}, proposed, {ignoring: ['description', 'logging', 'order']});
}

function warningsOf(
	{managedUnread}: Snapshot,
	previous: Previous,
	configuration: Configuration,
	mapping: readonly Difference[],
): readonly string[] {
	const {isOn, packages, pageRules} = previous;
	const lacking = unmapped(previous);
	const deploys = deploysAnything(configuration);
	const hasOwasp = packages.some(({kind}) => kind === 'owasp');
	return [
		...(hasOwasp ? [paranoiaContradiction] : []),
		'The migration cannot be undone. Afterwards there is no switch for the whole zone: each managed ruleset is deployed by its own rule.',
		...(isOn === false && deploys
			? ['The previous managed rules are off in this zone. With this configuration managed rules are on.']
			: []),
		...(deploys
			? []
			: ['This configuration deploys no managed ruleset: afterwards no managed rule protects the zone.']),
		...pageRules
			.filter(rule => rule.does !== 'waf on' && rule.isActive && !isSkipped(rule.url, configuration))
			.map(
				({id, url}) =>
					`Page rule ${id} (${url}) has no exception: managed rules will run there. Add one if they should not.`,
			),
		...packages.flatMap(({groups, rules, kind, sensitivity}) =>
			kind !== 'owasp' || sensitivity === 'off'
				? []
				: groups.flatMap(group => {
						const seen = rules.filter(rule => rule.group?.id === group.id && rule.isChanged).length;
						return group.modified === undefined || group.modified <= seen
							? []
							: [
									`OWASP group "${group.name}" (${group.id}): the service counts ${group.modified} changed rules, ledge can name ${seen}. Compare by hand.`,
								];
					}),
		),
		...(mapping.length > 0
			? [
					`The proposal differs from the documented mapping in ${mapping.length} ${mapping.length === 1 ? 'place' : 'places'}. Look at each.`,
				]
			: []),
		...(lacking.length > 0
			? [`The proposal was not compared with the documented mapping, without ${lacking.join(', ')}.`]
			: []),
		providerSupport,
		...(managedUnread === undefined
			? []
			: [
					`The managed rulesets could not be read: whether they hold the ids in the configuration is not known. ${managedUnread}`,
				]),
	];
}

/**
 * Returns the configuration that a review starts with: the active one in validation, otherwise the proposal.
 */
export function begunWith(snapshot: Snapshot, stage = factsIn(snapshot).stage): Configuration | undefined {
	const {proposed, entryPoint} = snapshot;
	if (stage === 'validation' && entryPoint) return readEntryPoint(entryPoint).configuration;
	return proposed ? readConfiguration(proposed, 'What the service proposes') : undefined;
}

/**
 * Plans a review: edits are relative to the configuration that the review starts with. `deleted`: overrides
 * that only a backup holds.
 */
export function planReview(
	snapshot: Snapshot,
	configuration: Configuration,
	deleted: readonly JsonObject[],
): MigrationPlan {
	const plan = planMigration(snapshot, configuration, deleted);
	const begun = begunWith(snapshot);
	return begun ? {...plan, ...changesTo(begun, configuration, snapshot)} : plan;
}
