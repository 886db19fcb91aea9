import {mkdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createFlow} from '../../../source/migration/flow/flow.ts';
import {verifySent} from '../../../source/migration/flow/verification.ts';
import {createMemoryJournal, openMigrationJournal} from '../../../source/migration/journal/journal.ts';
import {trySaveReport} from '../../../source/migration/report/save-report.ts';
import {verifyAndReport} from '../../../source/screens/migration/verification.ts';
import {makeWorkspace} from '../../kv/support/workspace.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {
	createFakeZone,
	createReviewBasis,
	editedProposal,
	foreignConfiguration,
	zone,
} from '../support/fake-zone.ts';
import {target} from '../support/person.ts';

const work = {signal: neverAbortedSignal};
const verifiers = {
	'at the end of a command': verifySent,
	'on the screen': verifyAndReport,
};

test.each(
	Object.entries(verifiers),
)('a migration finished by someone else is compared with nothing, %s', async (_where, verify) => {
	const service = createFakeZone();
	const journal = createMemoryJournal({place: 'simulated', zone});
	const flow = createFlow({client: service.client, zone, journal});
	await flow.observe(work);
	await flow.review(editedProposal, createReviewBasis(flow), 'pending');
	await journal.saveRecord({...flow.record, state: 'unknown stage'});
	service.save(foreignConfiguration, 'complete');
	const laterFlow = createFlow({client: service.client, zone, journal});
	await laterFlow.observe(work);
	expect(laterFlow.record).toMatchObject({state: 'complete', reviewed: flow.record.reviewed});
	const {configuration, verification} = await verify(laterFlow, service.client, neverAbortedSignal);
	expect(configuration).toBeUndefined();
	expect(verification).toMatchObject({sameAsReviewed: false, differences: []});
	expect(verification.findings.join()).not.toContain('differs from the reviewed one');
});

test.each(
	Object.entries(verifiers),
)('a configuration reviewed and sent is compared with the deployed one, %s', async (_where, verify) => {
	const service = createFakeZone();
	const journal = createMemoryJournal({place: 'simulated', zone});
	const flow = createFlow({client: service.client, zone, journal});
	await flow.observe(work);
	await flow.review(editedProposal, createReviewBasis(flow), 'pending');
	await flow.send('pending', {zone: zone.name}, work);
	await flow.watch(work);
	expect((await verify(flow, service.client, neverAbortedSignal)).verification.sameAsReviewed).toBe(true);
	service.save(foreignConfiguration, 'complete');
	const {configuration, verification} = await verify(flow, service.client, neverAbortedSignal);
	expect(configuration).toEqual(editedProposal);
	expect(verification.findings.join()).toContain('differs from the reviewed one');
});

test('a report that cannot be written does not change the outcome of the migration', async () => {
	using workspace = makeWorkspace();
	const service = createFakeZone();
	const journal = await openMigrationJournal(workspace.environment, target);
	const flow = createFlow({client: service.client, zone, journal});
	await flow.observe(work);
	await flow.review(editedProposal, createReviewBasis(flow), 'pending');
	await flow.send('pending', {zone: zone.name}, work);
	await flow.watch(work);
	// A folder in place of the file makes only the report fail, as a full disk would.
	const reportPath = join(journal.folder ?? '', 'report.md');
	mkdirSync(reportPath);
	const end = {...(await verifySent(flow, service.client, neverAbortedSignal)), at: 0};
	const {path, failure} = await trySaveReport(flow, end);
	expect(path).toBeUndefined();
	expect(failure?.details.left).toContain('new version only');
	expect(failure?.next).toContain('migration report');
	expect(await verifyAndReport(flow, service.client, neverAbortedSignal)).toMatchObject({
		reportPath: undefined,
		verification: {sameAsReviewed: true},
		failure: {code: 'file_failed'},
	});
	rmSync(reportPath, {recursive: true});
	expect((await trySaveReport(flow, end)).path).toBe(reportPath);
	await journal.close();
});
