import {randomBytes} from 'node:crypto';
import type {WorldDatabase} from './database.ts';
import {type EntryStore, formatGeneratedSample, parseGeneratedCount} from './entries.ts';

/** A namespace; `number` identifies it in the table of entries. */
export type StoredNamespace = {
	readonly number: number;
	readonly id: string;
	readonly title: string;
	readonly jurisdiction: string | null;
};

type NamespaceOrder = {readonly field: 'id' | 'title'; readonly direction: 'asc' | 'desc'};

/** The namespace of generated keys; its id is stable. */
const generatedNamespace = {id: '5b0e4a7d91c84f2e8a36d0c7f1e295b4', title: 'generated'};

const columnNames = 'number, id, title, jurisdiction';

/** The namespaces of an account. */
export class NamespaceStore {
	readonly #database: WorldDatabase;
	readonly #entries: EntryStore;
	readonly #fill: (sample: string, namespaceNumber: number) => void;

	/** `fill` writes the entries of the sample with this title, when the namespace is first opened. */
	constructor(
		database: WorldDatabase,
		entries: EntryStore,
		fill: (sample: string, namespaceNumber: number) => void,
	) {
		this.#database = database;
		this.#entries = entries;
		this.#fill = fill;
	}

	count(): number {
		return Number(this.#database.prepare('SELECT count(*) AS count FROM namespaces').get()?.count);
	}

	list({field, direction}: NamespaceOrder, limit: number, offset: number): StoredNamespace[] {
		const rows = this.#database
			.prepare(`SELECT ${columnNames} FROM namespaces ORDER BY ${field} ${direction} LIMIT ? OFFSET ?`)
			.all(limit, offset);
		return rows as StoredNamespace[];
	}

	get(id: string): StoredNamespace | undefined {
		return this.#database.prepare(`SELECT ${columnNames} FROM namespaces WHERE id = ?`).get(id) as
			| StoredNamespace
			| undefined;
	}

	/** Returns a namespace with its entries; writes those of a sample first. */
	open(id: string): StoredNamespace | undefined {
		const findStatement = this.#database.prepare('SELECT number, sample FROM namespaces WHERE id = ?');
		const hasPendingSample = (row: ReturnType<typeof findStatement.get>) =>
			row?.sample && parseGeneratedCount(row.sample) === undefined;
		if (hasPendingSample(findStatement.get(id))) {
			this.#database.runTransaction(() => {
				const row = findStatement.get(id);
				if (!row || !hasPendingSample(row)) return;
				this.#fill(String(row.sample), Number(row.number));
				this.#database.prepare('UPDATE namespaces SET sample = NULL WHERE id = ?').run(id);
			});
		}
		return this.get(id);
	}

	findByTitle(title: string): StoredNamespace | undefined {
		return this.#database.prepare(`SELECT ${columnNames} FROM namespaces WHERE title = ?`).get(title) as
			| StoredNamespace
			| undefined;
	}

	/** Creates a namespace; its default id is 32 random hex digits. */
	create(namespace: {title: string; jurisdiction?: string; id?: string; sample?: string}): StoredNamespace {
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
	setGeneratedKeyCount(count: number): void {
		const sample = formatGeneratedSample(count);
		const row = this.#database
			.prepare('SELECT number, sample FROM namespaces WHERE id = ?')
			.get(generatedNamespace.id);
		if (row === undefined) {
			let {title} = generatedNamespace;
			for (let suffix = 2; this.findByTitle(title); suffix++) title = `${generatedNamespace.title} ${suffix}`;
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
	remove({id, number}: StoredNamespace): void {
		this.#entries.deleteAll(number);
		this.#database.prepare('DELETE FROM namespaces WHERE id = ?').run(id);
	}
}
