import {randomBytes} from 'node:crypto';
import type {JsonObject} from '../../text/json.ts';
import type {WorldDatabase} from './database.ts';

/** Writes the sample of a zone into a world created at `now`, in milliseconds. */
type FillSample = (zoneId: string, now: number) => void;

/** Marks a zone whose sample is not written yet. */
const sampleKind = 'sample';

/** A previous state of an object of a zone. */
export type FormerObject = {
	readonly kind: string;
	readonly id: string;
	/** When it was replaced, in milliseconds. */
	readonly until: number;
	/** Null if the object did not exist. */
	readonly body: JsonObject | null;
};

const pastKind = 'past';

/**
 * Kinds of objects that decide about the requests of a zone. Their former states are kept as long as events.
 */
export const enforcementKinds = [
	'ruleset',
	'filter',
	'firewall-rule',
	'previous-waf',
	'waf-migration',
	'waf-override',
	'page-rule',
] as const;

const recordedKinds: ReadonlySet<string> = new Set(enforcementKinds);

const retentionMs = 32 * 86_400_000;

/** Formats a time in milliseconds so that texts sort like times. */
const formatPastId = (time: number): string => String(Math.max(0, Math.floor(time))).padStart(15, '0');

/** A world, or a world being created. */
export type ResourceOwner = {readonly resources: Resources};

/** JSON objects with an id and a parent: zones, filters, rules, rulesets. */
export class Resources {
	readonly #database: WorldDatabase;
	readonly #fill: FillSample | undefined;
	readonly #now: (() => number) | undefined;

	/**
	 * `fill` writes the sample of a zone when it is first accessed. Without `now` (milliseconds), former
	 * states are not recorded, so objects seem never to have changed.
	 */
	constructor(database: WorldDatabase, fill?: FillSample, now?: () => number) {
		this.#database = database;
		this.#fill = fill;
		this.#now = now;
	}

	/** Marks zones as having a sample to write; `now` is when the world was created, in milliseconds. */
	markSampleZones(zoneIds: readonly string[], now: number): void {
		const body = JSON.stringify({now});
		for (const zoneId of zoneIds) this.#insert(sampleKind, zoneId, sampleKind, body);
	}

	/** Returns the objects of a kind with this parent. */
	getCollection<Item extends JsonObject>(kind: string, parent: string): Collection<Item> {
		return new Collection(this, kind, parent);
	}

	/** Lists the objects of a kind with this parent, in order of creation. */
	list(kind: string, parent: string): JsonObject[] {
		this.#writePendingSample(parent);
		const rows = this.#database
			.prepare('SELECT body FROM resources WHERE kind = ? AND parent = ? ORDER BY number')
			.all(kind, parent);
		return rows.map(row => JSON.parse(String(row.body)) as JsonObject);
	}

	/** Lists the objects of a kind with any parent. Leaves samples that are not written yet out. */
	listEverywhere(kind: string): JsonObject[] {
		const rows = this.#database.prepare('SELECT body FROM resources WHERE kind = ?').all(kind);
		return rows.map(row => JSON.parse(String(row.body)) as JsonObject);
	}

	get(kind: string, parent: string, id: string): JsonObject | undefined {
		this.#writePendingSample(parent);
		return this.#read(kind, parent, id);
	}

	/** Adds an object, or replaces it without changing its position in lists. */
	set(kind: string, parent: string, id: string, body: JsonObject): void {
		this.#writePendingSample(parent);
		this.#recordFormerObject(kind, parent, id);
		this.#insert(kind, parent, id, JSON.stringify(body));
	}

	/** Deletes an object if it exists. */
	delete(kind: string, parent: string, id: string): void {
		this.#writePendingSample(parent);
		this.#recordFormerObject(kind, parent, id);
		this.#remove(kind, parent, id);
	}

	/**
	 * Lists the former states of the objects of a zone that changed since `startTime` (milliseconds), newest
	 * first. They are stored for 32 days.
	 */
	listFormerObjects(zoneId: string, startTime: number): readonly FormerObject[] {
		this.#writePendingSample(zoneId);
		const rows = this.#database
			.prepare('SELECT body FROM resources WHERE kind = ? AND parent = ? AND id >= ? ORDER BY number DESC')
			.all(pastKind, zoneId, formatPastId(startTime));
		return rows.map(row => JSON.parse(String(row.body)) as FormerObject);
	}

	#recordFormerObject(kind: string, parent: string, id: string): void {
		if (!this.#now || !recordedKinds.has(kind)) return;
		const until = this.#now();
		const body = this.#read(kind, parent, id) ?? null;
		const formerObject: FormerObject = {kind, id, until, body};
		this.#database
			.prepare('DELETE FROM resources WHERE kind = ? AND parent = ? AND id < ?')
			.run(pastKind, parent, formatPastId(until - retentionMs));
		const formerId = `${formatPastId(until)} ${randomBytes(8).toString('hex')}`;
		this.#insert(pastKind, parent, formerId, JSON.stringify(formerObject));
	}

	/**
	 * Writes the sample of a zone if that is pending. `parent` is the id of the zone, or begins with it and a
	 * slash. Checks the mark each time, because another process may share the file, and fill or reset it.
	 */
	#writePendingSample(parent: string): void {
		const fill = this.#fill;
		const [zoneId = parent] = parent.split('/', 1);
		if (!fill || !this.#read(sampleKind, zoneId, sampleKind)) return;
		this.#database.runTransaction(() => {
			const sample = this.#read(sampleKind, zoneId, sampleKind);
			if (!sample) return;
			this.#remove(sampleKind, zoneId, sampleKind);
			fill(zoneId, Number(sample.now));
		});
	}

	#read(kind: string, parent: string, id: string): JsonObject | undefined {
		const row = this.#database
			.prepare('SELECT body FROM resources WHERE kind = ? AND parent = ? AND id = ?')
			.get(kind, parent, id);
		return row && (JSON.parse(String(row.body)) as JsonObject);
	}

	#insert(kind: string, parent: string, id: string, body: string): void {
		this.#database
			.prepare(
				`INSERT INTO resources (kind, parent, id, body) VALUES (?, ?, ?, ?)
				ON CONFLICT (kind, parent, id) DO UPDATE SET body = excluded.body`,
			)
			.run(kind, parent, id, body);
	}

	#remove(kind: string, parent: string, id: string): void {
		this.#database
			.prepare('DELETE FROM resources WHERE kind = ? AND parent = ? AND id = ?')
			.run(kind, parent, id);
	}
}

/** The objects of one kind and parent. */
export class Collection<Item extends JsonObject> {
	readonly #resources: Resources;
	readonly #kind: string;
	readonly #parent: string;

	constructor(resources: Resources, kind: string, parent: string) {
		this.#resources = resources;
		this.#kind = kind;
		this.#parent = parent;
	}

	/** Lists the objects in order of creation. */
	list(): readonly Item[] {
		return this.#resources.list(this.#kind, this.#parent) as Item[];
	}

	get(id: string): Item | undefined {
		return this.#resources.get(this.#kind, this.#parent, id) as Item | undefined;
	}

	/** Adds an object with a new id. */
	add(item: JsonObject): Item {
		return this.put({id: randomBytes(16).toString('hex'), ...item} as unknown as Item);
	}

	/** Stores an object, replacing the one with its id. */
	put(item: Item): Item {
		this.#resources.set(this.#kind, this.#parent, String(item.id), item);
		return item;
	}

	delete(id: string): void {
		this.#resources.delete(this.#kind, this.#parent, id);
	}
}
