import {randomBytes} from 'node:crypto';
import type {WorldDatabase} from './database.ts';
import {type Entries, generatedCount, generatedSample} from './entries.ts';

/** A namespace; `number` identifies it in the table of entries. */
export type Namespace = {
	readonly number: number;
	readonly id: string;
	readonly title: string;
	readonly jurisdiction: string | null;
};

type NamespaceOrder = {readonly by: 'id' | 'title'; readonly direction: 'asc' | 'desc'};

/** The namespace of generated keys; its id is stable. */
const generatedNamespace = {id: '5b0e4a7d91c84f2e8a36d0c7f1e295b4', title: 'generated'};

const columns = 'number, id, title, jurisdiction';

/** The namespaces of an account. */
export class Namespaces {
	readonly #database: WorldDatabase;
	readonly #entries: Entries;
	readonly #fill: (sample: string, namespace: number) => void;

	/** `fill` writes the entries of a sample, when the namespace is first opened. */
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

	/** Returns a namespace with its entries; writes those of a sample first. */
	open(id: string): Namespace | undefined {
		const find = this.#database.prepare('SELECT number, sample FROM namespaces WHERE id = ?');
		const toFill = (row: ReturnType<typeof find.get>) =>
			row?.sample && generatedCount(row.sample) === undefined;
		if (toFill(find.get(id))) {
			this.#database.transaction(() => {
				const row = find.get(id);
				if (!row || !toFill(row)) return;
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

	/** Creates a namespace; its default id is 32 random hex digits. */
	create(namespace: {title: string; jurisdiction?: string; id?: string; sample?: string}): Namespace {
		const {title, jurisdiction = null, id = randomBytes(16).toString('hex'), sample = null} = namespace;
		const {lastInsertRowid} = this.#database
			.prepare('INSERT INTO namespaces (id, title, jurisdiction, sample) VALUES (?, ?, ?, ?)')
			.run(id, title, jurisdiction, sample);
		return {number: Number(lastInsertRowid), id, title, jurisdiction};
	}

	/**
	 * Sets the number of keys in the namespace `generated`, none of them stored; creates it if missing. A
	 * different number discards the changes made to it.
	 */
	generate(count: number): void {
		const sample = generatedSample(count);
		const row = this.#database
			.prepare('SELECT number, sample FROM namespaces WHERE id = ?')
			.get(generatedNamespace.id);
		if (row === undefined) {
			let {title} = generatedNamespace;
			for (let another = 2; this.titled(title); another++) title = `${generatedNamespace.title} ${another}`;
			this.create({...generatedNamespace, title, sample});
		} else if (row.sample !== sample) {
			this.#entries.deleteAll(Number(row.number));
			this.#database
				.prepare('UPDATE namespaces SET sample = ? WHERE id = ?')
				.run(sample, generatedNamespace.id);
		}
	}

	rename(id: string, title: string): void {
		this.#database.prepare('UPDATE namespaces SET title = ? WHERE id = ?').run(title, id);
	}

	/** Deletes a namespace with all its keys. */
	remove({id, number}: Namespace): void {
		this.#entries.deleteAll(number);
		this.#database.prepare('DELETE FROM namespaces WHERE id = ?').run(id);
	}
}
