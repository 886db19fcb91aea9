import {describe, expect, test} from 'vitest';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {verifyDeployment} from '../../../source/migration/flow/verification.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {createFakeZone, editedProposal, proposal, zone} from '../support/fake-zone.ts';

const completeRecord = {state: 'complete'} as const;

async function verifyZone(
	arrange: (service: ReturnType<typeof createFakeZone>) => void,
	reviewed = proposal,
) {
	const service = createFakeZone();
	arrange(service);
	return verifyDeployment(service.client, zone, completeRecord, reviewed, neverAbortedSignal);
}

describe('the deployed configuration', () => {
	test('lists each managed ruleset with its deployment, activity, level and threshold', async () => {
		const {managedRulesets: deployedRulesets} = await verifyZone(service =>
			service.save(proposal, 'complete'),
		);
		expect(deployedRulesets).toEqual([
			{...managedRulesets.platform, activity: 'on'},
			{...managedRulesets.owasp, activity: 'on', level: 2, threshold: 40},
			{...managedRulesets.credentials, activity: 'not deployed'},
		]);
	});

	test('equals the reviewed configuration, whatever the service adds', async () => {
		const {sameAsReviewed, differences, findings} = await verifyZone(service =>
			service.save(proposal, 'complete'),
		);
		expect(sameAsReviewed).toBe(true);
		expect(differences).toEqual([]);
		expect(findings).toEqual([]);
	});

	test('that differs from the reviewed configuration is reported with the difference', async () => {
		const {sameAsReviewed, differences, findings} = await verifyZone(service =>
			service.save(editedProposal, 'complete'),
		);
		expect(sameAsReviewed).toBe(false);
		expect(differences.length).toBeGreaterThan(0);
		expect(findings).toContain('The deployed configuration differs from the reviewed one.');
	});

	test('that differs from the configuration sent is reported if the reviewed one is no longer known', async () => {
		const service = createFakeZone();
		service.save(editedProposal, 'complete');
		const put = {
			mode: 'pending',
			fingerprint: 'a'.repeat(16),
			at: 1,
			before: {stage: 'previous', version: undefined, fingerprint: undefined},
			came: 'accepted',
			stored: {version: '1', fingerprint: 'b'.repeat(16)},
		} as const;
		const {findings} = await verifyDeployment(
			service.client,
			zone,
			{...completeRecord, put},
			undefined,
			neverAbortedSignal,
		);
		expect(findings.join()).toContain('differs from what was reviewed and sent');
	});

	test('in an unknown stage is reported with the states of check and status', async () => {
		const {findings} = await verifyZone(service => {
			service.save(proposal, 'complete');
			let statusReadings = 0;
			service.truth.chooseShown = what => (what === 'status' && ++statusReadings === 2 ? 'before' : 'now');
		});
		expect(findings.join()).toContain('state "complete". The status reports: state "start"');
	});

	test('that protects nothing is reported', async () => {
		const disabledProposal = {...proposal, rules: proposal.rules.map(rule => ({...rule, enabled: false}))};
		const {managedRulesets: deployedRulesets, findings} = await verifyZone(
			service => service.save(disabledProposal, 'complete'),
			disabledProposal,
		);
		expect(deployedRulesets.filter(({activity}) => activity === 'on')).toEqual([]);
		expect(findings.join()).toContain('No managed ruleset is on');
	});

	test('is saved with the verification, without the fields that the service added to its rules', async () => {
		const {deployed} = await verifyZone(service => service.save(editedProposal, 'complete'));
		expect(deployed?.rules.map(({expression}) => expression)).toEqual(['true']);
		expect(deployed?.rules[0]).not.toHaveProperty('id');
		expect(deployed?.rules[0]).not.toHaveProperty('ref');
	});

	test('is absent if there is no entry point', async () => {
		const {fingerprint, stage} = await verifyZone(() => {});
		expect(fingerprint).toBeUndefined();
		expect(stage).toBe('previous');
	});
});
