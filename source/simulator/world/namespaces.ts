import {randomBytes} from 'node:crypto';
import type {WorldDatabase} from './database.ts';
import type {Entries} from './entries.ts';

/** A namespace of the world. `number` is what its entries are stored under. */
export type Namespace = {
	readonly number: number;
	readonly id: string;
	readonly title: string;
	readonly jurisdiction: string | null;
};

type NamespaceOrder = {readonly by: 'id' | 'title'; readonly direction: 'asc' | 'desc'};

const columns = 'number, id, title, jurisdiction';

/** The namespaces of the only account. */
export class Namespaces {
	readonly #database: WorldDatabase;
	readonly #entries: Entries;
	readonly #fill: (sample: string, namespace: number) => void;

	/** `fill` writes the entries of a sample; it is called when a sample is first looked into. */
	constructor(database: WorldDatabase, entries: Entries, fill: (sample: string, namespace: number) => void) {
		this.#database = database;
		this.#entries = entries;
		this.#fill = fill;
	}

	count(): number {
		return Number(this.#database.prepare('SELECT count(*) AS count FROM namespaces').get()?.count);
	}

	list({by, direction}: NamespaceOrder, limit: number, offset: number): Namespace[] {
		const rows = this.#database
			.prepare(`SELECT ${columns} FROM namespaces ORDER BY ${by} ${direction} LIMIT ? OFFSET ?`)
			.all(limit, offset);
		return rows as Namespace[];
	}

	get(id: string): Namespace | undefined {
		return this.#database.prepare(`SELECT ${columns} FROM namespaces WHERE id = ?`).get(id) as
			| Namespace
			| undefined;
	}

	/** The namespace with its entries there: those of a sample are written when it is first opened. */
	open(id: string): Namespace | undefined {
		const find = this.#database.prepare('SELECT number, sample FROM namespaces WHERE id = ?');
		if (find.get(id)?.sample) {
			this.#database.transaction(() => {
				const row = find.get(id);
				if (!row?.sample) return;
				this.#fill(String(row.sample), Number(row.number));
				this.#database.prepare('UPDATE namespaces SET sample = NULL WHERE id = ?').run(id);
			});
		}
		return this.get(id);
	}

	titled(title: string): Namespace | undefined {
		return this.#database.prepare(`SELECT ${columns} FROM namespaces WHERE title = ?`).get(title) as
			| Namespace
			| undefined;
	}

	/** Adds one with an id of 32 hex digits, at random unless given. */
	create(namespace: {title: string; jurisdiction?: string; id?: string; sample?: string}): Namespace {
		const {title, jurisdiction = null, id = randomBytes(16).toString('hex'), sample = null} = namespace;
		const {lastInsertRowid} = this.#database
			.prepare('INSERT INTO namespaces (id, title, jurisdiction, sample) VALUES (?, ?, ?, ?)')
			.run(id, title, jurisdiction, sample);
		return {number: Number(lastInsertRowid), id, title, jurisdiction};
	}

	rename(id: string, title: string): void {
		this.#database.prepare('UPDATE namespaces SET title = ? WHERE id = ?').run(title, id);
	}

	/** Removes it with all its keys. */
	remove({id, number}: Namespace): void {
		this.#entries.deleteAll(number);
		this.#database.prepare('DELETE FROM namespaces WHERE id = ?').run(id);
	}
}
