import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {literal, picklist, string, union} from 'valibot';
import {parseJsonText} from '../text/json.ts';
import {parseOrUndefined, pickFields} from '../text/schema.ts';
import {computeSha256} from '../text/sha256.ts';
import {
	type Environment,
	getStateDirectory,
	openStateDirectory,
	removeIfPresent,
	writePrivateFile,
} from './directory.ts';
import {isSameRecent, type Recent} from './recent.ts';

/** A zone, a namespace, or a namespace with a filter for a prefix, that the user has pinned. */
export type Pin = Recent;

const pinFields = union([
	pickFields({kind: literal('zone'), id: string(), name: string()}),
	pickFields({
		kind: literal('namespace'),
		where: picklist(['remote', 'local']),
		id: string(),
		title: string(),
		filter: string(),
	}),
]);

const getPinFileName = (scope: string): string =>
	`pins-${computeSha256(Buffer.from(scope)).toString('hex').slice(0, 16)}.json`;

/** Reads the pins of a service and account, in their order; empty if missing or unreadable. */
export function readPins(environment: Environment, scope: string): readonly Pin[] {
	const root = getStateDirectory(environment);
	if (root === undefined) return [];
	try {
		const json = parseJsonText(readFileSync(join(root, getPinFileName(scope)), 'utf8'));
		return Array.isArray(json) ? json.flatMap(entry => parseOrUndefined(pinFields, entry) ?? []) : [];
	} catch {
		// A damaged file counts as empty.
		return [];
	}
}

/** Stores the pins in a file of mode 0600; none remove the file. Fails with `file_failed`. */
export function storePins(environment: Environment, scope: string, pins: readonly Pin[]): void {
	const path = join(openStateDirectory(environment), getPinFileName(scope));
	if (pins.length === 0) removeIfPresent(path);
	else writePrivateFile(path, JSON.stringify(pins));
}

/** Adds a pin at the end, or removes it if it exists. */
export const togglePin = (pins: readonly Pin[], pin: Pin): readonly Pin[] =>
	isPinned(pins, pin) ? pins.filter(one => !isSameRecent(one, pin)) : [...pins, pin];

export const isPinned = (pins: readonly Pin[], pin: Pin): boolean => pins.some(one => isSameRecent(one, pin));
