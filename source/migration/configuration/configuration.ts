import {createHash} from 'node:crypto';
import {Failure} from '../../failure.ts';
import {advice, inZone} from '../../text/advice.ts';
import {inexactNumber} from '../../text/exact-json.ts';
import {isJsonObject, type JsonObject, type JsonValue, parseJsonText, sortKeys} from '../../text/json.ts';
import {type ConfiguredRule, isOn} from './rule-overrides.ts';
/** What the service proposes, a person edits and reviews, and a PUT sends: the rules of the managed phase in order. */
export type Configuration = {readonly name: string; readonly rules: readonly ConfiguredRule[]};

/**
 * A configuration out of JSON: of the service, of a file, of the journal. Rules need an action and an expression, and
 * fields that are known need their types. Else fails with `input_malformed`; `from` says in words where it is from.
 */
export function readConfiguration(value: unknown, from: string): Configuration {
	const wrong = (why: string): Failure =>
		new Failure('input_malformed', `${from} is not an entry point configuration.`, {
			why,
			next: advice`It is ${'{"name": "default", "rules": [{"action": …, "expression": …}]}'}, as \`${inZone('migration config')}\` prints it.`,
		});
	if (!isJsonObject(value)) throw wrong('It is not an object.');
	if (!Array.isArray(value.rules)) throw wrong('It has no list of rules.');
	const {name = 'default'} = value;
	if (typeof name !== 'string') throw wrong('Its name is not a string.');
	const rules = value.rules.map((rule: JsonValue, index): ConfiguredRule => {
		const at = `Rule ${index + 1}`;
		if (!isJsonObject(rule)) throw wrong(`${at} is not an object.`);
		for (const field of ['action', 'expression'] as const)
			if (typeof rule[field] !== 'string' || rule[field] === '') throw wrong(`${at} has no ${field}.`);
		if (rule.enabled !== undefined && typeof rule.enabled !== 'boolean')
			throw wrong(`${at}: enabled is neither true nor false.`);
		if (rule.description !== undefined && typeof rule.description !== 'string')
			throw wrong(`${at}: description is not a string.`);
		if (rule.action_parameters !== undefined && !isJsonObject(rule.action_parameters))
			throw wrong(`${at}: action_parameters is not an object.`);
		return rule as ConfiguredRule;
	});
	return {name, rules};
}

/** The same out of the text of a file. A number that would be sent otherwise than it is written fails, too. */
export function parseConfiguration(text: string, from: string): Configuration {
	let value: unknown;
	try {
		value = parseJsonText(text);
	} catch (cause) {
		throw new Failure('input_malformed', `${from} is not JSON.`, {
			why: cause instanceof Error ? cause.message : String(cause),
			next: advice`Correct it, or have it written again: \`${inZone('migration config --output FILE')}\``,
			cause,
		});
	}
	const inexact = inexactNumber(text);
	if (inexact !== undefined)
		throw new Failure(
			'input_malformed',
			`${from} holds the number ${inexact}, which would be sent as another one.`,
			{
				why: 'It has more digits than a number of JSON keeps, or is out of its range.',
				next: 'Write the number that is meant.',
			},
		);
	return readConfiguration(value, from);
}

/** What the service adds to a rule, and is therefore neither sent nor compared. */
const givenByService = ['id', 'version', 'ref', 'last_updated'] as const;

/** A configuration that the service keeps, as a person would have written it: without what it gave the rules itself. */
export const withoutOwn = ({name, rules}: Configuration): Configuration => ({
	name,
	rules: rules.map(rule => {
		const kept = Object.entries(rule).filter(([field]) => !isOwn(field));
		return Object.fromEntries(kept) as ConfiguredRule;
	}),
});

const isOwn = (field: string): boolean => givenByService.some(given => given === field);

/**
 * A rule without what the service adds, its keys sorted, and with what holds where nothing is said: the same
 * for the proposal, for what is sent and for what is then there.
 */
export function canonicalRule(rule: ConfiguredRule): ConfiguredRule {
	const kept = Object.entries(rule).filter(([name]) => !isOwn(name));
	const {version, ...parameters} = rule.action_parameters ?? {};
	const pinned = version !== undefined && version !== 'latest' ? {version} : {};
	const {action_parameters: _, ...rest} = Object.fromEntries(kept) as ConfiguredRule;
	const stated = {...parameters, ...pinned};
	// The service logs what a skip rule skips, unless told otherwise.
	const logging = rule.logging ?? (rule.action === 'skip' ? {enabled: true} : undefined);
	return sortKeys({
		...rest,
		description: rule.description ?? '',
		enabled: rule.enabled ?? true,
		...(Object.keys(stated).length > 0 && {action_parameters: stated}),
		...(logging !== undefined && {logging}),
	}) as ConfiguredRule;
}

/** What is sent, in both modes: never an id, a version or a ref. */
export const requestBody = ({name, rules}: Configuration): JsonObject => ({
	name,
	rules: rules.map(canonicalRule),
});

/**
 * What tells one configuration from another: 16 hexadecimal digits over the canonical rules in their order. The name
 * is not in it: it cannot be changed. The same in both modes.
 */
export const fingerprint = ({rules}: Pick<Configuration, 'rules'>): string =>
	createHash('sha256')
		.update(JSON.stringify(rules.map(canonicalRule)))
		.digest('hex')
		.slice(0, 16);

/** As it is shown: in groups of four digits. */
export const shownFingerprint = (digits: string): string => digits.match(/.{1,4}/g)?.join(' ') ?? digits;

/** A fingerprint as a person writes it: with spaces, dashes or capitals, or only its first 8 digits or more. */
export function isFingerprint(given: string, of: string): boolean {
	const digits = given.replaceAll(/[\s-]/g, '').toLowerCase();
	return digits.length >= 8 && of.startsWith(digits);
}

/** Whether a managed ruleset is on by it at all: without one, nothing is left of the managed rules. */
export const deploysAnything = ({rules}: Pick<Configuration, 'rules'>): boolean => rules.some(isOn);
