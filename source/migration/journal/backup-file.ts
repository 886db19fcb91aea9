import {createHash} from 'node:crypto';
import {Failure} from '../../failure.ts';
import {parseJson} from '../../service/envelope.ts';
import {type Plan, plans} from '../../service/plan.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';
import {listParts, type PackageSnapshot, type Snapshot, singleParts, type Unread} from '../zone/snapshot.ts';

/** The file of a backup from which it is read back. */
export const snapshotFile = 'snapshot.json';

/** What the file says it is, so that nothing else is taken for it. */
const kind = 'ledge migration backup';

/** A snapshot of what is the zone's own as the text of that file, with a digest over it: half a file or a changed one is not a backup. */
export function wholeBackup({managed: _rulesets, managedUnread: _why, ...snapshot}: Snapshot): string {
	const text = JSON.stringify(snapshot);
	return `${JSON.stringify({kind, version: 1, digest: digestOf(text), snapshot: JSON.parse(text)}, undefined, '\t')}\n`;
}

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** The snapshot out of that text. Fails with `input_malformed`; `file` is named then. */
export function parseBackup(text: string, file: string): Snapshot {
	const json = parseJson(text);
	if (json === undefined)
		throw damaged(file, 'It is not whole JSON: it was cut off, or is of something else.');
	if (!isJsonObject(json) || json.kind !== kind) throw foreign(file);
	if (json.version !== 1) {
		throw new Failure('input_malformed', `The backup ${file} was written by another version of ledge.`, {
			why: `Its format is ${JSON.stringify(json.version)}; this ledge knows format 1.`,
			next: 'Use the version that made it; the other files of its folder can be read by people.',
		});
	}
	if (json.digest !== digestOf(JSON.stringify(json.snapshot ?? null)))
		throw damaged(file, 'What it holds is not what was written: its digest is another one.');
	const snapshot = isJsonObject(json.snapshot) ? readSnapshotObject(json.snapshot) : undefined;
	if (!snapshot) throw damaged(file, 'Its parts are not those of a snapshot.');
	return snapshot;
}

const damaged = (file: string, why: string): Failure =>
	new Failure('input_malformed', `The backup ${file} is damaged.`, {
		why,
		next: 'Name another backup; while the previous version lives, a new one can be made. The other files in its folder hold the same for people to read.',
	});

const foreign = (file: string): Failure =>
	new Failure('input_malformed', `${file} is not a backup made by ledge.`, {
		why: `A backup says so of itself: "kind": "${kind}".`,
		next: `Name the folder of a backup (backup-…), or the ${snapshotFile} in it.`,
	});

function readSnapshotObject(json: JsonObject): Snapshot | undefined {
	const {taken, place} = json;
	const zone = zoneOf(json.zone);
	const single = partsOf(singleParts, name => objectOrNull(json[name]));
	const lists = partsOf(listParts, name => objects(json[name]));
	const packages = listOf(json.packages, packageOf);
	const unread = listOf(json.unread, unreadOf);
	if (json.version !== 1 || typeof taken !== 'string' || Number.isNaN(Date.parse(taken))) return undefined;
	if (typeof place !== 'string' || !zone || !single || !lists || !packages || !unread) return undefined;
	return {version: 1, taken, place, zone, ...single, packages, ...lists, unread};
}

/** Each part by its name, or nothing at all where one is not what it should be. */
function partsOf<Name extends string, Part>(
	names: readonly Name[],
	read: (name: Name) => Part | undefined,
): Readonly<Record<Name, Part>> | undefined {
	const found: Partial<Record<Name, Part>> = {};
	for (const name of names) {
		const part = read(name);
		if (part === undefined) return undefined;
		found[name] = part;
	}
	return found as Record<Name, Part>;
}

const objectOrNull = (value: JsonValue | undefined): JsonObject | null | undefined =>
	value === null || isJsonObject(value) ? value : undefined;

/** Each one read, or nothing at all where one is not what it should be. */
function listOf<T>(
	value: JsonValue | undefined,
	read: (one: JsonValue) => T | undefined,
): readonly T[] | undefined {
	if (!Array.isArray(value)) return undefined;
	const items: T[] = [];
	for (const one of value) {
		const item = read(one);
		if (item === undefined) return undefined;
		items.push(item);
	}
	return items;
}

const objects = (value: JsonValue | undefined): readonly JsonObject[] | undefined =>
	listOf(value, one => (isJsonObject(one) ? one : undefined));

function packageOf(value: JsonValue): PackageSnapshot | undefined {
	if (!isJsonObject(value) || !isJsonObject(value.package)) return undefined;
	const groups = objects(value.groups);
	const rules = objects(value.rules);
	return groups && rules && {package: value.package, groups, rules};
}

const unreadOf = (value: JsonValue): Unread | undefined =>
	isJsonObject(value) && typeof value.what === 'string' && typeof value.why === 'string'
		? {
				what: value.what,
				why: value.why,
				...(value.isLacking === true && {isLacking: true}),
				...(value.isForbidden === true && {isForbidden: true}),
			}
		: undefined;

function zoneOf(value: JsonValue | undefined): MigrationZone | undefined {
	if (!isJsonObject(value)) return undefined;
	const {id, name, label, plan, account, accountId} = value;
	if (typeof id !== 'string' || typeof name !== 'string' || typeof label !== 'string') return undefined;
	if (account !== undefined && typeof account !== 'string') return undefined;
	if (accountId !== undefined && typeof accountId !== 'string') return undefined;
	const known = plans.find(one => one === plan);
	if (plan !== undefined && known === undefined) return undefined;
	return {
		id,
		name,
		label,
		plan: known satisfies Plan | undefined,
		account,
		...(accountId !== undefined && {accountId}),
	};
}
