import fc from 'fast-check';
import {type Entry, entryLists, type GeneratedDocument} from './documents.ts';

/** Builds a text line by line, and knows the number of the next line. */
function createTextBuilder(end: string) {
	const lines: string[] = [];
	const comments: string[] = [];
	return {
		comments,
		addLines: (text: string) => {
			lines.push(...text.split('\n'));
		},
		addComment: (text: string) => {
			if (text === '') return;
			comments.push(text.trim());
			lines.push(text);
		},
		getNextLine: () => lines.length + 1,
		getText: () => lines.join(end),
	};
}

const tomlComment = fc.constantFrom(
	'',
	'',
	'# plain',
	'# [[kv_namespaces]]',
	'  # binding = "CACHE" ]',
	'# """',
	"# it's",
);

const tomlNoise = fc.constantFrom(
	'"plain"',
	'"a # b \\" [[kv_namespaces]]"',
	"'C:\\'",
	'"""\n[[kv_namespaces]]\nbinding = "CACHE"\n"""',
	'"""a \\""" b"""',
	"'''\n[env.staging]\n''two'''''",
	'[\n  1, # ]\n  [ "]", \'[\' ],\n]',
	'{ a = { b = "}" }, "c.d" = [ ] }',
	'1979-05-27 07:32:00',
	'-1.5e3',
	'99999999999999999999',
);

const section = fc.record({
	comments: fc.tuple(tomlComment, tomlComment),
	blank: fc.boolean(),
	noise: tomlNoise,
});
const form = fc.constantFrom('tables', 'one line', 'lines', 'lines, open');

const quoted = (text: string): string => JSON.stringify(text);
const toAssignments = (entry: Entry): string[] =>
	Object.entries(entry).map(([name, value]) => `${name} = ${quoted(value)}`);

export const tomlDocument: fc.Arbitrary<GeneratedDocument> = fc
	.record({
		end: fc.constantFrom('\n', '\r\n'),
		mark: fc.constantFrom('', '\ufeff'),
		lastLine: fc.boolean(),
		root: section,
		top: fc.record({entries: entryLists, form}),
		environments: fc.uniqueArray(
			fc.record({
				name: fc.constantFrom('staging', 'a b', 'prod.eu', '__proto__'),
				entries: entryLists,
				form,
				noise: tomlNoise,
			}),
			{selector: ({name}) => name, maxLength: 2},
		),
		sections: fc.array(section, {minLength: 1, maxLength: 4}),
		order: fc.infiniteStream(fc.nat()),
	})
	.map(choices => {
		const builder = createTextBuilder(choices.end);
		const entriesByEnvironment = new Map<string, {binding: string; line: number}[]>();
		const writeInlineList = (list: readonly Entry[], listForm: string, environment: string) => {
			const lines = entriesByEnvironment.get(environment) ?? [];
			entriesByEnvironment.set(environment, lines);
			if (listForm === 'one line') {
				for (const {binding} of list) lines.push({binding, line: builder.getNextLine()});
				builder.addLines(
					`kv_namespaces = [${list.map(one => `{${toAssignments(one).join(', ')}}`).join(', ')}]`,
				);
				return;
			}
			builder.addLines('kv_namespaces = [ # the list');
			builder.comments.push('# the list');
			for (const [index, one] of list.entries()) {
				lines.push({binding: one.binding, line: builder.getNextLine()});
				const comma = index < list.length - 1 || listForm === 'lines, open' ? ',' : '';
				builder.addLines(`\t{ ${toAssignments(one).join(', ')} }${comma} # ${index} ]`);
				builder.comments.push(`# ${index} ]`);
			}
			builder.addLines(']');
		};
		const writeTable = (one: Entry, environment: string) => {
			const lines = entriesByEnvironment.get(environment) ?? [];
			entriesByEnvironment.set(environment, lines);
			lines.push({binding: one.binding, line: builder.getNextLine()});
			builder.addLines(
				environment === '' ? '[[kv_namespaces]]' : `[[ env . ${quoted(environment)}.kv_namespaces ]]`,
			);
			builder.addLines(`  binding = ${quoted(one.binding)} # the binding`);
			builder.comments.push('# the binding');
			for (const pair of toAssignments(one).slice(1)) builder.addLines(pair);
		};
		builder.addComment(choices.root.comments[0]);
		builder.addLines('name = "api"');
		builder.addLines(`noise = ${choices.root.noise}`);
		if (choices.top.form !== 'tables') writeInlineList(choices.top.entries, choices.top.form, '');
		builder.addComment(choices.root.comments[1]);
		const blocks: (() => void)[] = choices.sections.map(({noise}, index) => () => {
			builder.addLines(`[section${index}]`);
			builder.addLines(`value = ${noise}`);
		});
		if (choices.top.form === 'tables')
			for (const one of choices.top.entries) blocks.push(() => writeTable(one, ''));
		for (const {name, entries: list, form: listForm, noise} of choices.environments) {
			blocks.push(() => {
				builder.addLines(`[env.${quoted(name)}]`);
				builder.addLines(`noise = ${noise}`);
				if (listForm !== 'tables') writeInlineList(list, listForm, name);
			});
			if (listForm === 'tables') for (const one of list) blocks.push(() => writeTable(one, name));
		}
		const shuffled = blocks
			.map(block => ({block, at: choices.order.next().value}))
			.sort((one, other) => one.at - other.at);
		for (const [index, {block}] of shuffled.entries()) {
			const surroundings = choices.sections[index % choices.sections.length];
			if (surroundings?.blank) builder.addLines('');
			builder.addComment(surroundings?.comments[0] ?? '');
			block();
			builder.addComment(surroundings?.comments[1] ?? '');
		}
		if (choices.lastLine) builder.addLines('');
		const environments = choices.environments.map(({name}) => name);
		return {
			format: 'toml',
			text: choices.mark + builder.getText(),
			comments: builder.comments,
			environments,
			entries: entriesByEnvironment,
		};
	});
