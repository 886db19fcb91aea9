import {randomBytes} from 'node:crypto';
import type {JsonObject} from '../../text/json.ts';
import type {WorldDatabase} from './database.ts';

/** Writes the sample of a zone into a world that was made at `now`, in milliseconds. */
type FillSample = (zone: string, now: number) => void;

/** Marks a zone whose sample is not written yet. */
const sampleKind = 'sample';

/** Everything that is a JSON object with an id and belongs to something: zones, filters, rules, rulesets. */
export class Resources {
	readonly #database: WorldDatabase;
	readonly #fill: FillSample | undefined;

	/** `fill` writes the sample of a zone; it is called when something of the zone is first looked at. */
	constructor(database: WorldDatabase, fill?: FillSample) {
		this.#database = database;
		this.#fill = fill;
	}

	/** Marks zones as having a sample that is not written yet. `now`: milliseconds, when the world was made. */
	addSamples(zones: readonly string[], now: number): void {
		const body = JSON.stringify({now});
		for (const zone of zones) this.#insert(sampleKind, zone, sampleKind, body);
	}

	/** What of a kind belongs to `parent`. */
	of<Item extends JsonObject>(kind: string, parent: string): Collection<Item> {
		return new Collection(this, kind, parent);
	}

	/** All of a kind that belong to `parent`, in the order of their making. */
	list(kind: string, parent: string): JsonObject[] {
		this.#open(parent);
		const rows = this.#database
			.prepare('SELECT body FROM resources WHERE kind = ? AND parent = ? ORDER BY number')
			.all(kind, parent);
		return rows.map(row => JSON.parse(String(row.body)) as JsonObject);
	}

	get(kind: string, parent: string, id: string): JsonObject | undefined {
		this.#open(parent);
		return this.#read(kind, parent, id);
	}

	/** Adds one, or changes it where it stands. */
	set(kind: string, parent: string, id: string, body: JsonObject): void {
		this.#open(parent);
		this.#insert(kind, parent, id, JSON.stringify(body));
	}

	/** Done also when there is none. */
	delete(kind: string, parent: string, id: string): void {
		this.#open(parent);
		this.#remove(kind, parent, id);
	}

	/** Another process may share the file and fill it, or make it new: the marker is looked at each time. */
	#open(parent: string): void {
		const fill = this.#fill;
		const [zone = parent] = parent.split('/', 1);
		if (!fill || !this.#read(sampleKind, zone, sampleKind)) return;
		this.#database.transaction(() => {
			const sample = this.#read(sampleKind, zone, sampleKind);
			if (!sample) return;
			this.#remove(sampleKind, zone, sampleKind);
			fill(zone, Number(sample.now));
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

/** What of one kind belongs to one parent. */
export class Collection<Item extends JsonObject> {
	readonly #resources: Resources;
	readonly #kind: string;
	readonly #parent: string;

	constructor(resources: Resources, kind: string, parent: string) {
		this.#resources = resources;
		this.#kind = kind;
		this.#parent = parent;
	}

	/** In the order of their making. */
	all(): readonly Item[] {
		return this.#resources.list(this.#kind, this.#parent) as Item[];
	}

	get(id: string): Item | undefined {
		return this.#resources.get(this.#kind, this.#parent, id) as Item | undefined;
	}

	/** Adds one with a new id. */
	add(item: JsonObject): Item {
		return this.put({id: randomBytes(16).toString('hex'), ...item} as unknown as Item);
	}

	/** Puts one in the place of what has its id. */
	put(item: Item): Item {
		this.#resources.set(this.#kind, this.#parent, String(item.id), item);
		return item;
	}

	delete(id: string): void {
		this.#resources.delete(this.#kind, this.#parent, id);
	}
}
