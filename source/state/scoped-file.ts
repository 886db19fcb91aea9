import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {attempt} from '../text/attempt.ts';
import {type JsonValue, parseJsonText} from '../text/json.ts';
import {computeSha256} from '../text/sha256.ts';
import {
	type Environment,
	getStateDirectory,
	openStateDirectory,
	removeIfPresent,
	writePrivateFile,
} from './directory.ts';

/** A file of the state directory by its kind, one for each scope, such as a service and account. */
type ScopedFile = {readonly kind: string; readonly scope: string};

const getFileName = ({kind, scope}: ScopedFile): string =>
	`${kind}-${computeSha256(Buffer.from(scope)).toString('hex').slice(0, 16)}.json`;

/** Reads a file; undefined if it is missing or damaged. Nothing important may depend on it. */
export function readScopedFile(environment: Environment, file: ScopedFile): JsonValue | undefined {
	const root = getStateDirectory(environment);
	if (root === undefined) return undefined;
	return attempt(() => parseJsonText(readFileSync(join(root, getFileName(file)), 'utf8')));
}

/** Writes a value as JSON to a file of mode 0600; `undefined` removes it. Fails with `file_failed`. */
export function storeScopedFile(environment: Environment, file: ScopedFile, value: object | undefined): void {
	const path = join(openStateDirectory(environment), getFileName(file));
	if (value === undefined) removeIfPresent(path);
	else writePrivateFile(path, JSON.stringify(value));
}
