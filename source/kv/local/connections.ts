import {hasSchema, type OpenDatabase, openForReading, openForWriting} from './database.ts';
import {EntryReader, EntryWriter} from './entries.ts';

type Connection<Statements> = {readonly database: OpenDatabase; readonly statements: Statements};

/**
 * The connections of a store to its database, one for reading and one for writing, each opened on demand.
 * Reopens a database that was deleted and recreated under the same name, as dev servers often do.
 */
export class Connections {
	readonly #file: string;
	#readConnection: Connection<EntryReader> | undefined;
	#writeConnection: Connection<EntryWriter> | undefined;

	constructor(file: string) {
		this.#file = file;
	}

	/** Returns the reader; undefined while the database does not exist or is empty. */
	getReader(): EntryReader | undefined {
		if (this.#readConnection && !this.#readConnection.database.isCurrent())
			this.#readConnection = closeConnection(this.#readConnection);
		this.#readConnection ??= this.#openReading();
		return this.#readConnection?.statements;
	}

	/** Returns the writer, creating the database if necessary. */
	getWriter(): EntryWriter {
		if (this.#writeConnection && !this.#writeConnection.database.isCurrent())
			this.#writeConnection = closeConnection(this.#writeConnection);
		this.#writeConnection ??= this.#openWriting();
		return this.#writeConnection.statements;
	}

	close(): void {
		this.#readConnection = closeConnection(this.#readConnection);
		this.#writeConnection = closeConnection(this.#writeConnection);
	}

	#openReading(): Connection<EntryReader> | undefined {
		const database = openForReading(this.#file);
		if (!database) return undefined;
		const statements = prepareOrClose(database, () =>
			hasSchema(database.sql) ? new EntryReader(database.sql, this.#file) : undefined,
		);
		if (statements) return {database, statements};
		database.close();
		return undefined;
	}

	#openWriting(): Connection<EntryWriter> {
		const database = openForWriting(this.#file);
		return {database, statements: prepareOrClose(database, () => new EntryWriter(database.sql))};
	}
}

/** Prepares statements; closes the database if that fails. */
function prepareOrClose<Statements>(database: OpenDatabase, prepare: () => Statements): Statements {
	try {
		return prepare();
	} catch (error) {
		database.close();
		throw error;
	}
}

function closeConnection(connection: Connection<unknown> | undefined): undefined {
	connection?.database.close();
	return undefined;
}
