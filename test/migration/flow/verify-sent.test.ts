import {mkdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createFlow} from '../../../source/migration/flow/flow.ts';
import {verifySent} from '../../../source/migration/flow/verification.ts';
import {createMemoryJournal, openMigrationJournal} from '../../../source/migration/journal/journal.ts';
import {trySaveReport} from '../../../source/migration/report/save-report.ts';
import {verifyAndReport} from '../../../source/screens/migration/verification.ts';
import {makeWorkspace} from '../../kv/support/workspace.ts';
import {never} from '../../service/scripted-transport.ts';
import {createFakeZone, edited, foreign, shown, zone} from '../support/fake-zone.ts';
import {target} from '../support/person.ts';

const work = {signal: never};
const ways = {
	'at the end of a command': verifySent,
	'on the screen': verifyAndReport,
};

test.each(
	Object.entries(ways),
)('a migration finished by someone else is compared with nothing, %s', async (_where, read) => {
	const service = createFakeZone();
	const journal = createMemoryJournal({place: 'simulated', zone});
	const flow = createFlow({client: service.client, zone, journal});
	await flow.observe(work);
	await flow.review(edited, shown(flow), 'pending');
	await journal.saveRecord({...flow.record, state: 'unknown stage'});
	service.save(foreign, 'complete');
	const again = createFlow({client: service.client, zone, journal});
	await again.observe(work);
	expect(again.record).toMatchObject({state: 'complete', reviewed: flow.record.reviewed});
	const {configuration, verification} = await read(again, service.client, never);
	expect(configuration).toBeUndefined();
	expect(verification).toMatchObject({sameAsReviewed: false, differences: []});
	expect(verification.findings.join()).not.toContain('differs from the reviewed one');
});

test.each(
	Object.entries(ways),
)('a configuration reviewed and sent is compared with the deployed one, %s', async (_where, read) => {
	const service = createFakeZone();
	const journal = createMemoryJournal({place: 'simulated', zone});
	const flow = createFlow({client: service.client, zone, journal});
	await flow.observe(work);
	await flow.review(edited, shown(flow), 'pending');
	await flow.send('pending', {zone: zone.name}, work);
	await flow.watch(work);
	expect((await read(flow, service.client, never)).verification.sameAsReviewed).toBe(true);
	service.save(foreign, 'complete');
	const {configuration, verification} = await read(flow, service.client, never);
	expect(configuration).toEqual(edited);
	expect(verification.findings.join()).toContain('differs from the reviewed one');
});

test('a report that cannot be written does not change the outcome of the migration', async () => {
	using workspace = makeWorkspace();
	const service = createFakeZone();
	const journal = await openMigrationJournal(workspace.environment, target);
	const flow = createFlow({client: service.client, zone, journal});
	await flow.observe(work);
	await flow.review(edited, shown(flow), 'pending');
	await flow.send('pending', {zone: zone.name}, work);
	await flow.watch(work);
	// A folder stands where the file is to be: as a full disk, it refuses only that.
	const report = join(journal.folder ?? '', 'report.md');
	mkdirSync(report);
	const end = {...(await verifySent(flow, service.client, never)), at: 0};
	const {path, failure} = await trySaveReport(flow, end);
	expect(path).toBeUndefined();
	expect(failure?.details.left).toContain('new version only');
	expect(failure?.next).toContain('migration report');
	expect(await verifyAndReport(flow, service.client, never)).toMatchObject({
		reportPath: undefined,
		verification: {sameAsReviewed: true},
		failure: {code: 'file_failed'},
	});
	rmSync(report, {recursive: true});
	expect((await trySaveReport(flow, end)).path).toBe(report);
	await journal.close();
});
