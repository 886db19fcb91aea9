import {mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {describe, expect, test, vi} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {createFlow} from '../../../source/migration/flow/flow.ts';
import {getMigrationFolder} from '../../../source/migration/journal/folder.ts';
import {openMigrationJournal, readMigrationRecord} from '../../../source/migration/journal/journal.ts';
import {failureOf, makeWorkspace, type Workspace} from '../../kv/support/workspace.ts';
import {never} from '../../service/scripted-transport.ts';
import {createFakeZone, edited, shown, zone} from '../support/fake-zone.ts';
import {onDisk, target} from '../support/person.ts';

const work = {signal: never};
const folderIn = ({environment}: Pick<Workspace, 'environment'>) =>
	getMigrationFolder(environment, target) ?? '';

async function reviewed(environment: Workspace['environment']) {
	const service = createFakeZone();
	const journal = await openMigrationJournal(environment, target);
	const flow = createFlow({client: service.client, zone, journal});
	await flow.observe(work);
	await flow.review(edited, shown(flow), 'pending');
	return {service, journal, flow};
}

/** What every file handle inherits its methods from. */
async function fileMethods(path: string): Promise<{datasync(): Promise<void>}> {
	await using file = await open(path);
	return Object.getPrototypeOf(file) as {datasync(): Promise<void>};
}

describe('the intent to send', () => {
	test('is on the disk before the PUT leaves: a torn line means no PUT, a complete line is looked up', async () => {
		using workspace = makeWorkspace();
		const {service, journal, flow} = await reviewed(workspace.environment);
		const path = join(folderIn(workspace), 'journal.ndjson');
		const written = Promise.withResolvers<void>();
		const synced = Promise.withResolvers<void>();
		// The process writes the line, and is killed before the disk has it.
		const sync = vi.spyOn(await fileMethods(path), 'datasync').mockImplementation(async () => {
			if (!readFileSync(path, 'utf8').includes('"sending deploy"')) return;
			written.resolve();
			await synced.promise;
		});
		try {
			const sending = failureOf(flow.send('pending', {zone: zone.name}, work));
			await written.promise;
			const text = readFileSync(path, 'utf8');
			const intent = text.lastIndexOf('\n', text.length - 2) + 1;
			expect(service.puts).toHaveLength(0);
			expect(readMigrationRecord(workspace.environment, target)?.state).toBe('sending deploy');
			onDisk(workspace.environment).died();
			expect(readMigrationRecord(workspace.environment, target)?.state).toBe('deploy in doubt');
			for (let left = text.length - 1; left >= intent; left--) {
				truncateSync(path, left);
				const record = readMigrationRecord(workspace.environment, target);
				expect(record).toMatchObject({state: 'reviewed', reviewed: {rules: 1}});
				expect(record?.put).toBeUndefined();
			}
			synced.reject(new Failure('file_failed', 'The disk is gone.'));
			expect(await sending).toMatchObject({code: 'file_failed'});
			expect(service.puts).toHaveLength(0);
		} finally {
			sync.mockRestore();
			await journal.close();
		}
	});
});

describe('the backup that the journal names', () => {
	async function backedUp(workspace: Workspace) {
		const opened = await reviewed(workspace.environment);
		const {folder} = await opened.flow.backUp(work);
		return {...opened, backup: folder};
	}

	test('is found after the state directory has moved', async () => {
		using workspace = makeWorkspace();
		const {journal, backup} = await backedUp(workspace);
		await journal.close();
		const moved = {...workspace.environment, LEDGE_STATE_DIR: `${workspace.state}-moved`};
		renameSync(workspace.state, moved.LEDGE_STATE_DIR);
		const again = await openMigrationJournal(moved, target);
		expect(again.record.backup?.folder).toBe(join(folderIn({environment: moved}), basename(backup)));
		expect(again.loadBackup()?.zone.name).toBe(zone.name);
		await again.close();
	});

	test('is found if an older journal holds its full path', async () => {
		using workspace = makeWorkspace();
		const {journal, backup} = await backedUp(workspace);
		await journal.close();
		const path = join(folderIn(workspace), 'journal.ndjson');
		const within = JSON.stringify(basename(backup));
		const text = readFileSync(path, 'utf8');
		expect(text).toContain(`"folder":${within}`);
		writeFileSync(path, text.replaceAll(`"folder":${within}`, `"folder":${JSON.stringify(backup)}`));
		expect(readMigrationRecord(workspace.environment, target)?.backup?.folder).toBe(backup);
		const elsewhere = join('/gone', basename(backup));
		writeFileSync(path, text.replaceAll(`"folder":${within}`, `"folder":${JSON.stringify(elsewhere)}`));
		expect(readMigrationRecord(workspace.environment, target)?.backup?.folder).toBe(backup);
		mkdirSync(join(workspace.state, 'other'));
		renameSync(backup, join(workspace.state, 'other', basename(backup)));
		expect(readMigrationRecord(workspace.environment, target)?.backup?.folder).toBe(elsewhere);
	});

	test.each([
		['was renamed', (folder: string) => renameSync(folder, join(dirname(folder), 'mine'))],
		['is gone', (folder: string) => rmSync(folder, {recursive: true})],
		['is damaged', (folder: string) => writeFileSync(join(folder, 'snapshot.json'), '{')],
	] as const)('is made again before a PUT if it %s', async (_what, spoil) => {
		using workspace = makeWorkspace();
		const {journal, flow, service, backup} = await backedUp(workspace);
		spoil(backup);
		await flow.send('pending', {zone: zone.name}, work);
		expect(service.puts).toHaveLength(1);
		expect(journal.loadBackup()?.zone.name).toBe(zone.name);
		await journal.close();
	});
});
