import {mkdirSync, renameSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {getMigrationFolder} from '../../../source/migration/journal/folder.ts';
import {openMigrationJournal} from '../../../source/migration/journal/journal.ts';
import type {MigrationRecord} from '../../../source/migration/journal/record.ts';
import {listUnfinishedMigrations} from '../../../source/migration/journal/unfinished.ts';
import {type MachineState, migrationStates} from '../../../source/migration/machine/states.ts';
import {makeWorkspace, type Workspace} from '../../kv/support/workspace.ts';

const place = 'https://api.example.test';
const createZone = (zoneNumber: number) => ({
	id: `${zoneNumber}`.repeat(32),
	name: `zone-${zoneNumber}.example`,
});
const put = {
	mode: 'pending',
	fingerprint: 'f'.repeat(64),
	at: 1,
	before: {stage: 'previous', version: undefined, fingerprint: undefined},
} as const;

/** A journal that a process left with this record. */
async function writeJournal(
	{environment}: Workspace,
	zoneNumber: number,
	record: MigrationRecord,
): Promise<string> {
	const target = {place, zone: createZone(zoneNumber)};
	const journal = await openMigrationJournal(environment, target);
	await journal.saveRecord(record);
	await journal.close();
	return getMigrationFolder(environment, target) ?? '';
}

const listNamesAndStates = ({environment}: Workspace, listedPlace = place) =>
	listUnfinishedMigrations(environment, listedPlace).map(one =>
		'record' in one ? [one.zone.name, one.record.state] : ['damaged', one.failure.code],
	);

test('no migration is unfinished without a state directory, or if nothing was migrated', () => {
	using workspace = makeWorkspace();
	expect(listNamesAndStates(workspace)).toEqual([]);
	expect(listUnfinishedMigrations({}, place)).toEqual([]);
});

describe('the list of unfinished migrations', () => {
	const unlistedStates: readonly MachineState[] = ['unread', 'blocked', 'eligible', 'reviewed', 'complete'];
	const states = migrationStates;

	test.each(states)('depends on the state: %s', async state => {
		using workspace = makeWorkspace();
		await writeJournal(workspace, 1, {state, put: {...put, came: 'given up'}});
		// A PUT that was under way when its process ended is in doubt.
		const expectedState = state.startsWith('sending ') ? `${state.slice('sending '.length)} in doubt` : state;
		expect(listNamesAndStates(workspace)).toEqual(
			unlistedStates.includes(state) ? [] : [['zone-1.example', expectedState]],
		);
	});

	test('leaves out a zone whose PUT was rejected before anything changed', async () => {
		using workspace = makeWorkspace();
		await writeJournal(workspace, 1, {state: 'not taken', put: {...put, came: 'refused'}});
		expect(listNamesAndStates(workspace)).toEqual([]);
	});

	test('leaves out a zone moved on by someone else before anything was sent', async () => {
		using workspace = makeWorkspace();
		await writeJournal(workspace, 1, {state: 'moved on'});
		expect(listNamesAndStates(workspace)).toEqual([]);
	});
});

test('migrations of another service or the simulated one are not listed', async () => {
	using workspace = makeWorkspace();
	await writeJournal(workspace, 1, {state: 'deploy in doubt', put});
	expect(listNamesAndStates(workspace, 'https://other.example.test')).toEqual([]);
	expect(listNamesAndStates(workspace, 'simulated')).toEqual([]);
});

test('journals in the previous layout, by account and name, are listed', async () => {
	using workspace = makeWorkspace();
	const folder = await writeJournal(workspace, 1, {state: 'validating', put});
	await writeJournal(workspace, 2, {state: 'finishing', put});
	const previousFolder = join(dirname(folder), 'acme', `zone-1.example-${createZone(1).id}`);
	mkdirSync(dirname(previousFolder));
	renameSync(folder, previousFolder);
	expect(listNamesAndStates(workspace)).toEqual(
		expect.arrayContaining([
			['zone-1.example', 'validating'],
			['zone-2.example', 'finishing'],
		]),
	);
});

test('an unreadable journal is listed with its failure, after the others', async () => {
	using workspace = makeWorkspace();
	const damagedFolder = await writeJournal(workspace, 1, {state: 'validating', put});
	await writeJournal(workspace, 2, {state: 'validating', put});
	writeFileSync(join(damagedFolder, 'journal.ndjson'), 'no journal\n');
	expect(listNamesAndStates(workspace)).toEqual([
		['zone-2.example', 'validating'],
		['damaged', 'journal_invalid'],
	]);
});

test('while a process works on a migration, it is named and its PUT counts as running', async () => {
	using workspace = makeWorkspace();
	const {environment} = workspace;
	const journal = await openMigrationJournal(environment, {place, zone: createZone(1)});
	await journal.saveRecord({state: 'sending deploy', put});
	expect(listUnfinishedMigrations(environment, place)).toMatchObject([
		{record: {state: 'sending deploy'}, holder: {pid: process.pid}, zone: createZone(1)},
	]);
	await journal.close();
	expect(listUnfinishedMigrations(environment, place)).toMatchObject([
		{record: {state: 'deploy in doubt'}, holder: undefined},
	]);
});
