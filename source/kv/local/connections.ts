import {hasSchema, type OpenDatabase, openForReading, openForWriting} from './database.ts';
import {EntryReader, EntryWriter} from './entries.ts';

type Connection<Statements> = {readonly database: OpenDatabase; readonly statements: Statements};

/**
 * The connections of one store to its database: one for reading, one for writing, each opened when it is first
 * needed. What is deleted and made again under the same name (a dev server's state often is) is opened again:
 * the file held open would be nobody's any longer.
 */
export class Connections {
	readonly #file: string;
	#reading: Connection<EntryReader> | undefined;
	#writing: Connection<EntryWriter> | undefined;

	constructor(file: string) {
		this.#file = file;
	}

	/** `undefined` as long as there is no database, or nothing in it. */
	reader(): EntryReader | undefined {
		if (this.#reading && !this.#reading.database.isCurrent()) this.#reading = closed(this.#reading);
		this.#reading ??= this.#openReading();
		return this.#reading?.statements;
	}

	/** Makes the database if need be. */
	writer(): EntryWriter {
		if (this.#writing && !this.#writing.database.isCurrent()) this.#writing = closed(this.#writing);
		this.#writing ??= this.#openWriting();
		return this.#writing.statements;
	}

	close(): void {
		this.#reading = closed(this.#reading);
		this.#writing = closed(this.#writing);
	}

	#openReading(): Connection<EntryReader> | undefined {
		const database = openForReading(this.#file);
		if (!database) return undefined;
		const statements = preparing(database, () =>
			hasSchema(database.sql) ? new EntryReader(database.sql, this.#file) : undefined,
		);
		if (statements) return {database, statements};
		database.close();
		return undefined;
	}

	#openWriting(): Connection<EntryWriter> {
		const database = openForWriting(this.#file);
		return {database, statements: preparing(database, () => new EntryWriter(database.sql))};
	}
}

/** What is prepared on a database, which does not stay open when that fails. */
function preparing<Statements>(database: OpenDatabase, prepare: () => Statements): Statements {
	try {
		return prepare();
	} catch (error) {
		database.close();
		throw error;
	}
}

function closed(connection: Connection<unknown> | undefined): undefined {
	connection?.database.close();
	return undefined;
}
