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

/** A managed ruleset in the entry point: each one is deployed by itself. */
export type DeployedRuleset = {
	readonly id: string;
	readonly name: string;
	/** How much of it acts, where a rule executes it at all. */
	readonly is: Acting | 'not deployed';
	/** What an override makes all its rules do; none where the ruleset's own actions apply. */
	readonly action?: string;
	/** The expressions that say for which requests alone it acts; none where it acts for all. */
	readonly only?: readonly string[];
	/** Of OWASP: the highest paranoia level that is not off, where the configuration says anything of it. */
	readonly level?: ParanoiaLevel;
	/** Of OWASP: the points at which it acts, where the configuration says so. */
	readonly threshold?: number;
};

/** What is deployed, read from the service. */
export type Verification = {
	readonly stage: Stage;
	readonly fingerprint: string | undefined;
	/** The known ones, whether or not they are deployed, and every other that is. */
	readonly managedRulesets: readonly DeployedRuleset[];
	/** What the entry point holds. */
	readonly deployed?: Configuration | undefined;
	/** Whether the entry point holds exactly what was reviewed. */
	readonly sameAsReviewed: boolean;
	/** What was reviewed (before) against what is deployed (after). */
	readonly differences: readonly Difference[];
	/** `enabled`, `disabled`, or what the service says; none where it says nothing. */
	readonly newWaf: string | undefined;
	readonly oldWaf: string | undefined;
	/** What is not as it should be, in sentences. */
	readonly findings: readonly string[];
};

/** Reads what is deployed, and compares it with what was reviewed; `configuration` is that, where it is known. */
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

/** How each managed ruleset is deployed: the known ones, whether or not they are, and every other that is. */
export function deployedRulesets({rules}: Pick<Configuration, 'rules'>): readonly DeployedRuleset[] {
	const executed = Map.groupBy(
		rules.filter(({action}) => action === 'execute'),
		({action_parameters}) => String(action_parameters?.id ?? ''),
	);
	const ids = new Set([...Object.values(managedRulesets).map(({id}) => id), ...executed.keys()]);
	return [...ids].map(id => ({id, name: rulesetName(id), ...deployment(id, executed.get(id) ?? [])}));
}

/** How a ruleset is deployed by the rules that execute it: what most of it acts by counts. */
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

/** Whether anything of a managed ruleset acts. */
export const isDeployedOn = ({is}: DeployedRuleset): boolean => is === 'on' || is === 'partly on';

const deploymentWords: Readonly<Record<DeployedRuleset['is'], string>> = {
	on: 'deployed, enabled',
	'partly on': 'deployed, all rules off but what an override turns on',
	'all rules off': 'deployed, all rules off',
	off: 'deployed, not enabled',
	'not deployed': 'not deployed',
};

/** How a managed ruleset is deployed, in the parts of a sentence. Holds raw text of data. */
export const deployedInWords = ({is, action, only, level, threshold}: DeployedRuleset): readonly string[] => [
	deploymentWords[is],
	...(action === undefined ? [] : [action === 'log' ? 'all its rules only log' : `all its rules: ${action}`]),
	...(only === undefined ? [] : [`only for ${only.join(' or ')}`]),
	...(level === undefined ? [] : [`PL${level}`]),
	...(threshold === undefined ? [] : [`score threshold ${thresholdInWords(threshold)}`]),
];

/** A verification as `--json` prints it and a file keeps it. */
export const verificationJson = ({managedRulesets: rulesets, ...rest}: Verification) => ({
	...rest,
	managedRulesets: rulesets.map(deployedJson),
});

/** A managed ruleset as `--json` prints how it is deployed. */
export function deployedJson(one: DeployedRuleset) {
	const {id, name, is, ...more} = one;
	return {id, name, deployed: is !== 'not deployed', enabled: isDeployedOn(one), ...more};
}

/** What is deployed, read, and what it was compared with. */
export type VerifiedSent = {
	/** What was reviewed and sent; none where ledge sent nothing of it. */
	readonly configuration: Configuration | undefined;
	readonly verification: Verification;
};

/**
 * Reads what is deployed, never assumes it, and compares it with what was reviewed, sent and taken. What
 * someone else put there, or was reviewed since and not sent, is compared with nothing.
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
