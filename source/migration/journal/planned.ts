import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {isFailure} from '../../failure.ts';
import {errorCode, fileFailed, keepFile} from '../../state/directory.ts';
import {isJsonObject, type JsonObject, parseJsonText} from '../../text/json.ts';
import {
	type Configuration,
	fingerprint,
	isFingerprint,
	readConfiguration,
} from '../configuration/configuration.ts';
import type {Reviewed} from './record.ts';
import {readReviewed} from './record.ts';

/** A configuration shown by a plan, and what the plan was based on. */
export type Planned = {readonly reviewed: Reviewed; readonly configuration: Configuration};

/**
 * Keeps a configuration shown by a plan, and what the plan was based on, in the zone's folder. In scripts
 * this is the review. Throws `file_failed`.
 */
export function keepPlanned(folder: string, {reviewed, configuration}: Planned): void {
	const written = {...reviewed, configuration};
	keepFile(pathOf(folder, reviewed.fingerprint), `${JSON.stringify(written, undefined, '\t')}\n`);
}

/**
 * Reads what the last plan of a configuration was based on. Undefined if none exists or it cannot be parsed.
 */
export function readPlanned(folder: string, digits: string): Reviewed | undefined {
	const json = readFileOf(folder, digits);
	const planned = json && readReviewed(json);
	return planned?.fingerprint === digits ? planned : undefined;
}

/**
 * Finds the planned configuration whose fingerprint starts with `digits`. Undefined if none exists or
 * several.
 */
export function plannedWith(folder: string, digits: string): Planned | undefined {
	const [found, ...others] = digitsIn(folder).filter(one => isFingerprint(digits, one));
	if (found === undefined || others.length > 0) return undefined;
	const reviewed = readPlanned(folder, found);
	const configuration = configurationOf(readFileOf(folder, found));
	return reviewed && configuration && fingerprint(configuration) === found
		? {reviewed, configuration}
		: undefined;
}

/** Finds what the latest plan was based on. */
export const lastPlanned = (folder: string): Reviewed | undefined =>
	digitsIn(folder)
		.flatMap(digits => readPlanned(folder, digits) ?? [])
		.toSorted((one, other) => one.at - other.at)
		.at(-1);

const pathOf = (folder: string, digits: string): string => join(folder, `planned-${digits}.json`);

/** Lists the fingerprints of all planned configurations. */
function digitsIn(folder: string): readonly string[] {
	try {
		return readdirSync(folder).flatMap(name => /^planned-([0-9a-f]+)\.json$/.exec(name)?.[1] ?? []);
	} catch (cause) {
		if (errorCode(cause) === 'ENOENT') return [];
		throw fileFailed(`The folder ${folder} cannot be read.`, cause);
	}
}

function readFileOf(folder: string, digits: string): JsonObject | undefined {
	const path = pathOf(folder, digits);
	try {
		const json = parseJsonText(readFileSync(path, 'utf8'));
		return isJsonObject(json) ? json : undefined;
	} catch (cause) {
		if (cause instanceof SyntaxError || errorCode(cause) === 'ENOENT') return undefined;
		throw fileFailed(`The file ${path} cannot be read.`, cause);
	}
}

function configurationOf(json: JsonObject | undefined): Configuration | undefined {
	try {
		return json && readConfiguration(json.configuration, 'What was planned');
	} catch (error) {
		if (isFailure(error, 'input_malformed')) return undefined;
		throw error;
	}
}
