import {describe, expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import {readCheckAndStatus} from '../../../source/migration/zone/calls.ts';
import {assessEligibility} from '../../../source/migration/zone/eligibility.ts';
import {getEligibilityFacts} from '../../../source/migration/zone/read-facts.ts';
import {readSnapshot} from '../../../source/migration/zone/read-snapshot.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {buildErrorResponse, neverAbortedSignal} from '../../service/scripted-transport.ts';
import {createZoneClient, zone} from '../support/answers.ts';
import {
	createConfirmation,
	expectRefused,
	openTestFlow,
	startValidation,
	work,
} from '../support/opened-flow.ts';

const createStatus = (state: string) => ({
	migration_state: state,
	new_waf_status: state === 'start' ? 'disabled' : 'enabled',
	old_waf_status: 'enabled',
});

/** A client of a service without the check, in this stage. 403: the credential may not read it. */
const createClientWithoutCheck = (http: number, state: string) =>
	createZoneClient({
		'GET /waf_migration/check': () =>
			buildErrorResponse(http, [{code: http === 403 ? 9109 : 1, message: 'no check'}]),
		'GET /waf_migration/status': createStatus(state),
	}).client;

describe.each([403, 404, 410])('a retired check (%i)', http => {
	test('is recognised in validation and blocks nothing', async () => {
		const {check, status} = await readCheckAndStatus(
			createClientWithoutCheck(http, 'validation'),
			zone,
			neverAbortedSignal,
		);
		expect(check.unanswered).toBeTruthy();
		const found = assessEligibility({zone, check, status, stage: 'validation'});
		expect(found.eligible).toBe(true);
		expect(found.blockers.map(({sentence}) => sentence).join()).toContain('could not be read');
	});

	test('still allows a snapshot of a zone in validation', async () => {
		const snapshot = await readSnapshot(createClientWithoutCheck(http, 'validation'), zone, 'here', {
			signal: neverAbortedSignal,
		});
		expect(snapshot.check).toBeNull();
		expect(getEligibilityFacts(snapshot)).toMatchObject({stage: 'validation', check: {compatible: false}});
		expect(assessEligibility(getEligibilityFacts(snapshot)).eligible).toBe(true);
	});

	test('fails before a migration has begun', async () => {
		const failure = await failureOf(
			readCheckAndStatus(createClientWithoutCheck(http, 'start'), zone, neverAbortedSignal),
		);
		expect(isFailure(failure)).toBe(true);
	});
});

describe('the end of validation', () => {
	test('continues without the check', async () => {
		const opened = openTestFlow();
		await startValidation(opened);
		opened.service.truth.forbiddenPaths = ['waf_migration/check'];
		await opened.flow.markReady();
		await opened.flow.send('pending', createConfirmation(), work);
		expect(opened.service.puts.map(({mode}) => mode)).toEqual(['validation', 'pending']);
	});

	test('is not sent if the service says that the zone is not eligible, and the reason is given', async () => {
		const opened = openTestFlow();
		await startValidation(opened);
		await opened.flow.markReady();
		opened.service.truth.compatible = false;
		const sending = opened.flow.send('pending', createConfirmation(), work);
		const failure = await expectRefused(opened.service, sending, 'not_eligible');
		expect(failure.details.why).toContain('The zone is in validation, and the service reports');
		expect(failure.next).toContain('dashboard');
	});
});
