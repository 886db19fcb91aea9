import {createHash} from 'node:crypto';
import {Failure} from '../../failure.ts';
import {buildAdvice, buildZoneCommand} from '../../text/advice.ts';
import {findInexactNumber} from '../../text/exact-json.ts';
import {isJsonObject, type JsonObject, type JsonValue, parseJsonText, sortKeys} from '../../text/json.ts';
import {activatesRuleset, type ConfiguredRule} from './rule-overrides.ts';
/**
 * The rules of the managed phase, in order: proposed by the service, edited and reviewed, and sent by PUT.
 */
export type ManagedConfiguration = {readonly name: string; readonly rules: readonly ConfiguredRule[]};

/**
 * Reads a configuration from JSON of the service, a file, or the journal. Rules need an action and an
 * expression; known fields need their types. Throws `input_malformed`. `sourceName` names the source in
 * messages.
 */
export function parseConfigurationJson(value: unknown, sourceName: string): ManagedConfiguration {
	const createFailure = (why: string): Failure =>
		new Failure('input_malformed', `${sourceName} is not an entry point configuration.`, {
			why,
			next: buildAdvice`Use the format ${'{"name": "default", "rules": [{"action": …, "expression": …}]}'}, as printed by \`${buildZoneCommand('migration config')}\`.`,
		});
	if (!isJsonObject(value)) throw createFailure('It is not an object.');
	if (!Array.isArray(value.rules)) throw createFailure('It has no list of rules.');
	const {name = 'default'} = value;
	if (typeof name !== 'string') throw createFailure('Its name is not a string.');
	const rules = value.rules.map((rule: JsonValue, index): ConfiguredRule => {
		const ruleLabel = `Rule ${index + 1}`;
		if (!isJsonObject(rule)) throw createFailure(`${ruleLabel} is not an object.`);
		for (const field of ['action', 'expression'] as const)
			if (typeof rule[field] !== 'string' || rule[field] === '')
				throw createFailure(`${ruleLabel} has no ${field}.`);
		if (rule.enabled !== undefined && typeof rule.enabled !== 'boolean')
			throw createFailure(`${ruleLabel}: enabled must be true or false.`);
		if (rule.description !== undefined && typeof rule.description !== 'string')
			throw createFailure(`${ruleLabel}: description must be a string.`);
		if (rule.action_parameters !== undefined && !isJsonObject(rule.action_parameters))
			throw createFailure(`${ruleLabel}: action_parameters must be an object.`);
		return rule as ConfiguredRule;
	});
	return {name, rules};
}

/**
 * Parses a configuration file. Throws `input_malformed`, also for a number that JSON cannot represent
 * exactly.
 */
export function parseConfiguration(text: string, sourceName: string): ManagedConfiguration {
	let value: unknown;
	try {
		value = parseJsonText(text);
	} catch (cause) {
		throw new Failure('input_malformed', `${sourceName} is not JSON.`, {
			why: cause instanceof Error ? cause.message : String(cause),
			next: buildAdvice`Fix it, or write it again: \`${buildZoneCommand('migration config --output FILE')}\``,
			cause,
		});
	}
	const inexactNumber = findInexactNumber(text);
	if (inexactNumber !== undefined)
		throw new Failure(
			'input_malformed',
			`${sourceName} contains the number ${inexactNumber}, which would be sent as a different number.`,
			{
				why: 'It has too many digits for JSON, or is out of range.',
				next: 'Write a number that JSON can represent exactly.',
			},
		);
	return parseConfigurationJson(value, sourceName);
}

/** Fields that the service adds to a rule; neither sent nor compared. */
export const serviceFields = ['id', 'version', 'ref', 'last_updated'] as const;

/** Removes the fields that the service added to the rules. */
export const omitServiceFields = ({name, rules}: ManagedConfiguration): ManagedConfiguration => ({
	name,
	rules: rules.map(rule => {
		const keptFields = Object.entries(rule).filter(([field]) => !isServiceField(field));
		return Object.fromEntries(keptFields) as ConfiguredRule;
	}),
});

const isServiceField = (field: string): boolean => serviceFields.some(name => name === field);

/**
 * Returns a rule without the service's fields, with sorted keys and explicit defaults, so that the proposal,
 * the sent rule, and the deployed rule are equal.
 */
export function toCanonicalRule(rule: ConfiguredRule): ConfiguredRule {
	const keptFields = Object.entries(rule).filter(([name]) => !isServiceField(name));
	const {version, ...parameters} = rule.action_parameters ?? {};
	const pinnedVersion = version !== undefined && version !== 'latest' ? {version} : {};
	const {action_parameters: _, ...otherFields} = Object.fromEntries(keptFields) as ConfiguredRule;
	const canonicalParameters = {...parameters, ...pinnedVersion};
	// The service logs skipped rules by default.
	const logging = rule.logging ?? (rule.action === 'skip' ? {enabled: true} : undefined);
	return sortKeys({
		...otherFields,
		description: rule.description ?? '',
		enabled: rule.enabled ?? true,
		...(Object.keys(canonicalParameters).length > 0 && {action_parameters: canonicalParameters}),
		...(logging !== undefined && {logging}),
	}) as ConfiguredRule;
}

/** Builds the body of the PUT, the same in both modes. Rules in it never have an id, a version or a ref. */
export const buildConfigurationBody = ({name, rules}: ManagedConfiguration): JsonObject => ({
	name,
	rules: rules.map(toCanonicalRule),
});

/**
 * Computes 16 hexadecimal digits that identify a configuration: a hash of its canonical rules in order.
 * Excludes the name, which cannot change.
 */
export const computeFingerprint = ({rules}: Pick<ManagedConfiguration, 'rules'>): string =>
	createHash('sha256')
		.update(JSON.stringify(rules.map(toCanonicalRule)))
		.digest('hex')
		.slice(0, 16);

/** Formats a fingerprint in groups of four digits, separated by spaces. */
export const formatFingerprint = (fingerprint: string): string =>
	fingerprint.match(/.{1,4}/g)?.join(' ') ?? fingerprint;

/**
 * True if `input` is the fingerprint as a user types it: spaces, dashes and capitals are allowed, 8 digits
 * suffice.
 */
export function matchesFingerprint(input: string, fingerprint: string): boolean {
	const typedDigits = input.replaceAll(/[\s-]/g, '').toLowerCase();
	return typedDigits.length >= 8 && fingerprint.startsWith(typedDigits);
}

/** True if at least one managed ruleset is active. Without one, no managed rule protects the zone. */
export const hasActiveRuleset = ({rules}: Pick<ManagedConfiguration, 'rules'>): boolean =>
	rules.some(activatesRuleset);
