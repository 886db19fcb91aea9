import {
	chmodSync,
	existsSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	applyContextChange,
	type ContextChange,
	type ContextFields,
} from '../../../source/settings/contexts/edit.ts';
import {parseContexts} from '../../../source/settings/contexts/read.ts';
import {changeContexts} from '../../../source/settings/contexts/write.ts';
import {failureOf, folderWith} from '../support/files.ts';

const change = (text: string, what: ContextChange): Promise<string> =>
	applyContextChange(text, what, 'contexts.toml');
const use = (name: string | undefined): ContextChange => ({kind: 'use', name});
const remove = (name: string): ContextChange => ({kind: 'remove', name});
const add = (name: string, fields: ContextFields = {}): ContextChange => ({kind: 'add', name, fields});

/** The context in use and all contexts of a file, without their line numbers. */
async function parseWithoutLines(text: string) {
	const {inUseName, all} = await parseContexts(Buffer.from(text), 'f', 'f');
	return {inUse: inUseName, all: all.map(({line: _, ...context}) => context)};
}

describe('a changed file', () => {
	const text = `# Contexts of everybody here.

# production of the shop
[contexts.prod]
account_id = "a" # theirs
production = true

# for tests
[contexts.test]
profile = "work"
`;

	test('starts with a comment if it was empty', async () => {
		expect(
			await change('', add('prod', {account_id: 'a', credential_command: ['x', 'a "b"'], read_only: true})),
		).toBe(`# Contexts of ledge: named accounts, and how to sign in to them. No secrets belong here.

[contexts.prod]
account_id = "a"
credential_command = ["x", "a \\"b\\""]
read_only = true
`);
	});

	test('has a new context at the end', async () => {
		expect(await change(text, add('prod.eu', {zone: 'shop.example'}))).toBe(
			`${text}\n[contexts."prod.eu"]\nzone = "shop.example"\n`,
		);
	});

	test('has the context in use before the first table and the comment above that', async () => {
		const used = await change(text, use('prod'));
		expect(used).toBe(text.replace('# production of', 'context_in_use = "prod"\n\n# production of'));
		const other = await change(used, use('test'));
		expect(other).toBe(used.replace('"prod"', '"test"'));
		expect(await change(other, use(undefined))).toBe(text);
	});

	test('keeps text after the context in use on its line', async () => {
		const used = 'context_in_use = "a"   # mine\n[contexts.a]\n[contexts.b]\n';
		expect(await change(used, use('b'))).toBe(used.replace('"a"', '"b"'));
	});

	test('loses all lines of a removed context', async () => {
		expect(await change(text, remove('prod'))).toBe(`# Contexts of everybody here.

# production of the shop
# for tests
[contexts.test]
profile = "work"
`);
		expect(await change(text, remove('test'))).toBe(text.slice(0, text.indexOf('[contexts.test]')));
	});

	test.each([
		'"prod"',
		"'prod'",
		'"""prod"""',
		"'''prod'''",
		'"pr\\u006fd"',
	])('loses the context in use when that is removed, written as %s', async written => {
		const used = `context_in_use = ${written}\n\n${text}`;
		expect(await parseWithoutLines(await change(used, remove('prod')))).toMatchObject({
			inUse: undefined,
			all: [{name: 'test'}],
		});
		expect((await parseWithoutLines(await change(used, remove('test')))).inUse).toBe('prod');
	});

	test.each([
		['without a line end at the end', text.trimEnd()],
		['with Windows line ends', text.replaceAll('\n', '\r\n')],
		['with a byte order mark', `\ufeff${text}`],
		['with both', `\ufeff${text.replaceAll('\n', '\r\n').trimEnd()}`],
	])('keeps its format %s', async (_, originalText) => {
		const added = await change(originalText, add('x', {color: 'red'}));
		expect(added.startsWith(originalText)).toBe(true);
		const used = await change(added, use('x'));
		expect(await parseWithoutLines(used)).toMatchObject({
			inUse: 'x',
			all: [{name: 'prod'}, {name: 'test'}, {name: 'x', color: 'red'}],
		});
		if (originalText.includes('\r\n')) expect(used).not.toMatch(/[^\r]\n/);
		expect(used.startsWith('\ufeff')).toBe(originalText.startsWith('\ufeff'));
		expect(await parseWithoutLines(await change(used, remove('x')))).toEqual(
			await parseWithoutLines(originalText),
		);
	});
});

describe('changes that cannot be made', () => {
	test.each([
		['inline', 'contexts = {a = {profile = "w"}}', remove('a')],
		['inline', 'contexts = {a = {profile = "w"}}', add('b')],
		['by dotted keys', 'contexts.a.profile = "w"', remove('a')],
		['in one table', '[contexts]\na = {profile = "w"}', remove('a')],
	])('are refused for contexts %s: %s', async (_, text, what) => {
		const failure = await failureOf(() => change(text, what));
		expect(failure).toMatchObject({code: 'configuration_invalid', exitCode: 2});
		expect(failure.message).toContain("written in a form that ledge can't edit");
		expect(failure.next).toContain('manually');
	});

	test('do not include using contexts in a form that ledge cannot edit', async () => {
		for (const text of ['contexts = {a = {profile = "w"}}', 'contexts.a.profile = "w"', '[contexts]\na = {}'])
			expect((await parseWithoutLines(await change(text, use('a')))).inUse).toBe('a');
	});

	test('a missing context can be removed but not used, and an existing one cannot be added', async () => {
		const text = '[contexts.a]\n';
		expect((await failureOf(() => change(text, use('b')))).code).toBe('configuration_invalid');
		expect(await change(text, remove('b'))).toBe(text);
		expect((await failureOf(() => change(text, add('a')))).code).toBe('configuration_invalid');
	});

	test.each([
		['a/b', {}, 'a context name'],
		['b', {account_id: 'x y'}, '"account_id" must be'],
		['b', {profile: 'w', token_variable: 'T'}, 'both say how to sign in'],
		['b', {base_url: 'http://x.test'}, '"base_url" must be'],
		['b', {credential_command: ['echo', 'cfut_0abcdefghijklmnop']}, 'looks like a secret'],
	])('an invalid new context is refused: %s %j', async (name, fields, why) => {
		const failure = await failureOf(() => change('[contexts.a]\n', add(name, fields)));
		expect(failure).toMatchObject({code: 'configuration_invalid', exitCode: 2});
		expect(failure.message).toBe(`The context "${name}" cannot be added.`);
		expect(failure.details.why).toContain(why);
		expect(JSON.stringify(failure.details)).not.toMatch(/cfut|:\d+:\d+/);
	});

	test('a broken file is named with its line', async () => {
		const failure = await failureOf(() => change('\n[contexts.a', add('b')));
		expect(failure.message).toContain('contexts.toml:2:');
	});
});

const names = ['prod', 'prod.eu', 'test', 'x-1', 'contexts', 'constructor'];

const fieldsArbitrary: fc.Arbitrary<ContextFields> = fc.record(
	{
		account_id: fc.constantFrom('a', '0123456789abcdef0123456789abcdef'),
		credential_command: fc.constantFrom(
			['x'],
			['op', 'read # "a"'],
			['a\\', "it's", '[contexts.prod]', 'é\n\u007f'],
		),
		zone: fc.constantFrom('shop.example', 'münchen.example'),
		target: fc.constantFrom('local', 'remote'),
		read_only: fc.boolean(),
		production: fc.boolean(),
		color: fc.constantFrom('red', 'blue'),
	},
	{requiredKeys: []},
);

const comment = fc.constantFrom(
	'',
	'',
	'# plain',
	'# [contexts.prod]',
	'# context_in_use = "test"',
	'  # """',
	"# it's ]",
);

/** A file that somebody wrote by hand, with its comments. */
const fileArbitrary = fc
	.record({
		contexts: fc.uniqueArray(
			fc.record({
				name: fc.constantFrom(...names),
				fields: fieldsArbitrary,
				above: comment,
				inside: comment,
				behind: comment,
			}),
			{selector: ({name}) => name, maxLength: 4},
		),
		used: fc.nat(8),
		top: comment,
		quote: fc.constantFrom('"', "'"),
		blank: fc.boolean(),
		end: fc.constantFrom('\n', '\r\n'),
		lastLine: fc.boolean(),
		mark: fc.constantFrom('', '\ufeff'),
	})
	.map(({contexts, used, top, quote, blank, end, lastLine, mark}) => {
		const lines: string[] = [top];
		const inUse = contexts[used]?.name;
		if (inUse !== undefined) lines.push(`context_in_use = ${quote}${inUse}${quote} # now`);
		for (const {name, fields, above, inside, behind} of contexts) {
			if (blank) lines.push('');
			lines.push(above, `[contexts.${quote}${name}${quote}] ${behind}`);
			for (const [field, value] of Object.entries(fields)) {
				lines.push(
					Array.isArray(value)
						? `${field} = [ ${inside}\n${value.map(word => `  ${JSON.stringify(word).replaceAll('\u007f', '\\u007f')},`).join('\n')}\n]`
						: `${field} = ${JSON.stringify(value)}`,
					inside,
				);
			}
		}
		if (lastLine) lines.push('');
		return mark + lines.join('\n').replaceAll('\n', end);
	});

const changeArbitrary: fc.Arbitrary<ContextChange> = fc.oneof(
	fc.record({kind: fc.constant('add' as const), name: fc.constantFrom(...names), fields: fieldsArbitrary}),
	fc.record({kind: fc.constant('remove' as const), name: fc.constantFrom(...names)}),
	fc.record({kind: fc.constant('use' as const), name: fc.constantFrom(undefined, ...names)}),
);

const commentsOf = (text: string): string[] =>
	text
		.replace('\ufeff', '')
		.split(/\r?\n/)
		.filter(line => line.trim().startsWith('#'));

test('a change to any file has the requested effect, and all else stays', async () => {
	await fc.assert(
		fc.asyncProperty(
			fileArbitrary,
			fc.array(changeArbitrary, {minLength: 1, maxLength: 5}),
			async (text, changes) => {
				let currentText = text;
				for (const nextChange of changes) {
					const before = await parseWithoutLines(currentText);
					const exists = before.all.some(({name}) => name === nextChange.name);
					const isPossible = nextChange.kind === 'add' ? !exists : exists || nextChange.name === undefined;
					if (!isPossible) continue;
					const changed = await change(currentText, nextChange);
					const after = await parseWithoutLines(changed);
					const others = before.all.filter(({name}) => name !== nextChange.name);
					switch (nextChange.kind) {
						case 'add': {
							expect(changed.startsWith(currentText)).toBe(true);
							const {
								account_id,
								credential_command,
								read_only,
								production = false,
								...rest
							} = nextChange.fields;
							const added = {
								name: nextChange.name,
								production,
								...rest,
								...(account_id !== undefined && {accountId: account_id}),
								...(credential_command !== undefined && {credentialCommand: credential_command}),
								...(read_only !== undefined && {readOnly: read_only}),
							};
							expect(after).toEqual({inUse: before.inUse, all: [...others, added]});
							break;
						}
						case 'remove':
							expect(after).toEqual({
								inUse: before.inUse === nextChange.name ? undefined : before.inUse,
								all: others,
							});
							break;
						case 'use':
							expect(after).toEqual({inUse: nextChange.name, all: before.all});
							expect(commentsOf(changed)).toEqual(commentsOf(currentText));
					}
					currentText = changed;
				}
			},
		),
	);
});

test('adding and removing a context leaves the file as it was', async () => {
	await fc.assert(
		fc.asyncProperty(fileArbitrary, fieldsArbitrary, async (text, fields) => {
			const restoredText = await change(await change(text, add('new', fields)), remove('new'));
			if (text.replace('\ufeff', '') === '') return;
			expect(restoredText.startsWith(text)).toBe(true);
			expect(restoredText.slice(text.length).trim()).toBe('');
		}),
	);
});

describe('the file on disk', () => {
	const createContextsFolder = (files: Readonly<Record<string, string>> = {}) => {
		const folder = folderWith(files);
		return {folder, env: {XDG_CONFIG_HOME: folder}, file: join(folder, 'ledge/contexts.toml')};
	};
	const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

	test('is created with its folder, for its owner only', async () => {
		const {env, file} = createContextsFolder();
		expect(await changeContexts(add('a', {profile: 'w'}), env)).toBe(file);
		expect([modeOf(file), modeOf(dirname(file))]).toEqual(['600', '700']);
		await changeContexts(use('a'), env);
		expect(await parseWithoutLines(readFileSync(file, 'utf8'))).toMatchObject({inUse: 'a'});
		expect(readdirSync(dirname(file))).toEqual(['contexts.toml']);
	});

	test('is for its owner only afterwards, and a link stays a link', async () => {
		const {folder, env, file} = createContextsFolder({'real/contexts.toml': '[contexts.a]\n', 'ledge/x': ''});
		symlinkSync(join(folder, 'real/contexts.toml'), file);
		chmodSync(file, 0o644);
		await changeContexts(use('a'), env);
		expect(modeOf(join(folder, 'real/contexts.toml'))).toBe('600');
		expect(readFileSync(join(folder, 'real/contexts.toml'), 'utf8')).toContain('context_in_use');
	});

	test('loses none of two concurrent changes without an error', async () => {
		for (const files of [{}, {'ledge/contexts.toml': '[contexts.z]\n'}]) {
			const {env, file} = createContextsFolder(files);
			const results = await Promise.allSettled(['a', 'b'].map(name => changeContexts(add(name), env)));
			const doneNames = results.flatMap(({status}, index) =>
				status === 'fulfilled' ? [['a', 'b'][index]] : [],
			);
			expect(doneNames.length).toBeGreaterThan(0);
			for (const result of results)
				if (result.status === 'rejected')
					expect(result.reason).toMatchObject({code: 'changed_meanwhile', exitCode: 1});
			const {all} = await parseWithoutLines(readFileSync(file, 'utf8'));
			expect(all.map(({name}) => name).filter(name => name !== 'z')).toEqual(doneNames);
			expect(readdirSync(dirname(file))).toEqual(['contexts.toml']);
		}
	});

	test('is not created if there is nothing to store', async () => {
		const {env, file} = createContextsFolder();
		expect(await changeContexts(use(undefined), env)).toBe(file);
		expect(existsSync(dirname(file))).toBe(false);
	});

	test('is unchanged if the change fails', async () => {
		const text = 'contexts = {a = {}}\n';
		const {env, file} = createContextsFolder({'ledge/contexts.toml': text});
		expect((await failureOf(() => changeContexts(remove('a'), env))).code).toBe('configuration_invalid');
		expect(readFileSync(file, 'utf8')).toBe(text);
		expect(modeOf(file)).toBe('644');
		const emptyFolder = createContextsFolder();
		expect((await failureOf(() => changeContexts(add('a b'), emptyFolder.env))).code).toBe(
			'configuration_invalid',
		);
		expect(existsSync(dirname(emptyFolder.file))).toBe(false);
	});

	test('needs a location', async () => {
		expect(await failureOf(() => changeContexts(add('a'), {}))).toMatchObject({
			code: 'file_failed',
			exitCode: 1,
		});
		const {folder, env} = createContextsFolder();
		writeFileSync(join(folder, 'ledge'), '');
		expect((await failureOf(() => changeContexts(add('a'), env))).code).toBe('file_failed');
	});
});
