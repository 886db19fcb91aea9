import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createCompletionSources} from '../../source/completion/sources.ts';
import {listDatabaseFiles} from '../../source/kv/local/inventory.ts';
import {computeDatabaseName, getDatabasesFolder} from '../../source/kv/local/naming.ts';
import {buildLocalNamespaceRows, buildRemoteNamespaceRows} from '../../source/screens/keys/namespace-rows.ts';
import {type Configuration, readConfiguration} from '../../source/settings/configuration.ts';
import {chooseNamespace} from '../../source/settings/namespace-choice.ts';
import {countWork} from '../support/count-work.ts';
import {folderWith} from './support/files.ts';

/** The content of a file in each format, with `count` bindings. */
const contentByFileName = {
	'wrangler.json': (count: number) => JSON.stringify({kv_namespaces: entries(count)}, null, 1),
	'wrangler.jsonc': (count: number) => `// all\n${JSON.stringify({kv_namespaces: entries(count)}, null, 1)}`,
	'wrangler.toml': (count: number) =>
		entries(count)
			.map(
				one =>
					`[[kv_namespaces]]\nbinding = "${one.binding}"\nid = "${one.id}"\npreview_id = "${one.preview_id}"\n`,
			)
			.join(''),
};

const entries = (count: number) =>
	Array.from({length: count}, (_, index) => ({
		binding: `KV${index}`,
		id: `id${index}`,
		preview_id: `preview${index}`,
	}));

const createFolder = (name: keyof typeof contentByFileName, count: number): string => {
	const folder = folderWith({});
	writeFileSync(join(folder, name), contentByFileName[name](count));
	return folder;
};

/** The factor by which work grows with four times as many bindings: 4 if it is linear, 16 if quadratic. */
async function measureGrowth(
	name: keyof typeof contentByFileName,
	use: (cwd: string) => unknown,
): Promise<number> {
	const [smallFolder, largeFolder] = [createFolder(name, 400), createFolder(name, 1600)];
	const smallWork = await countWork(() => use(smallFolder));
	expect(smallWork).toBeGreaterThan(400);
	return (await countWork(() => use(largeFolder))) / smallWork;
}

const read = async (cwd: string) => {
	const configuration = await readConfiguration({cwd});
	if (!configuration) throw new Error('no configuration');
	return configuration;
};

describe.each(['wrangler.json', 'wrangler.jsonc', 'wrangler.toml'] as const)('many bindings in %s', name => {
	test.each<[string, (cwd: string) => unknown]>([
		['are read', read],
		['have one found by name', cwd => chooseBinding(cwd, 'KV399')],
		[
			'have the closest name suggested for an unknown one',
			cwd => chooseBinding(cwd, 'KV9999').catch(() => {}),
		],
		['are found on their lines', async cwd => (await read(cwd)).namespaces.map(({line}) => line)],
		['are completed', cwd => createCompletionSources(new Map(), {env: {}, cwd, now: 0}).bindings()],
		[
			'are listed as namespaces of the service',
			async cwd => buildRemoteNamespaceRows([], await read(cwd), true),
		],
		['are listed as local namespaces', async cwd => buildLocalNamespaceRows([], await read(cwd))],
	])('%s in time proportional to their number', async (_what, use) => {
		expect(await measureGrowth(name, use)).toBeLessThan(8);
	});
});

test('the screen lists namespaces without looking up the lines of their bindings', () => {
	const configuration: Configuration = {
		file: '/project/wrangler.toml',
		shownAs: 'wrangler.toml',
		format: 'toml',
		environments: [],
		namespaces: entries(2).map(({binding, id, preview_id: previewId}) => ({
			binding,
			id,
			previewId,
			get line(): number {
				throw new Error('its line is looked for');
			},
		})),
		warnings: [],
	};
	expect(buildLocalNamespaceRows([], configuration).map(({title}) => title)).toEqual([
		'KV0',
		'KV0 (preview)',
		'KV1',
		'KV1 (preview)',
	]);
	expect(buildRemoteNamespaceRows([], configuration, true).map(({pair}) => pair?.preview)).toEqual([
		true,
		false,
		true,
		false,
	]);
});

test('database names are computed only until every existing database is matched', async () => {
	const root = folderWith({});
	const databasesFolder = getDatabasesFolder(root);
	mkdirSync(databasesFolder, {recursive: true});
	writeFileSync(join(databasesFolder, computeDatabaseName('id7')), '');
	writeFileSync(join(databasesFolder, 'metadata.sqlite'), '');
	const createLister = (count: number) => () =>
		listDatabaseFiles(
			root,
			entries(count).map(({id}) => id),
		);
	expect(createLister(400)().map(({namespace}) => namespace)).toContain('id7');
	expect(await countWork(createLister(1600))).toBeLessThan(2 * (await countWork(createLister(400))));
});

const chooseBinding = (cwd: string, binding: string) =>
	chooseNamespace({binding}, {target: 'remote', cwd, configuration: () => read(cwd)});
