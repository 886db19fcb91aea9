import {isJsonObject, type JsonObject, type JsonValue} from '../json.ts';
import type {Client} from '../service/client.ts';
import {checkAndStatus, managedEntryPoint} from './calls.ts';
import {type Configuration, type ConfiguredRule, fingerprint} from './configuration.ts';
import {configurationDifference, type Difference} from './difference.ts';
import {
	managedRulesets,
	type ParanoiaLevel,
	paranoiaCategory,
	paranoiaLevels,
	rulesetName,
	thresholdRule,
} from './mapping.ts';
import {otherThanSent} from './observation.ts';
import type {MigrationRecord} from './record.ts';
import type {MigrationZone} from './snapshot.ts';
import type {Stage} from './stage.ts';
import {stageOf, unknownInWords} from './stage-of.ts';
import {together} from './together.ts';

/** A managed ruleset in the entry point: each one is deployed by itself (decision 40). */
export type DeployedRuleset = {
	readonly id: string;
	readonly name: string;
	/** Whether a rule executes it at all. */
	readonly deployed: boolean;
	/** Whether a rule that executes it is on. */
	readonly enabled: boolean;
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
	/** Whether the entry point holds exactly what was reviewed. */
	readonly sameAsReviewed: boolean;
	/** What was reviewed (before) against what is there (after). */
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
	zone: Pick<MigrationZone, 'id'>,
	record: MigrationRecord,
	configuration: Configuration | undefined,
	signal: AbortSignal,
): Promise<Verification> {
	const [{checked, stated}, entry] = await together(signal, [
		within => checkAndStatus(client, zone.id, within),
		within => managedEntryPoint(client, zone.id, within),
	]);
	const deployed = entry?.configuration ?? {name: 'default', rules: []};
	const digits = entry && fingerprint(deployed);
	const known = {
		stage: stageOf(checked, stated),
		fingerprint: digits,
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
		...(rulesets.some(({enabled}) => enabled)
			? []
			: ['No managed ruleset is on: nothing stands in the place of the previous managed rules.']),
		...(isKnown && !sameAsReviewed ? ['What is deployed is not what was reviewed.'] : []),
		...(isBeyond && newWaf !== undefined && newWaf !== 'enabled'
			? [`The new managed rules are not on: the service says "${newWaf}".`]
			: []),
		...(stage === 'complete' && oldWaf !== undefined && oldWaf !== 'disabled'
			? [`The previous managed rules are not off: the service says "${oldWaf}".`]
			: []),
	];
}

function deployedRulesets({rules}: Configuration): DeployedRuleset[] {
	const executed = Map.groupBy(
		rules.filter(({action}) => action === 'execute'),
		({action_parameters}) => String(action_parameters?.id ?? ''),
	);
	const ids = new Set([...Object.values(managedRulesets).map(({id}) => id), ...executed.keys()]);
	return [...ids].map(id => {
		const those = executed.get(id) ?? [];
		const on = those.find(({enabled}) => enabled !== false);
		return {
			id,
			name: rulesetName(id),
			deployed: those.length > 0,
			enabled: on !== undefined,
			...(id === managedRulesets.owasp.id && owaspSettings(on ?? those[0])),
		};
	});
}

/** How the rule that executes OWASP sets it; nothing where it leaves all as the ruleset has it. */
function owaspSettings(rule: ConfiguredRule | undefined): Pick<DeployedRuleset, 'level' | 'threshold'> {
	const given = rule?.action_parameters?.overrides;
	const overrides = isJsonObject(given) ? given : {};
	const categories = objects(overrides.categories);
	const said = paranoiaLevels.filter(level =>
		categories.some(({category}) => category === paranoiaCategory(level)),
	);
	const off = said.filter(level =>
		categories.some(({category, enabled}) => category === paranoiaCategory(level) && enabled === false),
	);
	const level = said.length > 0 ? paranoiaLevels.findLast(one => !off.includes(one)) : undefined;
	const score = objects(overrides.rules).findLast(({id}) => id === thresholdRule)?.score_threshold;
	return {...(level && {level}), ...(typeof score === 'number' && {threshold: score})};
}

const objects = (value: JsonValue | undefined): readonly JsonObject[] =>
	Array.isArray(value) ? value.filter(isJsonObject) : [];
