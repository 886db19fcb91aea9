import type {JsonObject} from '../../text/json.ts';
import type {WorldDatabase} from './database.ts';

/** Everything that is a JSON object with an id and belongs to something: zones, filters, rules, rulesets. */
export class Resources {
	readonly #database: WorldDatabase;

	constructor(database: WorldDatabase) {
		this.#database = database;
	}

	/** All of a kind that belong to `parent`, in the order of their making. */
	list(kind: string, parent: string): JsonObject[] {
		const rows = this.#database
			.prepare('SELECT body FROM resources WHERE kind = ? AND parent = ? ORDER BY number')
			.all(kind, parent);
		return rows.map(row => JSON.parse(String(row.body)) as JsonObject);
	}

	get(kind: string, parent: string, id: string): JsonObject | undefined {
		const row = this.#database
			.prepare('SELECT body FROM resources WHERE kind = ? AND parent = ? AND id = ?')
			.get(kind, parent, id);
		return row && (JSON.parse(String(row.body)) as JsonObject);
	}

	/** Adds one, or changes it where it stands. */
	set(kind: string, parent: string, id: string, body: JsonObject): void {
		this.#database
			.prepare(
				`INSERT INTO resources (kind, parent, id, body) VALUES (?, ?, ?, ?)
				ON CONFLICT (kind, parent, id) DO UPDATE SET body = excluded.body`,
			)
			.run(kind, parent, id, JSON.stringify(body));
	}

	/** Done also when there is none. */
	delete(kind: string, parent: string, id: string): void {
		this.#database
			.prepare('DELETE FROM resources WHERE kind = ? AND parent = ? AND id = ?')
			.run(kind, parent, id);
	}
}
