import {describe, expect, test} from 'vitest';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {verifyDeployment} from '../../../source/migration/flow/verification.ts';
import {never} from '../../service/scripted-transport.ts';
import {createFakeZone, edited, proposal, zone} from '../support/fake-zone.ts';

const nothing = {state: 'complete'} as const;

async function verified(arrange: (service: ReturnType<typeof createFakeZone>) => void, reviewed = proposal) {
	const service = createFakeZone();
	arrange(service);
	return verifyDeployment(service.client, zone, nothing, reviewed, never);
}

describe('the deployed configuration', () => {
	test('lists each managed ruleset with its deployment, activity, level and threshold', async () => {
		const {managedRulesets: found} = await verified(service => service.save(proposal, 'complete'));
		expect(found).toEqual([
			{...managedRulesets.platform, activity: 'on'},
			{...managedRulesets.owasp, activity: 'on', level: 2, threshold: 40},
			{...managedRulesets.credentials, activity: 'not deployed'},
		]);
	});

	test('equals the reviewed configuration, whatever the service adds', async () => {
		const {sameAsReviewed, differences, findings} = await verified(service =>
			service.save(proposal, 'complete'),
		);
		expect(sameAsReviewed).toBe(true);
		expect(differences).toEqual([]);
		expect(findings).toEqual([]);
	});

	test('that differs from the reviewed configuration is reported with the difference', async () => {
		const {sameAsReviewed, differences, findings} = await verified(service =>
			service.save(edited, 'complete'),
		);
		expect(sameAsReviewed).toBe(false);
		expect(differences.length).toBeGreaterThan(0);
		expect(findings).toContain('The deployed configuration differs from the reviewed one.');
	});

	test('that differs from the configuration sent is reported if the reviewed one is no longer known', async () => {
		const service = createFakeZone();
		service.save(edited, 'complete');
		const put = {
			mode: 'pending',
			fingerprint: 'a'.repeat(16),
			at: 1,
			before: {stage: 'previous', version: undefined, fingerprint: undefined},
			came: 'accepted',
			stored: {version: '1', fingerprint: 'b'.repeat(16)},
		} as const;
		const {findings} = await verifyDeployment(service.client, zone, {...nothing, put}, undefined, never);
		expect(findings.join()).toContain('differs from what was reviewed and sent');
	});

	test('in an unknown stage is reported with both answers', async () => {
		const {findings} = await verified(service => {
			service.save(proposal, 'complete');
			let number = 0;
			service.truth.shows = what => (what === 'status' && ++number === 2 ? 'before' : 'now');
		});
		expect(findings.join()).toContain('state "complete". The status reports: state "start"');
	});

	test('that protects nothing is reported', async () => {
		const off = {...proposal, rules: proposal.rules.map(rule => ({...rule, enabled: false}))};
		const {managedRulesets: found, findings} = await verified(service => service.save(off, 'complete'), off);
		expect(found.filter(({activity}) => activity === 'on')).toEqual([]);
		expect(findings.join()).toContain('No managed ruleset is on');
	});

	test('is saved with the verification, without the fields that the service added to its rules', async () => {
		const {deployed} = await verified(service => service.save(edited, 'complete'));
		expect(deployed?.rules.map(({expression}) => expression)).toEqual(['true']);
		expect(deployed?.rules[0]).not.toHaveProperty('id');
		expect(deployed?.rules[0]).not.toHaveProperty('ref');
	});

	test('is absent if there is no entry point', async () => {
		const {fingerprint, stage} = await verified(() => {});
		expect(fingerprint).toBeUndefined();
		expect(stage).toBe('previous');
	});
});
