import {
	chmodSync,
	cpSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {
	addFinalFiles,
	countSnapshotObjects,
	readBackup,
	readBackups,
	writeBackup,
} from '../../../source/migration/journal/backup.ts';
import type {Snapshot} from '../../../source/migration/zone/snapshot.ts';
import type {JsonValue} from '../../../source/text/json.ts';
import {createScratchFolder} from '../../support/ledge.ts';
import {zone} from '../support/answers.ts';

const snapshot: Snapshot = {
	version: 1,
	taken: '2026-11-21T03:10:42.123Z',
	place: 'https://service.test',
	zone,
	check: {compatible: true},
	status: null,
	waf: {id: 'waf', value: 'on'},
	packages: [
		{package: {id: 'p'}, groups: [{id: 'g', mode: 'off'}], rules: [{id: 'r', mode: 'block'}, {id: 's'}]},
	],
	overrides: [{id: 'o', urls: ['a.example/*'], rules: {100015: 'disable', 100001: 'block'}}],
	firewallRules: [{id: 'f', action: 'bypass', filter: {id: 'i', expression: 'ip.src eq 1.2.3.4'}}],
	filters: [{id: 'i'}],
	pageRules: [{id: 'u'}],
	proposed: {name: 'default', rules: [{action: 'execute', new: {field: '\u001b[2J'}}]},
	entryPoint: null,
	unread: [{what: 'the status', why: 'gone'}],
};

/** Runs `work` and returns its failure. */
function catchFailure(work: () => unknown): Failure {
	try {
		work();
	} catch (error) {
		if (error instanceof Failure) return error;
		throw error;
	}
	throw new Error('it was not refused');
}

describe('a backup', () => {
	test('is read back unchanged, from its folder and from its file', () => {
		const {folder, objects, at} = writeBackup(createScratchFolder(), snapshot);
		expect(readBackup(folder)).toEqual(snapshot);
		expect(readBackup(join(folder, 'snapshot.json'))).toEqual(snapshot);
		expect(objects).toBe(1 + 1 + 2 + 1 + 1 + 1 + 1 + 3);
		expect(at).toBe(Date.parse(snapshot.taken));
	});

	test('preserves any object the service can return', () => {
		const root = createScratchFolder();
		fc.assert(
			fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue()), {maxLength: 4}), given => {
				// Only values that JSON can represent come from the service.
				const objects = JSON.parse(JSON.stringify(given));
				const {folder} = writeBackup(root, {...snapshot, overrides: objects, filters: objects});
				const restoredSnapshot = readBackup(folder);
				expect(JSON.stringify([restoredSnapshot.overrides, restoredSnapshot.filters])).toBe(
					JSON.stringify([objects, objects]),
				);
			}),
			{numRuns: 20},
		);
	});

	test('of a zone whose plan and account are not known has neither', () => {
		const bareZone = {id: zone.id, name: zone.name, label: zone.label, plan: undefined, account: undefined};
		expect(readBackup(writeBackup(createScratchFolder(), {...snapshot, zone: bareZone}).folder).zone).toEqual(
			bareZone,
		);
	});

	test('is named after its time, and has a readable file for each kind of object', () => {
		const root = createScratchFolder();
		const {folder} = writeBackup(root, snapshot, {reviewed: {name: 'default', rules: []}});
		expect(folder).toBe(join(root, 'backup-2026-11-21T0310Z'));
		const read = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
		expect(read('overrides')).toEqual(snapshot.overrides);
		expect(read('groups')).toEqual([{id: 'g', mode: 'off'}]);
		expect(read('rules')).toEqual([{id: 'r', mode: 'block'}, {id: 's'}]);
		expect(read('firewall-rules')).toEqual(snapshot.firewallRules);
		expect(read('proposed')).toEqual(snapshot.proposed);
		expect(read('reviewed')).toEqual({name: 'default', rules: []});
	});

	test('never replaces another backup', () => {
		const root = createScratchFolder();
		const first = writeBackup(root, snapshot);
		const other = {...snapshot, filters: []};
		const second = writeBackup(root, other);
		mkdirSync(join(root, 'backup-2026-11-21T0310Z-3'));
		const third = writeBackup(root, snapshot);
		expect(new Set([first.folder, second.folder, third.folder]).size).toBe(3);
		expect(readdirSync(join(root, 'backup-2026-11-21T0310Z-3'))).toEqual([]);
		expect(readBackup(first.folder)).toEqual(snapshot);
		expect(readBackup(second.folder)).toEqual(other);
	});

	test('is accessible only to its owner', () => {
		const {folder} = writeBackup(join(createScratchFolder(), 'zone'), snapshot, {
			reviewed: {name: 'default', rules: []},
		});
		addFinalFiles(folder, {verification: {fine: true}});
		expect(statSync(folder).mode & 0o777).toBe(0o700);
		for (const name of readdirSync(folder))
			expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
	});

	test('that cannot be written leaves nothing behind, and says so', () => {
		const root = createScratchFolder();
		const file = join(root, 'file');
		writeFileSync(file, '');
		expect(catchFailure(() => writeBackup(file, snapshot)).code).toBe('file_failed');
		if (process.getuid?.() === 0) return;
		chmodSync(root, 0o500);
		expect(catchFailure(() => writeBackup(root, snapshot)).code).toBe('file_failed');
		chmodSync(root, 0o700);
		expect(readdirSync(root)).toEqual(['file']);
	});

	test('gets the final files added, and stays unchanged itself', () => {
		const {folder} = writeBackup(createScratchFolder(), snapshot);
		addFinalFiles(folder, {verification: {fine: false}});
		addFinalFiles(folder, {verification: {fine: true}, configuration: {rules: []}});
		expect(JSON.parse(readFileSync(join(folder, 'final-verification.json'), 'utf8'))).toEqual({fine: true});
		expect(JSON.parse(readFileSync(join(folder, 'final-configuration.json'), 'utf8'))).toEqual({rules: []});
		expect(readBackup(folder)).toEqual(snapshot);
	});
});

describe('invalid backups', () => {
	const writeSnapshotFile = () => join(writeBackup(createScratchFolder(), snapshot).folder, 'snapshot.json');

	test('a backup cut off at any point is refused', () => {
		const file = writeSnapshotFile();
		const fileSize = statSync(file).size;
		fc.assert(
			fc.property(fc.integer({min: 0, max: fileSize - 3}), length => {
				const copy = `${file}.cut`;
				cpSync(file, copy);
				truncateSync(copy, length);
				expect(catchFailure(() => readBackup(copy))).toMatchObject({code: 'input_malformed'});
			}),
			{numRuns: 30},
		);
	});

	test('a backup with any change is refused', () => {
		const file = writeSnapshotFile();
		const text = readFileSync(file, 'utf8');
		writeFileSync(file, text.replace('"disable"', '"block"'));
		expect(catchFailure(() => readBackup(file))).toMatchObject({
			code: 'input_malformed',
			details: {why: expect.stringContaining('digest'), next: expect.stringContaining('another backup')},
		});
	});

	test('an unfinished folder is refused', () => {
		const folder = createScratchFolder();
		writeFileSync(join(folder, 'overrides.json'), '[]');
		expect(catchFailure(() => readBackup(folder))).toMatchObject({
			code: 'input_malformed',
			details: {why: expect.stringContaining('never finished'), next: expect.stringContaining('backup-')},
		});
	});

	test.each<[string, JsonValue]>([
		['a list', []],
		['a configuration', {name: 'default', rules: []}],
		['a bare snapshot', snapshot as unknown as JsonValue],
		['nothing', null],
	])('%s is refused', (_name, value) => {
		const file = join(createScratchFolder(), 'any.json');
		writeFileSync(file, JSON.stringify(value));
		expect(catchFailure(() => readBackup(file))).toMatchObject({
			code: 'input_malformed',
			next: expect.stringContaining('snapshot.json'),
		});
	});

	test('a backup from a later version of ledge is refused', () => {
		const file = writeSnapshotFile();
		writeFileSync(file, readFileSync(file, 'utf8').replace('"version": 1', '"version": 2'));
		expect(catchFailure(() => readBackup(file)).message).toContain('another version');
	});

	test('a missing backup is reported as missing', () => {
		expect(catchFailure(() => readBackup(join(createScratchFolder(), 'none')))).toMatchObject({
			code: 'input_missing',
		});
	});
});

describe('the backups of a zone', () => {
	test('are the complete ones in order, with the damaged ones listed by name', () => {
		const root = createScratchFolder();
		const damagedBackup = writeBackup(root, {...snapshot, taken: '2026-11-22T00:00:00.000Z'});
		const first = writeBackup(root, snapshot);
		const second = writeBackup(root, {...snapshot, filters: []});
		truncateSync(join(damagedBackup.folder, 'snapshot.json'), 100);
		const {complete, damagedPaths} = readBackups(root);
		expect(complete.map(({backup}) => backup)).toEqual([first, second]);
		expect(complete[1]?.snapshot.filters).toEqual([]);
		expect(damagedPaths).toEqual([damagedBackup.folder]);
	});

	test('are empty if there is no folder', () => {
		expect(readBackups(join(createScratchFolder(), 'none'))).toEqual({complete: [], damagedPaths: []});
	});
});

test('the object count covers every object in the backup', () => {
	expect(countSnapshotObjects({...snapshot, packages: [], overrides: []})).toBe(1 + 1 + 1 + 3);
});
