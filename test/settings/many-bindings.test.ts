import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {sourcesOf} from '../../source/completion/sources.ts';
import {localRows, remoteRows} from '../../source/screens/keys/namespace-rows.ts';
import {readConfiguration} from '../../source/settings/configuration.ts';
import {chooseNamespace} from '../../source/settings/namespace-choice.ts';
import {countWork} from '../support/count-work.ts';
import {folderWith} from './support/files.ts';

/** A file of each form, with so many bindings. */
const forms = {
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

const folderOf = (name: keyof typeof forms, count: number): string => {
	const folder = folderWith({});
	writeFileSync(join(folder, name), forms[name](count));
	return folder;
};

/** How much more work four times as many bindings are: 4 where it grows with their number, 16 where with its square. */
async function growth(name: keyof typeof forms, use: (cwd: string) => unknown): Promise<number> {
	const [some, more] = [folderOf(name, 400), folderOf(name, 1600)];
	const once = await countWork(() => use(some));
	expect(once).toBeGreaterThan(400);
	return (await countWork(() => use(more))) / once;
}

const read = async (cwd: string) => {
	const configuration = await readConfiguration({cwd});
	if (!configuration) throw new Error('no configuration');
	return configuration;
};

describe.each(['wrangler.json', 'wrangler.jsonc', 'wrangler.toml'] as const)('many bindings in %s', name => {
	test.each<[string, (cwd: string) => unknown]>([
		['are read', read],
		['have one found by name', cwd => chosen(cwd, 'KV399')],
		['have one that is not there suggested', cwd => chosen(cwd, 'KV9999').catch(() => {})],
		['are found on their lines', async cwd => (await read(cwd)).namespaces.map(({line}) => line)],
		['are completed', cwd => sourcesOf(new Map(), {env: {}, cwd, now: 0}).bindings()],
		['are listed as namespaces of the service', async cwd => remoteRows([], await read(cwd), true)],
		['are listed as local namespaces', async cwd => localRows([], await read(cwd))],
	])('%s in time that grows with their number', async (_what, use) => {
		expect(await growth(name, use)).toBeLessThan(8);
	});
});

const chosen = (cwd: string, binding: string) =>
	chooseNamespace({binding}, {target: 'remote', cwd, configuration: () => read(cwd)});
