import {createHash} from 'node:crypto';
import {check, exactOptional, literal, nullable, optional, picklist, pipe, string, transform} from 'valibot';
import {Failure} from '../../failure.ts';
import {parseJson} from '../../service/envelope.ts';
import {plans} from '../../service/plan.ts';
import {isJsonObject} from '../../text/json.ts';
import {fields, jsonObject, lenient, list, parseOrUndefined, type Schema} from '../../text/schema.ts';
import {listParts, type Snapshot, singleParts} from '../zone/snapshot.ts';

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
	const parsed = parseOrUndefined(snapshot, json.snapshot);
	if (!parsed) throw damaged(file, 'Its parts are not those of a snapshot.');
	return parsed;
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

const zone = pipe(
	fields({
		id: string(),
		name: string(),
		label: string(),
		plan: optional(picklist(plans)),
		account: optional(string()),
		accountId: exactOptional(string()),
	}),
	transform(({plan, account, ...named}) => ({...named, plan, account})),
);

const unread = fields({
	what: string(),
	why: string(),
	isLacking: lenient(literal(true)),
	isForbidden: lenient(literal(true)),
});

const objects = list(jsonObject);

/** The same schema for each part. */
const partsOf = <Name extends string, Part>(names: readonly Name[], part: Part) =>
	Object.fromEntries(names.map(name => [name, part])) as Record<Name, Part>;

const snapshot: Schema<Snapshot> = fields({
	version: literal(1),
	taken: pipe(
		string(),
		check(taken => !Number.isNaN(Date.parse(taken))),
	),
	place: string(),
	zone,
	...partsOf(singleParts, nullable(jsonObject)),
	packages: list(fields({package: jsonObject, groups: objects, rules: objects})),
	...partsOf(listParts, objects),
	unread: list(unread),
});
