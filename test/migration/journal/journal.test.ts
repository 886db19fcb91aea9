import {
	appendFileSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test, vi} from 'vitest';
import {Failure, isFailure} from '../../../source/failure.ts';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import {createFlow} from '../../../source/migration/flow/flow.ts';
import {getMigrationFolder} from '../../../source/migration/journal/folder.ts';
import {
	createMemoryJournal,
	openMigrationJournal,
	readMigrationRecord,
} from '../../../source/migration/journal/journal.ts';
import {Journal} from '../../../source/state/journal.ts';
import {failureOf, makeWorkspace, type Workspace} from '../../kv/support/workspace.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {createFakeZone, createReviewBasis, editedProposal, proposal, zone} from '../support/fake-zone.ts';
import {target} from '../support/person.ts';

const getJournalPath = ({environment}: Workspace): string =>
	join(getMigrationFolder(environment, target) ?? '', 'journal.ndjson');

async function writeJournal(workspace: Workspace) {
	const journal = await openMigrationJournal(workspace.environment, target);
	await journal.saveRecord({state: 'eligible'});
	await journal.saveRecord({state: 'reviewed', goal: 'pending'});
	await journal.close();
	return getJournalPath(workspace);
}

describe('the journal of a migration', () => {
	test('returns the last saved record', async () => {
		using workspace = makeWorkspace();
		await writeJournal(workspace);
		const journal = await openMigrationJournal(workspace.environment, target);
		expect(journal.record).toEqual({state: 'reviewed', goal: 'pending'});
		await journal.close();
	});

	test('is stored under the place and the zone id', () => {
		expect(getMigrationFolder({LEDGE_STATE_DIR: '/state'}, target)).toBe(
			`/state/migrations/https_api.example.test/${zone.id}`,
		);
	});

	test.each([
		['has another name by now', {...zone, name: 'renamed.example'}],
		['is of an account that cannot be read', {id: zone.id, name: zone.id}],
		['is of an account that can be read again', {...zone, accountId: 'a1'}],
	])('is found if the zone %s', async (_what, currentZone) => {
		using workspace = makeWorkspace();
		await writeJournal(workspace);
		const currentTarget = {...target, zone: currentZone};
		expect(readMigrationRecord(workspace.environment, currentTarget)?.state).toBe('reviewed');
		const journal = await openMigrationJournal(workspace.environment, currentTarget);
		expect(journal.record.state).toBe('reviewed');
		await journal.close();
	});

	test('is found if it was stored under the names of account and zone', async () => {
		using workspace = makeWorkspace();
		const file = await writeJournal(workspace);
		const originFolder = dirname(dirname(file));
		mkdirSync(join(originFolder, 'Acme'));
		renameSync(dirname(file), join(originFolder, 'Acme', `acme.example-${zone.id}`));
		writeFileSync(
			join(originFolder, 'Acme', `acme.example-${zone.id}`, 'journal.ndjson'),
			readFileSync(join(originFolder, 'Acme', `acme.example-${zone.id}`, 'journal.ndjson'), 'utf8').replace(
				`"zone":"${zone.id}"`,
				`"account":"Acme","zone":"${zone.id}"`,
			),
		);
		const journal = await openMigrationJournal(workspace.environment, target);
		expect(journal.record.state).toBe('reviewed');
		await journal.close();
		expect(readdirSync(originFolder)).toEqual(['Acme']);
	});

	test('of a rehearsal is separate from the journal of the zone', async () => {
		using workspace = makeWorkspace();
		await writeJournal(workspace);
		const rehearsal = {...target, place: 'rehearsal'};
		expect(readMigrationRecord(workspace.environment, rehearsal)).toBeUndefined();
	});

	test('and its folders are accessible only to their owner, and hold no credential', async () => {
		using workspace = makeWorkspace();
		const service = createFakeZone();
		const journal = await openMigrationJournal(workspace.environment, target);
		const flow = createFlow({client: service.client, zone, journal});
		const work = {signal: neverAbortedSignal};
		await flow.observe(work);
		await flow.review(editedProposal, createReviewBasis(flow), 'pending');
		await flow.send('pending', {zone: zone.name}, work);
		await flow.watch(work);
		await journal.close();
		expect(flow.record.state).toBe('complete');
		const names = readdirSync(workspace.state, {recursive: true, encoding: 'utf8'});
		expect(names.filter(name => name.endsWith('.json')).length).toBeGreaterThan(2);
		for (const name of names) {
			const path = join(workspace.state, name);
			const stat = statSync(path);
			expect(stat.mode & 0o777, name).toBe(stat.isDirectory() ? 0o700 : 0o600);
			if (stat.isFile()) expect(readFileSync(path, 'utf8'), name).not.toContain('s3cret');
		}
	});

	test('marks a PUT as in doubt if it was running when the process ended', async () => {
		using workspace = makeWorkspace();
		const journal = await openMigrationJournal(workspace.environment, target);
		const put = {
			mode: 'pending',
			fingerprint: 'f',
			at: 5,
			before: {stage: 'previous', version: undefined, fingerprint: undefined},
		} as const;
		await journal.saveRecord({state: 'sending deploy', put});
		await journal.close();
		const record = readMigrationRecord(workspace.environment, target);
		expect(record?.state).toBe('deploy in doubt');
		expect(record?.put?.came).toBe('lost');
	});

	test('continues after a half-written last line', async () => {
		using workspace = makeWorkspace();
		const path = await writeJournal(workspace);
		appendFileSync(path, '{"at":1,"type":"cursor","posi');
		expect(readMigrationRecord(workspace.environment, target)?.state).toBe('reviewed');
		const journal = await openMigrationJournal(workspace.environment, target);
		await journal.saveRecord({state: 'eligible'});
		await journal.close();
		expect(readMigrationRecord(workspace.environment, target)?.state).toBe('eligible');
	});

	test.each([
		['a line that is not JSON', 'nonsense\n'],
		['an unknown state', '{"at":1,"type":"cursor","position":{"state":"somewhere"},"done":0}\n'],
		[
			'a PUT without the state before it',
			'{"at":1,"type":"cursor","position":{"state":"reviewed","put":{"mode":"pending"}},"done":0}\n',
		],
	])('with %s is refused, with a way out', async (_what, line) => {
		using workspace = makeWorkspace();
		const path = await writeJournal(workspace);
		appendFileSync(path, line);
		const failure = await failureOf(openMigrationJournal(workspace.environment, target));
		expect(isFailure(failure, 'journal_invalid') && failure.next).toContain('Move');
		expect(() => readMigrationRecord(workspace.environment, target)).toThrow(/damaged/);
	});

	test('of another kind of job or another zone is refused with a way out', async () => {
		using workspace = makeWorkspace();
		const path = await writeJournal(workspace);
		const journalText = readFileSync(path, 'utf8');
		for (const foreignText of [
			journalText.replace('"kind":"migration"', '"kind":"bulk-put"'),
			journalText.replace(zone.id, 'f'.repeat(32)),
		]) {
			writeFileSync(path, foreignText);
			const failure = await failureOf(openMigrationJournal(workspace.environment, target));
			expect(isFailure(failure, 'journal_invalid') && failure.next).toContain('Move');
		}
	});

	test('belongs to one process at a time, but can be read meanwhile', async () => {
		using workspace = makeWorkspace();
		const journal = await openMigrationJournal(workspace.environment, target);
		await journal.saveRecord({state: 'eligible'});
		const failure = await failureOf(openMigrationJournal(workspace.environment, target));
		expect(isFailure(failure, 'job_running')).toBe(true);
		expect(readMigrationRecord(workspace.environment, target)?.state).toBe('eligible');
		await journal.close();
		await (await openMigrationJournal(workspace.environment, target)).close();
	});

	test('with a partly written line continues with complete lines', async () => {
		using workspace = makeWorkspace();
		const path = await writeJournal(workspace);
		const journal = await openMigrationJournal(workspace.environment, target);
		const append = vi.spyOn(Journal.prototype, 'append').mockImplementationOnce(async () => {
			appendFileSync(path, '{"at":1,"type":"cur');
			throw new Failure('file_failed', 'The disk is full.');
		});
		await failureOf(journal.saveRecord({state: 'eligible'}));
		expect(journal.record.state).toBe('reviewed');
		append.mockRestore();
		await journal.saveRecord({state: 'blocked'});
		expect(journal.record.state).toBe('blocked');
		await journal.close();
		expect(readMigrationRecord(workspace.environment, target)?.state).toBe('blocked');
	});

	test('does not exist before anything has begun', () => {
		using workspace = makeWorkspace();
		expect(readMigrationRecord(workspace.environment, target)).toBeUndefined();
		expect(readMigrationRecord({}, target)).toBeUndefined();
	});

	test('cannot be started if the state directory is not writable', async () => {
		using workspace = makeWorkspace();
		writeFileSync(workspace.path('state'), 'a file in the way');
		const failure = await failureOf(openMigrationJournal(workspace.environment, target));
		expect(isFailure(failure, 'file_failed')).toBe(true);
	});

	test('in memory is refused for a zone of a real service, except for a dry run', () => {
		const createFlowIn = (dryRun: boolean, place: string) => () =>
			createFlow({
				client: createFakeZone({dryRun}).client,
				zone,
				journal: createMemoryJournal({...target, place}),
			});
		expect(createFlowIn(false, target.place)).toThrow(/journal on disk/);
		expect(createFlowIn(true, target.place)).not.toThrow();
		expect(createFlowIn(false, 'rehearsal')).not.toThrow();
	});
});

describe('a reviewed configuration', () => {
	test('is read back unchanged', async () => {
		using workspace = makeWorkspace();
		const journal = await openMigrationJournal(workspace.environment, target);
		await journal.saveReviewed(editedProposal);
		expect(await journal.readReviewed(computeFingerprint(editedProposal))).toEqual(editedProposal);
		await journal.close();
	});

	test('whose file was changed or is gone counts as not reviewed', async () => {
		using workspace = makeWorkspace();
		const journal = await openMigrationJournal(workspace.environment, target);
		await journal.saveReviewed(editedProposal);
		const editedFingerprint = computeFingerprint(editedProposal);
		writeFileSync(join(journal.folder ?? '', `reviewed-${editedFingerprint}.json`), JSON.stringify(proposal));
		for (const one of [editedFingerprint, 'f'.repeat(16)]) {
			const failure = await failureOf(journal.readReviewed(one));
			expect(isFailure(failure, 'journal_invalid')).toBe(true);
		}
		await journal.close();
	});
});
