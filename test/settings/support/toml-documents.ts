import fc from 'fast-check';
import {type Entry, entries, type MadeDocument} from './documents.ts';

/** Text that is put together line by line, and knows which line it is on. */
function writer(end: string) {
	const lines: string[] = [];
	const comments: string[] = [];
	return {
		comments,
		add: (text: string) => {
			lines.push(...text.split('\n'));
		},
		comment: (text: string) => {
			if (text === '') return;
			comments.push(text.trim());
			lines.push(text);
		},
		next: () => lines.length + 1,
		text: () => lines.join(end),
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
const pairs = (of: Entry): string[] =>
	Object.entries(of).map(([name, value]) => `${name} = ${quoted(value)}`);

export const tomlDocument: fc.Arbitrary<MadeDocument> = fc
	.record({
		end: fc.constantFrom('\n', '\r\n'),
		mark: fc.constantFrom('', '\ufeff'),
		lastLine: fc.boolean(),
		root: section,
		top: fc.record({entries, form}),
		environments: fc.uniqueArray(
			fc.record({
				name: fc.constantFrom('staging', 'a b', 'prod.eu', '__proto__'),
				entries,
				form,
				noise: tomlNoise,
			}),
			{selector: ({name}) => name, maxLength: 2},
		),
		sections: fc.array(section, {minLength: 1, maxLength: 4}),
		order: fc.infiniteStream(fc.nat()),
	})
	.map(made => {
		const write = writer(made.end);
		const found = new Map<string, {binding: string; line: number}[]>();
		const inline = (list: readonly Entry[], how: string, environment: string) => {
			const lines = found.get(environment) ?? [];
			found.set(environment, lines);
			if (how === 'one line') {
				for (const {binding} of list) lines.push({binding, line: write.next()});
				write.add(`kv_namespaces = [${list.map(one => `{${pairs(one).join(', ')}}`).join(', ')}]`);
				return;
			}
			write.add('kv_namespaces = [ # the list');
			write.comments.push('# the list');
			for (const [index, one] of list.entries()) {
				lines.push({binding: one.binding, line: write.next()});
				const comma = index < list.length - 1 || how === 'lines, open' ? ',' : '';
				write.add(`\t{ ${pairs(one).join(', ')} }${comma} # ${index} ]`);
				write.comments.push(`# ${index} ]`);
			}
			write.add(']');
		};
		const table = (one: Entry, environment: string) => {
			const lines = found.get(environment) ?? [];
			found.set(environment, lines);
			lines.push({binding: one.binding, line: write.next()});
			write.add(
				environment === '' ? '[[kv_namespaces]]' : `[[ env . ${quoted(environment)}.kv_namespaces ]]`,
			);
			write.add(`  binding = ${quoted(one.binding)} # the binding`);
			write.comments.push('# the binding');
			for (const pair of pairs(one).slice(1)) write.add(pair);
		};
		write.comment(made.root.comments[0]);
		write.add('name = "api"');
		write.add(`noise = ${made.root.noise}`);
		if (made.top.form !== 'tables') inline(made.top.entries, made.top.form, '');
		write.comment(made.root.comments[1]);
		const blocks: (() => void)[] = made.sections.map(({noise}, index) => () => {
			write.add(`[section${index}]`);
			write.add(`value = ${noise}`);
		});
		if (made.top.form === 'tables') for (const one of made.top.entries) blocks.push(() => table(one, ''));
		for (const {name, entries: list, form: how, noise} of made.environments) {
			blocks.push(() => {
				write.add(`[env.${quoted(name)}]`);
				write.add(`noise = ${noise}`);
				if (how !== 'tables') inline(list, how, name);
			});
			if (how === 'tables') for (const one of list) blocks.push(() => table(one, name));
		}
		const shuffled = blocks
			.map(block => ({block, at: made.order.next().value}))
			.sort((one, other) => one.at - other.at);
		for (const [index, {block}] of shuffled.entries()) {
			const around = made.sections[index % made.sections.length];
			if (around?.blank) write.add('');
			write.comment(around?.comments[0] ?? '');
			block();
			write.comment(around?.comments[1] ?? '');
		}
		if (made.lastLine) write.add('');
		const environments = made.environments.map(({name}) => name);
		return {
			format: 'toml',
			text: made.mark + write.text(),
			comments: write.comments,
			environments,
			entries: found,
		};
	});
