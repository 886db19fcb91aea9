import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {type Recent, readRecents, storeRecents, withRecent} from '../../source/state/recent.ts';

const createZoneEntry = (id: string): Recent => ({kind: 'zone', id, name: `${id}.example`});
const createKeysEntry = (filter: string): Recent => ({
	kind: 'namespace',
	where: 'remote',
	id: 'a',
	title: 'A',
	filter,
});

function scratch() {
	const folder = mkdtempSync(join(tmpdir(), 'ledge-'));
	onTestFinished(() => rmSync(folder, {recursive: true}));
	return {folder: join(folder, 'state'), environment: {LEDGE_STATE_DIR: join(folder, 'state')}};
}

test('recent entries are ordered latest first, without duplicates, up to 8', () => {
	const entries = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '3'].reduce<readonly Recent[]>(
		(recents, id) => withRecent(recents, createZoneEntry(id)),
		[],
	);
	expect(entries.map(({id}) => id).join('')).toBe('39876542');
	expect(withRecent(withRecent([], createKeysEntry('')), createKeysEntry('x'))).toEqual([
		createKeysEntry('x'),
		createKeysEntry(''),
	]);
});

test('recent entries are kept per service and account, private to the owner, until they are cleared', () => {
	const {folder, environment} = scratch();
	storeRecents(environment, 'one', [createKeysEntry('x'), createZoneEntry('z')]);
	storeRecents(environment, 'two', [createZoneEntry('y')]);
	expect(readRecents(environment, 'one')).toEqual([createKeysEntry('x'), createZoneEntry('z')]);
	expect(readRecents(environment, 'three')).toEqual([]);
	for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
	storeRecents(environment, 'one', []);
	expect(readRecents(environment, 'one')).toEqual([]);
	expect(readdirSync(folder)).toHaveLength(1);
});

test.each([
	'{',
	'{}',
	'[1, {"kind": "zone"}, {"kind": "namespace", "id": "a", "where": "there"}]',
])('unreadable entries are left out: %s', content => {
	const {folder, environment} = scratch();
	storeRecents(environment, 'one', [createZoneEntry('z')]);
	mkdirSync(folder, {recursive: true});
	const [name = ''] = readdirSync(folder);
	writeFileSync(join(folder, name), content);
	expect(readFileSync(join(folder, name), 'utf8')).toBe(content);
	expect(readRecents(environment, 'one')).toEqual([]);
});
