import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {isFailure} from '../../failure.ts';
import {createFileFailure, getErrorCode, listFolder, writePrivateFile} from '../../state/directory.ts';
import {isJsonObject, type JsonObject, parseJsonText} from '../../text/json.ts';
import {
	computeFingerprint,
	type ManagedConfiguration,
	matchesFingerprint,
	parseConfigurationJson,
} from '../configuration/configuration.ts';
import type {ConfigurationReview} from './record.ts';
import {parseReview} from './record.ts';

/** A configuration that a plan showed, and the review that this plan counts as. */
export type PlannedConfiguration = {
	readonly review: ConfigurationReview;
	readonly configuration: ManagedConfiguration;
};

/**
 * Saves a configuration that a plan showed in the zone's folder, with what the plan was based on. In scripts
 * this counts as the review. Throws `file_failed`.
 */
export function savePlanned(folder: string, {review, configuration}: PlannedConfiguration): void {
	const fileContent = {...review, configuration};
	writePrivateFile(
		getPlannedPath(folder, review.fingerprint),
		`${JSON.stringify(fileContent, undefined, '\t')}\n`,
	);
}

/**
 * Reads what the last plan of a configuration was based on. Undefined if no plan is stored or it cannot be
 * parsed.
 */
export function readPlannedReview(folder: string, fingerprint: string): ConfigurationReview | undefined {
	const json = readPlannedFile(folder, fingerprint);
	const review = json && parseReview(json);
	return review?.fingerprint === fingerprint ? review : undefined;
}

/**
 * Finds the planned configuration whose fingerprint starts with `fingerprintPrefix`. Undefined unless exactly
 * one does.
 */
export function findPlannedConfiguration(
	folder: string,
	fingerprintPrefix: string,
): PlannedConfiguration | undefined {
	const [fingerprint, ...otherMatches] = listPlannedFingerprints(folder).filter(one =>
		matchesFingerprint(fingerprintPrefix, one),
	);
	if (fingerprint === undefined || otherMatches.length > 0) return undefined;
	const review = readPlannedReview(folder, fingerprint);
	const configuration = readPlannedConfiguration(readPlannedFile(folder, fingerprint));
	return review && configuration && computeFingerprint(configuration) === fingerprint
		? {review, configuration}
		: undefined;
}

/** Finds what the latest plan was based on. */
export const findLastPlannedReview = (folder: string): ConfigurationReview | undefined =>
	listPlannedFingerprints(folder)
		.flatMap(fingerprint => readPlannedReview(folder, fingerprint) ?? [])
		.toSorted((one, other) => one.at - other.at)
		.at(-1);

const getPlannedPath = (folder: string, fingerprint: string): string =>
	join(folder, `planned-${fingerprint}.json`);

/** Lists the fingerprints of all planned configurations. */
const listPlannedFingerprints = (folder: string): readonly string[] =>
	listFolder(folder).flatMap(({name}) => /^planned-([0-9a-f]+)\.json$/.exec(name)?.[1] ?? []);

function readPlannedFile(folder: string, fingerprint: string): JsonObject | undefined {
	const path = getPlannedPath(folder, fingerprint);
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
