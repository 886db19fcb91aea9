import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {errorCode, fileFailed, keepFile} from '../config/state.ts';
import {isJsonObject, type JsonValue} from '../json.ts';
import {readReviewed} from './read-record.ts';
import type {Reviewed} from './record.ts';

/**
 * Keeps in the zone's folder what a plan of a configuration was made from when it was shown: in scripts that is the
 * review (decision 33). Fails with `file_failed`.
 */
export function keepPlanned(folder: string, planned: Reviewed): void {
	keepFile(pathOf(folder, planned.fingerprint), `${JSON.stringify(planned, undefined, '\t')}\n`);
}

/** What the last plan of a configuration was made from; none where none was shown, or nobody can read it any more. */
export function readPlanned(folder: string, digits: string): Reviewed | undefined {
	const path = pathOf(folder, digits);
	let text: string;
	try {
		text = readFileSync(path, 'utf8');
	} catch (cause) {
		if (errorCode(cause) === 'ENOENT') return undefined;
		throw fileFailed(`The file ${path} cannot be read.`, cause);
	}
	const planned = parsed(text);
	return planned?.fingerprint === digits ? planned : undefined;
}

const pathOf = (folder: string, digits: string): string => join(folder, `planned-${digits}.json`);

function parsed(text: string): Reviewed | undefined {
	try {
		const json = JSON.parse(text) as JsonValue;
		return isJsonObject(json) ? readReviewed(json) : undefined;
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}
