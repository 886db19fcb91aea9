import fc from 'fast-check';

/** A generated configuration file, and the facts about it that tests check. */
export type GeneratedDocument = {
	readonly format: 'json' | 'jsonc' | 'toml';
	readonly text: string;
	/** In the order of the text. */
	readonly comments: readonly string[];
	readonly environments: readonly string[];
	/** Bindings and lines of each list, by environment (`''`: the top level), in the order of the text. */
	readonly entries: ReadonlyMap<string, readonly {readonly binding: string; readonly line: number}[]>;
};

export type Entry = {readonly binding: string; readonly id?: string; readonly preview_id?: string};

const bindings = ['CACHE', 'SESSIONS', 'x"y', "it's", 'é[', '# none', ']] # x', 'a\\b', '{', '/* */', '// x'];

const entry: fc.Arbitrary<Entry> = fc.record(
	{
		binding: fc.constantFrom(...bindings),
		id: fc.constantFrom('1', 'kv_namespaces', '[[', '\\"'),
		preview_id: fc.constantFrom('p', ']', '},'),
	},
	{requiredKeys: ['binding']},
);

/** Lists of entries, each entry with its own binding. */
export const entryLists = fc.uniqueArray(entry, {selector: ({binding}) => binding, maxLength: 4});

/** A new or known binding, with one of the ids or both. */
export const newEntry = fc
	.record(
		{
			binding: fc.oneof(fc.constantFrom(...bindings), fc.string({unit: 'grapheme', minLength: 1})),
			id: fc.oneof(fc.constant('new'), fc.string({minLength: 1})),
			previewId: fc.constant('new-preview'),
		},
		{requiredKeys: ['binding']},
	)
	.filter(({id, previewId}) => id !== undefined || previewId !== undefined);
