import {defaultFields} from './default-fields.ts';

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

/** A file in which everything is commented out. */
export const preferencesTemplate = `${introduction}\n\n${defaults}\n`;
