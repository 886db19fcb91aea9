import {describe, expect, test, vi} from 'vitest';
import {readConfiguration} from '../../source/settings/configuration.ts';
import {chooseNamespace, type NamespaceSelection} from '../../source/settings/namespace-choice.ts';
import type {Target} from '../../source/settings/target.ts';
import {failureOf, folderWith} from './support/files.ts';

const toml = `[[kv_namespaces]]
binding = "BOTH"
id = "prod"
preview_id = "prev"

[[kv_namespaces]]
binding = "PRODUCTION"
id = "only-prod"

[[kv_namespaces]]
binding = "PREVIEW"
preview_id = "only-prev"

[[kv_namespaces]]
binding = "NEITHER"

[env.staging]
name = "s"
`;

function choose(selection: NamespaceSelection, target: Target = 'remote', environment?: string) {
	const cwd = folderWith({'wrangler.toml': toml});
	return chooseNamespace(selection, {
		target,
		cwd,
		configuration: () =>
			readConfiguration({cwd, environment: environment ? {value: environment, from: '--env'} : undefined}),
	});
}

describe('exactly one of --binding and --namespace-id', () => {
	test.each([
		{selection: {}, says: 'No namespace was specified.'},
		{selection: {preview: true}, says: 'No namespace was specified.'},
		{
			selection: {binding: 'BOTH', namespaceId: 'x'},
			says: '--binding and --namespace-id cannot be used together.',
		},
		{selection: {namespaceId: ''}, says: '--namespace-id is empty.'},
		{selection: {binding: ''}, says: '--binding is empty.'},
		{selection: {namespaceId: 'x', preview: true}, says: '--preview cannot be used with --namespace-id.'},
	])('$selection is refused: $says', async ({selection, says}) => {
		const failure = await failureOf(() => choose(selection));
		expect(failure).toMatchObject({code: 'usage', exitCode: 2, message: says});
		expect(failure.details.why).toBeTruthy();
		expect(failure.next).toBeTruthy();
	});

	test('is explained in the error', async () => {
		const failure = await failureOf(() => choose({}));
		expect(failure.details.why).toContain('exactly one of --binding and --namespace-id');
	});
});

describe('--namespace-id', () => {
	test.each([
		'abc',
		'../../evil',
		'имя é',
		' ',
	])('takes "%s" as it is, and reads no configuration', async id => {
		const configuration = vi.fn();
		const context = {target: 'local' as const, cwd: '/', configuration};
		expect(await chooseNamespace({namespaceId: id, preview: false}, context)).toEqual({
			id,
			preview: false,
			from: '--namespace-id',
		});
		expect(configuration).not.toHaveBeenCalled();
	});
});

describe('--binding', () => {
	test.each([
		{binding: 'BOTH', preview: undefined, id: 'prod', line: 1},
		{binding: 'BOTH', preview: false, id: 'prod', line: 1},
		{binding: 'BOTH', preview: true, id: 'prev', line: 1},
		{binding: 'PRODUCTION', preview: undefined, id: 'only-prod', line: 6},
		{binding: 'PREVIEW', preview: true, id: 'only-prev', line: 10},
	])('$binding with preview $preview is $id, both locally and remotely', async ({
		binding,
		preview,
		id,
		line,
	}) => {
		for (const target of ['local', 'remote'] as const) {
			expect(await choose({binding, preview}, target)).toEqual({
				id,
				binding,
				preview: preview ?? false,
				from: `wrangler.toml:${line}`,
			});
		}
	});

	test('without any ID is a local namespace of that name', async () => {
		expect(await choose({binding: 'NEITHER'}, 'local')).toMatchObject({
			id: 'NEITHER',
			from: 'wrangler.toml:14',
		});
	});

	test.each([
		{
			selection: {binding: 'NEITHER'},
			target: 'remote' as const,
			says: 'names no deployed namespace',
			next: '"id"',
		},
		{
			selection: {binding: 'NEITHER', preview: true},
			target: 'local' as const,
			says: 'has no preview namespace',
			next: '"preview_id"',
		},
		{
			selection: {binding: 'PRODUCTION', preview: true},
			target: 'local' as const,
			says: 'has no preview namespace',
			next: '--preview',
		},
		{
			selection: {binding: 'PREVIEW'},
			target: 'local' as const,
			says: 'only has a preview namespace',
			next: '--preview',
		},
		{
			selection: {binding: 'PREVIEW'},
			target: 'remote' as const,
			says: 'only has a preview namespace',
			next: '--preview',
		},
	])('$selection ($target) is refused: $says', async ({selection, target, says, next}) => {
		const failure = await failureOf(() => choose(selection, target));
		expect(failure).toMatchObject({code: 'binding_unknown', exitCode: 2});
		expect(failure.message).toContain(says);
		expect(failure.details.why).toContain('wrangler.toml:');
		expect(failure.next).toContain(next);
	});

	test('fails if unknown, naming the file, the existing bindings and the likely one', async () => {
		const failure = await failureOf(() => choose({binding: 'PRODUCTON'}));
		expect(failure.code).toBe('binding_unknown');
		expect(failure.message).toBe('There is no binding "PRODUCTON" in wrangler.toml.');
		expect(failure.details.why).toContain('"BOTH", "PRODUCTION", "PREVIEW", "NEITHER"');
		expect(failure.next).toContain('Did you mean "PRODUCTION"?');
	});

	test('fails if unknown, naming the environment too', async () => {
		const failure = await failureOf(() => choose({binding: 'BOTH'}, 'remote', 'staging'));
		expect(failure.message).toBe('There is no binding "BOTH" in wrangler.toml, environment "staging".');
		expect(failure.details.why).toBe(
			'No KV namespaces are configured in wrangler.toml, environment "staging".',
		);
	});

	test('fails without a configuration file, naming the files and folders searched', async () => {
		const context = {target: 'local' as const, cwd: '/some/where', configuration: async () => undefined};
		const failure = await failureOf(() => chooseNamespace({binding: 'KV'}, context));
		expect(failure.code).toBe('binding_unknown');
		expect(failure.details.why).toBe(
			'Looked for wrangler.json, wrangler.jsonc, wrangler.toml in /some/where and its parent folders.',
		);
	});
});
