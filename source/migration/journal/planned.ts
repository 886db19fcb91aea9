import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {isFailure} from '../../failure.ts';
import {createFileFailure, getErrorCode, keepFile} from '../../state/directory.ts';
import {isJsonObject, type JsonObject, parseJsonText} from '../../text/json.ts';
import {
	computeFingerprint,
	type ManagedConfiguration,
	matchesFingerprint,
	parseConfigurationJson,
} from '../configuration/configuration.ts';
import type {ConfigurationReview} from './record.ts';
import {parseReviewed} from './record.ts';

/** A configuration shown by a plan, and what the plan was based on. */
export type PlannedConfiguration = {
	readonly reviewed: ConfigurationReview;
	readonly configuration: ManagedConfiguration;
};

/**
 * Keeps a configuration shown by a plan, and what the plan was based on, in the zone's folder. In scripts
 * this is the review. Throws `file_failed`.
 */
export function keepPlanned(folder: string, {reviewed, configuration}: PlannedConfiguration): void {
	const written = {...reviewed, configuration};
	keepFile(getPlannedPath(folder, reviewed.fingerprint), `${JSON.stringify(written, undefined, '\t')}\n`);
}

/**
 * Reads what the last plan of a configuration was based on. Undefined if none exists or it cannot be parsed.
 */
export function readPlanned(folder: string, digits: string): ConfigurationReview | undefined {
	const json = readPlannedFile(folder, digits);
	const planned = json && parseReviewed(json);
	return planned?.fingerprint === digits ? planned : undefined;
}

/**
 * Finds the planned configuration whose fingerprint starts with `digits`. Undefined if none exists or
 * several.
 */
export function findPlannedConfiguration(folder: string, digits: string): PlannedConfiguration | undefined {
	const [found, ...others] = listPlannedFingerprints(folder).filter(one => matchesFingerprint(digits, one));
	if (found === undefined || others.length > 0) return undefined;
	const reviewed = readPlanned(folder, found);
	const configuration = readPlannedConfiguration(readPlannedFile(folder, found));
	return reviewed && configuration && computeFingerprint(configuration) === found
		? {reviewed, configuration}
		: undefined;
}

/** Finds what the latest plan was based on. */
export const findLastPlanned = (folder: string): ConfigurationReview | undefined =>
	listPlannedFingerprints(folder)
		.flatMap(digits => readPlanned(folder, digits) ?? [])
		.toSorted((one, other) => one.at - other.at)
		.at(-1);

const getPlannedPath = (folder: string, digits: string): string => join(folder, `planned-${digits}.json`);

/** Lists the fingerprints of all planned configurations. */
function listPlannedFingerprints(folder: string): readonly string[] {
	try {
		return readdirSync(folder).flatMap(name => /^planned-([0-9a-f]+)\.json$/.exec(name)?.[1] ?? []);
	} catch (cause) {
		if (getErrorCode(cause) === 'ENOENT') return [];
		throw createFileFailure(`The folder ${folder} cannot be read.`, cause);
	}
}

function readPlannedFile(folder: string, digits: string): JsonObject | undefined {
	const path = getPlannedPath(folder, digits);
	try {
		const json = parseJsonText(readFileSync(path, 'utf8'));
		return isJsonObject(json) ? json : undefined;
	} catch (cause) {
		if (cause instanceof SyntaxError || getErrorCode(cause) === 'ENOENT') return undefined;
		throw createFileFailure(`The file ${path} cannot be read.`, cause);
	}
}

function readPlannedConfiguration(json: JsonObject | undefined): ManagedConfiguration | undefined {
	try {
		return json && parseConfigurationJson(json.configuration, 'What was planned');
	} catch (error) {
		if (isFailure(error, 'input_malformed')) return undefined;
		throw error;
	}
}
