import {chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {parse as parseJson} from 'jsonc-parser';
import {parse as parseToml} from 'smol-toml';
import {describe, expect, test} from 'vitest';
import {readConfiguration} from '../../source/settings/configuration.ts';
import {addNamespace, updateConfiguration} from '../../source/settings/configuration-edit.ts';
import type {NamespaceEntry} from '../../source/settings/namespace-entry.ts';
import {getRunCount} from '../support/full.ts';
import {newEntry} from './support/documents.ts';
import {failureOf, folderWith} from './support/files.ts';
import {jsonDocument} from './support/json-documents.ts';
import {tomlDocument} from './support/toml-documents.ts';

type Data = Record<string, unknown>;

const parseData = (text: string, format: string): Data => {
	const plain = text.replace(/^\ufeff/, '');
	return format === 'toml'
		? parseToml(plain, {integersAsBigInt: 'asNeeded'})
		: parseJson(plain, [], {allowTrailingComma: true});
};

/** The list of bindings of an environment, taken out of the data, so that the rest can be compared. */
function takeList(data: Data, environment: string | undefined): Data[] {
	const table = environment === undefined ? data : ((data.env as Data)?.[environment] as Data | undefined);
	const list = (table?.kv_namespaces ?? []) as Data[];
	if (table) delete table.kv_namespaces;
	return list;
}

const toProperties = ({binding, id, previewId}: NamespaceEntry): Data => ({
	binding,
	...(id !== undefined && {id}),
	...(previewId !== undefined && {preview_id: previewId}),
});

/** JSON text of any data, in which large whole numbers of TOML are marked as such. */
const toComparableText = (data: unknown): string =>
	JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? `bigint ${value}` : value));

describe.each([
	{format: 'TOML', documents: tomlDocument},
	{format: 'JSON', documents: jsonDocument},
])('addNamespace on any $format file', ({documents}) => {
	test('changes the one entry and nothing else, and keeps every comment', async () => {
		await fc.assert(
			fc.asyncProperty(documents, newEntry, fc.nat(), async (document, wantedEntry, choice) => {
				const environment = [undefined, ...document.environments][
					choice % (document.environments.length + 1)
				];
				// TOML cannot represent lone surrogates, and no real binding contains one.
				const entry = {...wantedEntry, binding: wantedEntry.binding.toWellFormed(), environment};
				const edited = await addNamespace(document.text, document.format, entry);

				const [before, after] = [
					parseData(document.text, document.format),
					parseData(edited, document.format),
				];
				const [entriesBefore, entriesAfter] = [takeList(before, environment), takeList(after, environment)];
				const index = entriesBefore.findIndex(({binding}) => binding === entry.binding);
				const expected =
					index === -1
						? [...entriesBefore, toProperties(entry)]
						: entriesBefore.with(index, {...entriesBefore[index], ...toProperties(entry)});
				expect(entriesAfter.map(one => ({...one}))).toEqual(expected.map(one => ({...one})));
				expect(toComparableText(after)).toBe(toComparableText(before));

				let searchIndex = 0;
				for (const comment of document.comments) {
					searchIndex = edited.indexOf(comment, searchIndex);
					expect(searchIndex, `the comment ${comment}`).not.toBe(-1);
					searchIndex += comment.length;
				}
				if (document.text.includes('\r\n')) expect(edited).not.toMatch(/[^\r]\n/);
				expect(edited.startsWith('\ufeff')).toBe(document.text.startsWith('\ufeff'));
			}),
			{numRuns: getRunCount(500)},
		);
	});

	test('does nothing the second time', async () => {
		await fc.assert(
			fc.asyncProperty(documents, newEntry, async (document, wantedEntry) => {
				const entry = {...wantedEntry, binding: wantedEntry.binding.toWellFormed()};
				const once = await addNamespace(document.text, document.format, entry);
				expect(await addNamespace(once, document.format, entry)).toBe(once);
			}),
		);
	});
});

describe('the position of a new entry', () => {
	const examples: {
		what: string;
		format: 'toml' | 'json' | 'jsonc';
		before: string;
		entry: NamespaceEntry;
		after: string;
	}[] = [
		{
			what: 'JSONC: on a line of its own, comments staying with their lines',
			format: 'jsonc',
			before:
				'{\n  // list\n  "kv_namespaces": [\n    {"binding": "A", "id": "1"} // a\n    // end\n  ]\n}\n',
			entry: {binding: 'B', id: '2'},
			after:
				'{\n  // list\n  "kv_namespaces": [\n    {"binding": "A", "id": "1"}, // a\n    { "binding": "B", "id": "2" }\n    // end\n  ]\n}\n',
		},
		{
			what: 'JSONC: tabs, CRLF and a comma at the end, like the one before',
			format: 'jsonc',
			before: '{\r\n\t"kv_namespaces": [\r\n\t\t{\r\n\t\t\t"binding": "A",\r\n\t\t},\r\n\t],\r\n}\r\n',
			entry: {binding: 'B', previewId: '2'},
			after:
				'{\r\n\t"kv_namespaces": [\r\n\t\t{\r\n\t\t\t"binding": "A",\r\n\t\t},\r\n\t\t{\r\n\t\t\t"binding": "B",\r\n\t\t\t"preview_id": "2"\r\n\t\t},\r\n\t],\r\n}\r\n',
		},
		{
			what: 'JSON: a list where there was none',
			format: 'json',
			before: '{\n    "name": "a"\n}',
			entry: {binding: 'B', id: '2'},
			after:
				'{\n    "name": "a",\n    "kv_namespaces": [\n        {\n            "binding": "B",\n            "id": "2"\n        }\n    ]\n}',
		},
		{
			what: 'JSON: an environment where there was none',
			format: 'json',
			before: '{}',
			entry: {binding: 'B', id: '2', environment: 's'},
			after:
				'{\n  "env": {\n    "s": {\n      "kv_namespaces": [\n        {\n          "binding": "B",\n          "id": "2"\n        }\n      ]\n    }\n  }\n}',
		},
		{
			what: 'JSON: merged into the same binding',
			format: 'json',
			before: '{"kv_namespaces": [{"binding": "A", "id": "1", "remote": true}, {"binding": "B"}]}',
			entry: {binding: 'A', id: '9', previewId: '2'},
			after:
				'{"kv_namespaces": [{"binding": "A", "id": "9", "remote": true, "preview_id": "2"}, {"binding": "B"}]}',
		},
		{
			what: 'TOML: a table after the last of its kind, comments staying where they belong',
			format: 'toml',
			before: '[[kv_namespaces]]\nbinding = "A"\nid = "1"\n# preview_id = "x"\n\n# staging\n[env.s]\n',
			entry: {binding: 'B', id: '2'},
			after:
				'[[kv_namespaces]]\nbinding = "A"\nid = "1"\n# preview_id = "x"\n\n[[kv_namespaces]]\nbinding = "B"\nid = "2"\n\n# staging\n[env.s]\n',
		},
		{
			what: 'TOML: the first table, before the environments',
			format: 'toml',
			before: 'name = "a"\n[env.s]\nname = "b"\n',
			entry: {binding: 'B', id: '2'},
			after: 'name = "a"\n\n[[kv_namespaces]]\nbinding = "B"\nid = "2"\n\n[env.s]\nname = "b"\n',
		},
		{
			what: 'TOML: the first table of an environment, after everything that belongs to it',
			format: 'toml',
			before: '[env.s]\nname = "b"\n\n[env.s.vars]\nA = 1\n\n[env.t]\n',
			entry: {binding: 'B', id: '2', environment: 's'},
			after:
				'[env.s]\nname = "b"\n\n[env.s.vars]\nA = 1\n\n[[env.s.kv_namespaces]]\nbinding = "B"\nid = "2"\n\n[env.t]\n',
		},
		{
			what: 'TOML: never between an assignment with dots and those after it',
			format: 'toml',
			before: 'env.s.name = "b"\nname = "a"\n',
			entry: {binding: 'B', id: '2', environment: 's'},
			after: 'env.s.name = "b"\nname = "a"\n\n[[env.s.kv_namespaces]]\nbinding = "B"\nid = "2"\n',
		},
		{
			what: 'TOML: an empty file',
			format: 'toml',
			before: '',
			entry: {binding: 'B', previewId: '2', environment: 'x y'},
			after: '[[env."x y".kv_namespaces]]\nbinding = "B"\npreview_id = "2"\n',
		},
		{
			what: 'TOML: an element of the inline list',
			format: 'toml',
			before: 'kv_namespaces = [\n  { binding = "A", id = "1" } # a\n]\n[vars]\n',
			entry: {binding: 'B', id: '2'},
			after:
				'kv_namespaces = [\n  { binding = "A", id = "1" }, # a\n  { binding = "B", id = "2" }\n]\n[vars]\n',
		},
		{
			what: 'TOML: an empty inline list',
			format: 'toml',
			before: 'kv_namespaces = []',
			entry: {binding: 'B', id: '2'},
			after: 'kv_namespaces = [ { binding = "B", id = "2" } ]',
		},
		{
			what: 'TOML: an environment that is an inline table',
			format: 'toml',
			before: 'env = { s.name = "b" }\n[env2]\n',
			entry: {binding: 'B', id: '2', environment: 's'},
			after: 'env = { s.name = "b", s.kv_namespaces = [{ binding = "B", id = "2" }] }\n[env2]\n',
		},
		{
			what: 'TOML: merged into the right table',
			format: 'toml',
			before: '[[kv_namespaces]]\n  binding = "A"\n  id = "1" # prod\n[[kv_namespaces]]\nbinding = "B"\n',
			entry: {binding: 'A', id: '9', previewId: '2'},
			after:
				'[[kv_namespaces]]\n  binding = "A"\n  id = "9" # prod\n  preview_id = "2"\n[[kv_namespaces]]\nbinding = "B"\n',
		},
		{
			what: 'TOML: merged into an inline element',
			format: 'toml',
			before: 'kv_namespaces = [{binding = "A"}, {binding = "B"}]',
			entry: {binding: 'A', previewId: '2'},
			after: 'kv_namespaces = [{binding = "A", preview_id = "2"}, {binding = "B"}]',
		},
	];

	test.each(examples)('$what', async ({format, before, entry, after}) => {
		expect(await addNamespace(before, format, entry)).toBe(after);
	});
});

describe('addNamespace refuses', () => {
	test.each([
		{format: 'toml' as const, text: 'a = \n', says: 'the configuration file:1:5: this is not valid TOML'},
		{
			format: 'json' as const,
			text: '{"kv_namespaces": {}}',
			says: '"kv_namespaces" must be a list of bindings.',
		},
		{format: 'json' as const, text: '{"env": 3}', says: 'the configuration file:1:2: this must be a table.'},
	])('$text', async ({format, text, says}) => {
		const failure = await failureOf(() =>
			addNamespace(text, format, {
				binding: 'A',
				id: '1',
				environment: says.includes('table') ? 'x' : undefined,
			}),
		);
		expect(failure.code).toBe('configuration_invalid');
		expect(failure.message).toContain(says);
	});

	test('text that TOML cannot represent, and shows the snippet instead', async () => {
		const loneSurrogate = '\ud800';
		const failure = await failureOf(() => addNamespace('a = 1\n', 'toml', {binding: loneSurrogate, id: '1'}));
		expect(failure).toMatchObject({code: 'file_failed', exitCode: 1});
		expect(failure.next).toContain('[[kv_namespaces]]');
	});
});

describe('updateConfiguration', () => {
	const entry = {binding: 'B', id: '2'};

	test.each(['wrangler.toml', 'wrangler.json'])('returns the line of the entry in %s', async name => {
		const format = name.endsWith('toml') ? 'toml' : 'json';
		const folder = folderWith({
			[name]: format === 'toml' ? '# x\r\n[vars]\r\nA = 1\r\n' : '{\n  "name": "a"\n}\n',
		});
		const line = await updateConfiguration(join(folder, name), format, entry);
		const configuration = await readConfiguration({cwd: folder});
		expect(configuration?.namespaces).toEqual([{binding: 'B', id: '2', line}]);
		expect(line).toBe(format === 'toml' ? 5 : 4);
	});

	test('keeps the file mode, leaves nothing beside the file, and writes through a link to its target', async () => {
		const folder = folderWith({'real/w.toml': 'name = "a"\n'});
		chmodSync(join(folder, 'real/w.toml'), 0o640);
		symlinkSync('real/w.toml', join(folder, 'wrangler.toml'));
		await updateConfiguration(join(folder, 'wrangler.toml'), 'toml', entry);
		expect(lstatSync(join(folder, 'wrangler.toml')).isSymbolicLink()).toBe(true);
		expect(statSync(join(folder, 'real/w.toml')).mode & 0o777).toBe(0o640);
		expect(readFileSync(join(folder, 'real/w.toml'), 'utf8')).toContain('[[kv_namespaces]]');
		expect(readdirSync(folder).sort()).toEqual(['real', 'wrangler.toml']);
		expect(readdirSync(join(folder, 'real'))).toEqual(['w.toml']);
	});

	test('refuses a file whose bytes would be lost', async () => {
		const bytes = Buffer.concat([Buffer.from('# '), Buffer.of(0xe9), Buffer.from('\n')]);
		const file = join(folderWith({'wrangler.toml': bytes}), 'wrangler.toml');
		const failure = await failureOf(() => updateConfiguration(file, 'toml', entry));
		expect(failure.code).toBe('file_failed');
		expect(failure.details.why).toContain('UTF-8');
		expect(readFileSync(file)).toEqual(bytes);
	});

	test('fails if the file is missing', async () => {
		const failure = await failureOf(() =>
			updateConfiguration(join(folderWith({}), 'wrangler.toml'), 'toml', entry),
		);
		expect(failure.code).toBe('input_missing');
	});
});
