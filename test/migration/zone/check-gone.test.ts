import {describe, expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import {readCheckAndStatus} from '../../../source/migration/zone/calls.ts';
import {assessEligibility} from '../../../source/migration/zone/eligibility.ts';
import {getEligibilityFacts} from '../../../source/migration/zone/read-facts.ts';
import {readSnapshot} from '../../../source/migration/zone/read-snapshot.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {never, refused} from '../../service/scripted-transport.ts';
import {answering, zone} from '../support/answers.ts';
import {confirmation, expectRefused, open, validating, work} from '../support/opened-flow.ts';

const statusOf = (state: string) => ({
	migration_state: state,
	new_waf_status: state === 'start' ? 'disabled' : 'enabled',
	old_waf_status: 'enabled',
});

/** A service without the check (403 is that of a credential that may not see it), in this stage. */
const without = (http: number, state: string) =>
	answering({
		'GET /waf_migration/check': () => refused(http, [{code: http === 403 ? 9109 : 1, message: 'no check'}]),
		'GET /waf_migration/status': statusOf(state),
	}).client;

describe.each([403, 404, 410])('a retired check (%i)', http => {
	test('is recognised in validation and blocks nothing', async () => {
		const {check, status} = await readCheckAndStatus(without(http, 'validation'), zone, never);
		expect(check.unanswered).toBeTruthy();
		const found = assessEligibility({zone, check, status, stage: 'validation'});
		expect(found.eligible).toBe(true);
		expect(found.blockers.map(({sentence}) => sentence).join()).toContain('could not be read');
	});

	test('still allows a snapshot of a zone in validation', async () => {
		const snapshot = await readSnapshot(without(http, 'validation'), zone, 'here', {signal: never});
		expect(snapshot.check).toBeNull();
		expect(getEligibilityFacts(snapshot)).toMatchObject({stage: 'validation', check: {compatible: false}});
		expect(assessEligibility(getEligibilityFacts(snapshot)).eligible).toBe(true);
	});

	test('fails before a migration has begun', async () => {
		const failure = await failureOf(readCheckAndStatus(without(http, 'start'), zone, never));
		expect(isFailure(failure)).toBe(true);
	});
});

describe('the end of validation', () => {
	test('continues without the check', async () => {
		const opened = open();
		await validating(opened);
		opened.service.truth.withheld = ['waf_migration/check'];
		await opened.flow.markReady();
		await opened.flow.send('pending', confirmation(), work);
		expect(opened.service.puts.map(({mode}) => mode)).toEqual(['validation', 'pending']);
	});

	test('is not sent if the service says that the zone is not eligible, and the reason is given', async () => {
		const opened = open();
		await validating(opened);
		await opened.flow.markReady();
		opened.service.truth.compatible = false;
		const sending = opened.flow.send('pending', confirmation(), work);
		const failure = await expectRefused(opened.service, sending, 'not_eligible');
		expect(failure.details.why).toContain('The zone is in validation, and the service reports');
		expect(failure.next).toContain('dashboard');
	});
});
