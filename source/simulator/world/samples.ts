import type {WorldDatabase} from './database.ts';
import type {EntryStore} from './entries.ts';
import {
	buildAssets,
	buildConfiguration,
	buildOddNames,
	buildSessions,
	buildSessionsPreview,
	type SampleEntry,
} from './sample-entries.ts';

/** The namespaces of a new world; their ids are stable, so that examples can name them. */
export const sampleNamespaces = [
	{id: 'f406ca271a253d6e7fe341d7a1faa59c', title: 'CONFIG'},
	{id: '7ce064d8b26f93391d8a14e4c40b28bb', title: 'SESSIONS'},
	{id: '189eaeef3aff01164fbb7d1fb598341f', title: 'SESSIONS_preview'},
	{id: '78d5e02e7ed219d729def7bc334f6ee2', title: 'assets'},
	{id: 'fd9e7ab1d6c2cae84b7cff436b83ca69', title: 'catalogue'},
	{id: 'e5ffc653f39f4aeab3b9f8e46cd0e1f8', title: 'odd names'},
] as const;

type SampleTitle = (typeof sampleNamespaces)[number]['title'];

const sampleBuilders: Readonly<Record<Exclude<SampleTitle, 'catalogue'>, () => readonly SampleEntry[]>> = {
	CONFIG: buildConfiguration,
	SESSIONS: buildSessions,
	SESSIONS_preview: buildSessionsPreview,
	assets: buildAssets,
	'odd names': buildOddNames,
};

type SampleTarget = {
	readonly namespaceNumber: number;
	readonly database: WorldDatabase;
	readonly entries: EntryStore;
	/** The start of all lifetimes, in milliseconds since the epoch. */
	readonly now: number;
};

/** Writes the entries of the sample `title` into a namespace. */
export function fillSample(title: string, {namespaceNumber, database, entries, now}: SampleTarget): void {
	if (title === 'catalogue') {
		fillCatalogue(database, namespaceNumber);
		return;
	}
	const seconds = Math.floor(now / 1000);
	for (const {key, value, metadata, lives} of sampleBuilders[title as keyof typeof sampleBuilders]()) {
		entries.put(namespaceNumber, key, {
			value: typeof value === 'string' ? new TextEncoder().encode(value) : value,
			metadata: metadata === undefined ? null : JSON.stringify(metadata),
			expiration: lives === undefined ? null : seconds + lives,
		});
	}
}

/**
 * Writes 100,000 articles in ten departments; runs inside SQLite, because a loop in JavaScript takes twice as
 * long.
 */
function fillCatalogue(database: WorldDatabase, namespaceNumber: number): void {
	database
		.prepare(
			`WITH RECURSIVE
			departments (number, name) AS (VALUES (0, 'audio'), (1, 'books'), (2, 'camping'), (3, 'garden'),
				(4, 'home'), (5, 'kitchen'), (6, 'music'), (7, 'office'), (8, 'sports'), (9, 'toys')),
			articles (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM articles WHERE number < 9999)
			INSERT INTO entries (namespace, key, value)
			SELECT ?, CAST(printf('%s/article:%05d', name, articles.number) AS BLOB), CAST(printf(
				'{"article":"%s-%05d","price":%d.%02d,"stock":%d}', name, articles.number,
				3 + articles.number * 7 % 240, articles.number * 13 % 100, articles.number * 31 % 500) AS BLOB)
			FROM departments CROSS JOIN articles`,
		)
		.run(namespaceNumber);
}
