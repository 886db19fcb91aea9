import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {createTextKey} from '../../../source/keyboard/key.ts';
import {getEmergencyCommand} from '../../../source/screens/emergency/ending.ts';
import {getContinueCommand} from '../../../source/screens/wizard/ending.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {startListener} from '../../../source/simulator/simulator.ts';
import {commandIn} from '../../support/firewall.ts';
import {type EndedRun, ledge} from '../../support/run.ts';
import {callMovedZoneAsOther, shop} from '../support/firewall.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

/** Runs a command that a screen has shown, on the simulated service of that screen. */
async function runShownCommand({simulator}: TestStore, text: string | undefined): Promise<EndedRun> {
	const words = commandIn(text ?? '');
	// --simulate is left out below: it would start a service of its own, without the data of this test.
	expect(words).toContain('--simulate');
	const server = await startListener(simulator, {port: 0});
	onTestFinished(() => server.close());
	const env = {CLOUDFLARE_API_BASE_URL: server.url, CLOUDFLARE_API_TOKEN: 'simulated'};
	return ledge(['firewall', ...words.filter(word => word !== '--simulate')], {env});
}

const readRules = (testStore: TestStore) =>
	callMovedZoneAsOther<{action: string; paused: boolean}[]>(testStore, 'GET', '/firewall/rules?per_page=100');

const expression = 'ip.src eq 192.0.2.98 and http.user_agent contains "it\'s"';

describe('a command that a screen shows and copies', () => {
	test('creates the rule after the wizard failed to create it', async () => {
		const testStore = createTestStore();
		const {state} = testStore;
		state().firewall.open(shop);
		await state().firewall.load(testStore.signal);
		state().wizard.begin({kind: 'new rule'});
		state().navigation.go('wizard');
		for (const character of expression) state().wizard.type(createTextKey(character));
		state().wizard.goToNextStep();
		state().wizard.chooseAction('challenge');
		state().wizard.goToNextStep();
		testStore.simulator.faults.replace('method=POST path=firewall/rules status=429');
		testStore.advanceClock(minReviewMs);
		await state().wizard.send();
		testStore.simulator.faults.clear();
		const wizard = state().wizard.data;
		const result = await runShownCommand(
			testStore,
			wizard && getContinueCommand(wizard, wizard.orphanFilterId),
		);
		expect(result).toMatchObject({code: 0});
		expect(await readRules(testStore)).toMatchObject([{action: 'challenge'}]);
	});

	test('undoes an active emergency', async () => {
		const testStore = createTestStore();
		const {state} = testStore;
		state().firewall.open(shop);
		await state().firewall.load(testStore.signal);
		state().emergency.begin();
		state().navigation.go('emergency');
		for (const character of expression) state().emergency.type(createTextKey(character));
		state().emergency.goToNextStep();
		state().emergency.chooseAction('block');
		testStore.advanceClock(minReviewMs);
		await state().emergency.send();
		const emergency = state().emergency.data;
		const result = await runShownCommand(testStore, emergency && `${getEmergencyCommand(emergency)} --yes`);
		expect(result).toMatchObject({code: 0});
		expect(await readRules(testStore)).toEqual([]);
	});

	test('creates the rule of an emergency that only has its filter', async () => {
		const testStore = createTestStore();
		const {state} = testStore;
		state().firewall.open(shop);
		await state().firewall.load(testStore.signal);
		state().emergency.begin();
		state().navigation.go('emergency');
		for (const character of expression) state().emergency.type(createTextKey(character));
		state().emergency.goToNextStep();
		state().emergency.chooseAction('block');
		const originalFetch = testStore.simulator.fetch;
		const fetchSpy = vi.spyOn(testStore.simulator, 'fetch').mockImplementation(async request => {
			if (request.method !== 'POST') return originalFetch(request);
			fetchSpy.mockRestore();
			await callMovedZoneAsOther(testStore, 'POST', '/filters', [{expression}]);
			return Response.json(
				{success: false, errors: [{message: 'full'}], messages: [], result: null},
				{status: 403},
			);
		});
		testStore.advanceClock(minReviewMs);
		await state().emergency.send();
		const emergency = state().emergency.data;
		const result = await runShownCommand(testStore, emergency && getEmergencyCommand(emergency));
		expect(result).toMatchObject({code: 0});
		expect(await readRules(testStore)).toMatchObject([{action: 'block'}]);
	});
});
