import {defaultFields} from './default-fields.ts';
import type {KeyTable} from './key-table.ts';
import {themeChoices, themeRoles} from './preferences.ts';

const introduction = `# Your settings of ledge. \`ledge config\` shows what is in effect and what is wrong here.
# Everything is commented out and shows the default: remove "# " at the start of a line to change it.
# Open screens follow as soon as the file is saved.`;

const defaults = [
	'[defaults]',
	...Object.entries(defaultFields).map(
		([name, {value, meaning}]) =>
			`# ${meaning.replace(/^./, letter => letter.toUpperCase())}.\n# ${name} = ${JSON.stringify(value)}`,
	),
].join('\n');

const theme = [
	'[theme]',
	`# ${themeChoices.map(name => JSON.stringify(name)).join(', ')}.`,
	'# name = "default"',
	'# Colours of your own on top: "red", "bright-red", a number from 0 to 255, or "#rrggbb".',
	...Object.entries(themeRoles).map(([role, {meaning, example}]) => `# ${role} = "${example}" # ${meaning}`),
].join('\n');

const keysIntroduction = `[keys]
# Each action by its id: one key, several in [ ], or "none". all.NAME replaces a key that means the same everywhere.
# Keys of another program, on which the lines below build: "vim", "k9s" or "lazygit".
# preset = "vim"`;

const commands = `# Commands of your own, which run programs without a shell. All settings and placeholders: docs/configuration.md.
# The output becomes the new value of the key, which you review before it is written:
# [[commands]]
# title = "Sort JSON fields"
# key = "J"
# screens = ["keys", "key"]
# command = ["jq", "-S", ".", "{value_file}"]
# output = "value"

# [[commands]]
# title = "Show the bytes of the value"
# key = "f5"
# command = ["xxd", "{value_file}"]
# output = "pager"
# read_only = true

# [[commands]]
# title = "Look up the zone in DNS"
# command = ["dig", "+short", "{prompt:Record type}", "{zone}"]
# confirm = true
# timeout = 10
# env = []`;

/** Builds a file in which everything is commented out. */
export async function buildPreferencesTemplate(keyTable: KeyTable): Promise<string> {
	const actions = await keyTable.listActions();
	const meanings = (await keyTable.listMeanings()).map(
		({name, keys, meaning}) => `# all.${name} = ${formatTomlKeys(keys)} # ${meaning}`,
	);
	const groups = [...Map.groupBy(actions, ({group}) => group)].map(([group, groupActions]) =>
		[
			`# ${group}`,
			...groupActions.map(({id, keys, title}) => `# ${id} = ${formatTomlKeys(keys)} # ${title}`),
		].join('\n'),
	);
	const keys = [keysIntroduction, ['# Everywhere the same', ...meanings].join('\n'), ...groups].join('\n\n');
	return `${[introduction, defaults, theme, keys, commands].join('\n\n')}\n`;
}

/** Formats keys as a value of the file. */
const formatTomlKeys = (keys: readonly string[]): string => {
	const [first = '"none"', ...others] = keys.map(key => JSON.stringify(key));
	return others.length === 0 ? first : `[${[first, ...others].join(', ')}]`;
};
