import type {Client} from '../../service/client.ts';
import {type Configuration, fingerprint} from '../configuration/configuration.ts';
import {configurationDifference, type Difference} from '../configuration/difference.ts';
import {
	managedRulesets,
	type ParanoiaLevel,
	rulesetName,
	thresholdInWords,
} from '../configuration/mapping.ts';
import {
	type Acting,
	acting,
	type ConfiguredRule,
	isOn,
	onlyFor,
	overridesIn,
	owaspSettings,
} from '../configuration/rule-overrides.ts';
import type {MigrationRecord} from '../journal/record.ts';
import {otherThanSent, wasTaken} from '../machine/observation.ts';
import type {Stage} from '../machine/stage.ts';
import {stageOf, unknownInWords} from '../machine/stage-of.ts';
import {checkAndStatus} from '../zone/calls.ts';
import {together} from '../zone/concurrent.ts';
import {managedEntryPoint} from '../zone/entry-point.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';
import type {MigrationFlow} from './flow.ts';

/** A managed ruleset in the entry point. */
export type DeployedRuleset = {
	readonly id: string;
	readonly name: string;
	/** How much of it is active, if a rule executes it. */
	readonly is: Acting | 'not deployed';
	/** The action that an override sets for all its rules; undefined: the ruleset's own actions. */
	readonly action?: string;
	/** Expressions that limit it to some requests; undefined: all requests. */
	readonly only?: readonly string[];
	/** OWASP: the highest paranoia level that is not off, if the configuration sets any. */
	readonly level?: ParanoiaLevel;
	/** OWASP: the score threshold in points, if the configuration sets it. */
	readonly threshold?: number;
};

/** The deployed configuration, read from the service. */
export type Verification = {
	readonly stage: Stage;
	readonly fingerprint: string | undefined;
	/** The rulesets known to ledge, deployed or not, and all other deployed ones. */
	readonly managedRulesets: readonly DeployedRuleset[];
	/** The rules of the entry point. */
	readonly deployed?: Configuration | undefined;
	/** True if the entry point holds exactly what was reviewed. */
	readonly sameAsReviewed: boolean;
	/** Differences between the reviewed configuration (before) and the deployed one (after). */
	readonly differences: readonly Difference[];
	/** `enabled`, `disabled`, or another value of the service; undefined: not reported. */
	readonly newWaf: string | undefined;
	readonly oldWaf: string | undefined;
	/** Problems, as sentences. */
	readonly findings: readonly string[];
};

/** Reads what is deployed and compares it with `configuration`, the reviewed one, if known. */
export async function verify(
	client: Client,
	zone: Pick<MigrationZone, 'id' | 'plan'>,
	record: MigrationRecord,
	configuration: Configuration | undefined,
	signal: AbortSignal,
): Promise<Verification> {
	const [{checked, stated}, entry] = await together(signal, [
		within => checkAndStatus(client, zone, within),
		within => managedEntryPoint(client, zone.id, within),
	]);
	const deployed = entry?.configuration ?? {name: 'default', rules: []};
	const digits = entry && fingerprint(deployed);
	const known = {
		stage: stageOf(checked, stated),
		fingerprint: digits,
		deployed,
		managedRulesets: deployedRulesets(deployed),
		sameAsReviewed: configuration !== undefined && fingerprint(configuration) === digits,
		differences: configuration ? configurationDifference(configuration, deployed) : [],
		newWaf: stated?.newWaf,
		oldWaf: stated?.oldWaf,
	};
	const unsaid = configuration ? undefined : otherThanSent(record);
	return {
		...known,
		findings: [
			...findings(known, configuration !== undefined),
			...(unsaid === undefined ? [] : [unsaid]),
			...(known.stage === 'unknown' ? [unknownInWords(checked, stated)] : []),
		],
	};
}

function findings(
	{stage, managedRulesets: rulesets, sameAsReviewed, newWaf, oldWaf}: Omit<Verification, 'findings'>,
	isKnown: boolean,
): string[] {
	const isBeyond = stage === 'validation' || stage === 'complete';
	return [
		...(rulesets.some(isDeployedOn)
			? []
			: ['No managed ruleset is on: nothing replaces the previous managed rules.']),
		...(isKnown && !sameAsReviewed ? ['What is deployed is not what was reviewed.'] : []),
		...(isBeyond && newWaf !== undefined && newWaf !== 'enabled'
			? [`The new managed rules are not on: the service says "${newWaf}".`]
			: []),
		...(stage === 'complete' && oldWaf !== undefined && oldWaf !== 'disabled'
			? [`The previous managed rules are not off: the service says "${oldWaf}".`]
			: []),
	];
}

/** Lists the rulesets known to ledge, deployed or not, and all other deployed ones. */
export function deployedRulesets({rules}: Pick<Configuration, 'rules'>): readonly DeployedRuleset[] {
	const executed = Map.groupBy(
		rules.filter(({action}) => action === 'execute'),
		({action_parameters}) => String(action_parameters?.id ?? ''),
	);
	const ids = new Set([...Object.values(managedRulesets).map(({id}) => id), ...executed.keys()]);
	return [...ids].map(id => ({id, name: rulesetName(id), ...deployment(id, executed.get(id) ?? [])}));
}

/** Reads how a ruleset is deployed. If several rules execute it, the most active one counts. */
function deployment(id: string, rules: readonly ConfiguredRule[]): Omit<DeployedRuleset, 'id' | 'name'> {
	const alike = (['on', 'partly on', 'all rules off'] as const)
		.map(how => rules.filter(rule => acting(rule) === how))
		.find(({length}) => length > 0);
	const those = alike ?? rules;
	const forAll = those.find(rule => onlyFor(rule) === undefined);
	const most = forAll ?? those[0];
	if (!most) return {is: 'not deployed'};
	const only = forAll || !isOn(most) ? [] : those.flatMap(rule => onlyFor(rule) ?? []);
	const overrides = overridesIn(most);
	const {level, threshold} = owaspSettings(overrides);
	const {action} = overrides;
	return {
		is: acting(most),
		...(typeof action === 'string' && action !== 'default' && {action}),
		...(only.length > 0 && {only}),
		...(id === managedRulesets.owasp.id && {
			...(level !== undefined && {level}),
			...(threshold !== undefined && {threshold}),
		}),
	};
}

/** True if at least part of a managed ruleset is active. */
export const isDeployedOn = ({is}: DeployedRuleset): boolean => is === 'on' || is === 'partly on';

const deploymentWords: Readonly<Record<DeployedRuleset['is'], string>> = {
	on: 'deployed, enabled',
	'partly on': 'deployed, all rules off but what an override turns on',
	'all rules off': 'deployed, all rules off',
	off: 'deployed, not enabled',
	'not deployed': 'not deployed',
};

/** Describes how a managed ruleset is deployed, as parts of a sentence. Contains raw data. */
export const deployedInWords = ({is, action, only, level, threshold}: DeployedRuleset): readonly string[] => [
	deploymentWords[is],
	...(action === undefined ? [] : [action === 'log' ? 'all its rules only log' : `all its rules: ${action}`]),
	...(only === undefined ? [] : [`only for ${only.join(' or ')}`]),
	...(level === undefined ? [] : [`PL${level}`]),
	...(threshold === undefined ? [] : [`score threshold ${thresholdInWords(threshold)}`]),
];

/** Converts a verification to the JSON of `--json` and of files. */
export const verificationJson = ({managedRulesets: rulesets, ...rest}: Verification) => ({
	...rest,
	managedRulesets: rulesets.map(deployedJson),
});

/** Converts a deployed ruleset to the JSON of `--json`. */
export function deployedJson(one: DeployedRuleset) {
	const {id, name, is, ...more} = one;
	return {id, name, deployed: is !== 'not deployed', enabled: isDeployedOn(one), ...more};
}

/** What is deployed, and what it was compared with. */
export type VerifiedSent = {
	/** The configuration that was reviewed and sent; undefined if ledge sent none. */
	readonly configuration: Configuration | undefined;
	readonly verification: Verification;
};

/**
 * Reads what is deployed and compares it with the configuration that was sent and accepted. Compares with
 * nothing if someone else deployed it, or if the last review was not sent.
 */
export async function verifySent(
	flow: Pick<MigrationFlow, 'zone' | 'record' | 'reviewed'>,
	client: Client,
	signal: AbortSignal,
): Promise<VerifiedSent> {
	const {zone, record} = flow;
	const {put, reviewed} = record;
	const isSent = wasTaken(record) && put?.fingerprint === reviewed?.fingerprint;
	const configuration = isSent ? await flow.reviewed() : undefined;
	return {configuration, verification: await verify(client, zone, record, configuration, signal)};
}
