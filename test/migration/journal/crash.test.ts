import {mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {describe, expect, test, vi} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {createFlow} from '../../../source/migration/flow/flow.ts';
import {getMigrationFolder} from '../../../source/migration/journal/folder.ts';
import {openMigrationJournal, readMigrationRecord} from '../../../source/migration/journal/journal.ts';
import {failureOf, makeWorkspace, type Workspace} from '../../kv/support/workspace.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {createFakeZone, createReviewBasis, editedProposal, zone} from '../support/fake-zone.ts';
import {createDisk, target} from '../support/person.ts';

const work = {signal: neverAbortedSignal};
const getFolder = ({environment}: Pick<Workspace, 'environment'>) =>
	getMigrationFolder(environment, target) ?? '';

async function openReviewedFlow(environment: Workspace['environment']) {
	const service = createFakeZone();
	const journal = await openMigrationJournal(environment, target);
	const flow = createFlow({client: service.client, zone, journal});
	await flow.observe(work);
	await flow.review(editedProposal, createReviewBasis(flow), 'pending');
	return {service, journal, flow};
}

/** The prototype of all file handles. */
async function fileMethods(path: string): Promise<{datasync(): Promise<void>}> {
	await using file = await open(path);
	return Object.getPrototypeOf(file) as {datasync(): Promise<void>};
}

test('an interrupted PUT is in doubt for other processes as soon as its outcome is read', async () => {
	using workspace = makeWorkspace();
	const {journal} = await openReviewedFlow(workspace.environment);
	await journal.saveRecord({
		...journal.record,
		state: 'sending deploy',
		put: {
			mode: 'pending',
			fingerprint: 'f',
			at: 5,
			before: {stage: 'previous', version: undefined, fingerprint: undefined},
		},
	});
	await journal.close();
	const reopenedJournal = await openMigrationJournal(workspace.environment, target);
	expect(readMigrationRecord(workspace.environment, target)?.state).toBe('sending deploy');
	const {client} = createFakeZone();
	const states: unknown[] = [];
	await createFlow({client, zone, journal: reopenedJournal}).settle({
		...work,
		onStep({does}) {
			if (does === 'looking') states.push(readMigrationRecord(workspace.environment, target)?.state);
		},
	});
	expect(states[0]).toBe('deploy in doubt');
	await reopenedJournal.close();
});

describe('the intent to send', () => {
	test('is on disk before the PUT is sent: a torn line means no PUT, a complete line a PUT in doubt', async () => {
		using workspace = makeWorkspace();
		const {service, journal, flow} = await openReviewedFlow(workspace.environment);
		const path = join(getFolder(workspace), 'journal.ndjson');
		const lineWritten = Promise.withResolvers<void>();
		const diskSync = Promise.withResolvers<void>();
		// The process writes the line, and is killed before it is synced to disk.
		const sync = vi.spyOn(await fileMethods(path), 'datasync').mockImplementation(async () => {
			if (!readFileSync(path, 'utf8').includes('"sending deploy"')) return;
			lineWritten.resolve();
			await diskSync.promise;
		});
		try {
			const sending = failureOf(flow.send('pending', {zone: zone.name}, work));
			await lineWritten.promise;
			const text = readFileSync(path, 'utf8');
			const intentStart = text.lastIndexOf('\n', text.length - 2) + 1;
			expect(service.puts).toHaveLength(0);
			expect(readMigrationRecord(workspace.environment, target)?.state).toBe('sending deploy');
			createDisk(workspace.environment).releaseLocks();
			expect(readMigrationRecord(workspace.environment, target)?.state).toBe('deploy in doubt');
			for (let keptLength = text.length - 1; keptLength >= intentStart; keptLength--) {
				truncateSync(path, keptLength);
				const record = readMigrationRecord(workspace.environment, target);
				expect(record).toMatchObject({state: 'reviewed', reviewed: {rules: 1}});
				expect(record?.put).toBeUndefined();
			}
			diskSync.reject(new Failure('file_failed', 'The disk is gone.'));
			expect(await sending).toMatchObject({code: 'file_failed'});
			expect(service.puts).toHaveLength(0);
		} finally {
			sync.mockRestore();
			await journal.close();
		}
	});
});

describe('the backup that the journal names', () => {
	async function openWithBackup(workspace: Workspace) {
		const opened = await openReviewedFlow(workspace.environment);
		const {folder} = await opened.flow.backUp(work);
		return {...opened, backup: folder};
	}

	test('is found after the state directory has moved', async () => {
		using workspace = makeWorkspace();
		const {journal, backup} = await openWithBackup(workspace);
		await journal.close();
		const movedEnvironment = {...workspace.environment, LEDGE_STATE_DIR: `${workspace.state}-moved`};
		renameSync(workspace.state, movedEnvironment.LEDGE_STATE_DIR);
		const reopenedJournal = await openMigrationJournal(movedEnvironment, target);
		expect(reopenedJournal.record.backup?.folder).toBe(
			join(getFolder({environment: movedEnvironment}), basename(backup)),
		);
		expect(reopenedJournal.loadBackup()?.zone.name).toBe(zone.name);
		await reopenedJournal.close();
	});

	test('is found if an older journal holds its full path', async () => {
		using workspace = makeWorkspace();
		const {journal, backup} = await openWithBackup(workspace);
		await journal.close();
		const path = join(getFolder(workspace), 'journal.ndjson');
		const storedName = JSON.stringify(basename(backup));
		const text = readFileSync(path, 'utf8');
		expect(text).toContain(`"folder":${storedName}`);
		writeFileSync(path, text.replaceAll(`"folder":${storedName}`, `"folder":${JSON.stringify(backup)}`));
		expect(readMigrationRecord(workspace.environment, target)?.backup?.folder).toBe(backup);
		const elsewhere = join('/gone', basename(backup));
		writeFileSync(path, text.replaceAll(`"folder":${storedName}`, `"folder":${JSON.stringify(elsewhere)}`));
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
		const {journal, flow, service, backup} = await openWithBackup(workspace);
		spoil(backup);
		await flow.send('pending', {zone: zone.name}, work);
		expect(service.puts).toHaveLength(1);
		expect(journal.loadBackup()?.zone.name).toBe(zone.name);
		await journal.close();
	});
});
