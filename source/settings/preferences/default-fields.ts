import {boolean, type GenericSchema, integer, maxValue, minValue, number, picklist, pipe} from 'valibot';

const pageSizeRule = 'a whole number from 10 to 1000';

/** A field of `[defaults]`. The message of its schema says what it must be. */
type DefaultField = {
	readonly schema: GenericSchema<unknown>;
	/** What counts without it. */
	readonly value: string | number | boolean;
	/** What it sets, for the page on the configuration and for new files. */
	readonly meaning: string;
};

export const defaultFields = {
	target: {
		schema: picklist(['local', 'remote'], '"local" or "remote"'),
		value: 'remote',
		meaning: 'where commands on keys act: `"remote"` or `"local"`; `LEDGE_TARGET` and a context come first',
	},
	format: {
		schema: picklist(['json', 'ndjson', 'table'], '"json", "ndjson" or "table"'),
		value: 'json',
		meaning:
			'how `kv key list` and `kv namespace list` print on a terminal: `"json"`, `"ndjson"` or `"table"`; pipes and files always get JSON, because scripts depend on it',
	},
	preview: {
		schema: boolean('true or false'),
		value: true,
		meaning: 'whether wide terminals show the value of the key under the cursor beside the list',
	},
	page_size: {
		schema: pipe(
			number(pageSizeRule),
			integer(pageSizeRule),
			minValue(10, pageSizeRule),
			maxValue(1000, pageSizeRule),
		),
		value: 1000,
		meaning: 'how many keys the list of keys on screen lists in one call, 10 to 1000',
	},
	history: {
		schema: boolean('true or false'),
		value: true,
		meaning:
			'whether a value that you overwrite on screen, or by a command on a terminal, is kept in the trash as the history of its key; `--trash` and `--no-trash` come first; deleted keys, and values that others wrote meanwhile, are always kept',
	},
	mouse: {
		schema: boolean('true or false'),
		value: true,
		meaning: 'whether the mouse works in the screens; `LEDGE_MOUSE` comes first',
	},
	title: {
		schema: boolean('true or false'),
		value: false,
		meaning:
			'whether the screens set the title of the terminal window, such as `ledge › CONFIG › motd`; in the end the earlier title returns, if the terminal supports that',
	},
} satisfies Readonly<Record<string, DefaultField>>;
