import type {Client} from '../../service/client.ts';
import {computeFingerprint, type ManagedConfiguration} from '../configuration/configuration.ts';
import {type ConfigurationDifference, compareConfigurations} from '../configuration/difference.ts';
import {
	formatRulesetName,
	formatScoreThreshold,
	managedRulesets,
	type ParanoiaLevel,
} from '../configuration/mapping.ts';
import {
	activatesRuleset,
	type ConfiguredRule,
	findTrafficFilter,
	getRulesetActivity,
	getRulesetOverrides,
	type RulesetActivity,
	readOwaspSettings,
} from '../configuration/rule-overrides.ts';
import type {MigrationRecord} from '../journal/record.ts';
import {describeOverwritten, describeStoredDifference, wasPutAccepted} from '../machine/observation.ts';
import {describeUnknownStage, resolveMigrationStage} from '../machine/resolve-stage.ts';
import type {MigrationStage} from '../machine/stage.ts';
import {readCheckAndStatus} from '../zone/calls.ts';
import {readConcurrently} from '../zone/concurrent.ts';
import {readManagedEntryPoint} from '../zone/entry-point.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';
import type {MigrationFlow} from './flow.ts';

/** A managed ruleset in the entry point. */
export type DeployedRuleset = {
	readonly id: string;
	readonly name: string;
	/** How much of it is active. */
	readonly activity: RulesetActivity | 'not deployed';
	/** The action that an override sets for all its rules; undefined: the ruleset's own actions. */
	readonly action?: string;
	/** Expressions that limit it to some requests; undefined: all requests. */
	readonly only?: readonly string[];
	/** OWASP: the highest paranoia level that is not off, if the configuration sets any. */
	readonly level?: ParanoiaLevel;
	/** OWASP: the score threshold in points, if the configuration sets it. */
	readonly threshold?: number;
};

/** What is deployed, as read from the service. */
export type Verification = {
	readonly stage: MigrationStage;
	readonly fingerprint: string | undefined;
	/** All rulesets that ledge knows, deployed or not, and all others that are deployed. */
	readonly managedRulesets: readonly DeployedRuleset[];
	/** The rules of the entry point, empty if none exists. */
	readonly deployed?: ManagedConfiguration | undefined;
	/** True if the entry point holds exactly what was reviewed. */
	readonly sameAsReviewed: boolean;
	/** Differences between the reviewed configuration (before) and the deployed one (after). */
	readonly differences: readonly ConfigurationDifference[];
	/** `enabled`, `disabled`, or another value of the service; undefined: not reported. */
	readonly newWaf: string | undefined;
	readonly oldWaf: string | undefined;
	/** Problems, as sentences. */
	readonly findings: readonly string[];
};

/**
 * Reads what is deployed and compares it with `configuration`, the reviewed one. Undefined: nothing to
 * compare with.
 */
export async function verifyDeployment(
	client: Client,
	zone: Pick<MigrationZone, 'id' | 'plan'>,
	record: MigrationRecord,
	configuration: ManagedConfiguration | undefined,
	signal: AbortSignal,
): Promise<Verification> {
	const [{check, status}, entry] = await readConcurrently(signal, [
		childSignal => readCheckAndStatus(client, zone, childSignal),
		childSignal => readManagedEntryPoint(client, zone.id, childSignal),
	]);
	const deployed = entry?.configuration ?? {name: 'default', rules: []};
	const fingerprint = entry && computeFingerprint(deployed);
	const facts = {
		stage: resolveMigrationStage(check, status),
		fingerprint,
		deployed,
		managedRulesets: listDeployedRulesets(deployed),
		sameAsReviewed: configuration !== undefined && computeFingerprint(configuration) === fingerprint,
		differences: configuration ? compareConfigurations(configuration, deployed) : [],
		newWaf: status?.newWaf,
		oldWaf: status?.oldWaf,
	};
	const notes = [configuration ? undefined : describeStoredDifference(record), describeOverwritten(record)];
	return {
		...facts,
		findings: [
			...listVerificationFindings(facts, configuration !== undefined),
			...notes.filter(note => note !== undefined),
			...(facts.stage === 'unknown' ? [describeUnknownStage(check, status)] : []),
		],
	};
}

function listVerificationFindings(
	{stage, managedRulesets: rulesets, sameAsReviewed, newWaf, oldWaf}: Omit<Verification, 'findings'>,
	hasReview: boolean,
): string[] {
	const hasNewVersion = stage === 'validation' || stage === 'complete';
	return [
		...(rulesets.some(isRulesetActive)
			? []
			: ['No managed ruleset is on: nothing replaces the previous managed rules.']),
		...(hasReview && !sameAsReviewed ? ['The deployed configuration differs from the reviewed one.'] : []),
		...(hasNewVersion && newWaf !== undefined && newWaf !== 'enabled'
			? [`The new managed rules are not on: the service reports "${newWaf}".`]
			: []),
		...(stage === 'complete' && oldWaf !== undefined && oldWaf !== 'disabled'
			? [`The previous managed rules are not off: the service reports "${oldWaf}".`]
			: []),
	];
}

/** Lists all rulesets that ledge knows, deployed or not, and all others that are deployed. */
export function listDeployedRulesets({
	rules,
}: Pick<ManagedConfiguration, 'rules'>): readonly DeployedRuleset[] {
	const rulesById = Map.groupBy(
		rules.filter(({action}) => action === 'execute'),
		({action_parameters}) => String(action_parameters?.id ?? ''),
	);
	const ids = new Set([...Object.values(managedRulesets).map(({id}) => id), ...rulesById.keys()]);
	return [...ids].map(id => ({
		id,
		name: formatRulesetName(id),
		...readDeployment(id, rulesById.get(id) ?? []),
	}));
}

/** Returns how a ruleset is deployed. If several rules execute it, the most active one counts. */
function readDeployment(id: string, rules: readonly ConfiguredRule[]): Omit<DeployedRuleset, 'id' | 'name'> {
	const mostActiveRules = (['on', 'partly on', 'all rules off'] as const)
		.map(activity => rules.filter(rule => getRulesetActivity(rule) === activity))
		.find(({length}) => length > 0);
	const candidates = mostActiveRules ?? rules;
	const unlimitedRule = candidates.find(rule => findTrafficFilter(rule) === undefined);
	const representative = unlimitedRule ?? candidates[0];
	if (!representative) return {activity: 'not deployed'};
	const trafficFilters =
		unlimitedRule || !activatesRuleset(representative)
			? []
			: candidates.flatMap(rule => findTrafficFilter(rule) ?? []);
	const overrides = getRulesetOverrides(representative);
	const {level, threshold} = readOwaspSettings(overrides);
	const {action} = overrides;
	return {
		activity: getRulesetActivity(representative),
		...(typeof action === 'string' && action !== 'default' && {action}),
		...(trafficFilters.length > 0 && {only: trafficFilters}),
		...(id === managedRulesets.owasp.id && {
			...(level !== undefined && {level}),
			...(threshold !== undefined && {threshold}),
		}),
	};
}

/** True if at least part of a managed ruleset is active. */
export const isRulesetActive = ({activity}: DeployedRuleset): boolean =>
	activity === 'on' || activity === 'partly on';

const deploymentWords: Readonly<Record<DeployedRuleset['activity'], string>> = {
	on: 'deployed, enabled',
	'partly on': 'deployed, all rules off except those an override turns on',
	'all rules off': 'deployed, all rules off',
	off: 'deployed, not enabled',
	'not deployed': 'not deployed',
};

/** Describes how a managed ruleset is deployed, as parts of a sentence. They are not escaped. */
export const describeDeployedRuleset = ({
	activity,
	action,
	only,
	level,
	threshold,
}: DeployedRuleset): readonly string[] => [
	deploymentWords[activity],
	...(action === undefined ? [] : [action === 'log' ? 'all its rules only log' : `all its rules: ${action}`]),
	...(only === undefined ? [] : [`only for ${only.join(' or ')}`]),
	...(level === undefined ? [] : [`PL${level}`]),
	...(threshold === undefined ? [] : [`score threshold ${formatScoreThreshold(threshold)}`]),
];

/** Converts a verification to the JSON of `--json` and of files. */
export const toVerificationJson = ({managedRulesets: rulesets, ...rest}: Verification) => ({
	...rest,
	managedRulesets: rulesets.map(toDeployedRulesetJson),
});

/** Converts a deployed ruleset to the JSON of `--json`. */
export function toDeployedRulesetJson(one: DeployedRuleset) {
	const {id, name, activity, ...more} = one;
	return {id, name, deployed: activity !== 'not deployed', enabled: isRulesetActive(one), ...more};
}

/** A verification, and the configuration that it was compared with. */
export type SentVerification = {
	/** The configuration that was reviewed and sent; undefined if ledge did not send what is deployed. */
	readonly configuration: ManagedConfiguration | undefined;
	readonly verification: Verification;
};

/**
 * Reads what is deployed and compares it with the configuration that was sent and accepted. If someone else
 * deployed it, or the last review was not sent, it is compared with nothing.
 */
export async function verifySent(
	flow: Pick<MigrationFlow, 'zone' | 'record' | 'readReviewedConfiguration'>,
	client: Client,
	signal: AbortSignal,
): Promise<SentVerification> {
	const {zone, record} = flow;
	const {put, reviewed} = record;
	const isSent = wasPutAccepted(record) && put?.fingerprint === reviewed?.fingerprint;
	const configuration = isSent ? await flow.readReviewedConfiguration() : undefined;
	return {configuration, verification: await verifyDeployment(client, zone, record, configuration, signal)};
}
