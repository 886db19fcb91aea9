import {describe, expect, test} from 'vitest';
import {zone} from '../support/fake-zone.ts';
import {
	createConfirmation,
	expectRefused,
	openTestFlow,
	reviewEditedProposal,
	startValidation,
	work,
} from '../support/opened-flow.ts';

describe('eligibility read again before a PUT', () => {
	test('a zone that is not eligible is sent nothing, even with a confirmation', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		service.truth.compatible = false;
		for (const mode of ['pending', 'validation'] as const)
			await expectRefused(service, flow.send(mode, createConfirmation(), work), 'not_eligible');
	});

	const bypass = (id: string, expression = 'true') => ({
		id,
		action: 'bypass',
		products: ['waf'],
		paused: true,
		filter: {id: `f${id}`, expression, paused: false},
	});
	const additionalConfirmations = {withoutRulesets: true, incompleteBackup: true};

	test.each([
		[
			'201 bypassing firewall rules',
			'at most 200',
			{firewallRules: Array.from({length: 201}, (_, at) => bypass(`r${at}`))},
		],
		[
			'an expression over 4,096 bytes',
			'over 4096 bytes',
			{firewallRules: [bypass('long', `"${'é'.repeat(2048)}"`)]},
		],
		['URI-based overrides', '1 URI-based override', {overrides: [{id: 'o1', urls: ['acme.example/*']}]}],
	])('%s stop the PUT even if the check says compatible, and are named', async (_what, sentence, blockingContent) => {
		for (const mode of ['pending', 'validation'] as const) {
			const {service, flow} = openTestFlow();
			await reviewEditedProposal(flow, mode);
			Object.assign(service.truth, blockingContent);
			const sending = flow.send(mode, {...createConfirmation(), ...additionalConfirmations}, work);
			const failure = await expectRefused(service, sending, 'not_eligible');
			expect(failure.details.why).toContain(sentence);
			expect(failure.next).toContain('ledge migration check');
		}
	});

	test('URI-based overrides that return in validation do not stop its end', async () => {
		const opened = openTestFlow();
		await startValidation(opened);
		const {service, flow} = opened;
		service.truth.overrides = [{id: 'o1', urls: ['acme.example/*']}];
		await flow.markReady();
		await flow.send('pending', createConfirmation(), work);
		expect(service.puts).toHaveLength(2);
	});

	test('firewall rules added in validation stop its end', async () => {
		const opened = openTestFlow();
		await startValidation(opened);
		const {service, flow} = opened;
		await flow.markReady();
		service.truth.firewallRules = [bypass('long', 'x'.repeat(4097))];
		await expectRefused(service, flow.send('pending', createConfirmation(), work), 'not_eligible');
	});

	test.each(['pro', 'business'] as const)('validation is refused for a zone of the %s plan', async plan => {
		const {service, flow} = openTestFlow({zone: {...zone, plan}});
		await reviewEditedProposal(flow, 'validation');
		await expectRefused(service, flow.send('validation', createConfirmation(), work), 'plan_lacks');
	});

	test('a zone whose plan could not be read may try validation', async () => {
		const {flow} = openTestFlow({zone: {...zone, plan: undefined}});
		await reviewEditedProposal(flow, 'validation');
		await flow.send('validation', createConfirmation(), work);
		expect(flow.record.state).toBe('validating');
	});
});
